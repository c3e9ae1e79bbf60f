/* SPDX-License-Identifier: MIT */
#include <heist/global.h>

#include "ring.h"

int heist_global_init(heist_global *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    return error ? error : heist_ring_new_(&q->ring_, &o);
}

void heist_global_fini(heist_global *q) { heist_ring_free_(q->ring_); }

bool heist_global_put(heist_global *q, void *item)
{
    return item && heist_ring_push_(q->ring_, &item, 1);
}

size_t heist_global_put_many(heist_global *q, void *const *items, size_t n)
{
    return heist_ring_push_(q->ring_, items, heist_leading_items_(items, n));
}

void *heist_global_get(heist_global *q) { return heist_ring_pop_oldest_(q->ring_); }

enum heist_steal heist_global_steal(heist_global *q, void **item)
{
    return heist_ring_pop_many_oldest_(q->ring_, item, 1) ? HEIST_STEAL_OK : HEIST_STEAL_EMPTY;
}

size_t heist_global_steal_many(heist_global *q, void **items, size_t max)
{
    return heist_ring_pop_many_oldest_(q->ring_, items, max);
}

bool heist_global_sample(const heist_global *q, uint64_t random)
{
    return heist_ring_sample_(q->ring_, random);
}

size_t heist_global_size(const heist_global *q) { return heist_ring_count_(q->ring_); }
