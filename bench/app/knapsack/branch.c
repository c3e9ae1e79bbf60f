/* SPDX-License-Identifier: MIT */
#include "branch.h"

static bool is_hopeless(const struct search *search, struct state state, unsigned item)
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
enum branched branch(struct search *search, struct diagram *d, struct state from, unsigned item)
{
    const struct instance *k = search->instance;
    heist_master_bound *best = &search->best;
    size_t number = 0;
    if (is_hopeless(search, from, item))
        return SOLVED;
    heist_master_bound_raise(
        best, diagram_compile(d, k, RESTRICTED, item, from, heist_master_bound_get(best)));
    if (d->is_exact)
        return SOLVED;
    int64_t bound = diagram_compile(d, k, RELAXED, item, from, heist_master_bound_get(best));
    if (bound <= heist_master_bound_get(best))
        return CLOSED;
    /* A better bound since then may have made it exact: then its longest path is a solution. */
    if (d->is_exact) {
        heist_master_bound_raise(best, bound);
        return SOLVED;
    }
    for (size_t i = 0; i < d->cut_number; i++)
        if (!is_hopeless(search, d->cut[i], d->cut_item))
            d->cut[number++] = d->cut[i];
    d->cut_number = number;
    return number ? CUT : SOLVED;
}
