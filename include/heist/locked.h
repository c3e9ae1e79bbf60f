/* SPDX-License-Identifier: MIT */
/*
 * A deque under a mutex, one per worker: the baseline that a good engineer writes first. Take it
 * when operations are rare, or when nothing else can be trusted yet.
 *
 * Who may call what at the same time: anything, from anywhere; by convention the owner puts and
 * gets.
 * Order: the owner LIFO, thieves oldest first.
 * Progress: blocking. put and get wait for the lock, which is held for a few nanoseconds (put for
 * as long as copying takes when it grows). A thief never waits: it looks at the count without the
 * lock and says EMPTY, or tries the lock and says BUSY. steal_many waits, once for all its items.
 * Linearisation: inside the lock; of an EMPTY or NULL without it, at the load of the count.
 * Orders: the mutex's. The count is relaxed: whoever acts on it looks again under the lock.
 *
 * Source: thesis 2.4.2. There thieves queue up for the lock even when there is nothing to take.
 *
 * The functions are those of every kind; here all are out of line, since a lock costs more than a
 * call. Init takes capacity (default 8192; where it starts, or with HEIST_BOUND_FIXED exactly what
 * it holds), bound (default: grows, doubling, never shrinks), memory.
 *
 * Memory: 8 bytes per item of capacity, rounded up to a power of two, and about 112 for the lock.
 */
#ifndef HEIST_LOCKED_H
#define HEIST_LOCKED_H

#include <heist/base.h>

HEIST_BEGIN_DECLS

typedef struct heist_locked {
    struct heist_ring_ *ring_;
} heist_locked;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_locked_init(heist_locked *q, const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_locked_fini(heist_locked *q);
HEIST_API bool heist_locked_put(heist_locked *q, void *item);
HEIST_API size_t heist_locked_put_many(heist_locked *q, void *const *items, size_t n);
HEIST_API void *heist_locked_get(heist_locked *q);
HEIST_API enum heist_steal heist_locked_steal(heist_locked *q, void **item);
HEIST_API size_t heist_locked_steal_many(heist_locked *q, void **items, size_t max);
HEIST_API bool heist_locked_sample(const heist_locked *q, uint64_t random);
HEIST_API size_t heist_locked_size(const heist_locked *q);

HEIST_END_DECLS

#endif
