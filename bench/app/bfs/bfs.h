/* SPDX-License-Identifier: MIT */
#ifndef APP_BFS_H
#define APP_BFS_H

#include "inputs.h"

#define NOWHERE UINT32_MAX

struct bfs {
    size_t vertices;
    uint32_t source;     /* where it begins */
    uint32_t *first;     /* of a vertex' neighbours; one more at the end */
    uint32_t *neighbour; /* both directions of all edges */
    /* The result: steps from the source, and the least vertex one step nearer to it; NOWHERE if
       there is none. The source is its own parent. */
    uint32_t *distance, *parent;
};

#endif
