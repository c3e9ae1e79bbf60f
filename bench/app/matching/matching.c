/* SPDX-License-Identifier: MIT */
/*
 * The greedy matching by reservations. Of the edges that are left, the first ones reserve both
 * their ends; the least edge wins a vertex, and an edge that has won both is taken. The others try
 * again together with the next edges. So the result is that of the serial loop.
 * Bodies copy their context: what they write could be a part of it, for all that the compiler
 * knows, who would read it again for each element.
 */
#include "matching.h"

#include "atomic_min.h"
#include "blocks.h"

enum { NOBODY = -1, WINDOWS = 24, WINDOW_LEAST = 4096, GRAIN = 1024 };

struct round {
    const struct edge *edge;
    _Atomic uint32_t *reserved; /* by vertex: by which edge */
    uint8_t *matched;           /* by vertex */
    uint8_t *taken;             /* by edge */
    uint32_t *tries, *again;    /* edges: of this round, and those left of it */
    uint8_t *left;              /* by place in tries */
};

static void free_vertices(par *p, size_t from, size_t to, void *context)
{
    const struct round r = *(struct round *)context;
    (void)p;
    memset(r.matched + from, 0, to - from);
    for (size_t i = from; i < to; i++)
        atomic_init(&r.reserved[i], (uint32_t)NOBODY);
}

static void free_edges(par *p, size_t from, size_t to, void *context)
{
    const struct round r = *(struct round *)context;
    (void)p;
    memset(r.taken + from, 0, to - from);
}

static void reserve(par *p, size_t from, size_t to, void *context)
{
    const struct round r = *(struct round *)context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        uint32_t e = r.tries[i];
        struct edge ends = r.edge[e];
        r.left[i] = !r.matched[ends.a] && !r.matched[ends.b];
        if (r.left[i]) {
            atomic_min32(&r.reserved[ends.a], e);
            atomic_min32(&r.reserved[ends.b], e);
        }
    }
}

/* A vertex is written to by the edge that has reserved it, and nobody else. */
static void commit(par *p, size_t from, size_t to, void *context)
{
    const struct round r = *(struct round *)context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        uint32_t e = r.tries[i];
        struct edge ends = r.edge[e];
        if (!r.left[i])
            continue;
        bool a = atomic_load_explicit(&r.reserved[ends.a], memory_order_relaxed) == e;
        bool b = atomic_load_explicit(&r.reserved[ends.b], memory_order_relaxed) == e;
        if (a && b) {
            r.matched[ends.a] = r.matched[ends.b] = r.taken[e] = 1;
            r.left[i] = 0;
        } else if (a) {
            atomic_store_explicit(&r.reserved[ends.a], (uint32_t)NOBODY, memory_order_relaxed);
        } else if (b) {
            atomic_store_explicit(&r.reserved[ends.b], (uint32_t)NOBODY, memory_order_relaxed);
        }
    }
}

static void solve(par *p, void *arg)
{
    struct matching *job = arg;
    size_t vertices = job->graph.vertices, edges = job->graph.edges, begun = 0, tries = 0;
    size_t window = edges / WINDOWS > WINDOW_LEAST ? edges / WINDOWS : WINDOW_LEAST;
    struct round r = {.edge = job->graph.edge,
                      .reserved = allocate(vertices, sizeof *r.reserved),
                      .matched = allocate(vertices, 1),
                      .taken = allocate(edges, 1),
                      .tries = allocate(window, sizeof *r.tries),
                      .again = allocate(window, sizeof *r.again),
                      .left = allocate(window, 1)};
    par_for(p, vertices, 1 << 14, free_vertices, &r);
    par_for(p, edges, 1 << 16, free_edges, &r);
    do {
        for (uint32_t *next = r.tries + tries; tries < window && begun < edges; tries++)
            *next++ = (uint32_t)begun++;
        par_for(p, tries, GRAIN, reserve, &r);
        par_for(p, tries, GRAIN, commit, &r);
        tries = par_pack(p, tries, (struct pack){r.left, r.tries, r.again});
        uint32_t *again = r.again;
        r.again = r.tries;
        r.tries = again;
    } while (tries || begun < edges);
    job->edges = allocate(vertices / 2 + 1, sizeof *job->edges);
    job->number = par_pack(p, edges, (struct pack){r.taken, NULL, job->edges});
    free(r.reserved);
    free(r.matched);
    free(r.taken);
    free(r.tries);
    free(r.again);
    free(r.left);
}

PROGRAM_SOLVED_BY(solve);
