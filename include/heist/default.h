/* SPDX-License-Identifier: MIT */
/*
 * The kind `heist`, the default: a stack for its owner, and nothing hidden from a hungry thief.
 * Take it for fork-join work, and when you do not know what to take.
 *
 * One array that grows and shrinks. Its lower part is public: thieves take from it by a CAS. Its
 * upper part is private: the owner pushes and pops there with plain loads and stores. A thief that
 * finds nothing public asks, and the owner's next put or get publishes the older half of what is
 * private. An owner that does not come, since it is inside a long task, is not waited for: after
 * some microseconds (HEIST_HEIST_PATIENCE in default.c) a thief makes all that is private public
 * itself, by a heavy fence (<heist/fences.h>), for which the owner pays nothing when it pops.
 * Where the kernel has no such fence, thieves wait for the owner.
 *
 * Who may call what at the same time: one owner calls put, put_many, get; any number of threads
 * call steal, steal_many, sample, size; init and fini are alone.
 * Order: the owner LIFO, thieves oldest first.
 * Progress: put and get wait for nobody; they try again only when a thief has succeeded (and
 * allocate and copy when the size changes). steal is lock-free: BUSY when another won, when the
 * array changed underneath, or when there is no memory for the thread's first hazard slot; EMPTY
 * with private items left: it has asked.
 * Natively: steal_many (of the public part, in one claim). By repetition: put_many. sample is size
 * against capacity, random % capacity < size. size is exact when nobody moves; it reads the owner's
 * line.
 *
 * Encoding. word is tag:24 | count:12 | index:28; public are the items [index, index + count), and
 * private those from there to pos. Positions count from 0 and restart when the owner finds nothing
 * left. The owner moves the tag whenever it comes into its slow path, but for a put that only goes
 * on where thieves made room: so the CAS of a thief, who claims items or publishes some, proves
 * that the owner was not there since the thief looked. A request is one comparison on the owner's
 * path: the thief overwrites limit with 0 and base with the largest number, so that put believes it
 * is full and get that it is empty; both then look closer.
 * Invariants (outside of the owner's slow path):
 *   index + count <= pos
 *   limit is 0 or the end of what put may fill
 *   base is the largest number, or at least the address of index + count
 *   asked != 0 => a thief has written, or is about to, 0 to limit and the largest number to base
 *
 * A thief publishes by itself: it reads word, poisons limit and base, passes the heavy fence, reads
 * pos, and CASes word. A get lowers pos, passes the light fence, and reads base. So either that get
 * sees the poison, and goes where it moves the tag; or the thief sees its pos, and leaves its item
 * alone. The owner takes a poison away before it moves the tag; so a thief whose CAS succeeds had
 * its poison there all the time.
 * Linearisation: steal at its claim; get at the store of pos or, in the slow path, at the CAS; put
 * at the store of pos for the owner, and for thieves when it becomes public.
 *
 * Source: ours. The packed word is that of split.h, the light fence P1202's, the poison that of
 * Lace and of our slots. Init takes capacity (default 8192 when fixed, else 1024; exact when fixed,
 * at most 2^27), bound (default: grows), memory, origin (of the tag). It never shrinks below
 * capacity, nor below 4096.
 * Memory: sizeof(heist_heist), 64 bytes, and 8 per slot, twice as many slots as items if
 * fixed; while thieves are inside, also old arrays. Without a heavy fence it never shrinks, and
 * keeps all arrays until fini.
 */
#ifndef HEIST_DEFAULT_H
#define HEIST_DEFAULT_H

#include <heist/fences.h>
#include <heist/hazard.h>

/* The ledger of orders. The owner's common path has a light fence, and two release stores. */
/* put: the item before pos; pairs with LOOK; else a thief publishes what is not there yet */
#ifndef HEIST_HE_PUT
#define HEIST_HE_PUT __ATOMIC_RELEASE
#endif
/* get: pos lowered; a thief that reads this pos must still see the items below it: pairs with
   LOOK */
#ifndef HEIST_HE_LOWER
#define HEIST_HE_LOWER __ATOMIC_RELEASE
#endif
/* a thief publishes: pos before the items; pairs with PUT and LOWER */
#ifndef HEIST_HE_LOOK
#define HEIST_HE_LOOK __ATOMIC_ACQUIRE
#endif
/* a thief publishes: the items before the word; pairs with OBSERVE; else another reads junk */
#ifndef HEIST_HE_PUBLISH
#define HEIST_HE_PUBLISH __ATOMIC_RELEASE
#endif
/* a thief is about to publish: the word before poisoning limit and base; pairs with SETTLE and
   OPEN; else the owner's last answer overwrites the poison */
#ifndef HEIST_HE_ENTER
#define HEIST_HE_ENTER __ATOMIC_ACQUIRE
#endif
/* the owner's slow path: items, pos and base before the word; pairs with OBSERVE
   and ENTER; else a thief reads junk */
#ifndef HEIST_HE_SETTLE
#define HEIST_HE_SETTLE __ATOMIC_RELEASE
#endif
/* the owner has moved all items: these and their array before the word; pairs with OBSERVE and
   ENTER; else a thief reads what was there before */
#ifndef HEIST_HE_OPEN
#define HEIST_HE_OPEN __ATOMIC_RELEASE
#endif
/* the owner is about to move all items: claims before new items in their slots; pairs with CLAIM */
#ifndef HEIST_HE_CLOSE
#define HEIST_HE_CLOSE __ATOMIC_ACQUIRE
#endif
/* the owner sees that nothing is left: claims before new items in their slots; pairs with CLAIM */
#ifndef HEIST_HE_EMPTIED
#define HEIST_HE_EMPTIED __ATOMIC_ACQUIRE
#endif
/* steal: the word before the item; pairs with SETTLE, OPEN and PUBLISH */
#ifndef HEIST_HE_OBSERVE
#define HEIST_HE_OBSERVE __ATOMIC_ACQUIRE
#endif
/* steal: reading the item before the claim; pairs with CLOSE and EMPTIED; else a thief reads the
   item that comes next into its slot */
#ifndef HEIST_HE_CLAIM
#define HEIST_HE_CLAIM __ATOMIC_RELEASE
#endif
/* the owner has answered: limit and base as they should be before `asked` is 0; pairs with ASK */
#ifndef HEIST_HE_ANSWER
#define HEIST_HE_ANSWER __ATOMIC_RELEASE
#endif
/* a thief asks: `asked` is 0 before it writes limit and base; pairs with ANSWER; else the owner's
   last answer overwrites the new request */
#ifndef HEIST_HE_ASK
#define HEIST_HE_ASK __ATOMIC_ACQUIRE
#endif

#define HEIST_HEIST_INDEX_(s) ((uint32_t)(s)&0xfffffff)
#define HEIST_HEIST_COUNT_(s) ((uint32_t)((s) >> 28) & 0xfff)
#define HEIST_HEIST_END_(s) ((int64_t)HEIST_HEIST_INDEX_(s) + HEIST_HEIST_COUNT_(s))
#define HEIST_HEIST_ONE_ ((uint64_t)1 << 28) /* of count */

HEIST_BEGIN_DECLS

typedef struct heist_heist_array {
    heist_retirable_ head;
    size_t slots; /* and one to spare */
    heist_aptr items[1] HEIST_ALIGNED;
} heist_heist_array;

typedef struct heist_heist {
    /* The owner's line. Thieves write limit and base when they ask. */
    heist_auptr pos;   /* the address where the next item goes */
    heist_auptr limit; /* put may go up to here */
    heist_auptr base;  /* get may go down to here */
    int64_t low;       /* below this position get looks whether it is time to shrink */
    heist_retirable_ *retired;
    /* The thieves' line. */
    heist_au64 word HEIST_ALIGNED;
    heist_au64 since; /* when the thief asked */
    heist_au32 asked; /* 1: a thief has asked; 2: one is about to publish by itself */
    heist_aptr array; /* of heist_heist_array; the owner writes it */
    /* For all to read. */
    size_t capacity HEIST_ALIGNED;
    size_t least; /* slots */
    bool grows;
    bool frees; /* arrays while thieves run: it grows, and there is a heavy fence */
    heist_memory memory;
} heist_heist;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_heist_init(heist_heist *q, const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_heist_fini(heist_heist *q);
HEIST_API bool heist_heist_put_slow_(heist_heist *q, void *item);
HEIST_API void *heist_heist_get_slow_(heist_heist *q);
HEIST_API bool heist_heist_ask_(heist_heist *q); /* whether there is something public now */

static inline bool heist_heist_put(heist_heist *q, void *item)
{
    uintptr_t p = heist_load(&q->pos, __ATOMIC_RELAXED);
    /* Written before anything is known about it: an array has a slot to spare for that. */
    heist_store((heist_aptr *)p, item, __ATOMIC_RELAXED);
    HEIST_WINDOW("put");
    if (HEIST_UNLIKELY(p >= heist_load(&q->limit, __ATOMIC_RELAXED)) || HEIST_UNLIKELY(!item))
        return heist_heist_put_slow_(q, item);
    HEIST_WINDOW("put-pos");
    heist_store(&q->pos, p + sizeof(heist_aptr), HEIST_HE_PUT);
    return true;
}

static inline void *heist_heist_get(heist_heist *q)
{
    uintptr_t p = heist_load(&q->pos, __ATOMIC_RELAXED) - sizeof(heist_aptr);
    heist_store(&q->pos, p, HEIST_HE_LOWER);
    HEIST_WINDOW("get-lowered");
    heist_fence_light();
    if (HEIST_UNLIKELY(p < heist_load(&q->base, __ATOMIC_RELAXED)))
        return heist_heist_get_slow_(q);
    HEIST_WINDOW("get-private");
    return heist_load((heist_aptr *)p, __ATOMIC_RELAXED);
}

static inline size_t heist_heist_put_many(heist_heist *q, void *const *items, size_t n)
{
    size_t i = 0;
    while (i < n && heist_heist_put(q, items[i]))
        i++;
    return i;
}

static inline heist_heist_array *heist_heist_array_(const heist_heist *q)
{
    return (heist_heist_array *)heist_load(&q->array, __ATOMIC_RELAXED);
}

/* Takes up to `max` public items in one claim. OK: *n says how many. */
static inline enum heist_steal heist_heist_claim_(heist_heist *q, void **items, size_t max,
                                                  size_t *n)
{
    /* A look that disturbs nobody; most thieves come in vain. */
    if (!HEIST_HEIST_COUNT_(heist_load(&q->word, __ATOMIC_RELAXED)))
        return HEIST_STEAL_EMPTY;
    HEIST_WINDOW("look");
    heist_heist_array *a = heist_heist_array_(q);
    heist_aptr *hazard = NULL;
    if (q->frees) {
        hazard = heist_hazard_();
        if (HEIST_UNLIKELY(!hazard))
            return HEIST_STEAL_BUSY;
        HEIST_WINDOW("name");
        heist_store(hazard, a, HEIST_HZ_NAME);
        HEIST_WINDOW("named");
        heist_fence_light(); /* the hazard before the array's second look; see collect */
    }
    uint64_t s = heist_load(&q->word, HEIST_HE_OBSERVE);
    size_t wanted = HEIST_HEIST_COUNT_(s) < max ? HEIST_HEIST_COUNT_(s) : max;
    enum heist_steal result = HEIST_STEAL_EMPTY;
    HEIST_WINDOW("observed");
    /* The array is at least as new as the word; if it is not the one named, it may go away. */
    if (wanted && heist_heist_array_(q) != a) {
        result = HEIST_STEAL_BUSY;
    } else if (wanted) {
        HEIST_WINDOW("steal-read");
        for (size_t i = 0; i < wanted; i++)
            items[i] = heist_load(&a->items[HEIST_HEIST_INDEX_(s) + i], __ATOMIC_RELAXED);
        HEIST_WINDOW("steal");
        *n = wanted;
        result = heist_cas(&q->word, &s, s + wanted - wanted * HEIST_HEIST_ONE_, HEIST_HE_CLAIM)
                     ? HEIST_STEAL_OK
                     : HEIST_STEAL_BUSY;
    }
    if (hazard) {
        HEIST_WINDOW("leave");
        heist_store(hazard, NULL, HEIST_HZ_LEAVE);
    }
    return result;
}

/* The same; asks when nothing is public, and tries again if that helped at once. */
static inline enum heist_steal heist_heist_claim_asking_(heist_heist *q, void **items, size_t max,
                                                         size_t *n)
{
    enum heist_steal result = heist_heist_claim_(q, items, max, n);
    if (result == HEIST_STEAL_EMPTY && heist_heist_ask_(q))
        result = heist_heist_claim_(q, items, max, n);
    return result;
}

static inline enum heist_steal heist_heist_steal(heist_heist *q, void **item)
{
    void *got = NULL; /* gcc -O1 does not see that OK means it is set */
    size_t n;
    enum heist_steal result = heist_heist_claim_asking_(q, &got, 1, &n);
    if (result == HEIST_STEAL_OK)
        *item = got;
    return result;
}

static inline size_t heist_heist_steal_many(heist_heist *q, void **items, size_t max)
{
    for (;;) {
        size_t n = 0;
        enum heist_steal result =
            max ? heist_heist_claim_asking_(q, items, max, &n) : HEIST_STEAL_EMPTY;
        if (result != HEIST_STEAL_BUSY)
            return result == HEIST_STEAL_OK ? n : 0;
    }
}

/* How many items are private, by a word that was read before. Another thread than the owner may
   get any number while it moves. */
static inline int64_t heist_heist_private_(const heist_heist *q, uint64_t s, uintptr_t pos)
{
    intptr_t bytes = (intptr_t)(pos - (uintptr_t)heist_heist_array_(q)->items);
    return bytes / (intptr_t)sizeof(heist_aptr) - HEIST_HEIST_END_(s);
}

static inline size_t heist_heist_size(const heist_heist *q)
{
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    int64_t own = heist_heist_private_(q, s, heist_load(&q->pos, __ATOMIC_RELAXED));
    size_t open = HEIST_HEIST_COUNT_(s);
    return own > 0 && own <= UINT32_MAX ? (size_t)own + open : open;
}

static inline bool heist_heist_sample(const heist_heist *q, uint64_t random)
{
    return random % q->capacity < heist_heist_size(q);
}

HEIST_END_DECLS

#endif
