/* SPDX-License-Identifier: MIT */
/* The two BWoS queues, small: BLOCKS blocks of ENTRIES entries, absolute block numbers. */
#include "wrong.h"

#include <stdlib.h>

/* --- LIFO, tagged; word is tag:32 | limit:16 | index:16. All blocks below top are granted. --- */

struct lifo_block {
    heist_au64 word;
    uint32_t first, last; /* the owner's, while it has the block */
    uint32_t tag;
    bool granted;
    heist_aptr entry[ENTRIES];
};

struct lifo {
    unsigned error;
    heist_au64 top;   /* the owner's block */
    heist_au64 start; /* below it there is nothing; thieves begin here */
    struct lifo_block block[BLOCKS];
};

static uint32_t index_of(uint64_t word) { return word & 0xffff; }

static uint32_t limit_of(uint64_t word) { return word >> 16 & 0xffff; }

static uint64_t lifo_word(const struct lifo_block *b, uint32_t limit, uint32_t index)
{
    return (uint64_t)b->tag << 32 | limit << 16 | index;
}

static struct lifo_block *lifo_block(struct lifo *q, uint64_t k) { return &q->block[k % BLOCKS]; }

static void *lifo_make(unsigned error)
{
    struct lifo *q = small_queue(sizeof *q, error);
    q->top.v_ = q->start.v_ = BLOCKS;
    return q;
}

static bool lifo_advance(struct lifo *q, uint64_t top)
{
    struct lifo_block *b = lifo_block(q, top), *n = lifo_block(q, top + 1);
    uint64_t s = heist_load(&n->word, RLX);
    if (n->granted && index_of(s) != limit_of(s))
        return false;
    if (heist_load(&q->start, RLX) + BLOCKS == top + 1)
        heist_store(&q->start, top + 2 - BLOCKS, RLX);
    b->granted = true;
    b->tag += q->error != BWOS_LIFO_NO_TAG;
    heist_store(&b->word, lifo_word(b, b->last, b->first), REL);
    n->granted = false;
    n->first = n->last = 0;
    heist_store(&q->top, top + 1, RLX);
    return true;
}

static bool lifo_put(void *queue, void *item)
{
    struct lifo *q = queue;
    uint64_t top = heist_load(&q->top, RLX);
    if (lifo_block(q, top)->last == ENTRIES && !lifo_advance(q, top++))
        return false;
    struct lifo_block *b = lifo_block(q, top);
    heist_store(&b->entry[b->last++], item, RLX);
    return true;
}

static void *lifo_get(void *queue)
{
    struct lifo *q = queue;
    uint64_t top = heist_load(&q->top, RLX);
    struct lifo_block *b = lifo_block(q, top);
    for (uint64_t k = top; b->first == b->last;) {
        if (k-- <= heist_load(&q->start, RLX)) {
            heist_store(&q->start, top, RLX);
            return NULL;
        }
        struct lifo_block *p = lifo_block(q, k);
        uint64_t s = heist_exchange(&p->word, lifo_word(p, 0, 0), ACQ);
        if (!p->granted || index_of(s) == limit_of(s)) {
            p->granted = false;
            continue;
        }
        p->granted = false;
        p->first = index_of(s);
        p->last = limit_of(s);
        heist_store(&q->top, k, RLX);
        b = p;
    }
    return heist_load(&b->entry[--b->last], RLX);
}

static size_t lifo_steal(void *queue, void **items)
{
    struct lifo *q = queue;
    bool relaxed = q->error == BWOS_LIFO_RELAXED;
    uint64_t k = heist_load(&q->start, RLX), top = heist_load(&q->top, RLX);
    for (; k < top; k++) {
        struct lifo_block *b = lifo_block(q, k);
        uint64_t s = heist_load(&b->word, relaxed ? RLX : ACQ);
        if (index_of(s) != limit_of(s)) {
            items[0] = heist_load(&b->entry[index_of(s)], RLX);
            return heist_cas(&b->word, &s, s + 1, relaxed ? RLX : REL);
        }
        /* "Exhausted, so nobody needs it any more." But the owner may just have taken it over. */
        if (q->error == BWOS_LIFO_CURSOR)
            heist_store(&q->start, k + 1, RLX);
    }
    return 0;
}

static const struct field lifo_fields[] = {FIELD(lifo, top),
                                           FIELD(lifo, start),
                                           FIELD(lifo, block[0].word),
                                           FIELDS(lifo, block[0].entry),
                                           FIELD(lifo, block[1].word),
                                           FIELDS(lifo, block[1].entry),
                                           NO_FIELD};

const struct subject small_bwos_lifo = {.name = "small bwos_lifo",
                                        .make = lifo_make,
                                        .drop = free,
                                        .put = lifo_put,
                                        .get = lifo_get,
                                        .steal = lifo_steal,
                                        .fields = lifo_fields};

/*
 * --- FIFO, counted; position words are block number:32 | index:32. The thief claims, copies,
 * counts; a block may be filled again when all its entries are counted. ---
 */

struct fifo_block {
    heist_au64 back, stolen, count;
    uint32_t front; /* the owner's */
    heist_aptr entry[ENTRIES];
};

struct fifo {
    unsigned error;
    uint32_t putting, getting; /* block numbers, the owner's */
    struct fifo_block block[BLOCKS];
};

static uint64_t fifo_word(uint32_t k, uint32_t index) { return (uint64_t)k << 32 | index; }

static struct fifo_block *fifo_block(struct fifo *q, uint32_t k) { return &q->block[k % BLOCKS]; }

static void *fifo_make(unsigned error)
{
    struct fifo *q = small_queue(sizeof *q, error);
    q->putting = q->getting = BLOCKS;
    for (uint32_t k = 0; k < BLOCKS; k++) {
        q->block[k].back.v_ = q->block[k].stolen.v_ = fifo_word(k, ENTRIES);
        q->block[k].count.v_ = q->block[k].front = ENTRIES;
    }
    q->block[0].back.v_ = fifo_word(BLOCKS, 0);
    q->block[0].stolen.v_ = fifo_word(BLOCKS, ENTRIES);
    q->block[0].front = 0;
    return q;
}

static bool fifo_advance(struct fifo *q)
{
    uint32_t k = q->putting + 1;
    struct fifo_block *n = fifo_block(q, k);
    if (q->getting + BLOCKS < k || n->front != ENTRIES)
        return false;
    if (q->error != BWOS_FIFO_NO_COUNT && heist_load(&n->count, ACQ) != ENTRIES)
        return false;
    heist_store(&n->back, fifo_word(k, 0), RLX);
    heist_store(&n->count, 0, RLX);
    heist_store(&n->stolen, fifo_word(k, 0), RLX);
    q->putting = k;
    return true;
}

static bool fifo_put(void *queue, void *item)
{
    struct fifo *q = queue;
    uint64_t back = heist_load(&fifo_block(q, q->putting)->back, RLX);
    if ((uint32_t)back == ENTRIES) {
        if (!fifo_advance(q))
            return false;
        back = fifo_word(q->putting, 0);
    }
    struct fifo_block *b = fifo_block(q, q->putting);
    heist_store(&b->entry[(uint32_t)back], item, RLX);
    heist_store(&b->back, back + 1, REL);
    return true;
}

static void *fifo_get(void *queue)
{
    struct fifo *q = queue;
    struct fifo_block *b = fifo_block(q, q->getting);
    while (b->front == ENTRIES) {
        if (q->getting == q->putting)
            return NULL;
        b = fifo_block(q, ++q->getting);
        uint64_t s = heist_exchange(&b->stolen, fifo_word(q->getting, ENTRIES), RLX);
        b->front = (uint32_t)s;
        heist_add(&b->count, ENTRIES - (uint32_t)s, RLX);
    }
    if (b->front == (uint32_t)heist_load(&b->back, RLX))
        return NULL;
    return heist_load(&b->entry[b->front++], RLX);
}

static size_t fifo_steal(void *queue, void **items)
{
    struct fifo *q = queue;
    for (int i = 0; i < BLOCKS; i++) {
        struct fifo_block *b = &q->block[i];
        uint64_t s = heist_load(&b->stolen, RLX), back = heist_load(&b->back, ACQ);
        if (s >> 32 != back >> 32 || (uint32_t)s >= (uint32_t)back)
            continue;
        uint32_t at = (uint32_t)s;
        if (!heist_cas(&b->stolen, &s, s + 1, RLX))
            return 0;
        items[0] = heist_load(&b->entry[at], RLX);
        heist_add(&b->count, 1, REL);
        return 1;
    }
    return 0;
}

#define FIFO_BLOCK(i)                                                                      \
    FIELD(fifo, block[i].back), FIELD(fifo, block[i].stolen), FIELD(fifo, block[i].count), \
        FIELDS(fifo, block[i].entry)

static const struct field fifo_fields[] = {FIFO_BLOCK(0), FIFO_BLOCK(1), NO_FIELD};

const struct subject small_bwos_fifo = {.name = "small bwos_fifo",
                                        .make = fifo_make,
                                        .drop = free,
                                        .put = fifo_put,
                                        .get = fifo_get,
                                        .steal = fifo_steal,
                                        .fields = fifo_fields};
