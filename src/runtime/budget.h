/* SPDX-License-Identifier: MIT */
/*
 * How many CPUs this process may keep busy: its affinity and the CPU quotas of its cgroups.
 */
#ifndef HEIST_RUNTIME_BUDGET_H
#define HEIST_RUNTIME_BUDGET_H

struct heist_budget_ {
    unsigned affinity; /* CPUs that this process may run on; at least 1 */
    unsigned quota;    /* CPUs' worth of time that its cgroups allow, rounded up; 0: no limit */
    unsigned workers;  /* the lesser of the two; a pool may have a limit of its own */
};

/*
 * Reads it anew. What can't be read is no limit. `root` goes before the names of all files that are
 * read: "" but in tests. The quota is the least of the process's cgroup and of all above it that
 * can be seen, in version 2 and in version 1's hierarchy of the cpu controller.
 */
struct heist_budget_ heist_budget_read_(const char *root);

#endif
