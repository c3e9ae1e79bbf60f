/* SPDX-License-Identifier: MIT */
/* Explores a graph from its root: a node is a task, which claims its successors. */
#include "dag.h"

#include "parallel.h"

enum { FEW = 8 };

/* Nodes that are claimed and not looked at, and then what was found from there. */
struct some {
    const struct dag_graph *graph;
    const uint64_t *nodes;
    uint32_t number;
    struct found found;
};

static void visit_some(par *p, void *arg);

static void visit(par *p, struct some *only)
{
    const struct dag_graph *g = only->graph;
    uint64_t node = *only->nodes, few[FEW];
    uint32_t degree = graph_degree(g, node);
    uint64_t *claimed = degree > FEW ? allocate(degree, sizeof *claimed) : few;
    struct some next = {g, claimed, 0, {0, 0}};
    graph_find(g, node, &only->found);
    for (uint32_t i = 0; i < degree; i++) {
        uint64_t successor = graph_successor(g, node, i);
        if (graph_claim(g, successor))
            claimed[next.number++] = successor;
    }
    if (next.number)
        visit_some(p, &next);
    add_found(&only->found, &next.found);
    if (claimed != few)
        free(claimed);
}

static void visit_some(par *p, void *arg)
{
    struct some *some = arg;
    uint32_t half = some->number / 2;
    if (!half) {
        visit(p, some);
        return;
    }
    struct some left = {some->graph, some->nodes, half, {0, 0}};
    struct some right = {some->graph, some->nodes + half, some->number - half, {0, 0}};
    par_both(p, visit_some, &left, visit_some, &right);
    add_found(&some->found, &left.found);
    add_found(&some->found, &right.found);
}

static void solve(par *p, void *arg)
{
    struct dag *job = arg;
    uint64_t root = 0;
    job->graph.claimed = allocate_zeroed(graph_words(&job->graph), sizeof *job->graph.claimed);
    struct some all = {&job->graph, &root, 1, {0, 0}};
    visit_some(p, &all);
    job->found = all.found;
}

PROGRAM_SOLVED_BY(solve);
