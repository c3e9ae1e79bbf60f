/* SPDX-License-Identifier: MIT */
/*
 * The split deque of LCWS, corrected and packed into one word. Take it for fork-join work: the
 * owner runs at the speed of a plain stack, and work is private until a thief asks for it.
 *
 * One array. Its lower part is public: thieves take from it by a CAS. Its upper part is private:
 * the owner pushes and pops there with plain loads and stores. A thief that finds nothing public
 * asks; so does one that takes the last public item, but never by a signal: then the next is there
 * when it comes again. The owner then exposes some of its oldest private items; if it has none, the
 * request waits for its next put. When its private part is empty, the owner takes the whole public
 * part back by one exchange, and its next put exposes again: so that the oldest item stays public
 * until nobody has stolen for a while.
 *
 * Modes (opts.mode): USER, one item per request, at the owner's next put or get. SIGNAL, one item,
 * in the handler of a signal that the thief sends, so that an owner inside a long task answers too.
 * CONSERVATIVE, one item, if the owner keeps another. HALF, half of the private items. The last
 * two use a signal if opts.signal names one.
 *
 * Signals. opts.signal (in mode SIGNAL by default SIGURG, which programs ignore) gets a handler
 * with the first queue that uses it, and its former action back after the last one (unless a signal
 * is still on its way, to a thread that blocks it). A signal that Heist did not send goes to the
 * former action. The handler calls nothing that a handler may not, allocates nothing, and leaves
 * errno alone. System calls restart (SA_RESTART). The owner is the thread of the first put; when
 * another becomes the owner, it calls heist_split_adopt first. Blocking the signal only delays.
 *
 * Thieves that sleep. heist_split_tell sets a function that is called when a get or the handler has
 * made items public: the thief that had asked may be asleep by now. It runs in the handler too, so
 * it does only what a handler may. put does not call it: its caller is there to do the same.
 *
 * Who may call what at the same time: one owner calls put, put_many, get, adopt, expose; any number
 * of threads call steal, steal_many, sample, size; init, tell and fini are alone.
 * Order: the owner LIFO, thieves oldest first.
 * Progress: put and get are wait-free (when it comes to the end of its array, put moves all items
 * to the front, where thieves made room: rarely, unless nearly 2^24 items are in it). steal is
 * lock-free; BUSY: lost to another thief or to the owner. EMPTY with private items left: it has
 * asked.
 * Natively: steal_many (of the public part, in one claim). By repetition: put_many. sample is size
 * against capacity, random % capacity < size, mostly without a look at the owner's line: `about`,
 * beside the word, is within `step` of the number of private items, and that decides unless random
 * % capacity is as near; and it is false while a request waits for its answer and nothing is
 * public. size is exact when nobody moves; it reads the owner's line.
 *
 * Encoding. word is tag:24 | count:16 | index:24; public are the items [index, index + count).
 * Positions count from 0 and restart when the owner finds nothing left. The tag moves whenever the
 * owner takes back, so that a thief's claim, a CAS on word, proves that its item stayed public
 * since it looked. A request is one comparison on the owner's path: the thief overwrites limit with
 * 0 and floor with the largest number, so that put believes it is full and get that it is empty;
 * both then look closer.
 * Invariants (outside of the owner's slow path):
 *   exposed == index + count; the private items are [exposed, bottom)
 *   limit is the end of what put may fill before the owner settles again; or 0, by a thief, or by
 *   the owner that stays open
 *   floor is the largest number, or the address of max(exposed, first) or above: so far get may go
 *   down before the owner settles again
 *   about - step <= private items <= about + step; as seen by its owner
 *   asked == 1 => a poisoned limit or floor, or a signal, is on its way: else nobody would ask
 * Linearisation: steal at its claim; get at the store of bottom or at the exchange; put at the
 * store of bottom for the owner, and for thieves when it is exposed.
 *
 * Source: LCWS, SPAA 2023; Lace. We differ from LCWS: one word instead of a fence; exposing is a
 * release; put writes the item before bottom, also for the handler's eyes; signed positions. Its
 * Listing 2 never asks anybody, and wraps on empty: test/known_bugs. New: the handler never runs
 * into a slow path (a guard), requests are not lost, space taken by thieves is used again.
 * Init takes capacity (default 8192, exact, at most 2^24 - 1), bound (default fixed; GROWS adds
 * segments up to 2^24 - 1 items, kept until fini), mode, signal, memory, origin (of the tag).
 * Memory: sizeof(heist_split) and 16 bytes per item of capacity; 8 with GROWS.
 */
#ifndef HEIST_SPLIT_H
#define HEIST_SPLIT_H

#include <heist/atomic.h>

/* The ledger of orders. The owner's common path has none but against its own signal handler. */
/* expose: the items before the word; pairs with OBSERVE; else a thief reads junk */
#ifndef HEIST_SP_EXPOSE
#define HEIST_SP_EXPOSE __ATOMIC_RELEASE
#endif
/* steal: the word before the item; pairs with EXPOSE */
#ifndef HEIST_SP_OBSERVE
#define HEIST_SP_OBSERVE __ATOMIC_ACQUIRE
#endif
/* steal: reading the item before the claim; pairs with TAKE and EMPTIED; else a thief reads the
   item that comes next into its slot */
#ifndef HEIST_SP_CLAIM
#define HEIST_SP_CLAIM __ATOMIC_RELEASE
#endif
/* get takes back: the claims before new items in their slots; pairs with CLAIM */
#ifndef HEIST_SP_TAKE
#define HEIST_SP_TAKE __ATOMIC_ACQUIRE
#endif
/* the owner sees that thieves took all that was public: the claims before new items in their slots;
   pairs with CLAIM */
#ifndef HEIST_SP_EMPTIED
#define HEIST_SP_EMPTIED __ATOMIC_ACQUIRE
#endif

/* the owner has answered: limit and floor as they should be before `asked` is 0; pairs with ASK */
#ifndef HEIST_SP_ANSWER
#define HEIST_SP_ANSWER __ATOMIC_RELEASE
#endif
/* a thief asks: `asked` is 0 before it writes limit and floor; pairs with ANSWER; else the owner's
   last answer overwrites the new request */
#ifndef HEIST_SP_ASK
#define HEIST_SP_ASK __ATOMIC_ACQUIRE
#endif

#define HEIST_SPLIT_INDEX_(s) ((uint32_t)(s)&0xffffff)
#define HEIST_SPLIT_COUNT_(s) ((uint32_t)((s) >> 24) & 0xffff)
#define HEIST_SPLIT_ONE_ ((uint64_t)1 << 24) /* of count */
#define HEIST_SPLIT_POSITIONS_ (((int64_t)1 << 24) - 1)

HEIST_BEGIN_DECLS

typedef struct heist_split {
    /* The owner's line. Thieves write limit and floor when they ask. */
    heist_auptr bottom;   /* the address where the next item goes */
    heist_auptr limit;    /* put may go up to here */
    heist_auptr floor;    /* get may go down to here */
    heist_auptr base;     /* the address of position 0, if the current segment went back so far */
    heist_au64 exposed;   /* position: the end of the public part */
    uint64_t first, last; /* positions of the current segment */
    uint32_t tag;
    heist_au32 guard; /* the owner is in a slow path: its handler waits until it leaves */
    /* The thieves' line. */
    heist_au64 word HEIST_ALIGNED;
    heist_au32 asked;
    heist_au32 deferred;  /* a signal found the guard */
    heist_au64 exposures; /* items made public so far; the owner writes it, where it writes word */
    uint32_t open;        /* the owner's too: times that taking back makes the next put expose */
    heist_au64 about;     /* private items when the owner has settled last, or its handler */
    /* For all to read. */
    heist_aptr segments[25] HEIST_ALIGNED;
    uint64_t first_segment; /* slots; each further segment has as many as all before it */
    size_t capacity;
    size_t step; /* items put or got at most before the owner settles again */
    enum heist_split_mode mode;
    bool grows;
    int signal; /* 0: requests by limit and floor */
    struct heist_split_listing_ *listing;
    void (*tell)(void *context); /* or NULL */
    void *tell_context;
    heist_memory memory;
} heist_split;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_split_init(heist_split *q, const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_split_fini(heist_split *q);
HEIST_API void heist_split_adopt(heist_split *q); /* the calling thread is the owner from now on */
/* The owner makes items public as if a thief had asked, unless some are. Whether some are now. */
HEIST_API bool heist_split_expose(heist_split *q);
/* Before anybody else uses the queue. NULL: nobody is told. */
HEIST_API void heist_split_tell(heist_split *q, void (*tell)(void *context), void *context);
HEIST_API bool heist_split_put_slow_(heist_split *q, void *item);
HEIST_API void *heist_split_get_slow_(heist_split *q);
HEIST_API void heist_split_ask_(heist_split *q);
HEIST_API void heist_split_ask_for_next_(heist_split *q);

static inline bool heist_split_put(heist_split *q, void *item)
{
    uintptr_t b = heist_load(&q->bottom, __ATOMIC_RELAXED);
    /* Written before anything is known about it: a segment has a slot to spare for that. */
    heist_store((heist_aptr *)b, item, __ATOMIC_RELAXED);
    HEIST_WINDOW("put");
    heist_signal_fence(); /* the handler may expose up to bottom */
    if (HEIST_UNLIKELY(b >= heist_load(&q->limit, __ATOMIC_RELAXED)) || HEIST_UNLIKELY(!item))
        return heist_split_put_slow_(q, item);
    HEIST_WINDOW("put-bottom");
    heist_store(&q->bottom, b + sizeof(heist_aptr), __ATOMIC_RELAXED);
    return true;
}

static inline void *heist_split_get(heist_split *q)
{
    uintptr_t b = heist_load(&q->bottom, __ATOMIC_RELAXED) - sizeof(heist_aptr);
    heist_store(&q->bottom, b, __ATOMIC_RELAXED);
    heist_signal_fence(); /* now the handler leaves this item alone; it may have taken it */
    HEIST_WINDOW("get-lowered");
    if (HEIST_UNLIKELY(b < heist_load(&q->floor, __ATOMIC_RELAXED)))
        return heist_split_get_slow_(q);
    HEIST_WINDOW("get-private");
    return heist_load((heist_aptr *)b, __ATOMIC_RELAXED);
}

static inline size_t heist_split_put_many(heist_split *q, void *const *items, size_t n)
{
    size_t i = 0;
    while (i < n && heist_split_put(q, items[i]))
        i++;
    return i;
}

static inline heist_aptr *heist_split_slot_(const heist_split *q, uint64_t i)
{
    if (HEIST_LIKELY(i < q->first_segment))
        return (heist_aptr *)heist_load(&q->segments[0], __ATOMIC_RELAXED) + i;
    uint64_t k = 1, from = q->first_segment;
    for (; i >= 2 * from; from *= 2)
        k++;
    return (heist_aptr *)heist_load(&q->segments[k], __ATOMIC_RELAXED) + (i - from);
}

/* Takes up to `max` of the items that are public in `s`, by one claim. OK: *n says how many. */
static inline enum heist_steal heist_split_claim_of_(heist_split *q, uint64_t s, void **items,
                                                     size_t max, size_t *n)
{
    size_t wanted = HEIST_SPLIT_COUNT_(s) < max ? HEIST_SPLIT_COUNT_(s) : max;
    if (!wanted)
        return HEIST_STEAL_EMPTY;
    HEIST_WINDOW("steal-observed");
    for (size_t i = 0; i < wanted; i++)
        items[i] = heist_load(heist_split_slot_(q, HEIST_SPLIT_INDEX_(s) + i), __ATOMIC_RELAXED);
    HEIST_WINDOW("steal");
    if (!heist_cas(&q->word, &s, s + wanted - wanted * HEIST_SPLIT_ONE_, HEIST_SP_CLAIM))
        return HEIST_STEAL_BUSY;
    *n = wanted;
    return HEIST_STEAL_OK;
}

static inline enum heist_steal heist_split_claim_(heist_split *q, void **items, size_t max,
                                                  size_t *n)
{
    return heist_split_claim_of_(q, heist_load(&q->word, HEIST_SP_OBSERVE), items, max, n);
}

/* Who takes all that is public has the next item exposed, for when it comes again. */
static inline enum heist_steal heist_split_claim_ahead_(heist_split *q, void **items, size_t max,
                                                        size_t *n)
{
    uint64_t s = heist_load(&q->word, HEIST_SP_OBSERVE);
    enum heist_steal result = heist_split_claim_of_(q, s, items, max, n);
    if (result == HEIST_STEAL_OK && *n == HEIST_SPLIT_COUNT_(s))
        heist_split_ask_for_next_(q);
    return result;
}

static inline enum heist_steal heist_split_claim_or_ask_(heist_split *q, void **items, size_t max,
                                                         size_t *n)
{
    enum heist_steal result = heist_split_claim_ahead_(q, items, max, n);
    if (result == HEIST_STEAL_EMPTY)
        heist_split_ask_(q);
    return result;
}

static inline enum heist_steal heist_split_steal(heist_split *q, void **item)
{
    void *got;
    size_t n;
    enum heist_steal result = heist_split_claim_or_ask_(q, &got, 1, &n);
    if (result == HEIST_STEAL_OK)
        *item = got;
    return result;
}

static inline size_t heist_split_steal_many(heist_split *q, void **items, size_t max)
{
    size_t n = 0;
    while (max && heist_split_claim_or_ask_(q, items, max, &n) == HEIST_STEAL_BUSY)
        ;
    return n;
}

/* How many items are private. Another thread than the owner may get any number while it moves. */
static inline int64_t heist_split_private_(const heist_split *q)
{
    intptr_t bytes = (intptr_t)(heist_load(&q->bottom, __ATOMIC_RELAXED) -
                                heist_load(&q->base, __ATOMIC_RELAXED));
    return bytes / (intptr_t)sizeof(heist_aptr) -
           (int64_t)heist_load(&q->exposed, __ATOMIC_RELAXED);
}

/* Whether a request would be answered by something. */
static inline bool heist_split_can_expose_(const heist_split *q)
{
    return heist_split_private_(q) >= (q->mode == HEIST_SPLIT_CONSERVATIVE ? 2 : 1);
}

/* Whether there are items that a thief would ask for, and nobody has. For any thread. */
static inline bool heist_split_is_unasked_(const heist_split *q)
{
    return heist_split_can_expose_(q) && !heist_load(&q->asked, __ATOMIC_RELAXED);
}

static inline size_t heist_split_size(const heist_split *q)
{
    int64_t own = heist_split_private_(q);
    size_t open = HEIST_SPLIT_COUNT_(heist_load(&q->word, __ATOMIC_RELAXED));
    return own > 0 && own < HEIST_SPLIT_POSITIONS_ ? (size_t)own + open : open;
}

/* While a request waits there is nothing to be had. */
static inline bool heist_split_sample(const heist_split *q, uint64_t random)
{
    uint64_t open = HEIST_SPLIT_COUNT_(heist_load(&q->word, __ATOMIC_RELAXED));
    if (!open && heist_load(&q->asked, __ATOMIC_RELAXED))
        return false;
    uint64_t wanted = random % q->capacity;
    uint64_t about = open + heist_load(&q->about, __ATOMIC_RELAXED);
    if (wanted >= about + q->step)
        return false;
    return wanted + q->step < about || wanted < heist_split_size(q);
}

HEIST_END_DECLS

#endif
