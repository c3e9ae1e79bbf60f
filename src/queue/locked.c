/* SPDX-License-Identifier: MIT */
#include <heist/locked.h>

#include "ring.h"

int heist_locked_init(heist_locked *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    return error ? error : heist_ring_new_(&q->ring_, &o);
}

void heist_locked_fini(heist_locked *q) { heist_ring_free_(q->ring_); }

bool heist_locked_put(heist_locked *q, void *item)
{
    return item && heist_ring_push_(q->ring_, &item, 1);
}

size_t heist_locked_put_many(heist_locked *q, void *const *items, size_t n)
{
    return heist_ring_push_(q->ring_, items, heist_leading_items_(items, n));
}

void *heist_locked_get(heist_locked *q) { return heist_ring_pop_newest_(q->ring_); }

enum heist_steal heist_locked_steal(heist_locked *q, void **item)
{
    return heist_ring_try_pop_oldest_(q->ring_, item);
}

size_t heist_locked_steal_many(heist_locked *q, void **items, size_t max)
{
    return heist_ring_pop_many_oldest_(q->ring_, items, max);
}

bool heist_locked_sample(const heist_locked *q, uint64_t random)
{
    return heist_ring_sample_(q->ring_, random);
}

size_t heist_locked_size(const heist_locked *q) { return heist_ring_count_(q->ring_); }
