/* SPDX-License-Identifier: MIT */
/*
 * What the two BWoS queues share: the blocks, and the thieves' side. The owners' sides, and what a
 * user needs to know, are in bwos_lifo.h and bwos_fifo.h.
 *
 * Encoding. A block's word is tag:32 | limit:16 | index:16. Thieves may take the entries [index,
 * limit), in a FIFO queue only up to the block's `back`. index == limit means closed: nothing for
 * thieves. The tag moves whenever a block is given to thieves, so that a claim, a CAS on the word,
 * proves that the block was theirs all the time since they looked.
 *
 * Two forms (opts.form). TAGGED: a thief reads the entries, then claims them. COUNTED, the paper's:
 * it claims, then reads, then counts; a block is opened again only when its count is complete.
 * Tagged is the default: one read-modify-write per steal instead of two, and nobody ever waits for
 * a thief that was stopped. Counted is kept since a batch that is claimed before it is copied is
 * never copied in vain, and for comparison with the paper.
 */
#ifndef HEIST_BWOS_H
#define HEIST_BWOS_H

#include <heist/atomic.h>

/* The ledger of orders, the part that is common to both queues. */
/* steal: the word before the entries; pairs with HEIST_BL_GRANT, HEIST_BF_OPEN; else a thief reads
   what was there before */
#ifndef HEIST_BW_OBSERVE
#define HEIST_BW_OBSERVE __ATOMIC_ACQUIRE
#endif
/* steal, tagged: reading the entries before the claim; pairs with TAKE, REUSE; else the owner's
   next item is read in their place */
#ifndef HEIST_BW_CLAIM
#define HEIST_BW_CLAIM __ATOMIC_RELEASE
#endif
/* steal, counted: reading the entries before the count; pairs with DRAINED */
#ifndef HEIST_BW_COUNT
#define HEIST_BW_COUNT __ATOMIC_RELEASE
#endif
/* the owner takes a block over: claims before new entries; pairs with CLAIM */
#ifndef HEIST_BW_TAKE
#define HEIST_BW_TAKE __ATOMIC_ACQUIRE
#endif
/* the owner opens a block that thieves emptied: claims before new entries; pairs with CLAIM */
#ifndef HEIST_BW_REUSE
#define HEIST_BW_REUSE __ATOMIC_ACQUIRE
#endif
/* the owner opens a block, counted: the count before new entries; pairs with COUNT; else a thief
   copies an item of the next round */
#ifndef HEIST_BW_DRAINED
#define HEIST_BW_DRAINED __ATOMIC_ACQUIRE
#endif
/* growth, and the hint: a fresh block before the pointer to it; pairs with FOLLOW */
#ifndef HEIST_BW_LINK
#define HEIST_BW_LINK __ATOMIC_RELEASE
#endif
/* thieves: the pointer before the block; pairs with LINK; else an unmade block */
#ifndef HEIST_BW_FOLLOW
#define HEIST_BW_FOLLOW __ATOMIC_ACQUIRE
#endif
/* steal, FIFO: back before the entries; pairs with HEIST_BF_PUBLISH; else junk */
#ifndef HEIST_BW_SEE
#define HEIST_BW_SEE __ATOMIC_ACQUIRE
#endif

#define HEIST_BWOS_INDEX_(s) ((uint32_t)(s)&0xffff)
#define HEIST_BWOS_LIMIT_(s) ((uint32_t)(s) >> 16)
#define HEIST_BWOS_BLOCK_MAX ((size_t)0xffff)

HEIST_BEGIN_DECLS

typedef struct heist_bwos_block {
    heist_au64 word;  /* tag | limit | index */
    heist_au64 count; /* counted form: entries that thieves have copied since it was opened */
    heist_aptr next;  /* the ring */
    /* A line that the owner writes. */
    heist_aptr back HEIST_ALIGNED; /* FIFO: where the next item goes; thieves read it */
    struct heist_bwos_block *prev;
    uint32_t first; /* where the part of thieves began when the owner gave it, or ended when the
                       owner took it over */
    uint32_t kept;  /* FIFO: of the entries below `first`, those that thieves did not get */
    uint32_t tag;
    bool granted; /* to thieves */
    /* The entries follow, on lines of their own. */
} HEIST_ALIGNED heist_bwos_block;

typedef struct heist_bwos_blocks {
    heist_aptr hint HEIST_ALIGNED; /* the block where a thief last found something */
    heist_au32 asked; /* 0, or about how often thieves found nothing since the owner gave, up to
                         some number */
    /* For all to read. */
    uint32_t entries HEIST_ALIGNED; /* of a block */
    bool fifo, counted, grows, early;
    size_t stride, first_segment;
    heist_au64 number;       /* of blocks */
    heist_aptr segments[24]; /* pieces of memory, each with as many blocks as all before it */
    heist_memory memory;
} heist_bwos_blocks;

static inline heist_aptr *heist_bwos_entries_(const heist_bwos_block *b)
{
    return (heist_aptr *)(uintptr_t)(b + 1);
}

/* How many items of `b` a thief could take, given its word. */
static inline size_t heist_bwos_available_(const heist_bwos_blocks *bs, const heist_bwos_block *b,
                                           uint64_t s)
{
    size_t n = HEIST_BWOS_LIMIT_(s) - HEIST_BWOS_INDEX_(s);
    if (bs->fifo && n) {
        heist_aptr *from = heist_bwos_entries_(b) + HEIST_BWOS_INDEX_(s);
        /* If the block was reopened since, back is of another round than the word; the claim
           fails. */
        ptrdiff_t filled = (heist_aptr *)heist_load(&b->back, HEIST_BW_SEE) - from;
        if (filled < (ptrdiff_t)n)
            n = filled > 0 ? (size_t)filled : 0;
    }
    return n;
}

/* Takes up to `max` items, in one claim, of a block whose word was s. OK: *n says how many. */
HEIST_FORCED enum heist_steal heist_bwos_claim_(heist_bwos_blocks *bs, heist_bwos_block *b,
                                                uint64_t s, void **items, size_t max, size_t *n)
{
    HEIST_WINDOW("look");
    size_t available = heist_bwos_available_(bs, b, s);
    size_t wanted = available < max ? available : max;
    if (!wanted)
        return HEIST_STEAL_EMPTY;
    heist_aptr *from = heist_bwos_entries_(b) + HEIST_BWOS_INDEX_(s);
    if (HEIST_UNLIKELY(bs->counted)) {
        HEIST_WINDOW("steal");
        if (!heist_cas(&b->word, &s, s + wanted, __ATOMIC_RELAXED))
            return HEIST_STEAL_BUSY;
        HEIST_WINDOW("steal-claimed");
        for (size_t i = 0; i < wanted; i++)
            items[i] = heist_load(&from[i], __ATOMIC_RELAXED);
        HEIST_WINDOW("steal-copied");
        heist_add(&b->count, wanted, HEIST_BW_COUNT);
    } else {
        for (size_t i = 0; i < wanted; i++)
            items[i] = heist_load(&from[i], __ATOMIC_RELAXED);
        HEIST_WINDOW("steal");
        if (!heist_cas(&b->word, &s, s + wanted, HEIST_BW_CLAIM))
            return HEIST_STEAL_BUSY;
    }
    *n = wanted;
    return HEIST_STEAL_OK;
}

/* The same of another block than `b`, whose items are gone: the next one that has something. */
HEIST_API enum heist_steal heist_bwos_steal_elsewhere_(heist_bwos_blocks *bs, heist_bwos_block *b,
                                                       void **items, size_t max, size_t *n);
HEIST_API heist_bwos_block *heist_bwos_block_at_(const heist_bwos_blocks *bs, uint64_t random);
HEIST_API bool heist_bwos_sample_(const heist_bwos_blocks *bs, uint64_t random);

/* Up to `max` items, at least 1, from the block of the hint, or from another. */
HEIST_FORCED enum heist_steal heist_bwos_steal_(heist_bwos_blocks *bs, void **items, size_t max,
                                                size_t *n)
{
    heist_bwos_block *b = (heist_bwos_block *)heist_load(&bs->hint, HEIST_BW_FOLLOW);
    HEIST_WINDOW("hint");
    uint64_t s = heist_load(&b->word, HEIST_BW_OBSERVE);
    enum heist_steal result = heist_bwos_claim_(bs, b, s, items, max, n);
    if (HEIST_UNLIKELY(result == HEIST_STEAL_EMPTY))
        result = heist_bwos_steal_elsewhere_(bs, b, items, max, n);
    return result;
}

static inline enum heist_steal heist_bwos_steal_one_(heist_bwos_blocks *bs, void **item)
{
    void *got;
    size_t n;
    enum heist_steal result = heist_bwos_steal_(bs, &got, 1, &n);
    if (HEIST_LIKELY(result == HEIST_STEAL_OK))
        *item = got;
    return result;
}

static inline size_t heist_bwos_steal_many_(heist_bwos_blocks *bs, void **items, size_t max)
{
    size_t n = 0;
    while (max && heist_bwos_steal_(bs, items, max, &n) == HEIST_STEAL_BUSY)
        continue;
    return n;
}

HEIST_END_DECLS

#endif
