/* SPDX-License-Identifier: MIT */
#include <heist/locked.h>

#include "ring.h"

int heist_locked_init(heist_locked *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    return error ? error : ring_new(&q->ring_, &o);
}

void heist_locked_fini(heist_locked *q) { ring_free(q->ring_); }

bool heist_locked_put(heist_locked *q, void *item) { return item && ring_push(q->ring_, &item, 1); }

size_t heist_locked_put_many(heist_locked *q, void *const *items, size_t n)
{
    return ring_push(q->ring_, items, heist_leading_items_(items, n));
}

void *heist_locked_get(heist_locked *q) { return ring_pop_newest(q->ring_); }

enum heist_steal heist_locked_steal(heist_locked *q, void **item)
{
    return ring_try_pop_oldest(q->ring_, item);
}

size_t heist_locked_steal_many(heist_locked *q, void **items, size_t max)
{
    return ring_pop_many_oldest(q->ring_, items, max);
}

bool heist_locked_sample(const heist_locked *q, uint64_t random) { return ring_sample(q->ring_, random); }

size_t heist_locked_size(const heist_locked *q) { return ring_count(q->ring_); }
