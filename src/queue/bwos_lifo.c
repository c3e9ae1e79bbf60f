/* SPDX-License-Identifier: MIT */
#include <heist/bwos_lifo.h>

#include "blocks.h"

typedef heist_bwos_lifo queue;
typedef heist_bwos_block block;

/* What end and floor are while a thief asks: then put believes that the block is full, and get that
   it is empty. */
#define POISON_END NULL
#define POISON_FLOOR ((void *)UINTPTR_MAX)

static heist_aptr *get_pos(const queue *q)
{
    return (heist_aptr *)heist_load(&q->pos, __ATOMIC_RELAXED);
}
static heist_aptr *get_own(const queue *q)
{
    return (heist_aptr *)heist_load(&q->own, __ATOMIC_RELAXED);
}
static void set_pos(queue *q, heist_aptr *pos) { heist_store(&q->pos, pos, __ATOMIC_RELAXED); }
static void set_own(queue *q, heist_aptr *own) { heist_store(&q->own, own, __ATOMIC_RELAXED); }

static heist_aptr *end_of_top(const queue *q)
{
    return heist_bwos_entries_(q->top) + q->blocks.entries;
}

/* The limits as they are while nobody asks. */
static void set_floor(queue *q) { heist_store(&q->floor, get_own(q), __ATOMIC_RELAXED); }
static void set_end(queue *q) { heist_store(&q->end, end_of_top(q), __ATOMIC_RELAXED); }

/* The owner works in `b` from here on, where [first, last) are its items. */
static inline void enter(queue *q, block *b, uint32_t first, uint32_t last)
{
    heist_aptr *e = heist_bwos_entries_(b);
    q->top = b;
    set_own(q, e + first);
    set_pos(q, e + last);
    HEIST_WINDOW("enter");
    set_floor(q);
    set_end(q);
}

/* The owner begins to fill `b`, which is reusable. */
static void open_block(queue *q, block *b)
{
    heist_block_fetch_(b);
    b->granted = false;
    b->first = 0;
    HEIST_WINDOW("reuse");
    heist_store(&b->count, 0, __ATOMIC_RELAXED);
    enter(q, b, 0, 0);
}

/* Gives the n oldest of the owner's items in the top to thieves. */
static inline void give(queue *q, size_t n)
{
    block *b = q->top;
    if (!n)
        return;
    HEIST_WINDOW("grant");
    if (b->granted) {
        HEIST_WINDOW("extend");
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

/*
 * The answer to a request, unless thieves got a block just now: the older half of what the owner
 * has in the top. If that is nothing, the next put will answer.
 */
static HEIST_COLD void answer(queue *q, bool gave)
{
    size_t own = (size_t)(get_pos(q) - get_own(q));
    if (!gave && own) {
        give(q, (own + 1) / 2);
        set_floor(q);
        show_top(q);
        gave = true;
    }
    HEIST_WINDOW("answer");
    if (gave)
        heist_store(&q->blocks.asked, 0, __ATOMIC_RELAXED);
    else
        heist_store(&q->end, POISON_END, __ATOMIC_RELAXED);
}

/* The end of each slow path. */
static inline void answer_if_asked(queue *q, bool gave)
{
    if (HEIST_UNLIKELY(heist_load(&q->blocks.asked, __ATOMIC_RELAXED)))
        answer(q, gave);
}

int heist_bwos_lifo_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (!error)
        error = heist_blocks_init_(&q->blocks, &o, false);
    if (error)
        return error;
    heist_store(&q->changes, 0, __ATOMIC_RELAXED);
    q->start = (block *)heist_load(&q->blocks.hint, __ATOMIC_RELAXED);
    open_block(q, q->start);
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
    count_change(&q->changes);
    return true;
}

bool heist_bwos_lifo_put_slow_(queue *q, void *item)
{
    if (!item)
        return false;
    bool full = get_pos(q) == end_of_top(q), next = full && next_block(q), ok = !full || next;
    if (!full)
        set_end(q); /* only a request had been there */
    if (ok) {
        heist_aptr *pos = get_pos(q);
        heist_store(pos, item, __ATOMIC_RELAXED);
        set_pos(q, pos + 1);
    }
    answer_if_asked(q, next);
    return ok;
}

/* Takes over the newest part that thieves have left something of. */
static bool take_back(queue *q)
{
    for (block *b = q->top;; b = b->prev) {
        if (b->granted && !block_closed(heist_load(&b->word, __ATOMIC_RELAXED))) {
            uint32_t limit = heist_block_take_over_(b);
            if (b->first != limit) {
                HEIST_WINDOW("taken");
                if (b != q->top)
                    count_change(&q->changes);
                enter(q, b, b->first, limit);
                return true;
            }
        }
        if (b == q->start)
            return false;
    }
}

/* Nothing is left: begins again, where the top begins; thieves find the next items from there
   on. */
static void begin_again(queue *q)
{
    q->start = q->top;
    if (get_own(q) != heist_bwos_entries_(q->top) && heist_block_reusable_(&q->blocks, q->top))
        open_block(q, q->top);
    show_top(q);
}

void *heist_bwos_lifo_get_slow_(queue *q)
{
    void *item = NULL;
    bool some = get_pos(q) != get_own(q);
    if (some)
        set_floor(q); /* only a request had been there */
    if (some || take_back(q)) {
        heist_aptr *pos = get_pos(q) - 1;
        set_pos(q, pos);
        item = heist_load(pos, __ATOMIC_RELAXED);
    } else {
        begin_again(q);
    }
    answer_if_asked(q, false);
    return item;
}

bool heist_bwos_lifo_grant(queue *q)
{
    size_t own = (size_t)(get_pos(q) - get_own(q));
    give(q, own);
    set_floor(q);
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
