/* SPDX-License-Identifier: MIT */
#include "dag.h"

#include <string.h>

enum { EVEN, VARIED };
enum { LARGE_BATCH = 512 };

static const struct shape shapes[] = {
    [EVEN] = {"even", "8 successors, all nodes alike, next to no work in them"},
    [VARIED] = {"varied", "512 successors or none, work in nodes that varies by 1 to 1000"},
    {NULL, NULL},
};

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct dag *job = allocate_zeroed(1, sizeof *job);
    job->graph = (struct dag_graph){.nodes = size, .seed = seed, .batch = DEGREE};
    if (shape == VARIED) {
        job->graph.batch = LARGE_BATCH;
        job->graph.varies = true;
        job->graph.cost = VARIED_COST;
    }
    graph_shape(&job->graph, DEGREE);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct dag *job = arg;
    spans[0] = (struct span){&job->found, sizeof job->found};
    spans[1] = (struct span){(void *)job->graph.claimed,
                             graph_words(&job->graph) * sizeof *job->graph.claimed};
    return 2;
}

/* Successors have larger numbers: one pass in that order reaches all that can be reached. The root
   is found without being claimed. */
static const char *check(const void *arg)
{
    const struct dag *job = arg;
    struct dag_graph g = job->graph;
    struct found right = {0, 0};
    size_t bytes = graph_words(&g) * sizeof *g.claimed;
    g.claimed = allocate_zeroed(1, bytes);
    for (uint64_t node = 0; node < g.nodes; node++) {
        if (node && !(g.claimed[node / 64] >> node % 64 & 1))
            continue;
        right.nodes++;
        right.checksum += graph_hash(node);
        for (uint32_t i = 0, degree = graph_degree(&g, node); i < degree; i++)
            graph_claim(&g, graph_successor(&g, node, i));
    }
    bool same = memcmp((void *)g.claimed, (void *)job->graph.claimed, bytes) == 0;
    free((void *)g.claimed);
    if (!same)
        return "nodes are claimed that nothing leads to, or others are not";
    return right.nodes == job->found.nodes && right.checksum == job->found.checksum
               ? NULL
               : "not all nodes were found once";
}

static void forget(void *arg)
{
    struct dag *job = arg;
    free((void *)job->graph.claimed);
    job->graph.claimed = NULL;
    job->found = (struct found){0, 0};
}

const struct program program = {
    .name = "dag",
    .about = "explores a random acyclic graph, whose nodes are claimed by bits",
    .unit = "nodes",
    .sizes = (const size_t[]){2500000, 500000},
    .size_most = 2000000000,
    .shapes = shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = free,
};
