/* SPDX-License-Identifier: MIT */
/* The ways to explore a graph from its root, node 0. */
#ifndef DAG_EXPLORE_H
#define DAG_EXPLORE_H

#include "graph.h"

struct heist_pool;

struct exploration {
    struct found found;
    double idle; /* master: seconds that workers had no nodes */
    uint64_t redistributions,
        moved; /* master: chains of nodes that changed hands, and their nodes */
};

typedef void explore_fn(const struct dag_graph *g, struct heist_pool *pool, struct exploration *e);
explore_fn explore_serial, explore_steal, explore_master;

#endif
