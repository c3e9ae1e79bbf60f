/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first, a level at a time. All vertices of a level first offer themselves to their
 * neighbours, and the least becomes the parent; then each takes its children into the next level,
 * at places that a scan of the degrees gave it, and a filter closes the gaps. The neighbours of a
 * vertex that has many are a loop of their own.
 * Bodies copy their context: what they write could be a part of it, for all that the compiler
 * knows, who would read it again for each element.
 */
#include "bfs.h"

#include "atomic_min.h"
#include "blocks.h"

enum { MANY = 4096, GRAIN = 256 };

struct level {
    const struct bfs *job;
    _Atomic uint32_t *distance, *parent;
    uint32_t number;    /* of the next level */
    uint32_t *frontier; /* this level's vertices */
    uint32_t *place;    /* where the children of each begin */
    uint32_t *children; /* with gaps: NOWHERE */
};

/* A vertex and its neighbours. */
struct star {
    const struct level *level;
    uint32_t vertex;
    uint32_t *children;
};

static void forget_all(par *p, size_t from, size_t to, void *context)
{
    const struct level *l = context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        atomic_init(&l->distance[i], NOWHERE);
        atomic_init(&l->parent[i], NOWHERE);
    }
}

static void measure_degrees(par *p, size_t from, size_t to, void *context)
{
    const struct level *l = context;
    const uint32_t *first = l->job->first;
    (void)p;
    for (size_t i = from; i < to; i++)
        l->place[i] = first[l->frontier[i] + 1] - first[l->frontier[i]];
}

static void offer(par *p, size_t from, size_t to, void *context)
{
    const struct star s = *(struct star *)context;
    const struct level l = *s.level;
    const uint32_t *neighbour = l.job->neighbour + l.job->first[s.vertex];
    (void)p;
    for (size_t i = from; i < to; i++)
        if (atomic_load_explicit(&l.distance[neighbour[i]], memory_order_relaxed) == NOWHERE)
            atomic_min32(&l.parent[neighbour[i]], s.vertex);
}

static void take(par *p, size_t from, size_t to, void *context)
{
    const struct star s = *(struct star *)context;
    const struct level l = *s.level;
    const uint32_t *neighbour = l.job->neighbour + l.job->first[s.vertex];
    (void)p;
    for (size_t i = from; i < to; i++) {
        uint32_t v = neighbour[i], nowhere = NOWHERE;
        /* The exchange, since two edges may lead to the same neighbour. */
        bool own =
            atomic_load_explicit(&l.parent[v], memory_order_relaxed) == s.vertex &&
            atomic_load_explicit(&l.distance[v], memory_order_relaxed) == NOWHERE &&
            atomic_compare_exchange_strong_explicit(&l.distance[v], &nowhere, l.number,
                                                    memory_order_relaxed, memory_order_relaxed);
        s.children[i] = own ? v : NOWHERE;
    }
}

static void for_stars(par *p, size_t from, size_t to, const struct level *l, par_range_fn *body)
{
    const uint32_t *first = l->job->first;
    for (size_t i = from; i < to; i++) {
        struct star s = {l, l->frontier[i], l->children + l->place[i]};
        size_t degree = first[s.vertex + 1] - first[s.vertex];
        if (degree < MANY)
            body(p, 0, degree, &s);
        else
            par_for(p, degree, MANY / 4, body, &s);
    }
}

static void offer_all(par *p, size_t from, size_t to, void *context)
{
    for_stars(p, from, to, context, offer);
}
static void take_all(par *p, size_t from, size_t to, void *context)
{
    for_stars(p, from, to, context, take);
}

static size_t count_children(size_t from, size_t to, void *context)
{
    const struct level *l = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += l->children[i] != NOWHERE;
    return number;
}

static size_t write_children(size_t from, size_t to, size_t at, void *context)
{
    const struct level *l = context;
    size_t next = at;
    for (size_t i = from; i < to; i++)
        if (l->children[i] != NOWHERE)
            l->frontier[next++] = l->children[i];
    return next - at;
}

static void solve(par *p, void *arg)
{
    struct bfs *job = arg;
    size_t n = job->vertices, width = 1;
    struct level l = {.job = job,
                      .distance = allocate(n, sizeof *l.distance),
                      .parent = allocate(n, sizeof *l.parent),
                      .frontier = allocate(n, sizeof *l.frontier),
                      .place = allocate(n, sizeof *l.place),
                      .children = allocate(job->first[n], sizeof *l.children)};
    const struct filter no_gaps = {count_children, write_children, &l};
    par_for(p, n, 1 << 14, forget_all, &l);
    l.frontier[0] = job->source;
    atomic_store(&l.distance[job->source], 0);
    atomic_store(&l.parent[job->source], job->source);
    while (width) {
        l.number++;
        par_for(p, width, GRAIN, measure_degrees, &l);
        size_t edges = par_scan(p, l.place, width);
        par_for(p, width, GRAIN, offer_all, &l);
        par_for(p, width, GRAIN, take_all, &l);
        width = par_filter(p, edges, &no_gaps);
    }
    /* Plain from here on: the loops are over. */
    job->distance = (uint32_t *)l.distance;
    job->parent = (uint32_t *)l.parent;
    free(l.frontier);
    free(l.place);
    free(l.children);
}

PROGRAM_SOLVED_BY(solve);
