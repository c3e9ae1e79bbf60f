/* SPDX-License-Identifier: MIT */
#ifndef APP_SPANNING_FOREST_H
#define APP_SPANNING_FOREST_H

#include "inputs.h"

struct spanning_forest {
    struct graph graph;
    uint32_t *weight; /* of each edge; of two that weigh the same the first is the lighter one */
    /* The result: the edges of the minimum spanning forest, in order. */
    uint32_t *edges;
    size_t number;
};

#endif
