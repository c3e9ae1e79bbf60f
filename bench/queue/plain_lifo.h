/* SPDX-License-Identifier: MIT */
/*
 * The limit for LIFO kinds: a bounded stack of one thread, with the queues' interface as far as one
 * thread needs it. Its state is in memory, as in a program that does something else in between.
 */
#ifndef PLAIN_LIFO_H
#define PLAIN_LIFO_H

#include "plain.h"

typedef struct heist_plain_lifo {
    void **top, **end, **items;
} heist_plain_lifo;

static inline int heist_plain_lifo_init(heist_plain_lifo *q, const heist_queue_opts *opts)
{
    q->top = q->items = plain_items(opts->capacity);
    q->end = q->items + opts->capacity;
    return q->items ? 0 : -ENOMEM;
}

static inline void heist_plain_lifo_fini(heist_plain_lifo *q) { free(q->items); }

static inline bool heist_plain_lifo_put(heist_plain_lifo *q, void *item)
{
    void **top = q->top;
    if (top == q->end)
        return false;
    *top = item;
    q->top = top + 1;
    return true;
}

static inline void *heist_plain_lifo_get(heist_plain_lifo *q)
{
    void **top = q->top;
    if (top == q->items)
        return NULL;
    q->top = top - 1;
    return top[-1];
}

static inline size_t heist_plain_lifo_put_many(heist_plain_lifo *q, void *const *items, size_t n)
{
    size_t room = (size_t)(q->end - q->top);
    if (n > room)
        n = room;
    memcpy(q->top, items, n * sizeof *items);
    q->top += n;
    return n;
}

static inline size_t heist_plain_lifo_size(const heist_plain_lifo *q)
{
    return (size_t)(q->top - q->items);
}

#endif
