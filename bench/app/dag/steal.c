/* SPDX-License-Identifier: MIT */
/* Plain work stealing: a fork for each node. */
#include <heist/fork.h>
#include <string.h>

#include "common.h"
#include "explore.h"

HEIST_TASK(struct found, visit, const struct dag_graph *, g, uint64_t, node)
{
    struct found found = {0, 0};
    uint32_t forks = 0;
    graph_find(g, node, &found);
    for (uint32_t i = 0, degree = graph_degree(g, node); i < degree; i++) {
        uint64_t next = graph_successor(g, node, i);
        if (graph_claim(g, next)) {
            HEIST_FORK(visit, g, next);
            forks++;
        }
    }
    while (forks--) {
        struct found more = HEIST_JOIN(visit);
        add_found(&found, &more);
    }
    return found;
}

void explore_steal(const struct dag_graph *g, struct heist_pool *pool, struct exploration *e)
{
    int error = heist_run_visit(pool, &e->found, g, 0);
    if (error)
        bench_fail("steal: %s", strerror(-error));
}
