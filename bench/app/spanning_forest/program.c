/* SPDX-License-Identifier: MIT */
#include "spanning_forest.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct spanning_forest *job = allocate_zeroed(1, sizeof *job);
    job->graph = make_graph(size, shape, seed);
    job->weight = make_keys(job->graph.edges, 0, (uint64_t)1 << 24, seed + 1);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct spanning_forest *job = arg;
    spans[0] = (struct span){job->edges, job->number * sizeof *job->edges};
    return 1;
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static uint32_t find(uint32_t *above, uint32_t v)
{
    for (; above[v] != v; v = above[v])
        above[v] = above[above[v]];
    return v;
}

/* Kruskal's way: the lightest first, each that joins two trees. Marks the forest's edges; how
   many? */
static size_t kruskal(const struct spanning_forest *job, uint8_t *chosen)
{
    size_t edges = job->graph.edges, number = 0;
    uint64_t *keys = allocate(edges, sizeof *keys);
    uint32_t *above = allocate(job->graph.vertices, sizeof *above);
    for (size_t i = 0; i < edges; i++)
        keys[i] = (uint64_t)job->weight[i] << 32 | i;
    for (size_t v = 0; v < job->graph.vertices; v++)
        above[v] = (uint32_t)v;
    qsort(keys, edges, sizeof *keys, compare);
    for (size_t i = 0; i < edges; i++) {
        struct edge e = job->graph.edge[(uint32_t)keys[i]];
        uint32_t a = find(above, e.a), b = find(above, e.b);
        if (a != b) {
            above[a] = b;
            chosen[(uint32_t)keys[i]] = 1;
            number++;
        }
    }
    free(keys);
    free(above);
    return number;
}

static const char *check(const void *arg)
{
    const struct spanning_forest *job = arg;
    uint8_t *chosen = allocate_zeroed(job->graph.edges, 1);
    const char *wrong =
        kruskal(job, chosen) == job->number ? NULL : "the forest has too many edges, or too few";
    for (size_t i = 0; i < job->number && !wrong; i++)
        if (job->edges[i] >= job->graph.edges || !chosen[job->edges[i]]--)
            wrong = "an edge that is not in the minimum spanning forest, or twice";
    free(chosen);
    return wrong;
}

static void forget(void *arg)
{
    struct spanning_forest *job = arg;
    free(job->edges);
}

static void drop(void *arg)
{
    struct spanning_forest *job = arg;
    free(job->graph.edge);
    free(job->weight);
    free(job);
}

const struct program program = {
    .name = "spanning_forest",
    .about = "the minimum spanning forest of a graph with weights",
    .unit = "vertices",
    .sizes = (const size_t[]){300000, 300000, 1000000, 600000},
    .size_most = GRAPH_VERTICES_MOST,
    .shapes = graph_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
