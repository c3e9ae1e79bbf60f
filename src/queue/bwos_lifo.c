/* SPDX-License-Identifier: MIT */
#include <heist/bwos_lifo.h>

#include "blocks.h"

typedef heist_bwos_lifo queue;
typedef heist_bwos_block block;

/* The owner works in `b` from here on, where [first, last) are its items. */
static void enter(queue *q, block *b, uint32_t first, uint32_t last)
{
    heist_aptr *e = heist_bwos_entries_(b);
    q->top = b;
    heist_store(&q->end, e + q->blocks.entries, __ATOMIC_RELAXED);
    heist_store(&q->floor, e + first, __ATOMIC_RELAXED);
    heist_store(&q->pos, e + last, __ATOMIC_RELAXED);
}

/* The owner begins to fill `b`, which is reusable. */
static void open_block(queue *q, block *b)
{
    b->granted = false;
    b->first = 0;
    HEIST_WINDOW("reuse");
    heist_store(&b->count, 0, __ATOMIC_RELAXED);
    enter(q, b, 0, 0);
}

int heist_bwos_lifo_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (!error)
        error = heist_blocks_init_(&q->blocks, &o, false);
    if (error)
        return error;
    q->start = (block *)heist_load(&q->blocks.hint, __ATOMIC_RELAXED);
    open_block(q, q->start);
    return 0;
}

void heist_bwos_lifo_fini(queue *q) { heist_blocks_free_(&q->blocks); }

/* Gives the top, which is full, to thieves. */
static void grant(queue *q)
{
    block *b = q->top;
    HEIST_WINDOW("grant");
    b->granted = true;
    heist_store(&b->word, block_word(++b->tag, q->blocks.entries, b->first), HEIST_BL_GRANT);
}

HEIST_COLD bool heist_bwos_lifo_put_slow_(queue *q, void *item)
{
    if (!item)
        return false;
    block *b = block_after(q->top);
    if (!heist_block_reusable_(&q->blocks, b)) {
        if (!q->blocks.grows || !heist_blocks_grow_(&q->blocks, q->top))
            return false;
        b = block_after(q->top);
    }
    if (b == q->start)
        q->start = block_after(b);
    grant(q);
    HEIST_WINDOW("granted");
    open_block(q, b);
    return heist_bwos_lifo_put(q, item);
}

HEIST_COLD void *heist_bwos_lifo_get_slow_(queue *q)
{
    for (block *b = q->top; b != q->start;) {
        b = b->prev;
        if (!b->granted || block_closed(heist_load(&b->word, __ATOMIC_RELAXED)))
            continue;
        uint32_t limit = heist_block_take_over_(b);
        if (b->first != limit) {
            HEIST_WINDOW("taken");
            enter(q, b, b->first, limit);
            return heist_bwos_lifo_get(q);
        }
    }
    /* Empty: start again, at the beginning of this block; thieves find the next items from here
       on. */
    q->start = q->top;
    if (q->top->first && heist_block_reusable_(&q->blocks, q->top))
        open_block(q, q->top);
    if (heist_load(&q->blocks.hint, __ATOMIC_RELAXED) != q->top) {
        HEIST_WINDOW("hint-back");
        heist_store(&q->blocks.hint, q->top, HEIST_BW_LINK);
    }
    return NULL;
}

size_t heist_bwos_lifo_size(const queue *q)
{
    ptrdiff_t own = (heist_aptr *)heist_load(&q->pos, __ATOMIC_RELAXED) -
                    (heist_aptr *)heist_load(&q->floor, __ATOMIC_RELAXED);
    /* The two may be of different blocks while the owner moves. */
    if (own < 0 || own > (ptrdiff_t)q->blocks.entries)
        own = 0;
    return (size_t)own + heist_blocks_available_(&q->blocks);
}
