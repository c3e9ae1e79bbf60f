/* SPDX-License-Identifier: MIT */
/*
 * interleave KIND: plays every short script, with every operation in the middle of every other, on
 * all forms of one kind. What known_bugs does for known errors, for the unknown ones. With
 * HEIST_STRESS_SECONDS set, as for long runs, the scripts are one operation longer.
 */
#include "right.h"

#include <stdio.h>
#include <stdlib.h>

static void play_one(const struct subject *subject, void *failed)
{
    struct verdict v = {0};
    play_all(subject, getenv("HEIST_STRESS_SECONDS") ? 4 : 3, &v);
    printf("%-28s %8lu runs, %8lu stolen, faults: %s%s%s\n", subject->name, v.runs,
           v.taken_by_thieves, fault_names(v.faults), v.faults ? ", first in " : "", v.first);
    if (v.faults || !v.taken_by_thieves)
        *(bool *)failed = true;
}

int main(int argc, char **argv)
{
    bool failed = false;
    if (argc != 2 || !right_subjects(argv[1], play_one, &failed)) {
        fprintf(stderr, "interleave: give it one kind that has no locks\n");
        return 2;
    }
    return failed;
}
