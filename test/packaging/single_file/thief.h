/* SPDX-License-Identifier: MIT */
/* Between the two files of the program: what owner.c knows of thief.c. */
#ifndef SINGLE_FILE_THIEF_H
#define SINGLE_FILE_THIEF_H

#include "heist-queues.h"

HEIST_BEGIN_DECLS

enum { ITEMS = 100000 };

typedef enum heist_steal steal_function(void *queue, void **item);

struct haul {
    void *queue;
    steal_function *steal;
    heist_au32 *seen; /* how often each item was met */
    heist_au32 is_over;
    uint64_t stolen;
};

/* How to steal from a kind, in the order of the list. */
extern steal_function *const thief_steal[];

void *thief_main(void *haul); /* steals until it is over */

static inline void *item_of(size_t i) { return (void *)((i + 1) * 16); }

static inline void meet(heist_au32 *seen, const void *item)
{
    heist_add(&seen[(size_t)item / 16 - 1], 1, __ATOMIC_RELAXED);
}

HEIST_END_DECLS

#endif
