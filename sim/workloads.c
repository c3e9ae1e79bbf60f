/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <stdlib.h>

#include "common.h"
#include "random.h"

static uint64_t all_tasks(const struct sim_setup *o) { return o->tasks; }

static void start_all(struct sim *s)
{
    for (unsigned i = 0; i < s->setup->workers; i++)
        sim_schedule(s, i, 0);
}

/* ---- Trees, and tasks that come from outside: trees of one ---- */

static void begin(struct sim *s, struct worker *w, struct task *task, sim_time cost)
{
    sim_set_idle(s, w, false);
    sim_begin(s, task);
    w->current = task;
    sim_schedule(s, w->number, cost + tree_work(&s->tree, task->node.first, sim_cost(s, SIM_WORK)));
}

/* The task is done, and with it all above it that waited for just that. What the joins cost. */
static sim_time join(struct sim *s, struct task *task)
{
    sim_time cost = 0;
    while (task) {
        struct task *parent = task->parent;
        sim_free_task(s, task);
        if (!parent || --parent->pending)
            break;
        cost += sim_cost(s, SIM_JOIN);
        task = parent;
    }
    return cost;
}

/* Its own newest, or somebody else's oldest. */
static void find_task(struct sim *s, struct worker *w)
{
    struct task *task = sim_get(s, w);
    sim_set_idle(s, w, !task);
    if (task)
        begin(s, w, task, sim_cost(s, SIM_GET) + sim_disturbance(w));
    else
        sim_steal(s, w);
}

/* All but the last are forked, the last is called. */
static void fork_children(struct sim *s, struct worker *w, const struct tree_node *children,
                          unsigned n)
{
    struct task *task = w->current;
    sim_time cost = n > 1 ? sim_disturbance(w) : 0;
    task->pending = n;
    for (unsigned i = 0; i < n - 1; i++)
        cost += sim_put(s, w, sim_new_task(s, children[i], task));
    begin(s, w, sim_new_task(s, children[n - 1], task), cost);
}

static void act_on_task(struct sim *s, struct worker *w)
{
    struct tree_node children[TREE_CHILDREN_MOST];
    if (!w->current) {
        find_task(s, w);
        return;
    }
    unsigned n = tree_children(&s->tree, w->current->node, children);
    s->ended++;
    if (n) {
        fork_children(s, w, children, n);
        return;
    }
    sim_time cost = join(s, w->current);
    w->current = NULL;
    if (s->ended == s->setup->tasks) {
        s->now = sim_after(s, cost);
        s->is_over = true;
    } else {
        sim_schedule(s, w->number, cost);
    }
}

/* The first is run at once, the others are put into the thief's queue. */
static void tried_task(struct sim *s, struct worker *w, struct task **items, size_t n)
{
    sim_time cost = 0;
    if (!n) {
        sim_try_again(s, w);
        return;
    }
    for (size_t i = 1; i < n; i++)
        cost += sim_put(s, w, items[i]);
    begin(s, w, items[0], cost);
}

static void start_tree(struct sim *s)
{
    const struct tree_node root = {0, s->setup->tasks};
    sim_put(s, &s->workers[0], sim_new_task(s, root, NULL));
    start_all(s);
}

/* ---- Arrivals ---- */

enum { BURST = 16 /* tasks per worker */ };

static void arrive_at(struct sim *s, unsigned i, uint64_t number)
{
    struct worker *w = &s->workers[i];
    while (number-- > 0) {
        const struct tree_node node = {s->made++, 1};
        sim_put(s, w, sim_new_task(s, node, NULL));
    }
    sim_wake(s, w);
}

/* The mean time from one arrival to the next, if each brings so many tasks. */
static sim_time interval(const struct sim *s, uint64_t tasks)
{
    return tasks * sim_cost(s, SIM_WORK) * 100 / (s->setup->load * (uint64_t)s->setup->workers);
}

static void start_arrivals(struct sim *s)
{
    const unsigned n = s->setup->workers;
    s->shares = calloc(n, sizeof *s->shares);
    if (!s->shares)
        bench_fail("out of memory");
    /* Worker i gets 1/(i + 1) of what worker 0 gets. */
    for (unsigned i = 0; i < n; i++)
        s->shares[i] = (i ? s->shares[i - 1] : 0) + UINT32_MAX / (i + 1);
    sim_schedule(s, sim_outside(s), 0);
    start_all(s);
}

static void arrive_skewed(struct sim *s)
{
    uint64_t random = sim_below(&s->random, s->shares[s->setup->workers - 1]);
    unsigned i = 0;
    while (random >= s->shares[i])
        i++;
    arrive_at(s, i, 1);
    if (s->made < s->setup->tasks)
        sim_schedule(s, sim_outside(s), sim_spread(sim_next(&s->random), interval(s, 1)));
}

static void arrive_in_burst(struct sim *s)
{
    uint64_t n = (uint64_t)BURST * s->setup->workers, left = s->setup->tasks - s->made;
    arrive_at(s, (unsigned)sim_below(&s->random, s->setup->workers), n < left ? n : left);
    if (s->made < s->setup->tasks)
        sim_schedule(s, sim_outside(s), interval(s, n));
}

/* ---- The pool benchmark of BWoS, 6.2.3 ---- */

enum { PUTTING, GETTING, STEALING_SHARE };
enum { POOL_ROUNDS_LEAST = 4, POOL_LOOKS_PER_QUEUE = 16 /* in vain, as heist bench pool */ };

static uint64_t pool_rounds(const struct sim_setup *o)
{
    uint64_t rounds = o->tasks / (o->workers * (uint64_t)o->capacity);
    return rounds > POOL_ROUNDS_LEAST ? rounds : POOL_ROUNDS_LEAST;
}

static uint64_t pool_tasks(const struct sim_setup *o)
{
    return pool_rounds(o) * o->workers * o->capacity;
}

/* False: all have begun. */
static bool begin_round(struct sim *s, struct worker *w)
{
    if (!s->rounds)
        return false;
    s->rounds--;
    w->phase = PUTTING;
    w->left = s->setup->capacity;
    return true;
}

/* Not all at the same time: somewhere in the first round. */
static void start_pool(struct sim *s)
{
    const struct sim_setup *o = s->setup;
    sim_time round = o->capacity * (sim_cost(s, SIM_PUT) + sim_cost(s, SIM_GET) +
                                    sim_cost(s, SIM_NEAR) * o->balance / 100);
    s->rounds = pool_rounds(o) * o->workers;
    for (unsigned i = 0; i < o->workers; i++) {
        begin_round(s, &s->workers[i]);
        sim_schedule(s, i, sim_below(&s->random, round + 1));
    }
}

/* Whoever takes the last one ends it: only thieves are left, and there is nothing for them. */
static void take(struct sim *s, struct task *task)
{
    sim_begin(s, task);
    sim_free_task(s, task);
    s->is_over |= s->result.tasks == pool_tasks(s->setup);
}

/* As many rounds as there are in all, not each as many: in heist bench pool too who is fast has
   more of them. */
static void end_round(struct sim *s, struct worker *w)
{
    bool more = begin_round(s, w);
    sim_set_idle(s, w, !more);
    if (more)
        sim_schedule(s, w->number, 0);
}

static void put_one(struct sim *s, struct worker *w)
{
    const struct tree_node node = {s->made++, 1};
    sim_time cost = sim_disturbance(w) + sim_put(s, w, sim_new_task(s, node, NULL));
    if (!--w->left)
        w->phase = GETTING;
    sim_schedule(s, w->number, cost);
}

static void get_one(struct sim *s, struct worker *w)
{
    struct task *task = sim_get(s, w);
    sim_time cost = sim_cost(s, SIM_GET) + sim_disturbance(w);
    if (task) {
        take(s, task);
    } else {
        w->phase = STEALING_SHARE;
        w->in_vain = 0;
        w->left = s->setup->capacity * s->setup->balance / 100;
    }
    sim_schedule(s, w->number, cost);
}

static void act_in_pool(struct sim *s, struct worker *w)
{
    if (w->phase == PUTTING) {
        put_one(s, w);
    } else if (w->phase == GETTING) {
        get_one(s, w);
    } else if (w->left) {
        w->wants = w->left;
        sim_set_idle(s, w, true);
        sim_steal(s, w);
    } else {
        end_round(s, w);
    }
}

/* As in heist bench pool: each look at a queue is one, also at one that +prob then refuses. Who has
   looked in vain often enough gives up; or, if attempts are counted, one that gives nothing counts
   as what the batch takes of a queue that is half full. */
static void tried_in_pool(struct sim *s, struct worker *w, struct task **items, size_t n)
{
    const struct sim_setup *o = s->setup;
    uint64_t looks = o->free_refusals || !w->samples ? 1 : w->samples;
    uint64_t miss =
        o->counts_attempts ? heist_batch_items(o->batch, o->capacity / 2, sim_block(o)) : 0;
    uint64_t spent = (looks - 1) * miss + (n ? n : miss);
    for (size_t i = 0; i < n; i++)
        take(s, items[i]);
    w->left -= spent < w->left ? spent : w->left;
    w->in_vain = n ? 0 : w->in_vain + looks;
    if (!o->counts_attempts && w->in_vain >= (uint64_t)POOL_LOOKS_PER_QUEUE * o->workers)
        w->left = 0;
    act_in_pool(s, w);
}

/* ---- What came out ---- */

double sim_measure(const struct sim_setup *o, const struct sim_result *r)
{
    double us = (double)r->time / (1000.0 * SIM_NS), tasks = (double)r->tasks;
    switch (o->workload->measure) {
    case SIM_WAIT:
        return r->waited / (1000.0 * SIM_NS) / tasks;
    case SIM_THROUGHPUT:
        return 2 * tasks / us;
    default:
        return tasks * (double)o->costs.of[SIM_WORK] / (double)r->time;
    }
}

double sim_goodness(enum sim_measure measure, double value)
{
    return measure == SIM_WAIT ? 1 / value : value;
}

const struct sim_workload sim_workloads[] = {
    {"fib", "a tree of forks like that of fib: every task has two children", SIM_SPEEDUP, TREE_FIB,
     true, 0, all_tasks, start_tree, act_on_task, tried_task, NULL},
    {"unbalanced", "a tree of one to four children of any size, tasks of any length", SIM_SPEEDUP,
     TREE_UNBALANCED, true, 0, all_tasks, start_tree, act_on_task, tried_task, NULL},
    {"skewed", "tasks from outside, worker i gets 1/(i+1) of what worker 0 gets", SIM_WAIT,
     TREE_LEAVES, true, 0, all_tasks, start_arrivals, act_on_task, tried_task, arrive_skewed},
    {"bursts", "16 tasks per worker at once, all to one worker by chance", SIM_WAIT, TREE_LEAVES,
     true, 0, all_tasks, start_arrivals, act_on_task, tried_task, arrive_in_burst},
    {"pool", "BWoS 6.2.3: all put until full, get until empty, then steal from the others",
     SIM_THROUGHPUT, TREE_LEAVES, false, HEIST_VICTIM_KEEP, pool_tasks, start_pool, act_in_pool,
     tried_in_pool, NULL},
    {.name = NULL},
};
