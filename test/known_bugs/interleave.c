/* SPDX-License-Identifier: MIT */
/*
 * interleave KIND LENGTH: plays every script of up to LENGTH operations, with every operation in
 * the middle of every other, on all forms of one kind. What known_bugs does for known errors, for
 * the unknown ones. With HEIST_STRESS_SECONDS set, as for long runs, LENGTH is one more.
 */
#include "right.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned length;
static bool failed;

static void play_one(const struct subject *subject, void *unused)
{
    (void)unused;
    struct verdict v = {0};
    play_all(subject, length, &v);
    printf("%-28s %8lu runs, %8lu stolen, faults: %s%s%s\n", subject->name, v.runs,
           v.taken_by_thieves, fault_names(v.faults), v.faults ? ", first in " : "", v.first);
    failed |= v.faults || !v.taken_by_thieves;
}

int main(int argc, char **argv)
{
    length = (argc == 3 ? (unsigned)atoi(argv[2]) : 0) + (getenv("HEIST_STRESS_SECONDS") != NULL);
    if (argc != 3 || length < 1 || length > 8 || !right_subjects(argv[1], play_one, NULL)) {
        fprintf(stderr, "interleave: give it a kind that has no locks, and a length from 1 to 7\n");
        return 2;
    }
    return failed;
}
