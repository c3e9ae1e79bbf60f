/* SPDX-License-Identifier: MIT */
/*
 * The deque of Arora, Blumofe and Plaxton: the classic, bounded, an array and two words. Take it to
 * compare with the literature; chaselev does the same and uses its space better.
 *
 * The owner pushes and pops at the bottom of the array, thieves take from the top, and they meet at
 * the last item. Positions only go up between two moments at which the owner finds the deque empty;
 * then it starts again at 0. So put may say full though thieves have made room: that is the
 * algorithm.
 *
 * Who may call what at the same time: one owner calls put, put_many, get; any number of threads
 * call steal, steal_many, sample, size; init and fini are alone.
 * Order: the owner LIFO, thieves oldest first.
 * Progress: put and get are wait-free; steal is lock-free: it loses a race (BUSY) only to another.
 * Natively: put_many. By repetition: steal_many, until the owner comes down meanwhile. sample is
 * size against capacity, random % capacity < size. size reads the owner's bottom and the thieves'
 * age.
 *
 * Encoding. age is tag:32 | top:32; bottom counts from 0. The tag moves at every restart, so that a
 * thief's claim, a CAS on age, proves that no restart came between.
 * Invariants: 0 <= top, bottom <= capacity; the items are [top, bottom); top > bottom at most by
 * one, and only inside a get that will restart.
 * Linearisation: put at the store of bottom; steal at the CAS; get at the store of bottom that its
 * fence follows, of the last item at the CAS, of NULL at the load of age (or of bottom, when 0).
 *
 * Source: thesis 2.4.3; deques report. We differ: weaker orders (the thesis has all sequentially
 * consistent); and Fig. 2.6 of the thesis lacks the test bottom == top before the owner's CAS (an
 * item twice) and compares with top + 1 (an item lost): test/known_bugs shows both.
 * Init takes capacity (default 8192, exact, at most 2^31), memory, origin (of the tag). GROWS:
 * -EINVAL.
 * Memory: sizeof(heist_abp) and 8 bytes per item of capacity.
 */
#ifndef HEIST_ABP_H
#define HEIST_ABP_H

#include <heist/atomic.h>

/* The ledger of orders. */
/* put: the slot before bottom; pairs with OBSERVE; else a thief reads junk */
#ifndef HEIST_ABP_PUBLISH
#define HEIST_ABP_PUBLISH __ATOMIC_RELEASE
#endif
/* get: bottom lowered; a thief that reads this bottom must still see the slots below it: pairs with
   OBSERVE */
#ifndef HEIST_ABP_RETRACT
#define HEIST_ABP_RETRACT __ATOMIC_RELEASE
#endif
/* get: bottom before age; pairs with STEAL_FENCE; else both take the last */
#ifndef HEIST_ABP_GET_FENCE
#define HEIST_ABP_GET_FENCE __ATOMIC_SEQ_CST
#endif
/* steal: age before bottom; pairs with GET_FENCE */
#ifndef HEIST_ABP_STEAL_FENCE
#define HEIST_ABP_STEAL_FENCE __ATOMIC_SEQ_CST
#endif
/* steal: bottom before the slot; pairs with PUBLISH and RETRACT */
#ifndef HEIST_ABP_OBSERVE
#define HEIST_ABP_OBSERVE __ATOMIC_ACQUIRE
#endif
/* steal: reading the slot before the claim; pairs with LAST and DRAINED; else a thief reads the
   item that comes next into its slot */
#ifndef HEIST_ABP_CLAIM
#define HEIST_ABP_CLAIM __ATOMIC_RELEASE
#endif
/* get of the last item: bottom = 0 before the new age, pairs with STEAL_FENCE, else a thief takes
   the new age for room; and claims before new items in their slots, pairs with CLAIM */
#ifndef HEIST_ABP_LAST
#define HEIST_ABP_LAST __ATOMIC_ACQ_REL
#endif
/* get that finds nothing: claims before new items in their slots; pairs with CLAIM */
#ifndef HEIST_ABP_DRAINED
#define HEIST_ABP_DRAINED __ATOMIC_ACQUIRE
#endif
/* get that finds nothing: bottom = 0 before the new age; pairs with STEAL_FENCE */
#ifndef HEIST_ABP_RESTART
#define HEIST_ABP_RESTART __ATOMIC_RELEASE
#endif

HEIST_BEGIN_DECLS

typedef struct heist_abp {
    heist_au64 bottom; /* the owner writes it */
    heist_aptr *items;
    size_t capacity;
    heist_au64 age HEIST_ALIGNED; /* tag | top: thieves write it */
    heist_memory memory HEIST_ALIGNED;
} heist_abp;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_abp_init(heist_abp *q, const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_abp_fini(heist_abp *q);

static inline size_t heist_abp_put_many(heist_abp *q, void *const *items, size_t n)
{
    size_t b = (size_t)heist_load(&q->bottom, __ATOMIC_RELAXED), i = 0;
    while (i < n && b + i < q->capacity && items[i]) {
        heist_store(&q->items[b + i], items[i], __ATOMIC_RELAXED);
        i++;
    }
    HEIST_WINDOW("put");
    heist_store(&q->bottom, b + i, HEIST_ABP_PUBLISH);
    return i;
}

static inline bool heist_abp_put(heist_abp *q, void *item)
{
    size_t b = (size_t)heist_load(&q->bottom, __ATOMIC_RELAXED);
    if (HEIST_UNLIKELY(b == q->capacity) || HEIST_UNLIKELY(!item))
        return false;
    heist_store(&q->items[b], item, __ATOMIC_RELAXED);
    HEIST_WINDOW("put");
    heist_store(&q->bottom, b + 1, HEIST_ABP_PUBLISH);
    return true;
}

static inline void *heist_abp_get(heist_abp *q)
{
    size_t b = (size_t)heist_load(&q->bottom, __ATOMIC_RELAXED);
    if (b == 0)
        return NULL;
    b--;
    heist_store(&q->bottom, b, HEIST_ABP_RETRACT);
    HEIST_WINDOW("get-lowered");
    heist_fence(HEIST_ABP_GET_FENCE);
    void *item = heist_load(&q->items[b], __ATOMIC_RELAXED);
    HEIST_WINDOW("get-fenced");
    uint64_t age = heist_load(&q->age, __ATOMIC_RELAXED);
    if (HEIST_LIKELY(b > (uint32_t)age))
        return item;
    uint64_t restart = ((age >> 32) + 1) << 32;
    heist_store(&q->bottom, 0, __ATOMIC_RELAXED);
    HEIST_WINDOW("get-last");
    if (b == (uint32_t)age && heist_cas(&q->age, &age, restart, HEIST_ABP_LAST))
        return item;
    HEIST_WINDOW("get-restart");
    heist_fence(HEIST_ABP_DRAINED);
    heist_store(&q->age, restart, HEIST_ABP_RESTART);
    return NULL;
}

/* *bottom: what the thief has seen of it. */
static inline enum heist_steal heist_abp_steal_below_(heist_abp *q, void **item, uint64_t *bottom)
{
    uint64_t age = heist_load(&q->age, __ATOMIC_RELAXED);
    HEIST_WINDOW("look");
    heist_fence(HEIST_ABP_STEAL_FENCE);
    *bottom = heist_load(&q->bottom, HEIST_ABP_OBSERVE);
    if (*bottom <= (uint32_t)age)
        return HEIST_STEAL_EMPTY;
    HEIST_WINDOW("steal-observed");
    void *got = heist_load(&q->items[(uint32_t)age], __ATOMIC_RELAXED);
    HEIST_WINDOW("steal");
    if (!heist_cas(&q->age, &age, age + 1, HEIST_ABP_CLAIM))
        return HEIST_STEAL_BUSY;
    *item = got;
    return HEIST_STEAL_OK;
}

static inline enum heist_steal heist_abp_steal(heist_abp *q, void **item)
{
    uint64_t bottom;
    return heist_abp_steal_below_(q, item, &bottom);
}

/* Until the owner is seen to come down: from then on an item costs both of them a line each. */
static inline size_t heist_abp_steal_many(heist_abp *q, void **items, size_t max)
{
    size_t n = 0;
    uint64_t before = 0, bottom = 0;
    while (n < max && bottom >= before) {
        before = bottom;
        if (heist_abp_steal_below_(q, &items[n], &bottom) != HEIST_STEAL_OK)
            break;
        n++;
    }
    return n;
}

static inline size_t heist_abp_size(const heist_abp *q)
{
    uint64_t b = heist_load(&q->bottom, __ATOMIC_RELAXED);
    uint64_t top = (uint32_t)heist_load(&q->age, __ATOMIC_RELAXED);
    return b > top ? (size_t)(b - top) : 0;
}

static inline bool heist_abp_sample(const heist_abp *q, uint64_t random)
{
    return random % q->capacity < heist_abp_size(q);
}

HEIST_END_DECLS

#endif
