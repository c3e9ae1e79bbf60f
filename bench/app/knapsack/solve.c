/* SPDX-License-Identifier: MIT */
#include "solve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diagram.h"

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

struct search {
    const struct instance *instance;
    struct hand *hands;
    heist_master_bound best;
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

static bool is_hopeless(struct search *search, struct state state, unsigned item)
{
    return state.profit + instance_bound(search->instance, item, state.capacity) <=
           heist_master_bound_get(&search->best);
}

/*
 * The restricted diagram first: it raises the bound for everybody, and if it left out nothing, all
 * is said. Then the relaxed one: if even that is no better than the bound, nothing here is. Else
 * each node of its last exact layer is a subproblem, and together they have all solutions that this
 * one has.
 */
static int branch(struct search *search, struct hand *h, const struct subproblem *s,
                  heist_bulk_chain *batch)
{
    const struct instance *k = search->instance;
    struct diagram *d = &h->diagram;
    int error = 0;
    if (is_hopeless(search, s->state, s->item))
        return 0;
    heist_master_bound_raise(&search->best, diagram_compile(d, k, RESTRICTED, s->item, s->state,
                                                            heist_master_bound_get(&search->best)));
    if (d->is_exact)
        return 0;
    int64_t bound =
        diagram_compile(d, k, RELAXED, s->item, s->state, heist_master_bound_get(&search->best));
    if (bound <= heist_master_bound_get(&search->best)) {
        h->closed++;
        return 0;
    }
    /* A better bound since then may have made it exact: then its longest path is a solution. */
    if (d->is_exact) {
        heist_master_bound_raise(&search->best, bound);
        return 0;
    }
    for (size_t i = 0; i < d->cut_number && !error; i++)
        if (!is_hopeless(search, d->cut[i], d->cut_item))
            error = add_subproblem(batch, d->cut[i], d->cut_item);
    return error;
}

static int expand(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                  void *context)
{
    struct search *search = context;
    int error = branch(search, &search->hands[heist_master_number(w)],
                       (const struct subproblem *)link, batch);
    free(link);
    return error;
}

static void drop(heist_bulk_node *link, void *context)
{
    (void)context;
    free(link);
}

static int run(struct search *search, heist_pool *pool, struct solution *solution)
{
    heist_master_stats stats = {.size = sizeof stats};
    const heist_master_opts opts = {
        .size = sizeof opts, .expand = expand, .drop = drop, .context = search, .stats = &stats};
    heist_bulk_chain roots = {NULL, NULL, 0};
    const struct state all = {search->instance->capacity, 0};
    int error = add_subproblem(&roots, all, 0);
    if (!error)
        error = heist_master_run(pool, &opts, &roots);
    if (roots.first)
        drop(roots.first, NULL); /* it has not begun */
    solution->profit = heist_master_bound_get(&search->best);
    solution->subproblems = stats.expanded;
    solution->redistributions = stats.redistributions;
    solution->moved = stats.moved;
    return error;
}

int solve(const struct instance *k, size_t width, heist_pool *pool, struct solution *solution)
{
    unsigned workers = heist_pool_workers(pool);
    struct search search = {.instance = k};
    int error = 0;
    search.hands = aligned_alloc(HEIST_LINE, workers * sizeof *search.hands);
    if (!search.hands)
        return -ENOMEM;
    heist_master_bound_init(&search.best, 0); /* nothing taken */
    memset(search.hands, 0, workers * sizeof *search.hands);
    for (unsigned i = 0; i < workers && !error; i++)
        error = diagram_init(&search.hands[i].diagram, width) ? 0 : -ENOMEM;
    if (!error)
        error = run(&search, pool, solution);
    solution->closed = 0;
    for (unsigned i = 0; i < workers; i++) {
        solution->closed += search.hands[i].closed;
        diagram_fini(&search.hands[i].diagram);
    }
    free(search.hands);
    return error;
}
