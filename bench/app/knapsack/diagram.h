/* SPDX-License-Identifier: MIT */
/*
 * Decision diagrams of a knapsack, layer by layer, of which only the newest layer is kept: a node
 * of it is the capacity that is left, and the most profit with which one gets there. A diagram that
 * grows too wide is restricted: the worst nodes are left out, what remains is feasible, and its
 * longest path is a bound from below. Or it is relaxed: the worst nodes are merged into one with
 * the most capacity and the most profit of them all, and its longest path is a bound from above.
 */
#ifndef KNAPSACK_DIAGRAM_H
#define KNAPSACK_DIAGRAM_H

#include <heist/master.h>

#include "instance.h"

struct state {
    int64_t capacity, profit;
};

enum diagram_kind { RESTRICTED, RELAXED };

struct diagram {
    size_t width; /* at most so many nodes in a layer; 2 or more */
    /* The newest layer, with the most capacity first, and room for the next one. */
    struct state *layer, *next;
    size_t number;
    /* Of a relaxed diagram: the last layer before nodes were merged, whose nodes are exact. */
    struct state *cut;
    size_t cut_number;
    unsigned cut_item; /* decided next there */
    bool is_exact;     /* nothing was left out or merged */
};

bool diagram_init(struct diagram *d, size_t width);
void diagram_fini(struct diagram *d);

/*
 * All decisions from item `first` on, from one state. Whatever can't lead to more than `best` is
 * left out. The longest path, or INT64_MIN if nothing is left.
 */
int64_t diagram_compile(struct diagram *d, const struct instance *k, enum diagram_kind kind,
                        unsigned first, struct state from, int64_t best);

#endif
