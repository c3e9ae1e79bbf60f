/* SPDX-License-Identifier: MIT */
/* Master and workers: a node is expanded into a batch. */
#include <errno.h>
#include <heist/master.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "explore.h"

struct node {
    heist_bulk_node link; /* first, so that a link is a node */
    uint64_t number;
};

enum { SLAB = 1024 }; /* nodes */

/* What a worker needs: what it has found, and nodes that are free. Memory goes with the nodes: who
   frees one keeps it. */
struct hand {
    struct found found;
    heist_bulk_node *spare;
    struct slab *slabs;
} HEIST_ALIGNED;

struct slab {
    struct slab *next;
    struct node nodes[SLAB];
};

struct search {
    const struct dag_graph *graph;
    struct hand *hands;
};

static bool add_slab(struct hand *h)
{
    struct slab *slab = malloc(sizeof *slab);
    if (!slab)
        return false;
    slab->next = h->slabs;
    h->slabs = slab;
    for (size_t i = 0; i < SLAB; i++) {
        slab->nodes[i].link.next = h->spare;
        h->spare = &slab->nodes[i].link;
    }
    return true;
}

static bool add_node(struct hand *h, heist_bulk_chain *batch, uint64_t number)
{
    if (!h->spare && !add_slab(h))
        return false;
    struct node *n = (struct node *)h->spare;
    h->spare = n->link.next;
    n->number = number;
    heist_master_add(batch, &n->link);
    return true;
}

static int expand(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                  void *context)
{
    const struct search *s = context;
    const struct dag_graph *g = s->graph;
    struct hand *h = &s->hands[heist_master_number(w)];
    uint64_t number = ((struct node *)link)->number;
    link->next = h->spare;
    h->spare = link;
    graph_find(g, number, &h->found);
    for (uint32_t i = 0, degree = graph_degree(g, number); i < degree; i++) {
        uint64_t next = graph_successor(g, number, i);
        if (graph_claim(g, next) && !add_node(h, batch, next))
            return -ENOMEM;
    }
    return 0;
}

static void add_up(struct hand *h, struct found *sum)
{
    add_found(sum, &h->found);
    for (struct slab *s = h->slabs, *next; s; s = next) {
        next = s->next;
        free(s);
    }
}

void explore_master(const struct dag_graph *g, struct heist_pool *pool, struct exploration *e)
{
    unsigned workers = heist_pool_workers(pool);
    struct search search = {g, aligned_alloc(HEIST_LINE, workers * sizeof(struct hand))};
    heist_master_count *each = calloc(workers, sizeof *each);
    heist_master_stats stats = {.size = sizeof stats, .each = each, .number = workers};
    const heist_master_opts opts = {
        .size = sizeof opts, .expand = expand, .context = &search, .stats = &stats};
    heist_bulk_chain roots = {NULL, NULL, 0};
    if (!search.hands || !each)
        bench_fail("out of memory");
    memset(search.hands, 0, workers * sizeof(struct hand));
    int error =
        add_node(&search.hands[0], &roots, 0) ? heist_master_run(pool, &opts, &roots) : -ENOMEM;
    if (error)
        bench_fail("master: %s", strerror(-error));
    for (unsigned i = 0; i < workers; i++) {
        add_up(&search.hands[i], &e->found);
        e->idle += (double)each[i].idle_ns * 1e-9;
    }
    e->redistributions = stats.redistributions;
    e->moved = stats.moved;
    free(search.hands);
    free(each);
}
