/* SPDX-License-Identifier: MIT */
#include <heist/bwos_lifo.h>

#include "blocks.h"

typedef heist_bwos_lifo queue;
typedef heist_bwos_block block;

/* What end and floor are while a thief asks: then put believes that the block is full, and get that
   it is empty. */
#define POISON_END NULL
#define POISON_FLOOR ((void *)UINTPTR_MAX)

static heist_aptr *get_pos(const queue *q) { return heist_load(&q->pos, __ATOMIC_RELAXED); }
static heist_aptr *get_own(const queue *q) { return heist_load(&q->own, __ATOMIC_RELAXED); }
static void set_pos(queue *q, heist_aptr *pos) { heist_store(&q->pos, pos, __ATOMIC_RELAXED); }
static void set_own(queue *q, heist_aptr *own) { heist_store(&q->own, own, __ATOMIC_RELAXED); }

static heist_aptr *end_of_top(const queue *q)
{
    return heist_bwos_entries_(q->top) + q->blocks.entries;
}

/* The owner works in `b` from here on, where [first, last) are its items. */
static void enter(queue *q, block *b, uint32_t first, uint32_t last)
{
    heist_aptr *e = heist_bwos_entries_(b);
    q->top = b;
    set_own(q, e + first);
    set_pos(q, e + last);
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

/* Gives the n oldest of the owner's items in the top to thieves. */
static void give(queue *q, size_t n)
{
    block *b = q->top;
    if (!n)
        return;
    HEIST_WINDOW("grant");
    if (b->granted) {
        heist_add(&b->word, block_word(0, (uint32_t)n, 0), HEIST_BL_EXTEND);
    } else {
        b->granted = true;
        heist_store(&b->word, block_word(++b->tag, b->first + (uint32_t)n, b->first),
                    HEIST_BL_GRANT);
    }
    set_own(q, get_own(q) + n);
}

/* Thieves look first into the top. */
static void show_top(queue *q)
{
    if (heist_load(&q->blocks.hint, __ATOMIC_RELAXED) != q->top) {
        HEIST_WINDOW("hint-back");
        heist_store(&q->blocks.hint, q->top, HEIST_BW_LINK);
    }
}

static bool is_asked(const queue *q) { return heist_load(&q->blocks.asked, __ATOMIC_RELAXED); }
static void answered(queue *q) { heist_store(&q->blocks.asked, 0, __ATOMIC_RELAXED); }

/*
 * The end of each slow path: gives the fast paths their limits. A request is answered with the older
 * half of what the owner has in the top; if that is nothing, the next put will answer it.
 */
static void settle(queue *q)
{
    heist_aptr *end = end_of_top(q);
    if (HEIST_UNLIKELY(is_asked(q))) {
        size_t own = (size_t)(get_pos(q) - get_own(q));
        if (own) {
            give(q, (own + 1) / 2);
            show_top(q);
            HEIST_WINDOW("answer");
            answered(q);
        } else {
            end = POISON_END;
        }
    }
    HEIST_WINDOW("settle");
    heist_store(&q->floor, get_own(q), __ATOMIC_RELAXED);
    heist_store(&q->end, end, __ATOMIC_RELAXED);
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
    settle(q);
    return 0;
}

void heist_bwos_lifo_fini(queue *q) { heist_blocks_free_(&q->blocks); }

/* Gives all of the top, which is full, to thieves and goes on in the next block. */
static bool next_block(queue *q)
{
    block *b = block_after(q->top);
    if (!heist_block_reusable_(&q->blocks, b)) {
        if (!q->blocks.grows || !heist_blocks_grow_(&q->blocks, q->top))
            return false;
        b = block_after(q->top);
    }
    if (b == q->start)
        q->start = block_after(b);
    give(q, (size_t)(get_pos(q) - get_own(q)));
    HEIST_WINDOW("granted");
    open_block(q, b);
    return true;
}

HEIST_COLD bool heist_bwos_lifo_put_slow_(queue *q, void *item)
{
    if (!item)
        return false;
    bool room = get_pos(q) != end_of_top(q);
    if (!room && next_block(q)) {
        room = true;
        if (is_asked(q))
            answered(q); /* with a block */
    }
    if (room) {
        heist_aptr *pos = get_pos(q);
        heist_store(pos, item, __ATOMIC_RELAXED);
        set_pos(q, pos + 1);
    }
    settle(q);
    return room;
}

/* Takes over the newest part that thieves have left something of. */
static bool take_back(queue *q)
{
    for (block *b = q->top;; b = b->prev) {
        if (b->granted && !block_closed(heist_load(&b->word, __ATOMIC_RELAXED))) {
            uint32_t limit = heist_block_take_over_(b);
            if (b->first != limit) {
                HEIST_WINDOW("taken");
                enter(q, b, b->first, limit);
                return true;
            }
        }
        if (b == q->start)
            return false;
    }
}

/* Nothing is left: begins again, where the top begins; thieves find the next items from there on. */
static void begin_again(queue *q)
{
    q->start = q->top;
    if (get_own(q) != heist_bwos_entries_(q->top) && heist_block_reusable_(&q->blocks, q->top))
        open_block(q, q->top);
    show_top(q);
}

HEIST_COLD void *heist_bwos_lifo_get_slow_(queue *q)
{
    void *item = NULL;
    if (get_pos(q) != get_own(q) || take_back(q)) {
        heist_aptr *pos = get_pos(q) - 1;
        set_pos(q, pos);
        item = heist_load(pos, __ATOMIC_RELAXED);
    } else {
        begin_again(q);
    }
    settle(q);
    return item;
}

bool heist_bwos_lifo_grant(queue *q)
{
    size_t own = (size_t)(get_pos(q) - get_own(q));
    give(q, own);
    heist_store(&q->floor, get_own(q), __ATOMIC_RELAXED);
    return own;
}

HEIST_COLD void heist_bwos_lifo_ask(queue *q)
{
    if (!heist_blocks_ask_(&q->blocks))
        return;
    HEIST_WINDOW("poison-end");
    heist_store(&q->end, POISON_END, __ATOMIC_RELAXED);
    HEIST_WINDOW("poison-floor");
    heist_store(&q->floor, POISON_FLOOR, __ATOMIC_RELAXED);
}

size_t heist_bwos_lifo_size(const queue *q)
{
    ptrdiff_t own = get_pos(q) - get_own(q);
    /* The two may be of different blocks while the owner moves. */
    if (own < 0 || own > (ptrdiff_t)q->blocks.entries)
        own = 0;
    return (size_t)own + heist_blocks_available_(&q->blocks);
}
