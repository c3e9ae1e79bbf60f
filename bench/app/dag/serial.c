/* SPDX-License-Identifier: MIT */
/* One thread, with a stack of nodes. */
#include <stdlib.h>

#include "common.h"
#include "explore.h"

void explore_serial(const struct dag_graph *g, struct heist_pool *pool, struct exploration *e)
{
    uint64_t *stack = NULL;
    size_t depth = 0, room = 0;
    (void)pool;
    for (uint64_t node = 0;; node = stack[--depth]) {
        graph_find(g, node, &e->found);
        uint32_t degree = graph_degree(g, node);
        if (depth + degree > room) {
            room = 2 * (depth + degree);
            stack = realloc(stack, room * sizeof *stack);
            if (!stack)
                bench_fail("out of memory");
        }
        for (uint32_t i = 0; i < degree; i++) {
            uint64_t next = graph_successor(g, node, i);
            if (graph_claim(g, next))
                stack[depth++] = next;
        }
        if (!depth)
            break;
    }
    free(stack);
}
