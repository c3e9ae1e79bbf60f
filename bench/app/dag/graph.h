/* SPDX-License-Identifier: MIT */
/*
 * A large random graph that is nowhere: a node is a number, its successors are hashes of that,
 * larger, and not further away than a `span`. A bit per node says who has been claimed.
 */
#ifndef DAG_GRAPH_H
#define DAG_GRAPH_H

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dag_graph {
    uint64_t nodes, seed;
    uint32_t batch;            /* successors of a node that has any */
    uint64_t branches;         /* a node has some if its hash is below this; the root always does */
    uint64_t span;             /* successors of i are i + 1 ... i + span, those that exist */
    uint32_t cost;             /* turns of a loop in each node */
    bool varies;               /* by 1 to 1000, evenly in the exponent */
    _Atomic uint64_t *claimed; /* a bit per node */
};

/* What is found. */
struct found {
    uint64_t nodes, checksum;
};

enum { VARIES_BY = 1000, VARIED_COST = 10, DEGREE = 8 };
enum { LAYERS = 64 }; /* the span is so small a part of the graph: paths are some times as long */

/* How many words `claimed` has. */
static inline size_t graph_words(const struct dag_graph *g) { return (size_t)(g->nodes / 64 + 1); }

/* From the number of nodes, the batch, and how many successors a node has on average. */
static inline void graph_shape(struct dag_graph *g, uint64_t degree)
{
    g->span = g->nodes / LAYERS + 1;
    g->branches = UINT64_MAX;
    if (degree < g->batch)
        g->branches = (uint64_t)((double)UINT64_MAX * ((double)degree / g->batch));
}

static inline uint64_t graph_hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* How many successors to ask for. */
static inline uint32_t graph_degree(const struct dag_graph *g, uint64_t node)
{
    return !node || graph_hash(g->seed ^ (node << 1)) < g->branches ? g->batch : 0;
}

/* One of them; it may be no node at all: graph_claim says so. */
static inline uint64_t graph_successor(const struct dag_graph *g, uint64_t node, uint32_t i)
{
    uint64_t hash = graph_hash(graph_hash(g->seed ^ (node << 1 | 1)) + i);
    return node + 1 + (uint64_t)(((unsigned __int128)hash * g->span) >> 64);
}

/* Whether the node exists, and nobody came here before. */
static inline bool graph_claim(const struct dag_graph *g, uint64_t node)
{
    if (node >= g->nodes)
        return false;
    _Atomic uint64_t *word = &g->claimed[node / 64];
    uint64_t bit = (uint64_t)1 << node % 64;
    uint64_t old = atomic_load_explicit(word, memory_order_relaxed);
    while (!(old & bit))
        if (atomic_compare_exchange_weak_explicit(word, &old, old | bit, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    return false;
}

/* What a node costs: nothing that a compiler can leave out. */
static inline void graph_work(const struct dag_graph *g, uint64_t node)
{
    uint64_t x = node, turns = g->cost;
    if (g->varies)
        turns = (uint64_t)((double)turns *
                           exp2(log2(VARIES_BY) * 0x1p-64 * (double)graph_hash(~g->seed ^ node)));
    for (; turns; turns--) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x));
    }
}

static inline void add_found(struct found *to, const struct found *more)
{
    to->nodes += more->nodes;
    to->checksum += more->checksum;
}

static inline void graph_find(const struct dag_graph *g, uint64_t node, struct found *f)
{
    graph_work(g, node);
    f->nodes++;
    f->checksum += graph_hash(node);
}

#endif
