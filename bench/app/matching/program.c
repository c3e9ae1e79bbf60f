/* SPDX-License-Identifier: MIT */
#include "matching.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct matching *job = allocate_zeroed(1, sizeof *job);
    job->graph = make_graph(size, shape, seed);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct matching *job = arg;
    spans[0] = (struct span){job->edges, job->number * sizeof *job->edges};
    return 1;
}

/* The loop that takes each edge whose ends are free. */
static const char *check(const void *arg)
{
    const struct matching *job = arg;
    uint8_t *matched = allocate_zeroed(job->graph.vertices, 1);
    const char *wrong = NULL;
    size_t found = 0;
    for (size_t i = 0; i < job->graph.edges && !wrong; i++) {
        struct edge e = job->graph.edge[i];
        if (matched[e.a] || matched[e.b])
            continue;
        matched[e.a] = matched[e.b] = 1;
        if (found == job->number || job->edges[found++] != i)
            wrong = "an edge is missing, or one too many";
    }
    if (found != job->number)
        wrong = "too many edges";
    free(matched);
    return wrong;
}

static void forget(void *arg)
{
    struct matching *job = arg;
    free(job->edges);
}

static void drop(void *arg)
{
    struct matching *job = arg;
    free(job->graph.edge);
    free(job);
}

const struct program program = {
    .name = "matching",
    .about = "a maximal matching: edges without a common end, and no room for another",
    .unit = "vertices",
    .sizes = (const size_t[]){1200000, 1200000, 3000000, 2000000},
    .size_most = GRAPH_VERTICES_MOST,
    .shapes = graph_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
