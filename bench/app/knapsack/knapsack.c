/* SPDX-License-Identifier: MIT */
/* Branch and bound over decision diagrams: a subproblem is a task, and so are its parts. */
#include "knapsack.h"

#include "parallel.h"

/* Subproblems, all of the same items. */
struct some {
    struct search *search;
    const struct state *states;
    size_t number;
    unsigned item;
};

static void solve_some(par *p, void *arg);

static void solve_one(par *p, const struct some *only)
{
    struct diagram d;
    if (!diagram_init(&d, KNAPSACK_WIDTH))
        bench_fail("out of memory");
    if (branch(only->search, &d, *only->states, only->item) == CUT) {
        struct some next = {only->search, d.cut, d.cut_number, d.cut_item};
        solve_some(p, &next);
    }
    diagram_fini(&d);
}

/* The last first: they have used most of the capacity, and lead to good solutions soon. */
static void solve_some(par *p, void *arg)
{
    const struct some *some = arg;
    size_t half = some->number / 2;
    if (!half) {
        solve_one(p, some);
        return;
    }
    struct some left = {some->search, some->states, half, some->item};
    struct some right = {some->search, some->states + half, some->number - half, some->item};
    par_both(p, solve_some, &right, solve_some, &left);
}

/* One instance after the other. */
static void solve(par *p, void *arg)
{
    struct knapsack *job = arg;
    job->profit = allocate(job->instances, sizeof *job->profit);
    for (size_t i = 0; i < job->instances; i++) {
        struct search search = {.instance = job->instance[i]};
        const struct state nothing_taken = {job->instance[i]->capacity, 0};
        struct some all = {&search, &nothing_taken, 1, 0};
        heist_master_bound_init(&search.best, 0);
        solve_some(p, &all);
        job->profit[i] = heist_master_bound_get(&search.best);
    }
}

PROGRAM_SOLVED_BY(solve);
