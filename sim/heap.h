/* SPDX-License-Identifier: MIT */
/*
 * Who acts next: a binary heap of actors by their time, the lower number first at the same time, so
 * that the order depends on nothing else. An actor is in it at most once.
 */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stddef.h>

#include "costs.h"

struct heap_entry {
    sim_time time;
    unsigned actor;
};

struct heap {
    struct heap_entry *at; /* with room for all actors, the caller's */
    size_t n;
};

void heap_add(struct heap *h, unsigned actor, sim_time time);
/* Takes the first out; there is one. */
struct heap_entry heap_take(struct heap *h);

#endif
