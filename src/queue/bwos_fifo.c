/* SPDX-License-Identifier: MIT */
#include <heist/bwos_fifo.h>

#include "blocks.h"

typedef heist_bwos_fifo queue;
typedef heist_bwos_block block;

static block *put_block(const queue *q) { return heist_load(&q->put_block, __ATOMIC_RELAXED); }
static block *get_block(const queue *q) { return heist_load(&q->get_block, __ATOMIC_RELAXED); }
static heist_aptr *back_of(const block *b) { return heist_load(&b->back, __ATOMIC_RELAXED); }
static heist_aptr *get_pos(const queue *q) { return heist_load(&q->get_pos, __ATOMIC_RELAXED); }

static heist_aptr *end_of(const queue *q, const block *b)
{
    return heist_bwos_entries_(b) + q->blocks.entries;
}

static void put_into(queue *q, block *b)
{
    heist_store(&q->put_block, b, __ATOMIC_RELAXED);
    heist_store(&q->put_end, end_of(q, b), __ATOMIC_RELAXED);
}

static void get_from(queue *q, block *b)
{
    heist_store(&q->get_block, b, __ATOMIC_RELAXED);
    heist_store(&q->get_pos, heist_bwos_entries_(b) + b->first, __ATOMIC_RELAXED);
    heist_store(&q->get_limit, get_pos(q), __ATOMIC_RELAXED);
}

int heist_bwos_fifo_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (!error)
        error = heist_blocks_init_(&q->blocks, &o, true);
    if (error)
        return error;
    block *b = heist_load(&q->blocks.hint, __ATOMIC_RELAXED);
    put_into(q, b);
    get_from(q, b);
    return 0;
}

void heist_bwos_fifo_fini(queue *q) { heist_blocks_free_(&q->blocks); }

/* Leaves the get block, which is empty, for the next one. */
static void take_next(queue *q)
{
    block *b = block_after(get_block(q));
    heist_block_take_over_(b);
    HEIST_WINDOW("taken");
    get_from(q, b);
}

/* Goes on to the next block for putting. */
static bool advance(queue *q)
{
    block *from = put_block(q);
    if (get_block(q) != from && get_pos(q) == end_of(q, get_block(q)))
        take_next(q); /* else an empty get block would stand in the way */
    block *b = block_after(from);
    if (b == get_block(q) || !heist_block_reusable_(&q->blocks, b)) {
        if (!q->blocks.grows || !heist_blocks_grow_(&q->blocks, from))
            return false;
        b = block_after(from);
    }
    b->first = 0;
    b->granted = true;
    heist_store(&b->count, 0, __ATOMIC_RELAXED);
    HEIST_WINDOW("reuse");
    heist_store(&b->back, heist_bwos_entries_(b), __ATOMIC_RELAXED);
    HEIST_WINDOW("open");
    heist_store(&b->word, block_word(++b->tag, q->blocks.entries, 0), HEIST_BF_OPEN);
    HEIST_WINDOW("opened");
    put_into(q, b);
    return true;
}

HEIST_COLD bool heist_bwos_fifo_put_slow_(queue *q, void *item)
{
    return item && advance(q) && heist_bwos_fifo_put(q, item);
}

size_t heist_bwos_fifo_put_many(queue *q, void *const *items, size_t n)
{
    size_t i = 0;
    n = heist_leading_items_(items, n);
    while (i < n) {
        block *b = put_block(q);
        heist_aptr *back = back_of(b), *end = end_of(q, b);
        while (i < n && back != end)
            heist_store(back++, items[i++], __ATOMIC_RELAXED);
        HEIST_WINDOW("put");
        heist_store(&b->back, back, HEIST_BF_PUBLISH);
        if (i < n && !advance(q))
            break;
    }
    return i;
}

/* How far the get block is filled. */
static heist_aptr *limit_of(const queue *q, const block *b)
{
    return b == put_block(q) ? back_of(b) : end_of(q, b);
}

HEIST_COLD void *heist_bwos_fifo_get_slow_(queue *q)
{
    while (get_block(q) != put_block(q) && get_pos(q) == end_of(q, get_block(q)))
        take_next(q);
    heist_aptr *limit = limit_of(q, get_block(q));
    heist_store(&q->get_limit, limit, __ATOMIC_RELAXED);
    return get_pos(q) == limit ? NULL : heist_bwos_fifo_get(q);
}

size_t heist_bwos_fifo_size(const queue *q)
{
    ptrdiff_t own = limit_of(q, get_block(q)) - get_pos(q);
    /* These may be of different blocks while the owner moves. */
    if (own < 0 || own > (ptrdiff_t)q->blocks.entries)
        own = 0;
    return (size_t)own + heist_blocks_available_(&q->blocks);
}
