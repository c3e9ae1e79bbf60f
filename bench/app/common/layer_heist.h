/* SPDX-License-Identifier: MIT */
/*
 * parallel.h by Heist. No grain is passed on: Heist wants none. The pool's kind of queue is the
 * default, or what HEIST_QUEUE or layer_queue says. --loops eager replaces Heist's loops.
 */
#include <heist/heist.h>

#include "layer_heist_eager.h"

typedef heist_worker par;
typedef heist_fn par_fn;
typedef heist_range_fn par_range_fn;
typedef heist_reduction par_reduction;

static heist_pool *par_pool;
static bool par_is_eager;
const char *layer_queue;

static inline void par_must(int error)
{
    if (error)
        bench_fail("Heist: %s", strerror(-error));
}

static void par_start(unsigned workers)
{
    const heist_pool_opts opts = {.size = sizeof opts, .workers = workers, .queue = layer_queue};
    par_must(heist_pool_new(&par_pool, &opts));
}

static void par_stop(void) { par_must(heist_pool_free(par_pool)); }

#define PAR_STATS_NAME_(name, text) #name,
static const char *const par_stats_names[] = {HEIST_STATS_FIELDS(PAR_STATS_NAME_) NULL};
#define PAR_OFFERS par_stats, par_stats_names, &par_is_eager

_Static_assert(sizeof(heist_stats) <= STATS_MOST * sizeof(uint64_t), "more numbers than room");
static void par_stats(uint64_t *values)
{
    par_must(heist_pool_stats(par_pool, (heist_stats *)values, NULL, 0)); /* nothing but numbers */
}

static inline void par_run(par_fn *fn, void *arg) { par_must(heist_run(par_pool, fn, arg)); }

static inline void par_for(par *p, size_t n, size_t grain, par_range_fn *body, void *context)
{
    (void)grain;
    if (par_is_eager)
        eager_for(p, n, body, context);
    else
        par_must(heist_for(p, 0, n, 0, body, context));
}

static inline void par_reduce(par *p, size_t n, size_t grain, const par_reduction *r, void *result)
{
    (void)grain;
    if (par_is_eager)
        eager_reduce(p, n, r, result);
    else
        par_must(heist_reduce(p, 0, n, 0, r, result));
}

static inline void par_both(par *p, par_fn *first, void *a, par_fn *second, void *b)
{
    heist_task task;
    heist_fork(p, &task, second, b);
    first(p, a);
    par_must(heist_join(p, &task));
}
