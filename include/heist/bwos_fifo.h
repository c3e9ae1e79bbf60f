/* SPDX-License-Identifier: MIT */
/*
 * The FIFO block-based queue of BWoS. Take it when tasks should run in the order in which they came
 * (servers, I/O): the owner runs at the speed of a plain ring buffer.
 *
 * The items lie in a ring of blocks. The owner puts into one block and gets from an older one, or
 * from the same. The block it gets from is its own; all later ones, also the one it is filling, are
 * open to thieves, which may steal from any of them. When the owner has emptied its block, it takes
 * over the next by one exchange.
 *
 * Early grants (opts.early, on by default). While there are few items, the owner puts into the
 * block that it gets from, and thieves find nothing. They ask then, and the owner's next put or get
 * gives all that it has in that block, and what will be put there; its next get takes back what
 * thieves have left, and gives the rest again if they have taken some. This needs no other block.
 * heist_bwos_fifo_grant does it without a request.
 *
 * Who may call what at the same time: one owner calls put, put_many, get, grant; any number of
 * threads call steal, steal_from, steal_many, steal_many_from, ask, sample, size; init and fini are
 * alone.
 * Order: the owner FIFO; thieves oldest first within a block, blocks in any order.
 * Progress: put and get are wait-free (get looks at each block at most once; put may allocate if it
 * grows). steal is lock-free: it loses a race (BUSY) only to somebody who won it. Form counted: a
 * thief stopped between claim and count keeps its block from reuse, and put may say full meanwhile.
 * EMPTY with items left: the owner has them in its get block; the thief has asked (but steal_from
 * and steal_many_from do not).
 * Natively: put_many (published once per block), steal_many (up to all that one block has, in one
 * claim). sample looks at one block: true if a thief could take from it; steal_from and
 * steal_many_from with the same random number take from that very block. size is exact when nobody
 * moves; it reads every block's word and one line of the owner's.
 *
 * Encoding, forms, the thieves' side: bwos.h. A block's limit is that of its entries; how far it is
 * filled says its `back`, an address. A request is one comparison on the owner's path: the thief
 * sets put_end and get_limit to NULL, so that put believes that its block is full and get that
 * there is nothing; both then look closer. The owner may overwrite a request, so thieves that still
 * find nothing repeat it from time to time.
 * Invariants (get block, put block: where the owner is; outside of the slow paths):
 *   get_pos <= get_end <= end of the get block; the owner's items there are [get_pos, get_end), as
 *   far as it is filled; get_limit is NULL or between these two
 *   granted(b)  <=>  b is behind the get block, up to the put block, or it is the get block and the
 *                    owner gave it, with get_pos == get_end; its items are [index, back)
 *   !granted(b)  =>  index == limit, and b is empty or the get block
 * Linearisation: steal at its claim; get at the store of get_pos, or at the exchange that takes the
 * block over; put at the store of back.
 *
 * Source: BWoS, OSDI 2023. We differ: tags instead of rounds in all positions (back needs none,
 * since a claim proves that the block was not reopened); linked blocks, so that it can grow; no
 * count in form tagged, so that the state "empty and full at once" of thesis 3.2 does not exist. In
 * form counted it lasts while a thief is between its claim and its count.
 * put says full when the next block still is the get block, even if thieves have emptied those
 * between.
 * Init takes capacity (default 8 blocks, or 8192; rounded up to whole blocks, at least two), block
 * (default an eighth of capacity, at most 32768; 65535 is the limit), bound (default fixed; GROWS
 * doubles the blocks where put would say full, and keeps them until fini), form, memory, origin (of
 * the tags), early.
 * Memory: sizeof(heist_bwos_fifo), and per block 128 bytes and 8 per entry, rounded up to 64.
 */
#ifndef HEIST_BWOS_FIFO_H
#define HEIST_BWOS_FIFO_H

#include <heist/bwos.h>

/* The ledger of orders; the thieves' part is in bwos.h. */
/* put: the entry before back; pairs with HEIST_BW_SEE; else a thief reads junk. The only order on
   the owner's common path, and free on x86 */
#ifndef HEIST_BF_PUBLISH
#define HEIST_BF_PUBLISH __ATOMIC_RELEASE
#endif
/* put goes on to a block: its back reset before the word; pairs with HEIST_BW_OBSERVE; else a thief
   believes the back of the round before */
#ifndef HEIST_BF_OPEN
#define HEIST_BF_OPEN __ATOMIC_RELEASE
#endif
/* the owner gives its get block: its back, as reset, before the word; pairs with HEIST_BW_OBSERVE;
   else a thief believes the back of the round before */
#ifndef HEIST_BF_GRANT
#define HEIST_BF_GRANT __ATOMIC_RELEASE
#endif

HEIST_BEGIN_DECLS

typedef struct heist_bwos_fifo {
    /* The owner's line; `size` reads get_pos, get_end and the two blocks; thieves write put_end and
       get_limit when they ask. Where the next item goes: back. */
    heist_aptr put_block;
    heist_aptr put_end;   /* put may go up to here */
    heist_aptr get_pos;   /* where the next item comes from */
    heist_aptr get_limit; /* get may go up to here: the owner's items, as far as it has looked */
    heist_aptr get_block;
    heist_aptr get_end; /* the end of the owner's part of the get block: all of it, or up to what it
                           gave */
    heist_au64 changes; /* how often the owner went on to another block */
    heist_bwos_blocks blocks;
} heist_bwos_fifo;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_bwos_fifo_init(heist_bwos_fifo *q,
                                                    const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_bwos_fifo_fini(heist_bwos_fifo *q);
HEIST_API size_t heist_bwos_fifo_put_many(heist_bwos_fifo *q, void *const *items, size_t n);
HEIST_API size_t heist_bwos_fifo_size(const heist_bwos_fifo *q);
/* The owner: gives all that it has in its get block to thieves now, and what it will put there;
   false: it has nothing that they do not see. */
HEIST_API bool heist_bwos_fifo_grant(heist_bwos_fifo *q);
/* Any thread: asks the owner to give something, which it does in its next put or get. */
HEIST_API void heist_bwos_fifo_ask(heist_bwos_fifo *q);
HEIST_API bool heist_bwos_fifo_put_slow_(heist_bwos_fifo *q, void *item);
HEIST_API void *heist_bwos_fifo_get_slow_(heist_bwos_fifo *q);

static inline bool heist_bwos_fifo_put(heist_bwos_fifo *q, void *item)
{
    heist_bwos_block *b = (heist_bwos_block *)heist_load(&q->put_block, __ATOMIC_RELAXED);
    heist_aptr *back = (heist_aptr *)heist_load(&b->back, __ATOMIC_RELAXED);
    if (HEIST_UNLIKELY((uintptr_t)back >= (uintptr_t)heist_load(&q->put_end, __ATOMIC_RELAXED)) ||
        HEIST_UNLIKELY(!item))
        return heist_bwos_fifo_put_slow_(q, item);
    heist_store(back, item, __ATOMIC_RELAXED);
    HEIST_WINDOW("put");
    heist_store(&b->back, back + 1, HEIST_BF_PUBLISH);
    return true;
}

static inline void *heist_bwos_fifo_get(heist_bwos_fifo *q)
{
    heist_aptr *pos = (heist_aptr *)heist_load(&q->get_pos, __ATOMIC_RELAXED);
    if (HEIST_UNLIKELY((uintptr_t)pos >= (uintptr_t)heist_load(&q->get_limit, __ATOMIC_RELAXED)))
        return heist_bwos_fifo_get_slow_(q);
    heist_store(&q->get_pos, pos + 1, __ATOMIC_RELAXED);
    return heist_load(pos, __ATOMIC_RELAXED);
}

static inline enum heist_steal heist_bwos_fifo_steal(heist_bwos_fifo *q, void **item)
{
    enum heist_steal result = heist_bwos_steal_one_(&q->blocks, item);
    if (HEIST_UNLIKELY(result == HEIST_STEAL_EMPTY) && q->blocks.early)
        heist_bwos_fifo_ask(q);
    return result;
}

/* Up to `max` items, in one claim, of the block that sample looks at with the same number. */
static inline enum heist_steal heist_bwos_fifo_claim_at_(heist_bwos_fifo *q, uint64_t random,
                                                         void **items, size_t max, size_t *n)
{
    heist_bwos_block *b = heist_bwos_block_at_(&q->blocks, random);
    return heist_bwos_claim_(&q->blocks, b, heist_load(&b->word, HEIST_BW_OBSERVE), items, max, n);
}

/* Steals from the block that sample looks at with the same number; EMPTY if just that has
   nothing. */
static inline enum heist_steal heist_bwos_fifo_steal_from(heist_bwos_fifo *q, uint64_t random,
                                                          void **item)
{
    void *got;
    size_t n;
    enum heist_steal result = heist_bwos_fifo_claim_at_(q, random, &got, 1, &n);
    if (result == HEIST_STEAL_OK)
        *item = got;
    return result;
}

/* The same with up to `max` items; with as many as a block has, all that is left in it. */
static inline size_t heist_bwos_fifo_steal_many_from(heist_bwos_fifo *q, uint64_t random,
                                                     void **items, size_t max)
{
    size_t n = 0;
    while (heist_bwos_fifo_claim_at_(q, random, items, max, &n) == HEIST_STEAL_BUSY)
        continue;
    return n;
}

static inline size_t heist_bwos_fifo_steal_many(heist_bwos_fifo *q, void **items, size_t max)
{
    size_t n = heist_bwos_steal_many_(&q->blocks, items, max);
    if (HEIST_UNLIKELY(!n) && max && q->blocks.early)
        heist_bwos_fifo_ask(q);
    return n;
}

static inline bool heist_bwos_fifo_sample(const heist_bwos_fifo *q, uint64_t random)
{
    return heist_bwos_sample_(&q->blocks, random);
}

HEIST_END_DECLS

#endif
