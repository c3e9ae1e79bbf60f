/* SPDX-License-Identifier: MIT */
/* The limits that the cgroups of this process state. */
#ifndef HEIST_RUNTIME_CGROUPS_H
#define HEIST_RUNTIME_CGROUPS_H

#include <stdbool.h>
#include <stdint.h>

/* What the cgroup of a directory states; 0: no limit. */
typedef unsigned heist_cgroup_limit_fn_(const char *directory);

struct heist_cgroup_limits_ {
    const char *controller; /* "cpu", "pids" */
    heist_cgroup_limit_fn_ *v1, *v2;
};

/*
 * The least limit of the process's cgroup and of all above it that can be seen, in version 2 and in
 * version 1's hierarchy of the controller; 0: none. What can't be read is no limit. `root` goes
 * before the names of all files that are read: "" but in tests.
 */
unsigned heist_cgroup_least_(const char *root, const struct heist_cgroup_limits_ *asked);

static inline unsigned heist_cgroup_lesser_(unsigned a, unsigned b)
{
    return !a || (b && b < a) ? b : a;
}

/* For those functions: the first line of a file; a number in it, 0 if there are no digits, with
   what must end it, and `text` moves on behind both; a file of one number. */
enum { HEIST_CGROUP_LINE_ = 64 }; /* no line with one or two numbers is longer */
bool heist_cgroup_line_(const char *directory, const char *name, char line[HEIST_CGROUP_LINE_]);
bool heist_cgroup_number_(const char **text, char end, uint64_t *number);
bool heist_cgroup_read_(const char *directory, const char *name, uint64_t *number);

#endif
