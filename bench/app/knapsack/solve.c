/* SPDX-License-Identifier: MIT */
#include "solve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "branch.h"

/* The items before `item` are decided. */
struct subproblem {
    heist_bulk_node link; /* first, so that a link is a subproblem */
    struct state state;
    unsigned item;
};

/* A worker's own. */
struct hand {
    struct diagram diagram;
    uint64_t closed;
} HEIST_ALIGNED;

struct solving {
    struct search search;
    struct hand *hands;
};

static int add_subproblem(heist_bulk_chain *batch, struct state state, unsigned item)
{
    struct subproblem *s = malloc(sizeof *s);
    if (!s)
        return -ENOMEM;
    s->state = state;
    s->item = item;
    heist_master_add(batch, &s->link);
    return 0;
}

static int expand(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                  void *context)
{
    struct solving *solving = context;
    struct hand *h = &solving->hands[heist_master_number(w)];
    const struct subproblem *s = (const struct subproblem *)link;
    enum branched branched = branch(&solving->search, &h->diagram, s->state, s->item);
    int error = 0;
    free(link);
    if (branched == CLOSED)
        h->closed++;
    for (size_t i = 0; branched == CUT && i < h->diagram.cut_number && !error; i++)
        error = add_subproblem(batch, h->diagram.cut[i], h->diagram.cut_item);
    return error;
}

static void drop(heist_bulk_node *link, void *context)
{
    (void)context;
    free(link);
}

static int run(struct solving *solving, heist_pool *pool, struct solution *solution)
{
    heist_master_stats stats = {.size = sizeof stats};
    const heist_master_opts opts = {
        .size = sizeof opts, .expand = expand, .drop = drop, .context = solving, .stats = &stats};
    heist_bulk_chain roots = {NULL, NULL, 0};
    const struct state all = {solving->search.instance->capacity, 0};
    int error = add_subproblem(&roots, all, 0);
    if (!error)
        error = heist_master_run(pool, &opts, &roots);
    if (roots.first)
        drop(roots.first, NULL); /* it has not begun */
    solution->profit = heist_master_bound_get(&solving->search.best);
    solution->subproblems = stats.expanded;
    solution->redistributions = stats.redistributions;
    solution->moved = stats.moved;
    return error;
}

int solve(const struct instance *k, size_t width, heist_pool *pool, struct solution *solution)
{
    unsigned workers = heist_pool_workers(pool);
    struct solving solving = {.search = {.instance = k}};
    int error = 0;
    solving.hands = aligned_alloc(HEIST_LINE, workers * sizeof *solving.hands);
    if (!solving.hands)
        return -ENOMEM;
    heist_master_bound_init(&solving.search.best, 0); /* nothing taken */
    memset(solving.hands, 0, workers * sizeof *solving.hands);
    for (unsigned i = 0; i < workers && !error; i++)
        error = diagram_init(&solving.hands[i].diagram, width) ? 0 : -ENOMEM;
    if (!error)
        error = run(&solving, pool, solution);
    solution->closed = 0;
    for (unsigned i = 0; i < workers; i++) {
        solution->closed += solving.hands[i].closed;
        diagram_fini(&solving.hands[i].diagram);
    }
    free(solving.hands);
    return error;
}
