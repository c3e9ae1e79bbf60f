/* SPDX-License-Identifier: MIT */
#ifndef APP_MATCHING_H
#define APP_MATCHING_H

#include "inputs.h"

struct matching {
    struct graph graph;
    /* The result: the edges that a loop would take that takes each whose ends are both free. In
       order. */
    uint32_t *edges;
    size_t number;
};

#endif
