/* SPDX-License-Identifier: MIT */
/*
 * Scan, filter, pack, counts and partition, by par_for over blocks. How many blocks there are
 * depends on the number of items alone, so all layers do the same work. Callers give functions for
 * whole blocks, which the compiler can make fast.
 */
#ifndef APP_BLOCKS_H
#define APP_BLOCKS_H

#include "parallel.h"

enum { BLOCK_LEAST = 2048, BLOCKS_MOST = 256 };

/* The ranges of blocks: the i-th of `number` begins at n * i / number. */
struct blocks {
    size_t n, number;
};

static inline struct blocks blocks_of(size_t n, size_t least)
{
    size_t number = n / least;
    return (struct blocks){n, number < 1 ? 1 : number > BLOCKS_MOST ? BLOCKS_MOST : number};
}

static inline size_t block_begin(const struct blocks *b, size_t i) { return b->n * i / b->number; }

/* --- scan --- */

struct scan {
    struct blocks blocks;
    uint32_t *at;
    uint32_t sums[BLOCKS_MOST];
};

static void scan_sums(par *p, size_t from, size_t to, void *context)
{
    struct scan *s = context;
    (void)p;
    for (size_t b = from; b < to; b++) {
        uint32_t sum = 0;
        for (size_t i = block_begin(&s->blocks, b); i < block_begin(&s->blocks, b + 1); i++)
            sum += s->at[i];
        s->sums[b] = sum;
    }
}

static inline uint32_t scan_serially(uint32_t *at, size_t n, uint32_t sum)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t own = at[i];
        at[i] = sum;
        sum += own;
    }
    return sum;
}

static void scan_blocks(par *p, size_t from, size_t to, void *context)
{
    struct scan *s = context;
    (void)p;
    for (size_t b = from; b < to; b++) {
        size_t begin = block_begin(&s->blocks, b);
        scan_serially(s->at + begin, block_begin(&s->blocks, b + 1) - begin, s->sums[b]);
    }
}

/* Each becomes the sum of those before it; returns the sum of all. */
static inline uint32_t par_scan(par *p, uint32_t *at, size_t n)
{
    struct scan s = {.blocks = blocks_of(n, BLOCK_LEAST), .at = at};
    if (s.blocks.number == 1)
        return scan_serially(at, n, 0);
    par_for(p, s.blocks.number, 1, scan_sums, &s);
    uint32_t total = scan_serially(s.sums, s.blocks.number, 0);
    par_for(p, s.blocks.number, 1, scan_blocks, &s);
    return total;
}

/* --- filter --- */

struct filter {
    /* How many of from <= i < to stay. */
    size_t (*count)(size_t from, size_t to, void *context);
    /* Writes them, in order, the first as the at-th of the result; returns how many they were. */
    size_t (*write)(size_t from, size_t to, size_t at, void *context);
    void *context;
};

struct filtering {
    const struct filter *filter;
    struct blocks blocks;
    size_t at[BLOCKS_MOST];
};

static void filter_counts(par *p, size_t from, size_t to, void *context)
{
    struct filtering *f = context;
    (void)p;
    for (size_t b = from; b < to; b++)
        f->at[b] = f->filter->count(block_begin(&f->blocks, b), block_begin(&f->blocks, b + 1),
                                    f->filter->context);
}

static void filter_writes(par *p, size_t from, size_t to, void *context)
{
    struct filtering *f = context;
    (void)p;
    for (size_t b = from; b < to; b++)
        f->filter->write(block_begin(&f->blocks, b), block_begin(&f->blocks, b + 1), f->at[b],
                         f->filter->context);
}

/* Returns how many stay. */
static inline size_t par_filter(par *p, size_t n, const struct filter *filter)
{
    struct filtering f = {.filter = filter, .blocks = blocks_of(n, BLOCK_LEAST)};
    size_t total = 0;
    if (f.blocks.number == 1)
        return n ? filter->write(0, n, 0, filter->context) : 0;
    par_for(p, f.blocks.number, 1, filter_counts, &f);
    for (size_t b = 0; b < f.blocks.number; b++) {
        size_t own = f.at[b];
        f.at[b] = total;
        total += own;
    }
    par_for(p, f.blocks.number, 1, filter_writes, &f);
    return total;
}

/* --- pack: a filter by flags --- */

struct pack {
    const uint8_t *flags;   /* 0 or 1 */
    const uint32_t *values; /* NULL: the places themselves */
    uint32_t *to;
};

static size_t pack_count(size_t from, size_t to, void *context)
{
    const struct pack *p = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += p->flags[i];
    return number;
}

static size_t pack_write(size_t from, size_t to, size_t at, void *context)
{
    const struct pack *p = context;
    size_t next = at;
    for (size_t i = from; i < to; i++)
        if (p->flags[i])
            p->to[next++] = p->values ? p->values[i] : (uint32_t)i;
    return next - at;
}

/* Returns how many have a flag. */
static inline size_t par_pack(par *p, size_t n, struct pack pack)
{
    const struct filter flagged = {pack_count, pack_write, &pack};
    return par_filter(p, n, &flagged);
}

/* --- counts, and the partition that follows from them --- */

struct partition {
    size_t buckets;
    /* Adds to counts[bucket] for each of from <= i < to. */
    void (*count)(size_t from, size_t to, uint32_t *counts, void *context);
    /* Moves each to place[its bucket]++ of the result, in order. */
    void (*move)(size_t from, size_t to, uint32_t *place, void *context);
    void *context;
};

struct partitioning {
    const struct partition *partition;
    struct blocks blocks;
    uint32_t *counts; /* by block, then by bucket */
    uint32_t *starts; /* of the buckets */
};

static void count_blocks(par *p, size_t from, size_t to, void *context)
{
    struct partitioning *q = context;
    size_t buckets = q->partition->buckets;
    (void)p;
    for (size_t b = from; b < to; b++) {
        uint32_t *counts = q->counts + b * buckets;
        memset(counts, 0, buckets * sizeof *counts);
        q->partition->count(block_begin(&q->blocks, b), block_begin(&q->blocks, b + 1), counts,
                            q->partition->context);
    }
}

static void add_counts(par *p, size_t from, size_t to, void *context)
{
    struct partitioning *q = context;
    (void)p;
    memset(q->starts + from, 0, (to - from) * sizeof *q->starts);
    for (size_t b = 0; b < q->blocks.number; b++) {
        const uint32_t *counts = q->counts + b * q->partition->buckets;
        for (size_t i = from; i < to; i++)
            q->starts[i] += counts[i];
    }
}

static void place_blocks(par *p, size_t from, size_t to, void *context)
{
    struct partitioning *q = context;
    uint32_t *counts = q->counts, place, own;
    (void)p;
    for (size_t i = from; i < to; i++) {
        place = q->starts[i];
        for (size_t b = 0; b < q->blocks.number; b++) {
            own = counts[b * q->partition->buckets + i];
            counts[b * q->partition->buckets + i] = place;
            place += own;
        }
    }
}

static void move_blocks(par *p, size_t from, size_t to, void *context)
{
    struct partitioning *q = context;
    (void)p;
    for (size_t b = from; b < to; b++)
        q->partition->move(block_begin(&q->blocks, b), block_begin(&q->blocks, b + 1),
                           q->counts + b * q->partition->buckets, q->partition->context);
}

static inline struct partitioning partition_counts(par *p, size_t n,
                                                   const struct partition *partition,
                                                   uint32_t *sums)
{
    struct partitioning q = {.partition = partition,
                             .blocks = blocks_of(n, BLOCK_LEAST + 4 * partition->buckets),
                             .starts = sums};
    q.counts = allocate(q.blocks.number * partition->buckets, sizeof *q.counts);
    par_for(p, q.blocks.number, 1, count_blocks, &q);
    par_for(p, partition->buckets, 512, add_counts, &q);
    return q;
}

/* How many items each bucket has; without `move`. */
static inline void par_count(par *p, size_t n, const struct partition *partition, uint32_t *sums)
{
    struct partitioning q = partition_counts(p, n, partition, sums);
    free(q.counts);
}

/* Moves items into their buckets, and keeps their order there. starts has buckets + 1 elements. */
static inline void par_partition(par *p, size_t n, const struct partition *partition,
                                 uint32_t *starts)
{
    struct partitioning q = partition_counts(p, n, partition, starts);
    starts[partition->buckets] = par_scan(p, starts, partition->buckets);
    par_for(p, partition->buckets, 512, place_blocks, &q);
    par_for(p, q.blocks.number, 1, move_blocks, &q);
    free(q.counts);
}

#endif
