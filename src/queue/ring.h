/* SPDX-License-Identifier: MIT */
/*
 * A ring of items under a mutex: what `locked` and `global` are made of. Whoever finds it empty finds
 * that out without the lock, so that a hungry thief does not disturb those who work.
 */
#ifndef HEIST_QUEUE_RING_H
#define HEIST_QUEUE_RING_H

#include <heist/base.h>

struct heist_ring_;

int ring_new(struct heist_ring_ **out, const heist_queue_opts *opts); /* 0, -EINVAL, -ENOMEM */
void ring_free(struct heist_ring_ *ring);
size_t ring_push(struct heist_ring_ *ring, void *const *items, size_t n);
void *ring_pop_newest(struct heist_ring_ *ring);
void *ring_pop_oldest(struct heist_ring_ *ring);
size_t ring_pop_many_oldest(struct heist_ring_ *ring, void **items, size_t max);
enum heist_steal ring_try_pop_oldest(struct heist_ring_ *ring, void **item); /* never waits */
size_t ring_count(const struct heist_ring_ *ring);
bool ring_sample(const struct heist_ring_ *ring, uint64_t random);

#endif
