/* SPDX-License-Identifier: MIT */
/*
 * The bulk list of Listings 1 to 4, which no memory orders can save, and one that works. Items are
 * its nodes.
 */
#include "wrong.h"

#include <stdlib.h>

struct node {
    heist_aptr next;
};

struct bulk {
    unsigned error;
    heist_aptr head;
    heist_aptr returned; /* RIGHT: what the stealer has not kept */
    heist_au64 size;     /* as printed */
};

static void *bulk_make(unsigned error) { return small_queue(sizeof(struct bulk), error); }

/* --- As printed: owner and stealer work on the same list --- */

/* The stealer follows a node; the owner may have popped it, used it up and freed it. */
static struct node *printed_next(struct node *n)
{
    struct node *next = heist_load(&n->next, SEQ);
    if (!item_is_queued(n))
        fault(FREED);
    return next;
}

static void printed_put(struct bulk *q, struct node *n)
{
    heist_store(&n->next, heist_load(&q->head, SEQ), SEQ);
    heist_store(&q->head, n, SEQ);
    heist_add(&q->size, 1, SEQ);
}

static struct node *printed_get(struct bulk *q)
{
    struct node *n = heist_load(&q->head, SEQ);
    if (!n)
        return NULL;
    heist_store(&q->head, heist_load(&n->next, SEQ), SEQ);
    heist_add(&q->size, (uint64_t)-1, SEQ);
    heist_store(&n->next, NULL, SEQ);
    return n;
}

/* The chain that begins behind the node of the cut. */
static struct node *printed_cut(struct bulk *q)
{
    size_t size = (size_t)heist_load(&q->size, SEQ);
    size_t skip = size / 2, left = skip;
    struct node *cut = heist_load(&q->head, SEQ);
    while (left && cut) {
        cut = printed_next(cut);
        left--;
    }
    if (left || !cut)
        return NULL;
    if (heist_load(&q->size, SEQ) <= size - (skip >> 1)) /* the check against fast draining */
        return NULL;
    struct node *begin = heist_load(&cut->next, SEQ);
    heist_store(&cut->next, NULL, SEQ);
    return begin;
}

/*
 * --- Right, for one stealer: who works on a list has taken it out, whole. What the stealer leaves
 * comes back by another way, since the owner may have begun a new list meanwhile. ---
 */

static void right_put(struct bulk *q, struct node *n)
{
    heist_store(&n->next, heist_exchange(&q->head, NULL, ACQ), RLX);
    heist_store(&q->head, n, REL);
}

static struct node *right_get(struct bulk *q)
{
    struct node *n = heist_exchange(&q->head, NULL, ACQ);
    if (!n)
        n = heist_exchange(&q->returned, NULL, ACQ);
    if (n)
        heist_store(&q->head, heist_load(&n->next, RLX), REL);
    return n;
}

static struct node *right_cut(struct bulk *q)
{
    if (heist_load(&q->returned, RLX))
        return NULL;
    struct node *head = heist_exchange(&q->head, NULL, ACQ), *begin = head, *cut = NULL;
    for (struct node *n = head; n; n = heist_load(&n->next, RLX)) {
        struct node *second = heist_load(&n->next, RLX);
        if (!second)
            break;
        cut = begin; /* one step for two of n's */
        begin = heist_load(&begin->next, RLX);
        n = second;
    }
    if (cut) {
        heist_store(&cut->next, NULL, RLX);
        heist_store(&q->returned, head, REL);
    }
    return begin;
}

static bool bulk_put(void *queue, void *item)
{
    struct bulk *q = queue;
    if (q->error)
        printed_put(q, item);
    else
        right_put(q, item);
    return true;
}

static void *bulk_get(void *queue)
{
    struct bulk *q = queue;
    return q->error ? printed_get(q) : right_get(q);
}

static size_t bulk_steal(void *queue, void **items)
{
    struct bulk *q = queue;
    size_t n = 0;
    struct node *p = q->error ? printed_cut(q) : right_cut(q);
    for (; p && n < MOST_STOLEN; p = heist_load(&p->next, q->error ? SEQ : RLX))
        items[n++] = p;
    if (n && q->error)
        heist_add(&q->size, (uint64_t)-n, SEQ);
    return n;
}

static const struct field bulk_fields[] = {FIELD(bulk, head), FIELD(bulk, returned),
                                           FIELD(bulk, size), NO_FIELD};

const struct subject small_bulk = {.name = "small bulk",
                                   .make = bulk_make,
                                   .drop = free,
                                   .put = bulk_put,
                                   .get = bulk_get,
                                   .steal = bulk_steal,
                                   .fields = bulk_fields};
