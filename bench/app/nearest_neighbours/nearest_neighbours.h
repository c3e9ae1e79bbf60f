/* SPDX-License-Identifier: MIT */
#ifndef APP_NEAREST_NEIGHBOURS_H
#define APP_NEAREST_NEIGHBOURS_H

#include "inputs.h"

enum { NEIGHBOURS = 8 };
#define NO_POINT UINT32_MAX

struct neighbours {
    uint32_t of[NEIGHBOURS]; /* the nearest first, of two as near the lower number; then NO_POINT */
};

struct nearest_neighbours {
    size_t n;
    struct point *points;
    struct neighbours *neighbours; /* the result, of each point */
};

static inline uint64_t square_distance(const struct point *a, const struct point *b)
{
    uint64_t sum = 0;
    for (unsigned d = 0; d < 3; d++) {
        int64_t difference = (int64_t)a->x[d] - b->x[d];
        sum += (uint64_t)(difference * difference);
    }
    return sum;
}

#endif
