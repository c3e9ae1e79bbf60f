/* SPDX-License-Identifier: MIT */
/*
 * layer.h by OpenMP: libgomp if gcc compiles it, libomp if clang does. A loop outside of any
 * team is a parallel for, which is the cheapest there; inside it is a taskloop. par_both makes a
 * team if there is none, and then a task.
 */
#include <omp.h>
#include <string.h>

#include "layer.h"

enum { PARTS_PER_THREAD = 16, PARTS_MOST = 256 };

void par_start(unsigned workers)
{
    omp_set_dynamic(0);
    omp_set_num_threads((int)workers);
}

void par_stop(void) { omp_pause_resource_all(omp_pause_hard); }
void par_run(par_fn *fn, void *arg) { fn(NULL, arg); }

/* How many parts a loop is cut into. */
static size_t parts_of(size_t n, size_t grain)
{
    size_t parts = grain ? n / grain : n, most = (size_t)omp_get_max_threads() * PARTS_PER_THREAD;
    if (most > PARTS_MOST)
        most = PARTS_MOST;
    return parts < 1 ? 1 : parts > most ? most : parts;
}

void par_for(par *p, size_t n, size_t grain, par_range_fn *body, void *context)
{
    size_t parts = parts_of(n, grain);
    if (parts == 1) {
        if (n)
            body(p, 0, n, context);
    } else if (omp_get_level() == 0) {
#pragma omp parallel for schedule(dynamic, 1)
        for (size_t i = 0; i < parts; i++)
            body(p, n * i / parts, n * (i + 1) / parts, context);
    } else {
#pragma omp taskloop grainsize(1) firstprivate(p, body, context)
        for (size_t i = 0; i < parts; i++)
            body(p, n * i / parts, n * (i + 1) / parts, context);
    }
}

struct partials {
    const par_reduction *reduction;
    char *at;
    size_t n, parts;
};

static void reduce_parts(par *p, size_t from, size_t to, void *context)
{
    const struct partials *all = context;
    const par_reduction *r = all->reduction;
    for (size_t i = from; i < to; i++)
        r->body(p, all->n * i / all->parts, all->n * (i + 1) / all->parts,
                all->at + i * PAR_RESULT_MOST, r->context);
}

/* Partial results side by side, each in a cache line of its own, put together in order. */
void par_reduce(par *p, size_t n, size_t grain, const par_reduction *r, void *result)
{
    _Alignas(64) char at[PARTS_MOST * PAR_RESULT_MOST];
    struct partials all = {r, at, n, parts_of(n, grain)};
    for (size_t i = 0; i < all.parts; i++) {
        if (r->identity)
            memcpy(at + i * PAR_RESULT_MOST, r->identity, r->size);
        else
            memset(at + i * PAR_RESULT_MOST, 0, r->size);
    }
    if (n)
        par_for(p, all.parts, 1, reduce_parts, &all);
    for (size_t i = 1; i < all.parts; i++)
        r->combine(p, at, at + i * PAR_RESULT_MOST, r->context);
    memcpy(result, at, r->size);
}

static void both_tasks(par *p, par_fn *first, void *a, par_fn *second, void *b)
{
#pragma omp task firstprivate(p, second, b) /* by name: clang 14 crashes otherwise */
    second(p, b);
    first(p, a);
#pragma omp taskwait
}

void par_both(par *p, par_fn *first, void *a, par_fn *second, void *b)
{
    if (omp_get_level() > 0) {
        both_tasks(p, first, a, second, b);
        return;
    }
#pragma omp parallel
#pragma omp single
    both_tasks(p, first, a, second, b);
}
