/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS(...)                                              \
    {                                                             \
        .at = (const uint64_t[]){__VA_ARGS__},                    \
        .n = sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t) \
    }
#define ALWAYS(...)                                \
    {                                              \
        NUMBERS(__VA_ARGS__), NUMBERS(__VA_ARGS__) \
    }

/* What the benchmarks with few items and a hungry thief have in common. */
#define FEW_ITEMS                                                                               \
    .param = "items in the queue", .unit = "items", .param_is = IS_OTHER, .thieves = ALWAYS(1), \
    .least = 1, .most = 4096, .plain = PLAIN_NOT, .inside = true

/* Rounds of the owner; thieves, if any, take a share of the items. */
static void set_up_rounds(const struct point *p, struct trial *t)
{
    t->owner = t->contestant->owner;
    t->drain = t->contestant->drain;
    t->help = t->contestant->thief;
    t->helpers = p->stolen ? p->thieves : 0;
    t->share = p->stolen / 100.0;
    t->keep = 1 - t->share;
}

static void set_up_frequency(const struct point *p, struct trial *t)
{
    set_up_rounds(p, t);
    t->help = t->contestant->frequent_thief;
    t->helpers = p->param ? p->thieves : 0;
    t->frequency = (double)p->param;
}

static void set_up_size(const struct point *p, struct trial *t)
{
    set_up_rounds(p, t);
    t->help = t->contestant->sizer;
    t->helpers = p->param ? 1 : 0;
    t->share = 2 * (double)p->param / 100; /* of operations, which are two per item */
}

/* What is counted does not depend on the time. */
static void set_up_counts(const struct point *p, struct trial *t)
{
    set_up_rounds(p, t);
    t->seconds = 0.01;
}

static void set_up_batch(const struct point *p, struct trial *t)
{
    t->owner = t->contestant->batch;
    t->drain = t->contestant->drain_stock;
    t->param = p->param;
    t->at_least = 2400; /* and so more than 2^14 in seven repetitions */
    t->seconds /= 4;
    t->opts.capacity = 2 * BATCHES * p->param;
    t->opts.block = 0;
}

static void set_up_proportion(const struct point *p, struct trial *t)
{
    t->owner = t->contestant->giver;
    t->drain = t->contestant->drain_stock;
    t->help = t->contestant->taker;
    t->helpers = 1;
    t->param = p->param;
    t->at_least = 7;
    t->opts.capacity = 16384;
    t->opts.block = 0;
}

/* A few items, a thief that waits for them, and an owner that works on. */
static void set_up_few(const struct point *p, struct trial *t)
{
    t->owner = t->contestant->worker;
    t->drain = t->contestant->drain;
    t->help = t->contestant->hungry;
    t->helpers = 1;
    t->param = p->param;
    t->at_least = 20;
}

/* The same with an owner that is inside a long task. */
static void set_up_reach(const struct point *p, struct trial *t)
{
    set_up_few(p, t);
    t->owner = t->contestant->absentee;
}

static void set_up_reachall(const struct point *p, struct trial *t)
{
    set_up_reach(p, t);
    t->help = t->contestant->voracious;
}

const struct benchmark bench_benchmarks[] = {
    {
        .name = "nosteal",
        .about = "the owner alone: put until full, get until empty",
        .param = "capacity",
        .unit = "capacity",
        .per = "operation",
        .param_is = IS_CAPACITY,
        .params = ALWAYS(HEIST_CAPACITY_DEFAULT),
        .least = 1,
        .most = UINT32_MAX,
        .plain = PLAIN_TOO,
        .set_up = set_up_rounds,
    },
    {
        .name = "stolen",
        .about = "thieves take a share of the items",
        .param = "percent of the items that thieves shall take",
        .unit = "% stolen",
        .per = "operation",
        .param_is = IS_STOLEN,
        .thieves = ALWAYS(1),
        .params = ALWAYS(1, 2, 5, 10, 20, 50),
        .most = 100,
        .set_up = set_up_rounds,
    },
    {
        .name = "freq",
        .about = "thieves steal at a fixed frequency",
        .param = "steals tried per second, by all thieves together",
        .unit = "Hz",
        .per = "operation",
        .param_is = IS_FREQUENCY,
        .thieves = ALWAYS(1, 5),
        .params = {NUMBERS(10000, 100000, 1000000), NUMBERS(100000, 1000000)},
        .most = 1000000000,
        .set_up = set_up_frequency,
    },
    {
        .name = "size",
        .about = "another thread asks for the size",
        .param = "percent: calls of size per operation of the owner",
        .unit = "% size",
        .per = "operation",
        .param_is = IS_OTHER,
        .params = {NUMBERS(0, 1, 2, 5, 10), NUMBERS(0, 1, 10)},
        .most = 100,
        .set_up = set_up_size,
    },
    {
        .name = "blocks",
        .about = "BWoS queues with blocks of different sizes, the capacity fixed",
        .param = "items in a block",
        .unit = "items",
        .per = "operation",
        .param_is = IS_BLOCK,
        .thieves = ALWAYS(1),
        .stolen = ALWAYS(0, 10),
        .params = {NUMBERS(8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096),
                   NUMBERS(8, 64, 512, 4096)},
        .least = 1,
        .most = 32768,
        .blocks = true,
        .inside = true,
        .set_up = set_up_rounds,
    },
    {
        .name = "nblocks",
        .about = "BWoS queues with different numbers of blocks, the block size fixed",
        .param = "blocks",
        .unit = "blocks",
        .per = "operation",
        .param_is = IS_BLOCKS,
        .thieves = ALWAYS(1),
        .stolen = ALWAYS(0, 10),
        .params = {NUMBERS(2, 4, 8, 16, 32, 64), NUMBERS(2, 8, 32)},
        .least = 2,
        .most = 1 << 20,
        .blocks = true,
        .inside = true,
        .set_up = set_up_rounds,
    },
    {
        .name = "batch",
        .about = "the owner puts many items in one call",
        .param = "items in a batch",
        .unit = "items",
        .per = "call",
        .param_is = IS_OTHER,
        .params = {NUMBERS(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024),
                   NUMBERS(1, 4, 16, 64, 256, 1024)},
        .least = 1,
        .most = 65536,
        .plain = PLAIN_TOO,
        .set_up = set_up_batch,
    },
    {
        .name = "proportion",
        .about = "a thief takes a part of 10,000 items",
        .param = "percent of the items",
        .unit = "%",
        .per = "part",
        .param_is = IS_PART,
        .thieves = ALWAYS(1),
        .params = {NUMBERS(10, 20, 30, 40, 50, 60), NUMBERS(10, 30, 60)},
        .least = 1,
        .most = 100,
        .plain = PLAIN_NOT,
        .set_up = set_up_proportion,
    },
    {
        .name = "few",
        .about = "few items, the owner works on: until a thief has one",
        .per = "first item",
        .params = {NUMBERS(1, 2, 4, 8, 16), NUMBERS(1, 4)},
        FEW_ITEMS,
        .set_up = set_up_few,
    },
    {
        .name = "reach",
        .about = "few items, the owner inside a task of 10 ms: until a thief has one",
        .per = "first item",
        .params = {NUMBERS(1, 4, 16), NUMBERS(4)},
        FEW_ITEMS,
        .set_up = set_up_reach,
    },
    {
        .name = "reachall",
        .about = "few items, the owner inside a task of 10 ms: until a thief has all",
        .per = "all items",
        .params = {NUMBERS(1, 4, 16), NUMBERS(4)},
        FEW_ITEMS,
        .set_up = set_up_reachall,
    },
    {
        .name = "counts",
        .about = "fences and atomic read-modify-writes, on each side",
        .param = "capacity",
        .unit = "items",
        .per = "operation",
        .param_is = IS_CAPACITY,
        .params = ALWAYS(HEIST_CAPACITY_DEFAULT),
        .thieves = ALWAYS(1),
        .stolen = ALWAYS(0, 10),
        .least = 1,
        .most = UINT32_MAX,
        .plain = PLAIN_NOT,
        .inside = true,
        .counted = true,
        .set_up = set_up_counts,
    },
    {.name = NULL},
};

bool bench_is_plain(const struct entrant *e) { return e->contestant && e->contestant->plain; }

bool bench_takes(const struct point *p, const struct entrant *e)
{
    const struct benchmark *b = p->benchmark;
    if (bench_is_plain(e))
        return b->plain == PLAIN_TOO || p->alone;
    if (p->alone || (b->inside && !e->contestant))
        return false;
    return !b->blocks || strncmp(e->contestant->name, "bwos_", 5) == 0;
}

/* Once, however often the options lead to it. */
static void add_point(struct plan *plan, struct point p)
{
    for (const struct point *q = plan->at; q != plan->at + plan->n; q++)
        if (q->benchmark == p.benchmark && q->thieves == p.thieves && q->stolen == p.stolen &&
            q->param == p.param && q->alone == p.alone)
            return;
    plan->at = bench_grow(plan->at, plan->n, sizeof *plan->at);
    plan->at[plan->n++] = p;
}

static const struct numbers zero = NUMBERS(0);

/* What the user gave for something that the benchmark has, or the benchmark's own, or a zero. */
static struct numbers choose(const struct sweep *own, struct numbers given, bool quick)
{
    if (!own->full.n)
        return zero;
    return given.n ? given : quick ? own->quick : own->full;
}

static struct numbers choose_params(const struct benchmark *b, const struct options *o)
{
    struct numbers given = o->params;
    if (!given.n && b->param_is == IS_CAPACITY)
        given = (struct numbers){&o->capacity, 1};
    if (!given.n && b->param_is == IS_STOLEN)
        given = o->stolen;
    if (!given.n && b->param_is == IS_FREQUENCY)
        given = o->frequencies;
    return choose(&b->params, given, o->quick);
}

static void add_points(const struct benchmark *b, const struct options *o, struct plan *plan)
{
    struct numbers thieves = choose(&b->thieves, o->thieves, o->quick);
    struct numbers stolen = choose(&b->stolen, o->stolen, o->quick);
    struct numbers params = choose_params(b, o);
    for (size_t t = 0; t < thieves.n; t++)
        for (size_t s = 0; s < stolen.n; s++)
            for (size_t i = 0; i < params.n; i++) {
                struct point p = {.benchmark = b,
                                  .thieves = (unsigned)thieves.at[t],
                                  .stolen = (unsigned)stolen.at[s],
                                  .param = params.at[i],
                                  .capacity = o->capacity,
                                  .block = o->block};
                if (b->param_is == IS_CAPACITY) {
                    p.capacity = p.param;
                } else if (b->param_is == IS_STOLEN) {
                    p.stolen = (unsigned)p.param;
                } else if (b->param_is == IS_BLOCK) {
                    p.block = p.param;
                } else if (b->param_is == IS_BLOCKS) {
                    p.block = o->block ? o->block : 1024;
                    p.capacity = p.block * p.param;
                }
                if (p.block > p.capacity)
                    continue;
                if (!p.stolen && (b->stolen.full.n || b->param_is == IS_STOLEN))
                    p.thieves = 0;
                else if (!p.thieves && b->thieves.full.n)
                    bench_usage_error("--thieves '0': %s needs a thief", b->name);
                add_point(plan, p);
            }
    if (b->plain == PLAIN_ALONE)
        add_point(plan, (struct point){.benchmark = b, .capacity = o->capacity, .alone = true});
}

struct plan bench_plan(const struct options *o)
{
    struct plan plan = {NULL, 0};
    for (const struct benchmark **b = o->benchmarks; *b; b++)
        add_points(*b, o, &plan);
    return plan;
}

const struct point *bench_series_end(const struct plan *plan, const struct point *p)
{
    const struct point *end = plan->at + plan->n, *q = p + 1;
    while (q != end && q->benchmark == p->benchmark && q->alone == p->alone &&
           q->thieves == p->thieves &&
           (q->stolen == p->stolen || p->benchmark->param_is == IS_STOLEN))
        q++;
    return q;
}
