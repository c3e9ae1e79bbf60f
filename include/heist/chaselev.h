/* SPDX-License-Identifier: MIT */
/*
 * The deque of Chase and Lev: unbounded, the strong default of the literature. Take it when thieves
 * must reach every item at once and the owner can afford a full fence per get; when it cannot, see
 * bwos_lifo or split.
 *
 * A circular array; the owner pushes and pops at the bottom, thieves take from the top. It doubles
 * when it is full and halves when it is nearly empty. The arrays that it leaves are freed while
 * thieves run: a thief names the array it is about to read in a hazard slot of its thread's, which
 * costs it a store before the fence it needs anyway, and the owner frees what no slot names.
 *
 * Who may call what at the same time: one owner calls put, put_many, get; any number of threads
 * call steal, steal_many, sample, size; init and fini are alone.
 * Order: the owner LIFO, thieves oldest first.
 * Progress: put and get are wait-free (but for allocation and copying when the size changes); steal
 * is lock-free: BUSY when another won, when the array changed underneath, or when there is no
 * memory for the thread's first hazard slot.
 * Natively: put_many. By repetition: steal_many, until the owner comes down meanwhile. sample is
 * size against capacity, random % capacity < size. size reads bottom, the owner's word, and top,
 * the thieves'.
 * A queue of fixed size may say full by a top that is not the newest.
 *
 * Encoding. top and bottom are 64-bit counters that wrap; only their difference, as a signed
 * number, means anything. Slot i is i modulo the array's size, a power of two.
 * Invariants: seen <= top <= bottom + 1 and bottom - top <= slots; the items are [top, bottom); top
 * never goes back; bottom < top only inside a get.
 * Linearisation: put at the store of bottom; steal at the CAS; get at the store of bottom that its
 * fence follows, of the last item at the CAS, of NULL at the load of top.
 *
 * Source: Chase and Lev 2005; orders after Le et al. 2013. We differ: release stores instead of the
 * release fence (so get's store is one too); put keeps the last top that it saw; hazard slots.
 * Fig. 2.8 of the thesis is wrong in two places: test/known_bugs.
 * Init takes capacity (rounded up to a power of two; default 8192, or 1024 when it grows), bound
 * (default: grows), memory, origin (of the counters). It never shrinks below capacity, nor below
 * 4096.
 * Memory: sizeof(heist_chaselev), 64 bytes and 8 per slot; while thieves are inside, also old
 * arrays.
 */
#ifndef HEIST_CHASELEV_H
#define HEIST_CHASELEV_H

#include <heist/hazard.h>

/* The ledger of orders; those of the hazard slots are in hazard.h. */
/* put: the slot before bottom; pairs with OBSERVE; else a thief reads junk */
#ifndef HEIST_CL_PUBLISH
#define HEIST_CL_PUBLISH __ATOMIC_RELEASE
#endif
/* get: bottom lowered; a thief that reads this bottom must still see the slots below it: pairs with
   OBSERVE */
#ifndef HEIST_CL_RETRACT
#define HEIST_CL_RETRACT __ATOMIC_RELEASE
#endif
/* get: bottom before top; pairs with STEAL_FENCE; else both take the last */
#ifndef HEIST_CL_GET_FENCE
#define HEIST_CL_GET_FENCE __ATOMIC_SEQ_CST
#endif
/* steal: top before bottom, pairs with GET_FENCE; the hazard before the array's second look, pairs
   with RETIRE; and the array's first look before its slots, pairs with SWAP */
#ifndef HEIST_CL_STEAL_FENCE
#define HEIST_CL_STEAL_FENCE __ATOMIC_SEQ_CST
#endif
/* steal: bottom before the array and the slot; pairs with PUBLISH, RETRACT */
#ifndef HEIST_CL_OBSERVE
#define HEIST_CL_OBSERVE __ATOMIC_ACQUIRE
#endif
/* steal: reading the slot before the claim; pairs with REFRESH */
#ifndef HEIST_CL_CLAIM
#define HEIST_CL_CLAIM __ATOMIC_RELEASE
#endif
/* put that seems full: top before overwriting a slot; pairs with CLAIM; else a thief reads the item
   that comes next into its slot */
#ifndef HEIST_CL_REFRESH
#define HEIST_CL_REFRESH __ATOMIC_ACQUIRE
#endif
/* another size: the copied slots before the pointer; pairs with STEAL_FENCE; else a thief reads
   slots that were not copied yet */
#ifndef HEIST_CL_SWAP
#define HEIST_CL_SWAP __ATOMIC_RELEASE
#endif
/* another size: the new pointer before looking at the hazards; pairs with STEAL_FENCE; else an
   array is freed under a thief */
#ifndef HEIST_CL_RETIRE
#define HEIST_CL_RETIRE __ATOMIC_SEQ_CST
#endif

HEIST_BEGIN_DECLS

typedef struct heist_chaselev_array {
    heist_retirable_ head;
    size_t mask;                       /* slots - 1 */
    heist_aptr slots[1] HEIST_ALIGNED; /* the first of them */
} heist_chaselev_array;

typedef struct heist_chaselev {
    heist_au64 bottom; /* the owner writes it */
    uint64_t seen;     /* a top that the owner has seen */
    int64_t low;       /* with so few left, get looks closer: the last, or time to shrink */
    heist_aptr array;  /* of heist_chaselev_array; the owner writes it */
    heist_retirable_ *retired;
    size_t least; /* slots */
    bool grows;
    heist_au64 top HEIST_ALIGNED; /* thieves write it */
    heist_memory memory HEIST_ALIGNED;
} heist_chaselev;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_chaselev_init(heist_chaselev *q, const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_chaselev_fini(heist_chaselev *q);
HEIST_API bool heist_chaselev_room_(heist_chaselev *q);
HEIST_API void heist_chaselev_shrink_(heist_chaselev *q);

static inline heist_chaselev_array *heist_chaselev_array_(const heist_chaselev *q)
{
    return (heist_chaselev_array *)heist_load(&q->array, __ATOMIC_RELAXED);
}

static inline size_t heist_chaselev_put_many(heist_chaselev *q, void *const *items, size_t n)
{
    uint64_t b = heist_load(&q->bottom, __ATOMIC_RELAXED);
    heist_chaselev_array *a = heist_chaselev_array_(q);
    size_t i = 0;
    for (; i < n && items[i]; i++, b++) {
        if (HEIST_UNLIKELY((int64_t)(b - q->seen) > (int64_t)a->mask)) {
            heist_store(&q->bottom, b, HEIST_CL_PUBLISH);
            if (!heist_chaselev_room_(q))
                return i;
            a = heist_chaselev_array_(q);
        }
        heist_store(&a->slots[b & a->mask], items[i], __ATOMIC_RELAXED);
    }
    HEIST_WINDOW("put");
    heist_store(&q->bottom, b, HEIST_CL_PUBLISH);
    return i;
}

static inline bool heist_chaselev_put(heist_chaselev *q, void *item)
{
    uint64_t b = heist_load(&q->bottom, __ATOMIC_RELAXED);
    heist_chaselev_array *a = heist_chaselev_array_(q);
    if (HEIST_UNLIKELY((int64_t)(b - q->seen) > (int64_t)a->mask) || HEIST_UNLIKELY(!item))
        return heist_chaselev_put_many(q, &item, 1) == 1;
    heist_store(&a->slots[b & a->mask], item, __ATOMIC_RELAXED);
    HEIST_WINDOW("put");
    heist_store(&q->bottom, b + 1, HEIST_CL_PUBLISH);
    return true;
}

static inline void *heist_chaselev_get(heist_chaselev *q)
{
    uint64_t b = heist_load(&q->bottom, __ATOMIC_RELAXED) - 1;
    heist_chaselev_array *a = heist_chaselev_array_(q);
    heist_store(&q->bottom, b, HEIST_CL_RETRACT);
    HEIST_WINDOW("get-lowered");
    heist_fence(HEIST_CL_GET_FENCE);
    HEIST_WINDOW("get-fenced");
    uint64_t t = heist_load(&q->top, __ATOMIC_RELAXED);
    int64_t left = (int64_t)(b - t);
    void *item = heist_load(&a->slots[b & a->mask], __ATOMIC_RELAXED);
    if (HEIST_LIKELY(left > q->low))
        return item;
    if (left > 0) {
        heist_chaselev_shrink_(q);
        return item;
    }
    HEIST_WINDOW("get-last");
    if (left < 0 || !heist_cas(&q->top, &t, t + 1, __ATOMIC_RELAXED))
        item = NULL;
    HEIST_WINDOW("get-raise");
    heist_store(&q->bottom, b + 1, __ATOMIC_RELAXED);
    if (HEIST_UNLIKELY(q->low)) /* thieves have emptied a large array */
        heist_chaselev_shrink_(q);
    return item;
}

/* *bottom: what the thief has seen of it. */
static inline enum heist_steal heist_chaselev_steal_below_(heist_chaselev *q, void **item,
                                                           uint64_t *bottom)
{
    heist_chaselev_array *named = heist_chaselev_array_(q);
    heist_aptr *hazard = NULL;
    enum heist_steal result = HEIST_STEAL_EMPTY;
    if (q->grows) {
        hazard = heist_hazard_();
        if (HEIST_UNLIKELY(!hazard))
            return HEIST_STEAL_BUSY;
        HEIST_WINDOW("name");
        heist_store(hazard, named, HEIST_HZ_NAME);
        HEIST_WINDOW("named");
    }
    uint64_t t = heist_load(&q->top, __ATOMIC_RELAXED);
    HEIST_WINDOW("look");
    heist_fence(HEIST_CL_STEAL_FENCE);
    *bottom = heist_load(&q->bottom, HEIST_CL_OBSERVE);
    if ((int64_t)(*bottom - t) > 0) {
        HEIST_WINDOW("observed");
        /* Now the array is at least as new as item t; if it is not the one named, it may go
           away. */
        heist_chaselev_array *a =
            (heist_chaselev_array *)heist_load(&q->array, HEIST_FENCED_ACQUIRE_);
        result = HEIST_STEAL_BUSY;
        if (HEIST_LIKELY(a == named)) {
            HEIST_WINDOW("steal-read");
            void *got = heist_load(&a->slots[t & a->mask], __ATOMIC_RELAXED);
            HEIST_WINDOW("steal");
            if (heist_cas(&q->top, &t, t + 1, HEIST_CL_CLAIM)) {
                *item = got;
                result = HEIST_STEAL_OK;
            }
        }
    }
    if (hazard) {
        HEIST_WINDOW("leave");
        heist_store(hazard, NULL, HEIST_HZ_LEAVE);
    }
    return result;
}

static inline enum heist_steal heist_chaselev_steal(heist_chaselev *q, void **item)
{
    uint64_t bottom;
    return heist_chaselev_steal_below_(q, item, &bottom);
}

/* Until the owner is seen to come down: from then on an item costs both of them a line each. */
static inline size_t heist_chaselev_steal_many(heist_chaselev *q, void **items, size_t max)
{
    size_t n = 0;
    uint64_t before = 0, bottom = 0;
    while (n < max && (n < 2 || (int64_t)(bottom - before) >= 0)) {
        before = bottom;
        if (heist_chaselev_steal_below_(q, &items[n], &bottom) != HEIST_STEAL_OK)
            break;
        n++;
    }
    return n;
}

static inline size_t heist_chaselev_size(const heist_chaselev *q)
{
    uint64_t b = heist_load(&q->bottom, __ATOMIC_RELAXED);
    int64_t n = (int64_t)(b - heist_load(&q->top, __ATOMIC_RELAXED));
    return n > 0 ? (size_t)n : 0;
}

static inline bool heist_chaselev_sample(const heist_chaselev *q, uint64_t random)
{
    return random % q->least < heist_chaselev_size(q);
}

HEIST_END_DECLS

#endif
