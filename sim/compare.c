/* SPDX-License-Identifier: MIT */
/*
 * How wrong the simulator is: the same trees, on the runtime and the machine at hand. Of the
 * machine only the length of a task is measured, by serial runs of the tree, in CPU time; all else
 * is the table of costs. Where other programs run too, a round is mostly longer than it need be: it
 * is the least time of many short rounds that is compared.
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

/* What tasks find is summed up, so that no work is left out; nothing is shared by those that run at
   the same time, for a line that two workers write would be measured too. */
struct branch {
    struct tree_node node;
    uint64_t done, sum; /* of the tasks below, and itself */
};

static unsigned work_on(struct branch *b, struct branch *children)
{
    struct tree_node nodes[TREE_CHILDREN_MOST];
    uint64_t first = b->node.first;
    unsigned n = tree_children(&tree, b->node, nodes);
    b->done = 1;
    b->sum = mix_often(first, tree_work(&tree, first, times));
    for (unsigned i = 0; i < n; i++)
        children[i] = (struct branch){nodes[i], 0, 0};
    return n;
}

static void add(struct branch *b, const struct branch *child)
{
    b->done += child->done;
    b->sum += child->sum;
}

static void run_serial(struct branch *b)
{
    struct branch children[TREE_CHILDREN_MOST];
    unsigned n = work_on(b, children);
    for (unsigned i = 0; i < n; i++) {
        run_serial(&children[i]);
        add(b, &children[i]);
    }
}

static void run_forked(heist_worker *w, void *arg)
{
    struct branch *b = arg, children[TREE_CHILDREN_MOST];
    heist_task tasks[TREE_CHILDREN_MOST];
    unsigned n = work_on(b, children);
    for (unsigned i = 0; i + 1 < n; i++)
        heist_fork(w, &tasks[i], run_forked, &children[i]);
    if (n)
        run_forked(w, &children[n - 1]);
    for (unsigned i = n; i-- > 0;) {
        if (i + 1 < n)
            heist_join(w, &tasks[i]);
        add(b, &children[i]);
    }
}

/* ---- Times ---- */

/* Of the clock, and of the CPUs: on a machine with other work the second says what the first would
   be without it, as long as nobody sleeps. */
struct spent {
    double wall, cpu; /* ns */
};

static struct spent now(void)
{
    struct timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return (struct spent){(double)clock_ns(), 1e9 * (double)cpu.tv_sec + (double)cpu.tv_nsec};
}

static struct spent since(struct spent then)
{
    struct spent s = now();
    return (struct spent){s.wall - then.wall, s.cpu - then.cpu};
}

static struct spent time_serial(struct branch *root)
{
    struct spent began = now();
    run_serial(root);
    return since(began);
}

/* After a small tree, so that all workers are awake. */
static int run_warm(heist_pool *pool, struct branch *root, struct spent *spent, uint64_t *steals)
{
    struct branch small = {{0, root->node.size / 10 + 1}, 0, 0};
    heist_stats before, after;
    int error = heist_run(pool, run_forked, &small);
    if (error || (error = heist_pool_stats(pool, &before, NULL, 0)))
        return error;
    struct spent began = now();
    error = heist_run(pool, run_forked, root);
    *spent = since(began);
    if (error || (error = heist_pool_stats(pool, &after, NULL, 0)))
        return error;
    *steals = after.steals - before.steals;
    return 0;
}

static struct spent time_on_pool(const struct sim_point *p, const struct sim_entrant *e,
                                 struct branch *root, uint64_t *steals)
{
    struct spent spent;
    /* All that the environment could choose otherwise. */
    heist_pool_opts opts = {.size = sizeof opts,
                            .workers = p->workers,
                            .queue = "heist",
                            .victim = heist_victim_name(&e->policy),
                            .batch = heist_batch_name(e->batch),
                            .pin = "none"};
    heist_pool *pool;
    int error = heist_pool_new(&pool, &opts);
    if (error)
        bench_fail("no pool with %u workers: %s", p->workers, strerror(-error));
    error = run_warm(pool, root, &spent, steals);
    heist_pool_free(pool);
    if (error)
        bench_fail("the runtime fails with %u workers: %s", p->workers, strerror(-error));
    return spent;
}

static uint64_t times_for(sim_time work)
{
    enum { MANY = 2000000 };
    struct spent began = now();
    volatile uint64_t mixed = mix_often((uint64_t)began.wall, MANY);
    (void)mixed;
    return (uint64_t)((double)work / SIM_NS / (since(began).cpu / MANY)) + 1;
}

/* ---- The comparison ---- */

/* Of one round. */
struct trial {
    double task_ns, real_ms, cpu_ms; /* cpu_ms: of a worker */
    uint64_t steals;
};

static struct trial hold(const struct sim_options *o, const struct sim_point *p,
                         const struct sim_entrant *e)
{
    struct trial t;
    uint64_t tasks = o->setup.tasks;
    tree = (struct tree){p->workload->shape, o->setup.seed};
    struct branch serial = {{0, tasks}, 0, 0}, root = serial;
    t.task_ns = time_serial(&serial).cpu / (double)tasks;
    struct spent real = time_on_pool(p, e, &root, &t.steals);
    if (root.done != tasks || root.sum != serial.sum)
        bench_fail("the runtime did %" PRIu64 " tasks of %" PRIu64 ", or others", root.done, tasks);
    t.real_ms = real.wall / 1e6;
    t.cpu_ms = real.cpu / p->workers / 1e6;
    return t;
}

static double task_ns(const struct trial *t) { return t->task_ns; }

static double real_ms(const struct trial *t) { return t->real_ms; }

static double cpu_ms(const struct trial *t) { return t->cpu_ms; }

static struct summary summarize(const struct trial *trials, unsigned n,
                                double (*value)(const struct trial *))
{
    double *values = NULL;
    for (unsigned i = 0; i < n; i++) {
        values = bench_grow(values, i, sizeof *values);
        values[i] = value(&trials[i]);
    }
    struct summary s = bench_summarize(values, n);
    free(values);
    return s;
}

static const struct trial *least(const struct trial *trials, unsigned n)
{
    const struct trial *best = trials;
    for (const struct trial *t = trials; t != trials + n; t++)
        if (t->real_ms < best->real_ms)
            best = t;
    return best;
}

static struct sim_result simulate(const struct sim_options *o, const struct sim_point *p,
                                  const struct sim_entrant *e, double task)
{
    struct sim_setup s = sim_setup_of(o, p, e);
    s.costs.of[SIM_WORK] = (sim_time)(task * SIM_NS);
    return sim_run(&s);
}

static double percent_off(double simulated, double real) { return 100 * (simulated / real - 1); }

static void print_head(FILE *f, const struct sim_options *o)
{
    fprintf(f,
            "%u rounds. The error is that of the simulated time, against the least real one, and "
            "against the\nmedian of CPU time per worker. Steals: in the round with the least "
            "time.\n\n%-11s%-20s%2s%9s%12s%8s%9s%9s%9s%7s%8s%7s\n",
            o->rounds, "workload", "policy, batch", "n", "task ns", "least real", "median",
            "CPU ms", "sim ms", "error %", "% CPU", "steals", "sim");
}

static void print_trials(FILE *f, const struct sim_options *o, const struct sim_point *p,
                         const struct sim_entrant *e, const struct trial *trials)
{
    unsigned n = o->rounds;
    char name[32];
    double task = summarize(trials, n, task_ns).median, cpu = summarize(trials, n, cpu_ms).median;
    struct summary real = summarize(trials, n, real_ms);
    struct sim_result r = simulate(o, p, e, task);
    double simulated = (double)r.time / (1e6 * SIM_NS);
    fprintf(f, "%-11s%-20s%2u%9.1f%12.3f%8.3f%9.3f%9.3f%9.1f%7.1f%8" PRIu64 "%7" PRIu64 "\n",
            p->workload->name, sim_entrant_name(e, name), p->workers, task, real.min, real.median,
            cpu, simulated, percent_off(simulated, real.min), percent_off(simulated, cpu),
            least(trials, n)->steals, r.steals);
}

/* The simulated time is that with the round's own length of a task. */
static void write_csv(FILE *f, const struct sim_options *o, const struct sim_point *p,
                      const struct sim_entrant *e, const struct trial *trials)
{
    for (unsigned round = 0; round < o->rounds; round++) {
        const struct trial *t = &trials[round];
        struct sim_result r = simulate(o, p, e, t->task_ns);
        fprintf(f, "%s,%u,%s,%s,%u,%.3f,%.6f,%.6f,%.6f,%" PRIu64 ",%" PRIu64 "\n",
                p->workload->name, p->workers, heist_victim_name(&e->policy),
                heist_batch_name(e->batch), round + 1, t->task_ns, t->real_ms, t->cpu_ms,
                (double)r.time / (1e6 * SIM_NS), t->steals, r.steals);
    }
}

/* All take turns. */
static void hold_all(const struct sim_options *o, struct trial *trials, size_t n)
{
    uint64_t began = clock_ns();
    times = times_for(o->setup.costs.of[SIM_WORK]);
    for (unsigned round = 0; round < o->rounds; round++)
        for (size_t i = 0; i < n; i++) {
            const struct sim_point *p = &o->points[i / o->entrants_n];
            char line[32];
            snprintf(line, sizeof line, "round %u of %u", round + 1, o->rounds);
            bench_show_progress((double)(round * n + i) / (double)(o->rounds * n), began,
                                p->workload->name, line);
            trials[i * o->rounds + round] = hold(o, p, &o->entrants[i % o->entrants_n]);
        }
    bench_clear_progress();
}

void sim_compare(const struct sim_options *o, FILE *csv)
{
    size_t n = o->points_n * o->entrants_n;
    struct trial *trials = malloc(n * o->rounds * sizeof *trials);
    FILE *table = bench_is_stdout(o->csv) ? NULL : stdout;
    if (!trials)
        bench_fail("out of memory");
    bench_machine_begin();
    hold_all(o, trials, n);
    bench_machine_end();
    if (csv)
        fputs(
            "workload,workers,policy,batch,round,task_ns,real_ms,cpu_ms,sim_ms,steals,sim_steals\n",
            csv);
    if (table)
        print_head(table, o);
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
