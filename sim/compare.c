/* SPDX-License-Identifier: MIT */
/*
 * How wrong the simulator is: the same trees, on the runtime and the machine at hand. Of the machine only
 * the length of a task is measured, by a serial run of the tree; all else is the table of costs.
 */
#include <heist/heist.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "random.h"

/* The tree that runs. */
static struct tree tree;
static uint64_t times; /* of mixing, for a task of mean length */

struct branch {
    struct tree_node node;
    uint64_t done; /* tasks below, and itself */
};

static volatile uint64_t mixed; /* so that the work is not left out */

static unsigned work_on(struct tree_node node, struct tree_node *children)
{
    mixed = mix_often(node.first, tree_work(&tree, node.first, times));
    return tree_children(&tree, node, children);
}

static void run_serial(struct branch *b)
{
    struct tree_node children[TREE_CHILDREN_MOST];
    unsigned n = work_on(b->node, children);
    b->done = 1;
    for (unsigned i = 0; i < n; i++) {
        struct branch child = {children[i], 0};
        run_serial(&child);
        b->done += child.done;
    }
}

static void run_forked(heist_worker *w, void *arg)
{
    struct branch *b = arg, branches[TREE_CHILDREN_MOST];
    struct tree_node children[TREE_CHILDREN_MOST];
    heist_task tasks[TREE_CHILDREN_MOST];
    unsigned n = work_on(b->node, children);
    for (unsigned i = 0; i < n; i++) {
        branches[i] = (struct branch){children[i], 0};
        if (i < n - 1)
            heist_fork(w, &tasks[i], run_forked, &branches[i]);
        else
            run_forked(w, &branches[i]);
    }
    b->done = 1;
    for (unsigned i = n; i-- > 0;) {
        if (i < n - 1)
            heist_join(w, &tasks[i]);
        b->done += branches[i].done;
    }
}

/* ---- Times ---- */

static void check_count(const struct branch *root)
{
    if (root->done != root->node.size)
        bench_fail("the runtime did %" PRIu64 " tasks of %" PRIu64, root->done, root->node.size);
}

static double time_serial(uint64_t tasks)
{
    struct branch root = {{0, tasks}, 0};
    uint64_t began = clock_ns();
    run_serial(&root);
    uint64_t ended = clock_ns();
    check_count(&root);
    return (double)(ended - began);
}

/* A pool of its own for each run: what it does at first and at last is not measured. */
static double time_on_pool(const struct sim_point *p, const struct sim_entrant *e, uint64_t tasks)
{
    struct branch root = {{0, tasks}, 0}, warm = {{0, tasks / 10 + 1}, 0};
    heist_pool_opts opts = {.size = sizeof opts,
                            .workers = p->workers,
                            .victim = heist_victim_name(&e->policy),
                            .batch = heist_batch_name(e->batch)};
    heist_pool *pool;
    int error = heist_pool_new(&pool, &opts);
    if (!error)
        error = heist_run(pool, run_forked, &warm);
    uint64_t began = clock_ns();
    if (!error)
        error = heist_run(pool, run_forked, &root);
    uint64_t ended = clock_ns();
    if (error || heist_pool_free(pool))
        bench_fail("the runtime fails with %u workers: %s", p->workers, strerror(-error));
    check_count(&root);
    return (double)(ended - began);
}

static uint64_t times_for(sim_time work)
{
    enum { MANY = 2000000 };
    uint64_t began = clock_ns();
    mixed = mix_often(began, MANY);
    double ns = (double)(clock_ns() - began) / MANY;
    return (uint64_t)((double)work / SIM_NS / ns) + 1;
}

/* ---- The comparison ---- */

/* Of one round: the same tree in all three. */
struct trial {
    double task; /* by the serial run; all in ns */
    double real, simulated;
};

static struct trial hold(const struct sim_options *o, const struct sim_point *p,
                         const struct sim_entrant *e, unsigned round)
{
    struct sim_setup s = sim_setup_of(o, p, e);
    struct trial t;
    s.seed += round;
    tree = (struct tree){p->workload->shape, s.seed};
    t.task = time_serial(s.tasks) / (double)s.tasks;
    t.real = time_on_pool(p, e, s.tasks);
    s.costs.of[SIM_WORK] = (sim_time)(t.task * SIM_NS);
    t.simulated = (double)sim_run(&s).time / SIM_NS;
    return t;
}

static double error_of(const struct trial *t) { return 100 * (t->simulated / t->real - 1); }

static void print_trials(FILE *f, const struct sim_options *o, const struct sim_point *p,
                         const struct sim_entrant *e, const struct trial *trials)
{
    double *values = NULL;
    struct summary of[4];
    char name[32];
    for (int column = 0; column < 4; column++) {
        for (unsigned i = 0; i < o->rounds; i++) {
            const struct trial *t = &trials[i];
            values = column ? values : bench_grow(values, i, sizeof *values);
            values[i] = column == 0   ? t->task
                        : column == 1 ? t->real / 1e6
                        : column == 2 ? t->simulated / 1e6
                                      : error_of(t);
        }
        of[column] = bench_summarize(values, o->rounds);
    }
    free(values);
    fprintf(f, "%-11s %-20s %7u %9.1f %10.3f %10.3f %8.1f  %.1f to %.1f\n", p->workload->name,
            sim_entrant_name(e, name), p->workers, of[0].median, of[1].median, of[2].median,
            of[3].median, of[3].min, of[3].max);
}

static void write_csv(FILE *f, const struct sim_options *o, const struct sim_point *p,
                      const struct sim_entrant *e, const struct trial *trials)
{
    for (unsigned i = 0; i < o->rounds; i++)
        fprintf(f, "%s,%u,%s,%s,%u,%.3f,%.0f,%.0f,%.2f\n", p->workload->name, p->workers,
                heist_victim_name(&e->policy), heist_batch_name(e->batch), i + 1, trials[i].task,
                trials[i].real, trials[i].simulated, error_of(&trials[i]));
}

void sim_compare(const struct sim_options *o, FILE *csv)
{
    size_t n = o->points_n * o->entrants_n;
    struct trial *trials = malloc(n * o->rounds * sizeof *trials);
    FILE *table = bench_is_stdout(o->csv) ? NULL : stdout;
    uint64_t began = clock_ns();
    if (!trials)
        bench_fail("out of memory");
    bench_machine_begin();
    times = times_for(o->setup.costs.of[SIM_WORK]);
    for (unsigned round = 0; round < o->rounds; round++) /* all take turns */
        for (size_t i = 0; i < n; i++) {
            char line[32];
            const struct sim_point *p = &o->points[i / o->entrants_n];
            snprintf(line, sizeof line, "round %u of %u", round + 1, o->rounds);
            bench_show_progress((double)(round * n + i) / (double)(o->rounds * n), began,
                                p->workload->name, line);
            trials[i * o->rounds + round] = hold(o, p, &o->entrants[i % o->entrants_n], round);
        }
    bench_clear_progress();
    bench_machine_end();
    if (csv)
        fputs("workload,workers,policy,batch,round,task_ns,real_ns,simulated_ns,error_percent\n",
              csv);
    if (table)
        fprintf(table, "%-11s %-20s %7s %9s %10s %10s %8s  %s\n", "workload", "policy, batch",
                "workers", "task ns", "real ms", "sim. ms", "error %", "errors of all rounds, %");
    for (size_t i = 0; i < n; i++) {
        const struct sim_point *p = &o->points[i / o->entrants_n];
        const struct sim_entrant *e = &o->entrants[i % o->entrants_n];
        if (csv)
            write_csv(csv, o, p, e, &trials[i * o->rounds]);
        if (table)
            print_trials(table, o, p, e, &trials[i * o->rounds]);
    }
    free(trials);
    if (csv)
        bench_write_csv_machine(csv);
    if (table) {
        fputc('\n', table);
        bench_print_machine(table);
    }
}
