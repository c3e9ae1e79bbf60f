/* SPDX-License-Identifier: MIT */
/* A step of branch and bound over decision diagrams: a subproblem is solved, or cut into others. */
#ifndef KNAPSACK_BRANCH_H
#define KNAPSACK_BRANCH_H

#include "diagram.h"

/* What all subproblems have in common. */
struct search {
    const struct instance *instance;
    heist_master_bound best; /* solution that is known, of all workers */
};

enum branched {
    SOLVED, /* nothing is left to do */
    CLOSED, /* nothing is left to do: a relaxed diagram alone has shown that */
    CUT     /* subproblems are left, those of the diagram's cut */
};

/* The items before `item` are decided, and `from` is where that has led to. */
enum branched branch(struct search *search, struct diagram *d, struct state from, unsigned item);

#endif
