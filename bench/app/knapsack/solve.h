/* SPDX-License-Identifier: MIT */
/* Branch and bound over decision diagrams, by master and workers. */
#ifndef KNAPSACK_SOLVE_H
#define KNAPSACK_SOLVE_H

#include <heist/master.h>

#include "instance.h"

struct solution {
    int64_t profit;
    uint64_t subproblems; /* expanded */
    uint64_t closed;      /* of them, by the bound of a relaxed diagram alone */
    uint64_t redistributions, moved;
};

/* 0, or a negative errno. The solution is optimal. */
int solve(const struct instance *k, size_t width, heist_pool *pool, struct solution *solution);

#endif
