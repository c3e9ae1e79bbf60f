/* SPDX-License-Identifier: MIT */
/*
 * Trees of tasks with a given number of nodes. A node is the range of tasks that it and all below
 * it are: itself the first, its children the rest, one behind the other. So every task has a
 * number, and the simulator and the real runtime can run the same tree without holding it.
 */
#ifndef SIM_TREE_H
#define SIM_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { TREE_CHILDREN_MOST = 4 };

enum tree_shape {
    TREE_LEAVES,    /* no node has children */
    TREE_FIB,       /* two children, one 0.618 of the other; all tasks as long */
    TREE_UNBALANCED /* one to four children of sizes by chance; tasks from 0 to twice the mean */
};

struct tree {
    enum tree_shape shape;
    uint64_t seed;
};

struct tree_node {
    uint64_t first, size;
};

/* The children of a node; how many. All but the last are forked, the last is called. */
unsigned tree_children(const struct tree *tree, struct tree_node node,
                       struct tree_node children[TREE_CHILDREN_MOST]);
/* How long this task is, if `mean` is the mean. */
uint64_t tree_work(const struct tree *tree, uint64_t task, uint64_t mean);

#endif
