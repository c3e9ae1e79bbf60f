/* SPDX-License-Identifier: MIT */
/*
 * layer.h by Heist. No grain is passed on: Heist wants none. The pool's kind of queue is the
 * default, or what HEIST_QUEUE or layer_queue says. --loops eager replaces Heist's loops.
 */
#include <heist/heist.h>
#include <string.h>

#include "layer_heist_eager.h"
#include "program.h"

static heist_pool *pool;
static bool is_eager;
const char *layer_queue;

static inline void must(int error)
{
    if (error)
        bench_fail("Heist: %s", strerror(-error));
}

void par_start(unsigned workers)
{
    const heist_pool_opts opts = {.size = sizeof opts, .workers = workers, .queue = layer_queue};
    must(heist_pool_new(&pool, &opts));
}

void par_stop(void) { must(heist_pool_free(pool)); }

void par_run(par_fn *fn, void *arg) { must(heist_run(pool, fn, arg)); }

void par_for(par *p, size_t n, size_t grain, par_range_fn *body, void *context)
{
    (void)grain;
    if (is_eager)
        eager_for(p, n, body, context);
    else
        must(heist_for(p, 0, n, 0, body, context));
}

void par_reduce(par *p, size_t n, size_t grain, const par_reduction *r, void *result)
{
    const heist_reduction reduction = {.size = r->size,
                                       .identity = r->identity,
                                       .body = r->body,
                                       .combine = r->combine,
                                       .context = r->context};
    (void)grain;
    if (is_eager)
        eager_reduce(p, n, &reduction, result);
    else
        must(heist_reduce(p, 0, n, 0, &reduction, result));
}

void par_both(par *p, par_fn *first, void *a, par_fn *second, void *b)
{
    heist_task task;
    heist_fork(p, &task, second, b);
    first(p, a);
    must(heist_join(p, &task));
}

#define NAME(name, text) #name,
static const char *const stats_names[] = {HEIST_STATS_FIELDS(NAME) NULL};

_Static_assert(sizeof(heist_stats) <= STATS_MOST * sizeof(uint64_t), "more numbers than room");
static void read_stats(uint64_t *values)
{
    must(heist_pool_stats(pool, (heist_stats *)values, NULL, 0)); /* nothing but numbers */
}

const struct layer layer = {APP_LAYER,  par_start,   par_stop, program_solve,
                            read_stats, stats_names, &is_eager};
