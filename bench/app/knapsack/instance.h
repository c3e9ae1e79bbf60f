/* SPDX-License-Identifier: MIT */
/* An instance of 0/1 knapsack: generated, bounded, and solved by dynamic programming for
   comparison. */
#ifndef KNAPSACK_INSTANCE_H
#define KNAPSACK_INSTANCE_H

#include <stdint.h>

/* How profits follow from weights. */
enum correlation { NONE, WEAK, STRONG };

struct item {
    int64_t weight, profit;
};

struct instance {
    unsigned items;
    int64_t capacity;
    struct item *item; /* by profit per weight, the best first */
    int64_t *weights;  /* of the first i items together, i <= items */
    int64_t *profits;
};

/* Weights from 1 to `range`; the capacity is half of all. NULL: no memory. */
struct instance *instance_new(unsigned items, int64_t range, enum correlation how, uint64_t seed);
void instance_free(struct instance *k);

/* At most so much profit is in the items from `first` on: those that fit, and a part of the next.
   */
int64_t instance_bound(const struct instance *k, unsigned first, int64_t capacity);

/* The best there is, in time and memory that grow with the capacity; -1: no memory. */
int64_t instance_solve(const struct instance *k);

#endif
