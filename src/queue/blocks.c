/* SPDX-License-Identifier: MIT */
#include "blocks.h"

#include <errno.h>
#include <string.h>

#include "fetch.h"
#include "memory.h"

typedef heist_bwos_blocks blocks;
typedef heist_bwos_block block;

enum { DEFAULT_BLOCKS = 8, LARGEST_DEFAULT_BLOCK = 32768 };
/* So small under the model checker that it sees requests again, and none any more. */
enum { ASK_AGAIN = HEIST_MODEL ? 1 : 64, ASK_MOST = HEIST_MODEL ? 2 : 256 };

static block *nth(const blocks *bs, void *segment, size_t i)
{
    return (block *)((char *)segment + i * bs->stride);
}

/* Blocks in one piece of memory, linked to each other, not yet to the ring. */
static block *make_segment(blocks *bs, size_t n, uint32_t tag)
{
    void *segment = alloc_array(&bs->memory, 0, n, bs->stride);
    if (!segment)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        block *b = nth(bs, segment, i);
        memset(b, 0, sizeof *b);
        b->tag = tag;
        heist_store(&b->word, block_word(tag, 0, 0), __ATOMIC_RELAXED);
        heist_store(&b->back, heist_bwos_entries_(b), __ATOMIC_RELAXED);
        if (i > 0)
            b->prev = nth(bs, segment, i - 1);
        if (i + 1 < n)
            heist_store(&b->next, nth(bs, segment, i + 1), __ATOMIC_RELAXED);
    }
    return (block *)segment;
}

int heist_blocks_init_(blocks *bs, const heist_queue_opts *o, bool fifo)
{
    size_t entries = o->block, capacity = o->capacity;
    if (!capacity)
        capacity = entries ? DEFAULT_BLOCKS * entries : HEIST_CAPACITY_DEFAULT;
    if (!entries) {
        entries = (capacity + DEFAULT_BLOCKS - 1) / DEFAULT_BLOCKS;
        if (entries > LARGEST_DEFAULT_BLOCK)
            entries = LARGEST_DEFAULT_BLOCK;
    }
    if (entries > HEIST_BWOS_BLOCK_MAX)
        return -EINVAL;
    size_t number = (capacity + entries - 1) / entries;
    if (number < 2)
        number = 2;

    blocks made;
    memset(&made, 0, sizeof made);
    made.entries = (uint32_t)entries;
    made.fifo = fifo;
    made.counted = o->form == HEIST_FORM_COUNTED;
    made.grows = o->bound == HEIST_BOUND_GROWS;
    made.early = o->early != HEIST_EARLY_OFF;
    made.stride = sizeof(block) + round_up(entries * sizeof(heist_aptr), HEIST_LINE);
    made.first_segment = number;
    copy_struct(&made.memory, o->memory);
    block *first = make_segment(&made, number, (uint32_t)o->origin);
    if (!first)
        return -ENOMEM;
    block *last = nth(&made, first, number - 1);
    first->prev = last;
    heist_store(&last->next, first, __ATOMIC_RELAXED);
    heist_store(&made.segments[0], first, __ATOMIC_RELAXED);
    heist_store(&made.number, number, __ATOMIC_RELAXED);
    heist_store(&made.hint, first, __ATOMIC_RELAXED);
    copy_struct(bs, &made);
    return 0;
}

static size_t segments_of(const blocks *bs) { return sizeof bs->segments / sizeof *bs->segments; }

void heist_blocks_free_(blocks *bs)
{
    size_t n = bs->first_segment;
    for (size_t k = 0; k < segments_of(bs); k++) {
        void *segment = heist_load(&bs->segments[k], __ATOMIC_RELAXED);
        free_bytes(&bs->memory, segment, n * bs->stride);
        if (k > 0)
            n *= 2;
    }
}

bool heist_blocks_grow_(blocks *bs, block *b)
{
    size_t n = (size_t)heist_load(&bs->number, __ATOMIC_RELAXED), k = 0;
    while (k < segments_of(bs) && heist_load(&bs->segments[k], __ATOMIC_RELAXED))
        k++;
    block *fresh = k < segments_of(bs) ? make_segment(bs, n, b->tag) : NULL;
    if (!fresh)
        return false;
    block *after = block_after(b), *last = nth(bs, fresh, n - 1);
    heist_store(&last->next, after, __ATOMIC_RELAXED);
    after->prev = last;
    fresh->prev = b;
    heist_store(&bs->segments[k], fresh, __ATOMIC_RELAXED);
    HEIST_WINDOW("grow");
    heist_store(&bs->number, 2 * n, HEIST_BW_LINK);
    HEIST_WINDOW("grown");
    heist_store(&b->next, fresh, HEIST_BW_LINK);
    return true;
}

bool heist_block_reusable_(const blocks *bs, const block *b)
{
    uint32_t stolen = b->first - b->kept;
    if (b->granted) {
        uint64_t s = heist_load(&b->word, HEIST_BW_REUSE);
        if (!block_closed(s))
            return false;
        stolen = HEIST_BWOS_LIMIT_(s);
    }
    HEIST_WINDOW("closed");
    return !bs->counted || heist_load(&b->count, HEIST_BW_DRAINED) == stolen;
}

void heist_block_fetch_(const block *b)
{
    uint32_t stolen =
        b->granted ? HEIST_BWOS_LIMIT_(heist_load(&b->word, __ATOMIC_RELAXED)) : b->first;
    fetch(heist_bwos_entries_(b), stolen * sizeof(heist_aptr));
}

uint32_t heist_block_take_over_(block *b)
{
    HEIST_WINDOW("take-back");
    uint64_t s = heist_exchange(&b->word, block_word(b->tag, 0, 0), HEIST_BW_TAKE);
    b->first = HEIST_BWOS_INDEX_(s);
    b->granted = false;
    return HEIST_BWOS_LIMIT_(s);
}

/*
 * The owner sets its limits by plain stores, which may overwrite a request unseen; it looks at
 * `asked` afterwards, but may miss it too, and then not look for long. So the request is written
 * again some times, until such a store must long be in memory; from then on the owner sees `asked`
 * whenever it sets a limit, and thieves write nothing here, so that they don't wait for each other.
 * Nothing needs an order: a request too many is only a slow path. But a count must not overwrite
 * the owner's 0: it would say that all requests had been written.
 */
bool heist_blocks_ask_(blocks *bs)
{
    uint32_t n = heist_load(&bs->asked, __ATOMIC_RELAXED), before = n;
    HEIST_WINDOW("ask");
    return n < ASK_MOST && heist_cas(&bs->asked, &n, n + 1, __ATOMIC_RELAXED) &&
           before % ASK_AGAIN == 0;
}

/* The next block behind `b` that has something for thieves, and its word; NULL: none has. */
static block *find(blocks *bs, block *b, uint64_t *word)
{
    size_t n = (size_t)heist_load(&bs->number, __ATOMIC_RELAXED);
    for (size_t i = 1; i < n; i++) {
        b = (block *)heist_load(&b->next, HEIST_BW_FOLLOW);
        HEIST_WINDOW("find");
        *word = heist_load(&b->word, HEIST_BW_OBSERVE);
        if (heist_bwos_available_(bs, b, *word)) {
            HEIST_WINDOW("found");
            heist_store(&bs->hint, b, HEIST_BW_LINK);
            return b;
        }
    }
    return NULL;
}

HEIST_COLD enum heist_steal heist_bwos_steal_elsewhere_(blocks *bs, block *b, void **items,
                                                        size_t max, size_t *n)
{
    uint64_t s;
    b = find(bs, b, &s);
    if (!b)
        return HEIST_STEAL_EMPTY;
    enum heist_steal result = heist_bwos_claim_(bs, b, s, items, max, n);
    /* EMPTY: reopened meanwhile; the others may have something. */
    return result == HEIST_STEAL_EMPTY ? HEIST_STEAL_BUSY : result;
}

block *heist_bwos_block_at_(const blocks *bs, uint64_t random)
{
    size_t n = (size_t)heist_load(&bs->number, HEIST_BW_FOLLOW);
    size_t i = (size_t)(n & (n - 1) ? random % n : random & (n - 1)); /* a division takes longer */
    if (i < bs->first_segment)
        return nth(bs, heist_load(&bs->segments[0], __ATOMIC_RELAXED), i);
    size_t k = 1, from = bs->first_segment;
    for (; i >= 2 * from; from *= 2)
        k++;
    return nth(bs, heist_load(&bs->segments[k], __ATOMIC_RELAXED), i - from);
}

bool heist_bwos_sample_(const blocks *bs, uint64_t random)
{
    const block *b = heist_bwos_block_at_(bs, random);
    return heist_bwos_available_(bs, b, heist_load(&b->word, HEIST_BW_OBSERVE)) > 0;
}

size_t heist_blocks_available_(const blocks *bs)
{
    size_t sum = 0, n = (size_t)heist_load(&bs->number, HEIST_BW_FOLLOW);
    for (size_t i = 0; i < n; i++) {
        const block *b = heist_bwos_block_at_(bs, i);
        sum += heist_bwos_available_(bs, b, heist_load(&b->word, HEIST_BW_OBSERVE));
    }
    return sum;
}
