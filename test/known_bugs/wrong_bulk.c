/* SPDX-License-Identifier: MIT */
/* The bulk list of Listings 1 to 4, which no memory orders can save. Items are its nodes. */
#include "wrong.h"

#include <stdlib.h>

struct node {
    heist_aptr next;
};

struct bulk {
    unsigned error;
    heist_aptr head;
    heist_au64 size;
};

static void *bulk_make(unsigned error) { return small_queue(sizeof(struct bulk), error); }

/* The stealer follows a node; the owner may have popped it, used it up and freed it. */
static struct node *bulk_next(struct node *n)
{
    struct node *next = heist_load(&n->next, ORDER);
    if (!item_is_queued(n))
        fault(FREED);
    return next;
}

static bool bulk_put(void *queue, void *item)
{
    struct bulk *q = queue;
    struct node *n = item;
    heist_store(&n->next, heist_load(&q->head, ORDER), ORDER);
    heist_store(&q->head, n, ORDER);
    heist_add(&q->size, 1, ORDER);
    return true;
}

static void *bulk_get(void *queue)
{
    struct bulk *q = queue;
    struct node *n = heist_load(&q->head, ORDER);
    if (!n)
        return NULL;
    heist_store(&q->head, heist_load(&n->next, ORDER), ORDER);
    heist_add(&q->size, (uint64_t)-1, ORDER);
    heist_store(&n->next, NULL, ORDER);
    return n;
}

static size_t bulk_steal(void *queue, void **items)
{
    struct bulk *q = queue;
    size_t size = (size_t)heist_load(&q->size, ORDER);
    size_t skip = size / 2, left = skip;
    struct node *cut = heist_load(&q->head, ORDER);
    while (left && cut) {
        cut = bulk_next(cut);
        left--;
    }
    if (left || !cut)
        return 0;
    if (heist_load(&q->size, ORDER) <= size - (skip >> 1)) /* the check against fast draining */
        return 0;
    struct node *begin = heist_load(&cut->next, ORDER);
    heist_store(&cut->next, NULL, ORDER);
    size_t n = 0;
    for (struct node *p = begin; p && n < MOST_STOLEN; p = heist_load(&p->next, ORDER))
        items[n++] = p;
    heist_add(&q->size, (uint64_t)-n, ORDER);
    return n;
}

const struct subject small_bulk = {.name = "small bulk",
                                   .make = bulk_make,
                                   .drop = free,
                                   .put = bulk_put,
                                   .get = bulk_get,
                                   .steal = bulk_steal};
