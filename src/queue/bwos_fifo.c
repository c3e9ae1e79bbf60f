/* SPDX-License-Identifier: MIT */
#include <heist/bwos_fifo.h>

#include "blocks.h"

typedef heist_bwos_fifo queue;
typedef heist_bwos_block block;

/* What put_end and get_limit are while a thief asks: then put believes that the block is full, and
   get that it is empty. */
#define POISON NULL

static block *put_block(const queue *q)
{
    return (block *)heist_load(&q->put_block, __ATOMIC_RELAXED);
}
static block *get_block(const queue *q)
{
    return (block *)heist_load(&q->get_block, __ATOMIC_RELAXED);
}
static heist_aptr *back_of(const block *b)
{
    return (heist_aptr *)heist_load(&b->back, __ATOMIC_RELAXED);
}
static heist_aptr *get_pos(const queue *q)
{
    return (heist_aptr *)heist_load(&q->get_pos, __ATOMIC_RELAXED);
}

static heist_aptr *end_of(const queue *q, const block *b)
{
    return heist_bwos_entries_(b) + q->blocks.entries;
}

static void put_into(queue *q, block *b)
{
    heist_store(&q->put_block, b, __ATOMIC_RELAXED);
    heist_store(&q->put_end, end_of(q, b), __ATOMIC_RELAXED);
}

/* The owner has `b` as its get block, all of it. */
static void get_from(queue *q, block *b)
{
    heist_store(&q->get_block, b, __ATOMIC_RELAXED);
    heist_store(&q->get_pos, heist_bwos_entries_(b) + b->first, __ATOMIC_RELAXED);
    heist_store(&q->get_limit, get_pos(q), __ATOMIC_RELAXED);
    heist_store(&q->get_end, end_of(q, b), __ATOMIC_RELAXED);
}

/* How far the owner has items in the get block. */
static inline heist_aptr *own_limit(const queue *q)
{
    const block *b = get_block(q);
    heist_aptr *end = (heist_aptr *)heist_load(&q->get_end, __ATOMIC_RELAXED);
    heist_aptr *filled = b == put_block(q) ? back_of(b) : end_of(q, b);
    return filled < end ? filled : end;
}

/* Gives what the owner has in the get block to thieves, and what it will put there. */
static HEIST_COLD bool give(queue *q)
{
    block *b = get_block(q);
    uint32_t from = (uint32_t)(get_pos(q) - heist_bwos_entries_(b));
    if (b->granted || from == q->blocks.entries)
        return false;
    bool some = get_pos(q) != own_limit(q);
    b->kept += from - b->first;
    b->first = from;
    b->granted = true;
    heist_store(&q->get_limit, get_pos(q), __ATOMIC_RELAXED);
    heist_store(&q->get_end, get_pos(q), __ATOMIC_RELAXED);
    HEIST_WINDOW("grant");
    heist_store(&b->word, block_word(++b->tag, q->blocks.entries, from), HEIST_BF_GRANT);
    return some;
}

/*
 * The end of each slow path, and of put_many. If there is nothing to give, the request remains, and
 * the slow path in which the owner takes something from thieves answers it.
 */
static void answer(queue *q, bool unasked)
{
    if (HEIST_UNLIKELY(unasked || heist_load(&q->blocks.asked, __ATOMIC_RELAXED)) && give(q)) {
        HEIST_WINDOW("answer");
        heist_store(&q->blocks.asked, 0, __ATOMIC_RELAXED);
    }
}

int heist_bwos_fifo_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (!error)
        error = heist_blocks_init_(&q->blocks, &o, true);
    if (error)
        return error;
    block *b = (block *)heist_load(&q->blocks.hint, __ATOMIC_RELAXED);
    heist_store(&q->changes, 0, __ATOMIC_RELAXED);
    put_into(q, b);
    get_from(q, b);
    return 0;
}

void heist_bwos_fifo_fini(queue *q) { heist_blocks_free_(&q->blocks); }

static void take_over(queue *q, block *b)
{
    heist_block_take_over_(b);
    HEIST_WINDOW("taken");
    get_from(q, b);
}

/* Whether the get block is used up, by the owner and by those to whom it gave. */
static inline bool used_up(const queue *q)
{
    const block *b = get_block(q);
    return b != put_block(q) && (b->granted ? block_closed(heist_load(&b->word, __ATOMIC_RELAXED))
                                            : get_pos(q) == end_of(q, b));
}

/* Leaves the get block, which is used up, for the next one. */
static void take_next(queue *q)
{
    if (get_block(q)->granted)
        heist_block_take_over_(get_block(q)); /* so that it is known how much thieves had */
    take_over(q, block_after(get_block(q)));
    count_change(&q->changes);
}

/* Goes on to the next block for putting. */
static bool advance(queue *q)
{
    block *from = put_block(q);
    if (used_up(q))
        take_next(q); /* else an empty get block would stand in the way */
    block *b = block_after(from);
    if (b == get_block(q) || !heist_block_reusable_(&q->blocks, b)) {
        if (!q->blocks.grows || !heist_blocks_grow_(&q->blocks, from))
            return false;
        b = block_after(from);
    }
    heist_block_fetch_(b);
    b->first = b->kept = 0;
    b->granted = true;
    heist_store(&b->count, 0, __ATOMIC_RELAXED);
    HEIST_WINDOW("reuse");
    heist_store(&b->back, heist_bwos_entries_(b), __ATOMIC_RELAXED);
    HEIST_WINDOW("open");
    heist_store(&b->word, block_word(++b->tag, q->blocks.entries, 0), HEIST_BF_OPEN);
    HEIST_WINDOW("opened");
    put_into(q, b);
    count_change(&q->changes);
    return true;
}

/* Puts items into the put block, where they fit. Returns how many. */
static size_t publish(queue *q, void *const *items, size_t n)
{
    block *b = put_block(q);
    heist_aptr *back = back_of(b);
    for (size_t i = 0; i < n; i++)
        heist_store(back++, items[i], __ATOMIC_RELAXED);
    HEIST_WINDOW("put");
    heist_store(&b->back, back, HEIST_BF_PUBLISH);
    return n;
}

bool heist_bwos_fifo_put_slow_(queue *q, void *item)
{
    block *b = put_block(q);
    if (!item)
        return false;
    bool ok = back_of(b) != end_of(q, b);
    if (ok)
        put_into(q, b); /* only a request had ended it */
    else
        ok = advance(q);
    if (ok)
        publish(q, &item, 1);
    answer(q, false);
    return ok;
}

size_t heist_bwos_fifo_put_many(queue *q, void *const *items, size_t n)
{
    size_t i = 0;
    n = heist_leading_items_(items, n);
    while (i < n) {
        size_t free = (size_t)(end_of(q, put_block(q)) - back_of(put_block(q)));
        if (free)
            i += publish(q, items + i, n - i < free ? n - i : free);
        else if (!advance(q))
            break;
    }
    answer(q, false);
    return i;
}

/* Takes back what the owner gave of its get block, if thieves have left anything. Whether they have
   taken some: then they will soon want more. */
static HEIST_COLD bool take_back(queue *q)
{
    block *b = get_block(q);
    uint32_t gave = b->first;
    if (!heist_bwos_available_(&q->blocks, b, heist_load(&b->word, __ATOMIC_RELAXED)))
        return false;
    take_over(q, b);
    return b->first != gave;
}

void *heist_bwos_fifo_get_slow_(queue *q)
{
    bool wanted = HEIST_UNLIKELY(get_block(q)->granted) && take_back(q) && q->blocks.early;
    while (used_up(q))
        take_next(q);
    void *item = NULL;
    heist_aptr *pos = get_pos(q), *limit = own_limit(q);
    heist_store(&q->get_limit, limit, __ATOMIC_RELAXED);
    if (pos != limit) {
        heist_store(&q->get_pos, pos + 1, __ATOMIC_RELAXED);
        item = heist_load(pos, __ATOMIC_RELAXED);
    }
    answer(q, wanted && get_block(q) == put_block(q)); /* else they find other blocks */
    return item;
}

bool heist_bwos_fifo_grant(queue *q) { return give(q); }

HEIST_COLD void heist_bwos_fifo_ask(queue *q)
{
    if (!heist_blocks_ask_(&q->blocks))
        return;
    HEIST_WINDOW("poison-put");
    heist_store(&q->put_end, POISON, __ATOMIC_RELAXED);
    HEIST_WINDOW("poison-get");
    heist_store(&q->get_limit, POISON, __ATOMIC_RELAXED);
}

size_t heist_bwos_fifo_size(const queue *q)
{
    ptrdiff_t own = own_limit(q) - get_pos(q);
    /* These may be of different blocks while the owner moves. */
    if (own < 0 || own > (ptrdiff_t)q->blocks.entries)
        own = 0;
    return (size_t)own + heist_blocks_available_(&q->blocks);
}
