/* SPDX-License-Identifier: MIT */
/* The second file of the program: its own inline functions, the same queues. */
#include "thief.h"

#define STEAL(K)                                            \
    static enum heist_steal steal_##K(void *q, void **item) \
    {                                                       \
        return heist_##K##_steal((heist_##K *)q, item);     \
    }
HEIST_QUEUE_KINDS(STEAL)

#define ROW(K) steal_##K,
steal_function *const thief_steal[] = {HEIST_QUEUE_KINDS(ROW) NULL};

void *thief_main(void *context)
{
    struct haul *h = (struct haul *)context;
    void *item;
    while (!heist_load(&h->is_over, __ATOMIC_ACQUIRE)) {
        if (h->steal(h->queue, &item) == HEIST_STEAL_OK) {
            meet(h->seen, item);
            h->stolen++;
        } else {
            heist_pause();
        }
    }
    return NULL;
}
