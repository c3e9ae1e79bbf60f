/* SPDX-License-Identifier: MIT */
/*
 * A ring of items under a mutex: what `locked` and `global` are made of. Whoever finds it empty
 * finds that out without the lock, so that a hungry thief does not disturb those who work.
 */
#ifndef HEIST_QUEUE_RING_H
#define HEIST_QUEUE_RING_H

#include <heist/base.h>

struct heist_ring_;

int heist_ring_new_(struct heist_ring_ **out,
                    const heist_queue_opts *opts); /* 0, -EINVAL, -ENOMEM */
void heist_ring_free_(struct heist_ring_ *ring);
size_t heist_ring_push_(struct heist_ring_ *ring, void *const *items, size_t n);
void *heist_ring_pop_newest_(struct heist_ring_ *ring);
void *heist_ring_pop_oldest_(struct heist_ring_ *ring);
size_t heist_ring_pop_many_oldest_(struct heist_ring_ *ring, void **items, size_t max);
enum heist_steal heist_ring_try_pop_oldest_(struct heist_ring_ *ring,
                                            void **item); /* never waits */
size_t heist_ring_count_(const struct heist_ring_ *ring);
bool heist_ring_sample_(const struct heist_ring_ *ring, uint64_t random);

#endif
