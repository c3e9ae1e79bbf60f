/* SPDX-License-Identifier: MIT */
/*
 * One FIFO queue under a mutex, shared by all: the baseline without work stealing.
 *
 * Who may call what at the same time: anything, from anywhere. get and steal are the same
 * operation.
 * Order: FIFO for everybody.
 * Progress: blocking; the lock is held for a few nanoseconds (put for as long as copying takes when
 * it grows). Nobody takes the lock to find out that there is nothing. steal never says BUSY.
 * Linearisation: inside the lock; of an EMPTY or NULL without it, at the load of the count.
 * Orders: the mutex's. The count is relaxed: whoever acts on it looks again under the lock.
 *
 * Source: thesis 2.4.1.
 *
 * The functions are those of every kind; here all are out of line, since a lock costs more than a
 * call. Init takes capacity (default 8192; where it starts, or with HEIST_BOUND_FIXED exactly what
 * it holds), bound (default: grows, doubling, never shrinks), memory.
 *
 * Memory: 8 bytes per item of capacity, rounded up to a power of two, and about 112 for the lock.
 */
#ifndef HEIST_GLOBAL_H
#define HEIST_GLOBAL_H

#include <heist/base.h>

HEIST_BEGIN_DECLS

typedef struct heist_global {
    struct heist_ring_ *ring_;
} heist_global;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_global_init(heist_global *q, const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_global_fini(heist_global *q);
HEIST_API bool heist_global_put(heist_global *q, void *item);
HEIST_API size_t heist_global_put_many(heist_global *q, void *const *items, size_t n);
HEIST_API void *heist_global_get(heist_global *q);
HEIST_API enum heist_steal heist_global_steal(heist_global *q, void **item);
HEIST_API size_t heist_global_steal_many(heist_global *q, void **items, size_t max);
HEIST_API bool heist_global_sample(const heist_global *q, uint64_t random);
HEIST_API size_t heist_global_size(const heist_global *q);

HEIST_END_DECLS

#endif
