/* SPDX-License-Identifier: MIT */
/* Something to do for a pool, of forks and of a loop, with known results. */
#ifndef HEIST_TEST_RUNTIME_WORK_H
#define HEIST_TEST_RUNTIME_WORK_H

#include <heist/heist.h>

/* The leaves of a tree: 2^depth. */
HEIST_TASK_1(uint32_t, tree, int, depth)
{
    if (!depth)
        return 1;
    HEIST_FORK(tree, depth - 1);
    uint32_t leaves = HEIST_CALL(tree, depth - 1);
    return leaves + HEIST_JOIN(tree);
}

/* The body of a loop: how many iterations there are, in a heist_au32. */
static inline void add_range(heist_worker *w, size_t from, size_t to, void *sum)
{
    (void)w;
    heist_add((heist_au32 *)sum, (uint32_t)(to - from), __ATOMIC_RELAXED);
}

#endif
