/* SPDX-License-Identifier: MIT */
/*
 * The limit for FIFO kinds: a bounded ring of one thread, a power of two in size, with the queues'
 * interface as far as one thread needs it.
 */
#ifndef PLAIN_FIFO_H
#define PLAIN_FIFO_H

#include "plain.h"

typedef struct heist_plain_fifo {
    size_t head, tail, mask;
    void **items;
} heist_plain_fifo;

static inline int heist_plain_fifo_init(heist_plain_fifo *q, const heist_queue_opts *opts)
{
    size_t capacity = 1;
    while (capacity < opts->capacity)
        capacity *= 2;
    q->head = q->tail = 0;
    q->mask = capacity - 1;
    q->items = plain_items(capacity);
    return q->items ? 0 : -ENOMEM;
}

static inline void heist_plain_fifo_fini(heist_plain_fifo *q) { free(q->items); }

static inline bool heist_plain_fifo_put(heist_plain_fifo *q, void *item)
{
    size_t tail = q->tail;
    if (tail - q->head > q->mask)
        return false;
    q->items[tail & q->mask] = item;
    q->tail = tail + 1;
    return true;
}

static inline void *heist_plain_fifo_get(heist_plain_fifo *q)
{
    size_t head = q->head;
    if (head == q->tail)
        return NULL;
    q->head = head + 1;
    return q->items[head & q->mask];
}

static inline size_t heist_plain_fifo_put_many(heist_plain_fifo *q, void *const *items, size_t n)
{
    size_t i = 0;
    while (i < n && heist_plain_fifo_put(q, items[i]))
        i++;
    return i;
}

static inline size_t heist_plain_fifo_size(const heist_plain_fifo *q) { return q->tail - q->head; }

#endif
