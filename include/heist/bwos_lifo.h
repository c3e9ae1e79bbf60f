/* SPDX-License-Identifier: MIT */
/*
 * The LIFO block-based queue of BWoS. Take it for fork-join work with many small tasks: the owner
 * runs at the speed of a plain stack. Not for an owner that stays away from its queue for long:
 * only at its next put or get does it give thieves a part of its block.
 *
 * The items lie in a ring of blocks. The owner fills and empties one block, the top, with plain
 * loads and stores; the blocks below it are granted to thieves. Owner and thieves meet only when a
 * block changes hands: the owner grants the top when it is full and goes on to the next, and takes
 * over the block below, by one exchange, when the top is empty.
 *
 * Early grants (opts.early, on by default). A thief that finds nothing asks; the owner's next put
 * or get then gives the older half of what it has in the top. Thieves have the lower part of that
 * block and the owner the upper, so no other block is needed and no room is lost. When its part is
 * empty, the owner takes the rest of the thieves' part over, as it does with any block. Without
 * early grants the top is hidden until the owner leaves it. heist_bwos_lifo_grant gives all of it,
 * in any case.
 *
 * Who may call what at the same time: one owner calls put, put_many, get, grant; any number of
 * threads call steal, steal_many, ask, sample, size; init and fini are alone.
 * Order: the owner LIFO; thieves oldest first within a block, and from the oldest block as a rule.
 * Progress: put and get are wait-free (get looks at each block at most once; put may allocate if it
 * grows). steal is lock-free: it loses a race (BUSY) only to somebody who won it. Form counted: a
 * thief stopped between claim and count keeps its block from reuse, and put may say full meanwhile.
 * EMPTY with items left: the owner has them in its block; the thief has asked.
 * Natively: steal_many (up to all that one block has, in one claim). By repetition: put_many.
 * sample looks at one block: true if a thief could take from it. size is exact when nobody moves;
 * it reads every block's word and one line of the owner's. sample reads only one block's word.
 *
 * Encoding, forms, the thieves' side: bwos.h. A request is one comparison on the owner's path: the
 * thief sets end to NULL and floor to the largest address, so that put believes that the top is
 * full and get that it is empty; both then look closer. The owner may overwrite a request, so
 * thieves that still find nothing repeat it from time to time.
 * Invariants (top: the owner's block; outside of the slow paths):
 *   own <= pos <= the end of top, all inside top; the owner's items there are [own, pos)
 *   floor is own or the largest address; end is that of top or NULL
 *   granted(b)  =>  b's items are [index, limit), all put before the owner's; limit is own in top,
 *                   and that of the entries in every other block
 *   !granted(b) =>  index == limit
 *   the blocks with items are among start .. top in ring order
 * Linearisation: steal at its claim; get at the store of pos, or at the exchange that takes the
 * block over; put at the store of pos for the owner, and for thieves at the grant.
 *
 * Source: BWoS, OSDI 2023. We differ: no round numbers (LIFO needs none), the limit in the word,
 * linked blocks so that it can grow, and a thieves' cursor that is only a hint.
 * Init takes capacity (default 8 blocks, or 8192; rounded up to whole blocks, at least two), block
 * (default an eighth of capacity, at most 32768; 65535 is the limit), bound (default fixed; GROWS
 * doubles the blocks where put would say full, and keeps them until fini), form, memory, origin (of
 * the tags), early.
 * Memory: sizeof(heist_bwos_lifo), and per block 128 bytes and 8 per entry, rounded up to 64.
 */
#ifndef HEIST_BWOS_LIFO_H
#define HEIST_BWOS_LIFO_H

#include <heist/bwos.h>

/* The ledger of orders; the thieves' part is in bwos.h. The owner's common path has none. */
/* put leaves a block: entries before the word; pairs with HEIST_BW_OBSERVE; else a thief reads
   junk */
#ifndef HEIST_BL_GRANT
#define HEIST_BL_GRANT __ATOMIC_RELEASE
#endif
/* the owner gives more of a block of which thieves have a part: entries before the word; pairs with
   HEIST_BW_OBSERVE; else a thief reads junk */
#ifndef HEIST_BL_EXTEND
#define HEIST_BL_EXTEND __ATOMIC_RELEASE
#endif

HEIST_BEGIN_DECLS

typedef struct heist_bwos_lifo {
    /* The owner's line; `size` reads pos and own, thieves write floor and end when they ask. */
    heist_aptr pos;   /* where the next item goes, in top */
    heist_aptr floor; /* get may go down to here */
    heist_aptr end;   /* put may go up to here */
    heist_aptr own;   /* where the owner's items begin */
    heist_bwos_block *top, *start;
    heist_au64 changes; /* how often the owner went on to another block */
    heist_bwos_blocks blocks;
} heist_bwos_lifo;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_bwos_lifo_init(heist_bwos_lifo *q,
                                                    const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_bwos_lifo_fini(heist_bwos_lifo *q);
HEIST_API size_t heist_bwos_lifo_size(const heist_bwos_lifo *q);
/* The owner: gives all that it has in its block to thieves now; false: it has nothing that they do
   not see. */
HEIST_API bool heist_bwos_lifo_grant(heist_bwos_lifo *q);
/* Any thread: asks the owner to give something, which it does in its next put or get. */
HEIST_API void heist_bwos_lifo_ask(heist_bwos_lifo *q);
HEIST_API bool heist_bwos_lifo_put_slow_(heist_bwos_lifo *q, void *item);
HEIST_API void *heist_bwos_lifo_get_slow_(heist_bwos_lifo *q);

static inline bool heist_bwos_lifo_put(heist_bwos_lifo *q, void *item)
{
    heist_aptr *pos = (heist_aptr *)heist_load(&q->pos, __ATOMIC_RELAXED);
    if (HEIST_UNLIKELY((uintptr_t)pos >= (uintptr_t)heist_load(&q->end, __ATOMIC_RELAXED)) ||
        HEIST_UNLIKELY(!item))
        return heist_bwos_lifo_put_slow_(q, item);
    /* The position first: then the processor forwards it to the next operation's load wherever the
       code happens to lie. Nobody else looks at this block. */
    heist_store(&q->pos, pos + 1, __ATOMIC_RELAXED);
    heist_store(pos, item, __ATOMIC_RELAXED);
    return true;
}

static inline void *heist_bwos_lifo_get(heist_bwos_lifo *q)
{
    heist_aptr *pos = (heist_aptr *)heist_load(&q->pos, __ATOMIC_RELAXED);
    if (HEIST_UNLIKELY((uintptr_t)pos <= (uintptr_t)heist_load(&q->floor, __ATOMIC_RELAXED)))
        return heist_bwos_lifo_get_slow_(q);
    heist_store(&q->pos, pos - 1, __ATOMIC_RELAXED);
    return heist_load(pos - 1, __ATOMIC_RELAXED);
}

static inline size_t heist_bwos_lifo_put_many(heist_bwos_lifo *q, void *const *items, size_t n)
{
    size_t i = 0;
    while (i < n && heist_bwos_lifo_put(q, items[i]))
        i++;
    return i;
}

static inline enum heist_steal heist_bwos_lifo_steal(heist_bwos_lifo *q, void **item)
{
    enum heist_steal result = heist_bwos_steal_one_(&q->blocks, item);
    if (HEIST_UNLIKELY(result == HEIST_STEAL_EMPTY) && q->blocks.early)
        heist_bwos_lifo_ask(q);
    return result;
}

static inline size_t heist_bwos_lifo_steal_many(heist_bwos_lifo *q, void **items, size_t max)
{
    size_t n = heist_bwos_steal_many_(&q->blocks, items, max);
    if (HEIST_UNLIKELY(!n) && max && q->blocks.early)
        heist_bwos_lifo_ask(q);
    return n;
}

static inline bool heist_bwos_lifo_sample(const heist_bwos_lifo *q, uint64_t random)
{
    return heist_bwos_sample_(&q->blocks, random);
}

HEIST_END_DECLS

#endif
