/* SPDX-License-Identifier: MIT */
#ifndef APP_DECISION_TREE_H
#define APP_DECISION_TREE_H

#include "inputs.h"

enum { FEATURE_VALUES = 256, SPLIT_LEAST = 16, DEPTH_MOST = 32 };

/* A node, those below it behind it: first the rows whose feature is not above the bound, then, at
   `others`, the rest. A leaf has 0 in these three. */
struct tree_node {
    uint32_t rows, others;
    uint16_t feature;
    uint8_t bound, class; /* class: the one that most of the rows have, of two the lower */
};

struct decision_tree {
    struct table table;
    struct tree_node *nodes; /* the result */
    size_t number;
};

/*
 * How pure rows are, by Gini: the larger the better. A node is split where the sum of both sides is
 * largest, of several such places the first feature and there the lowest bound; it is a leaf if it
 * has fewer than SPLIT_LEAST rows, is DEPTH_MOST below the first, or if no split is purer than
 * none. Nothing is rounded before the division: all layers and machines agree.
 */
static inline double purity_of(const uint32_t counts[TABLE_CLASSES])
{
    uint64_t squares = 0, sum = 0;
    for (unsigned c = 0; c < TABLE_CLASSES; c++) {
        squares += (uint64_t)counts[c] * counts[c];
        sum += counts[c];
    }
    return (double)squares / (double)sum;
}

static inline uint8_t most_frequent(const uint32_t counts[TABLE_CLASSES])
{
    uint8_t most = 0;
    for (uint8_t c = 1; c < TABLE_CLASSES; c++)
        if (counts[c] > counts[most])
            most = c;
    return most;
}

#endif
