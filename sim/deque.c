/* SPDX-License-Identifier: MIT */
#include "deque.h"

#include <stdlib.h>

#include "common.h"

static void **place(const struct deque *d, uint64_t number)
{
    return &d->items[number & (d->room - 1)];
}

static void grow(struct deque *d)
{
    struct deque larger = {NULL, d->room ? 2 * d->room : 16, d->head, d->tail};
    larger.items = malloc(larger.room * sizeof *larger.items);
    if (!larger.items)
        bench_fail("out of memory");
    for (uint64_t i = d->head; i != d->tail; i++)
        *place(&larger, i) = *place(d, i);
    free(d->items);
    *d = larger;
}

void deque_put(struct deque *d, void *item)
{
    if (deque_size(d) == d->room)
        grow(d);
    *place(d, d->tail++) = item;
}

void *deque_get(struct deque *d) { return deque_size(d) ? *place(d, --d->tail) : NULL; }

void *deque_take(struct deque *d) { return deque_size(d) ? *place(d, d->head++) : NULL; }

bool deque_sample(const struct deque *d, uint64_t random, size_t capacity, size_t block)
{
    uint64_t blocks = capacity / block, oldest = d->head / block;
    if (!deque_size(d))
        return false;
    uint64_t behind = (random % blocks + blocks - oldest % blocks) % blocks;
    return oldest + behind < (d->tail - 1) / block;
}

bool deque_is_in_owners_block(const struct deque *d, size_t block)
{
    return !deque_size(d) || d->head / block == (d->tail - 1) / block;
}

size_t deque_in_oldest_block(const struct deque *d, size_t block)
{
    size_t size = deque_size(d);
    return deque_is_in_owners_block(d, block) ? size - size / 2 : block - d->head % block;
}
