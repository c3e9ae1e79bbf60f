/* SPDX-License-Identifier: MIT */
#include "bfs.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct graph g = make_graph(size, shape, seed);
    struct bfs *job = allocate_zeroed(1, sizeof *job);
    job->vertices = g.vertices;
    job->source =
        g.edges ? g.edge[0].a : 0; /* edges are in random order, and most vertices have some */
    job->first = allocate_zeroed(g.vertices + 2, sizeof *job->first);
    job->neighbour = allocate(2 * g.edges, sizeof *job->neighbour);
    /* first[v + 2] counts, then first[v + 1] is where the next neighbour of v goes. */
    for (size_t i = 0; i < g.edges; i++) {
        job->first[g.edge[i].a + 2]++;
        job->first[g.edge[i].b + 2]++;
    }
    for (size_t v = 2; v <= g.vertices; v++)
        job->first[v] += job->first[v - 1];
    for (size_t i = 0; i < g.edges; i++) {
        job->neighbour[job->first[g.edge[i].a + 1]++] = g.edge[i].b;
        job->neighbour[job->first[g.edge[i].b + 1]++] = g.edge[i].a;
    }
    free(g.edge);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct bfs *job = arg;
    spans[0] = (struct span){job->distance, job->vertices * sizeof *job->distance};
    spans[1] = (struct span){job->parent, job->vertices * sizeof *job->parent};
    return 2;
}

/* A queue; then the least neighbour that is one step nearer. */
static const char *check(const void *arg)
{
    const struct bfs *job = arg;
    uint32_t *queue = allocate(job->vertices, sizeof *queue);
    uint32_t *distance = allocate(job->vertices, sizeof *distance);
    const char *wrong = NULL;
    size_t head = 0, tail = 1;
    for (size_t v = 0; v < job->vertices; v++)
        distance[v] = v == job->source ? 0 : NOWHERE;
    for (queue[0] = job->source; head < tail; head++)
        for (size_t i = job->first[queue[head]]; i < job->first[queue[head] + 1]; i++) {
            uint32_t v = job->neighbour[i];
            if (distance[v] == NOWHERE) {
                distance[v] = distance[queue[head]] + 1;
                queue[tail++] = v;
            }
        }
    for (size_t v = 0; v < job->vertices && !wrong; v++) {
        uint32_t least = v == job->source ? job->source : NOWHERE;
        for (size_t i = job->first[v]; i < job->first[v + 1]; i++) {
            uint32_t u = job->neighbour[i];
            if (distance[v] && distance[v] != NOWHERE && distance[u] == distance[v] - 1 &&
                u < least)
                least = u;
        }
        if (job->distance[v] != distance[v])
            wrong = "a vertex' distance is wrong";
        else if (job->parent[v] != least)
            wrong = "a vertex' parent is wrong";
    }
    free(queue);
    free(distance);
    return wrong;
}

static void forget(void *arg)
{
    struct bfs *job = arg;
    free(job->distance);
    free(job->parent);
}

static void drop(void *arg)
{
    struct bfs *job = arg;
    free(job->first);
    free(job->neighbour);
    free(job);
}

const struct program program = {
    .name = "bfs",
    .about = "breadth-first search: steps and parents from a vertex to all others",
    .unit = "vertices",
    .sizes = (const size_t[]){500000, 600000, 2000000, 1000000},
    .size_most = GRAPH_VERTICES_MOST,
    .shapes = graph_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
