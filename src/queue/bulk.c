/* SPDX-License-Identifier: MIT */
#include <heist/bulk.h>

#include <errno.h>
#include <string.h>

#include "memory.h"

typedef heist_bulk queue;
typedef heist_bulk_node node;

/* The common interface's wrapper of an item; while it is spare or used, link.next links it. */
typedef struct heist_bulk_item_ {
    node link;
    void *item;
} wrapper;

typedef struct heist_bulk_slab_ {
    struct heist_bulk_slab_ *next;
    size_t size;
    wrapper wrappers[] HEIST_ALIGNED;
} slab;

enum { FIRST_SLAB = 64 }; /* at most: a smaller capacity needs no more */

int heist_bulk_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (error)
        return error;
    if (o.bound == HEIST_BOUND_FIXED)
        return -EINVAL;
    memset(q, 0, sizeof *q);
    q->capacity = o.capacity ? o.capacity : HEIST_CAPACITY_DEFAULT;
    copy_struct(&q->memory, o.memory);
    heist_store(&q->net, o.origin, __ATOMIC_RELAXED);
    heist_store(&q->stolen, o.origin, __ATOMIC_RELAXED);
    return 0;
}

void heist_bulk_fini(queue *q)
{
    for (slab *s = q->slabs, *next; s; s = next) {
        next = s->next;
        free_bytes(&q->memory, s, s->size);
    }
}

/* The private list is empty: takes back what is public, else what the stealer returned. */
HEIST_COLD node *heist_bulk_refill_(queue *q)
{
    heist_aptr *sources[] = {&q->open, &q->rest};
    for (int i = 0; i < 2; i++) {
        node *first = (node *)heist_load(sources[i], __ATOMIC_RELAXED);
        if (!first)
            continue;
        HEIST_WINDOW("refill");
        first = (node *)heist_exchange(sources[i], NULL, HEIST_BU_TAKE);
        if (first) {
            q->head = first;
            q->tail = first->back;
            q->count = first->count;
            if (sources[i] == &q->rest)
                heist_store(&q->want, 1, __ATOMIC_RELAXED);
            return first;
        }
    }
    return NULL;
}

/* The stealer's: a whole chain, the oldest there is, or NULL. */
static node *take_chain(queue *q)
{
    node *first = NULL;
    if (heist_load(&q->rest, __ATOMIC_RELAXED)) {
        HEIST_WINDOW("take-rest");
        first = (node *)heist_exchange(&q->rest, NULL, HEIST_BU_STEAL);
    }
    if (!first && heist_load(&q->open, __ATOMIC_RELAXED)) {
        HEIST_WINDOW("take-open");
        first = (node *)heist_exchange(&q->open, NULL, HEIST_BU_STEAL);
    }
    return first;
}

/*
 * Two ways to find the last of the `keep` nodes that the owner gets back, both counting from what
 * is known: by `next` from the first, or by `back`, which only wrappers have throughout, from the
 * last.
 */
static node *end_by_next(node *first, size_t keep)
{
    node *end = first;
    for (size_t i = 1; i < keep; i++)
        end = end->next;
    return end;
}

static node *end_by_back(node *first, size_t keep)
{
    node *end = first->back;
    for (size_t i = first->count; i > keep; i--)
        end = end->back;
    return end;
}

/* Cuts the older end off a chain and gives the newer part back. */
static void cut(queue *q, node *first, size_t wanted, bool by_back, heist_bulk_chain *chain)
{
    size_t keep = first->count - wanted;
    chain->first = first;
    chain->last = first->back;
    chain->count = wanted;
    if (!keep)
        return;
    node *end = by_back ? end_by_back(first, keep) : end_by_next(first, keep);
    chain->first = end->next;
    end->next = NULL;
    first->back = end;
    first->count = keep;
    HEIST_WINDOW("steal-return");
    heist_store(&q->rest, first, HEIST_BU_RETURN);
}

/* Steals `percent` of a chain, or, if that is 0, at most `max` nodes of wrappers. */
static enum heist_steal steal(queue *q, unsigned percent, size_t max, heist_bulk_chain *chain)
{
    if (heist_load(&q->stealing, __ATOMIC_RELAXED))
        return HEIST_STEAL_BUSY;
    HEIST_WINDOW("lock");
    if (heist_exchange(&q->stealing, 1, HEIST_BU_LOCK))
        return HEIST_STEAL_BUSY;
    enum heist_steal result = HEIST_STEAL_EMPTY;
    node *first = take_chain(q);
    if (first) {
        size_t n = first->count;
        if (percent)
            max = n / 100 * percent + (n % 100 * percent + 99) / 100;
        HEIST_WINDOW("steal-walk");
        cut(q, first, n < max ? n : max, !percent, chain);
        uint64_t stolen = heist_load(&q->stolen, __ATOMIC_RELAXED);
        heist_store(&q->stolen, stolen + chain->count, __ATOMIC_RELAXED);
        result = HEIST_STEAL_OK;
    } else if (!heist_load(&q->want, __ATOMIC_RELAXED)) {
        HEIST_WINDOW("want");
        heist_store(&q->want, 1, __ATOMIC_RELAXED);
    }
    HEIST_WINDOW("unlock");
    heist_store(&q->stealing, 0, HEIST_BU_UNLOCK);
    return result;
}

enum heist_steal heist_bulk_steal_part(queue *q, unsigned percent, heist_bulk_chain *chain)
{
    if (percent < 1 || percent > 100)
        return HEIST_STEAL_EMPTY;
    return steal(q, percent, 0, chain);
}

static wrapper *wrapper_of(node *n) { return (wrapper *)n; }

static wrapper *next_wrapper(wrapper *w) { return wrapper_of(w->link.next); }

/* Makes more wrappers: as many as there are, so that slabs stay few. */
static wrapper *more_wrappers(queue *q)
{
    size_t n = q->slabs                   ? 2 * (q->slabs->size / sizeof(wrapper))
               : q->capacity < FIRST_SLAB ? q->capacity
                                          : (size_t)FIRST_SLAB;
    size_t size = offsetof(slab, wrappers) + n * sizeof(wrapper);
    slab *s = (slab *)alloc_bytes(&q->memory, size);
    if (!s)
        return NULL;
    s->next = q->slabs;
    s->size = size;
    q->slabs = s;
    for (size_t i = 0; i < n; i++)
        s->wrappers[i].link.next = i + 1 < n ? &s->wrappers[i + 1].link : NULL;
    return s->wrappers;
}

static wrapper *new_wrapper(queue *q)
{
    if (!q->spare && heist_load(&q->used, __ATOMIC_RELAXED)) {
        HEIST_WINDOW("respare");
        q->spare = (struct heist_bulk_item_ *)heist_exchange(&q->used, NULL, HEIST_BU_REFILL);
    }
    if (!q->spare)
        q->spare = more_wrappers(q);
    wrapper *w = q->spare;
    if (w)
        q->spare = next_wrapper(w);
    return w;
}

size_t heist_bulk_put_many(queue *q, void *const *items, size_t n)
{
    node *first = NULL, *last = NULL;
    size_t i = 0;
    for (; i < n && items[i]; i++) {
        wrapper *w = new_wrapper(q);
        if (!w)
            break;
        w->item = items[i];
        w->link.next = first;
        if (first)
            first->back = &w->link;
        else
            last = &w->link;
        first = &w->link;
    }
    if (first)
        heist_bulk_push(q, first, last, i);
    return i;
}

bool heist_bulk_put(queue *q, void *item) { return heist_bulk_put_many(q, &item, 1) == 1; }

void *heist_bulk_get(queue *q)
{
    node *n = heist_bulk_pop(q);
    if (!n)
        return NULL;
    wrapper *w = wrapper_of(n);
    w->link.next = (node *)q->spare;
    q->spare = w;
    return w->item;
}

static enum heist_steal steal_items(queue *q, void **items, size_t max, size_t *n)
{
    heist_bulk_chain chain;
    enum heist_steal result = steal(q, 0, max, &chain);
    if (result != HEIST_STEAL_OK)
        return result;
    /* The chain goes from newer to older; thieves get the oldest first. */
    *n = chain.count;
    for (node *w = chain.first; w; w = w->next)
        items[--chain.count] = wrapper_of(w)->item;
    void *used = heist_load(&q->used, __ATOMIC_RELAXED);
    do {
        chain.last->next = (node *)used;
        HEIST_WINDOW("recycle");
    } while (!heist_cas_weak(&q->used, &used, (void *)chain.first, HEIST_BU_RECYCLE));
    return result;
}

enum heist_steal heist_bulk_steal(queue *q, void **item)
{
    size_t n;
    return steal_items(q, item, 1, &n);
}

size_t heist_bulk_steal_many(queue *q, void **items, size_t max)
{
    size_t n = 0;
    return max && steal_items(q, items, max, &n) == HEIST_STEAL_OK ? n : 0;
}
