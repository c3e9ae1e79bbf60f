/* SPDX-License-Identifier: MIT */
#ifndef APP_CONVEX_HULL_H
#define APP_CONVEX_HULL_H

#include "inputs.h"

struct spot {
    int32_t x, y;
};

struct convex_hull {
    size_t n;
    struct spot *spots;
    struct spot
        *corners; /* the result: clockwise from the leftmost; none lies between two others */
    size_t number;
};

/* Twice the area of a, b, c: positive if c is on the left of the way from a to b. */
static inline int64_t area_of(struct spot a, struct spot b, struct spot c)
{
    return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) -
           ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

/* From left to right, and there from the bottom to the top. */
static inline bool is_before(struct spot a, struct spot b)
{
    return a.x != b.x ? a.x < b.x : a.y < b.y;
}

#endif
