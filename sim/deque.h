/* SPDX-License-Identifier: MIT */
/*
 * A worker's queue in the simulator: a ring that grows. The owner puts and gets at the tail,
 * thieves take at the head. Places are numbered for ever; `block` of them are a block.
 */
#ifndef SIM_DEQUE_H
#define SIM_DEQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct deque {
    void **items;
    size_t room;         /* a power of 2, or 0 */
    uint64_t head, tail; /* places: the oldest, and behind the newest */
};

static inline size_t deque_size(const struct deque *d) { return d->tail - d->head; }

void deque_put(struct deque *d, void *item); /* ends the program if there is no memory */
void *deque_get(struct deque *d);            /* the newest; NULL: empty */
void *deque_take(struct deque *d);           /* the oldest; NULL: empty */

/* Whether the block that this random number names, of as many as `capacity` has, holds an item, and
   is not the owner's. */
bool deque_sample(const struct deque *d, uint64_t random, size_t capacity, size_t block);
/* Whether the oldest item is in the block of the newest, the owner's; of an empty queue too. */
bool deque_is_in_owners_block(const struct deque *d, size_t block);
/* How many items the oldest block has for one thief: all; of the owner's block half. */
size_t deque_in_oldest_block(const struct deque *d, size_t block);

#endif
