/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum {
    WORKLOAD,
    POLICY,
    BATCH,
    QUEUE,
    TOPOLOGY,
    WORKERS,
    PIN,
    TASKS,
    BALANCE,
    COUNT,
    FREE,
    LOAD,
    CAPACITY,
    BLOCK,
    TRIES,
    COST,
    SEED,
    ROUNDS,
    COMPARE,
    CSV,
    PLOT,
    HELP,
    OPTIONS
};

#define DEFAULT_MACHINE "pack:2 l3:2 core:22 pu:1"

static const struct bench_option options[OPTIONS] = {
    [WORKLOAD] = {"--workload", "LIST", "workloads, of those below; default: all"},
    [POLICY] = {"--policy", "LIST", "victim policies, of those below; default: all"},
    [BATCH] = {"--batch", "LIST", "how much a thief takes: one, half, block; default: one"},
    [QUEUE] = {"--queue", "LIST", "kinds of queues: heist, blocks, deque; default: heist"},
    [TOPOLOGY] = {"--topology", "DESCRIPTION",
                  "the machine, as hwloc describes it, or an .xml file of lstopo"},
    [WORKERS] = {"--workers", "LIST", "numbers of workers; default: one per CPU"},
    [PIN] = {"--pin", "HOW", "where workers are: compact (default) or spread"},
    [TASKS] = {"--tasks", "N", "tasks; default: 100000, with --compare 2000"},
    [BALANCE] = {"--balance", "LIST", "pool: % of the capacity to steal in a round; default: 100"},
    [COUNT] = {"--count", "NAME",
               "pool: what makes up that: items (default), or attempts in vain too"},
    [FREE] = {"--free-refusals", NULL, "pool, with attempts: what +prob refuses is none"},
    [LOAD] = {"--load", "PERCENT", "skewed, bursts: of what all workers can do; default: 80"},
    [CAPACITY] = {"--capacity", "N", "items that a queue holds, for +prob and pool; default: 1024"},
    [BLOCK] = {"--block", "N", "items in a block; default: an eighth of the capacity"},
    [TRIES] = {"--tries", "N", "attempts in vain before a worker sleeps; default: 2000"},
    [COST] = {"--cost", "NAME=NS,...", "change costs, of those below (repeatable)"},
    [SEED] = {"--seed", "N", "of the first round; the next have the next ones; default: 1"},
    [ROUNDS] = {"--rounds", "N", "rounds; default: 3, with --compare 200"},
    [COMPARE] = {"--compare", NULL, "the same trees on the real runtime, here, and the error"},
    [CSV] = {"--csv", "FILE", "write the rows as CSV; -: to stdout, instead of the tables"},
    [PLOT] = {"--plot", "DIR", "draw plots with gnuplot, SVG, into DIR"},
    [HELP] = {"--help", NULL, "show this"},
};

static _Noreturn void help(void)
{
    printf(
        "usage: " SIM_TOOL " [OPTION]...\n\n"
        "Simulates work stealing on machines of up to 1024 CPUs: the library's own policies, on "
        "workers\n"
        "and queues that are only numbers. Equal options give equal results. Exit status: 0; 1 if "
        "a\n"
        "simulation lost or repeated a task, or took too long; 2 for bad arguments.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nThe machine is \"" DEFAULT_MACHINE "\" unless --topology says another; without hwloc "
           "it is the one at\nhand.\n");
    printf("\nWorkloads:\n");
    for (const struct sim_workload *w = sim_workloads; w->name; w++)
        printf("  %-11s %s\n", w->name, w->about);
    printf("\nPolicies:");
    for (const char *const *name = heist_victim_names(); *name; name++)
        printf(" %s", *name);
    printf("\n\nCosts, in ns:\n");
    for (const struct sim_cost_entry *c = sim_cost_table; c->name; c++)
        printf("  %-15s %6.10g  %s\n", c->name, (double)c->time / SIM_NS, c->about);
    printf("\nExamples:\n"
           "  " SIM_TOOL " --workload pool --queue blocks --policy random,numa,numa+prob\n"
           "  " SIM_TOOL " --workload fib --topology \"pack:16 l3:4 core:16 pu:1\" --tasks 1000000 "
           "--workers 8,64,1024\n"
           "  " SIM_TOOL " --workload bursts --batch one,half,block --cost far=500,pause=50\n"
           "  " SIM_TOOL
           " --workload pool --queue blocks --balance 0,25,50,100 --plot plots --csv pool.csv\n"
           "  " SIM_TOOL " --compare\n\n"
           "The model, its limits and its error: docs/simulator.md.\n");
    exit(fflush(stdout) || ferror(stdout) ? EXIT_FAILED : 0);
}

/* ---- Lists ---- */

struct lists {
    const struct sim_workload **workloads;
    size_t workloads_n;
    heist_victim_policy *policies;
    size_t policies_n;
    struct numbers batches, queues, workers, balances;
    unsigned cpus;
    struct sim_costs *costs;
};

static void add_new_number(struct numbers *list, const char *option, const char *word, uint64_t n)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == n)
            bench_usage_error("%s: '%s' is named twice", option, word);
    bench_add_number(list, n);
}

static void add_workload(void *context, const char *option, char *word)
{
    struct lists *l = context;
    const struct sim_workload *w = sim_workloads;
    while (w->name && strcmp(w->name, word))
        w++;
    if (!w->name)
        bench_usage_error("%s '%s': no such workload; there are %s", option, word,
                          BENCH_ALL_NAMES(sim_workloads));
    for (size_t i = 0; i < l->workloads_n; i++)
        if (l->workloads[i] == w)
            bench_usage_error("%s: '%s' is named twice", option, word);
    l->workloads = bench_grow(l->workloads, l->workloads_n, sizeof *l->workloads);
    l->workloads[l->workloads_n++] = w;
}

static void add_policy(void *context, const char *option, char *word)
{
    struct lists *l = context;
    heist_victim_policy policy;
    if (heist_victim_parse(word, &policy))
        bench_usage_error("%s '%s': no such policy; there are %s", option, word,
                          BENCH_ALL_NAMES(heist_victim_names()));
    for (size_t i = 0; i < l->policies_n; i++)
        if (l->policies[i].rule == policy.rule && l->policies[i].prob == policy.prob)
            bench_usage_error("%s: '%s' is named twice", option, word);
    l->policies = bench_grow(l->policies, l->policies_n, sizeof *l->policies);
    l->policies[l->policies_n++] = policy;
}

static void add_batch(void *context, const char *option, char *word)
{
    enum heist_batch batch;
    if (heist_batch_parse(word, &batch))
        bench_usage_error("%s '%s': no such batch; there are %s", option, word,
                          BENCH_ALL_NAMES(heist_batch_names()));
    add_new_number(&((struct lists *)context)->batches, option, word, batch);
}

static void add_queue(void *context, const char *option, char *word)
{
    uint64_t i = 0;
    while (sim_queue_names[i] && strcmp(sim_queue_names[i], word))
        i++;
    if (!sim_queue_names[i])
        bench_usage_error("%s '%s': no such queue; there are %s", option, word,
                          BENCH_ALL_NAMES(sim_queue_names));
    add_new_number(&((struct lists *)context)->queues, option, word, i);
}

static void add_workers(void *context, const char *option, char *word)
{
    struct lists *l = context;
    uint64_t n = bench_read_number(option, word, 1, SIM_WORKERS_MOST);
    if (n > l->cpus)
        bench_usage_error("%s '%s': the machine has %u CPUs; --topology describes another", option,
                          word, l->cpus);
    add_new_number(&l->workers, option, word, n);
}

static void add_balance(void *context, const char *option, char *word)
{
    add_new_number(&((struct lists *)context)->balances, option, word,
                   bench_read_number(option, word, 0, 100));
}

static void add_cost(void *context, const char *option, char *word)
{
    enum sim_cost_error error = sim_costs_set(context, word);
    if (error == SIM_COST_UNKNOWN)
        bench_usage_error("%s '%s': not NAME=NS, where NAME is of %s", option, word,
                          BENCH_ALL_NAMES(sim_cost_table));
    if (error)
        bench_usage_error("%s '%s': not nanoseconds from 0 to %d, with three digits behind a point "
                          "at most",
                          option, word, SIM_COST_MOST_NS);
}

/* What was given, or else all of such an array. */
static void read_list(struct lists *l, int option, char *text, const void *array, size_t size,
                      void (*add)(void *, const char *, char *))
{
    if (text)
        bench_read_list(l, options[option].name, text, add);
    else
        for (const char *at = array, *name; (name = *(const char *const *)(const void *)at);
             at += size)
            add(l, "", (char *)name);
}

/* ---- The machine ---- */

static void open_machine(struct sim_options *o, bool given)
{
    int error = heist_topology_new(&o->topology, o->description);
    if (error == -ENOSYS && !given) { /* without hwloc there is but the machine at hand */
        o->description = NULL;
        error = heist_topology_new(&o->topology, NULL);
    }
    if (error == -ENOSYS)
        bench_usage_error("--topology '%s': this heist was built without hwloc", o->description);
    if (error == -EINVAL)
        bench_usage_error(
            "--topology '%s': hwloc does not accept it, or it has more than 8192 CPUs; an "
            "example is \"" DEFAULT_MACHINE "\"",
            o->description);
    if (error)
        bench_fail("out of memory");
    unsigned n = heist_topology_cpus(o->topology);
    if (n > SIM_WORKERS_MOST)
        n = SIM_WORKERS_MOST;
    o->cpus = malloc(n * sizeof *o->cpus);
    if (!o->cpus)
        bench_fail("out of memory");
}

/* ---- What follows from all ---- */

static void make_entrants(struct sim_options *o, const struct lists *l)
{
    for (size_t i = 0; i < l->policies_n; i++)
        for (size_t j = 0; j < l->batches.n; j++) {
            o->entrants = bench_grow(o->entrants, o->entrants_n, sizeof *o->entrants);
            o->entrants[o->entrants_n++] =
                (struct sim_entrant){l->policies[i], (enum heist_batch)l->batches.at[j]};
        }
}

static void add_point(struct sim_options *o, struct sim_point p)
{
    o->points = bench_grow(o->points, o->points_n, sizeof *o->points);
    o->points[o->points_n++] = p;
}

static void make_points(struct sim_options *o, const struct lists *l)
{
    for (size_t i = 0; i < l->workloads_n; i++)
        for (size_t q = 0; q < l->queues.n; q++)
            for (size_t w = 0; w < l->workers.n; w++) {
                struct sim_point p = {l->workloads[i], (enum sim_queue)l->queues.at[q],
                                      (unsigned)l->workers.at[w], 0};
                if (p.workload->measure != SIM_THROUGHPUT)
                    add_point(o, p);
                for (size_t b = 0; p.workload->measure == SIM_THROUGHPUT && b < l->balances.n;
                     b++) {
                    p.balance = (unsigned)l->balances.at[b];
                    add_point(o, p);
                }
            }
}

static void free_lists(struct lists *l)
{
    free(l->workloads);
    free(l->policies);
    free((void *)l->batches.at);
    free((void *)l->queues.at);
    free((void *)l->workers.at);
    free((void *)l->balances.at);
}

/* What only simulations have; a comparison is of one policy, on the machine at hand. */
static void check_compare(char *const *given)
{
    static const int others[] = {QUEUE, TOPOLOGY, PIN,      BALANCE, COUNT,
                                 FREE,  LOAD,     CAPACITY, BLOCK,   PLOT};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (given[others[i]])
            bench_usage_error("%s does not go with --compare", options[others[i]].name);
}

static void check_trees(const struct lists *l)
{
    for (size_t i = 0; i < l->batches.n; i++)
        if (l->batches.at[i] != HEIST_BATCH_ONE)
            bench_usage_error("--batch '%s' does not go with --compare: the runtime steals forks "
                              "one by one",
                              heist_batch_name((enum heist_batch)l->batches.at[i]));
    for (size_t i = 0; i < l->workloads_n; i++)
        if (l->workloads[i]->measure != SIM_SPEEDUP)
            bench_usage_error("--workload '%s' does not go with --compare, which is for trees",
                              l->workloads[i]->name);
}

static bool counts_attempts(const char *name)
{
    bool attempts = !strcmp(name, "attempts");
    if (!attempts && strcmp(name, "items"))
        bench_usage_error("--count '%s': it is items or attempts", name);
    return attempts;
}

static void check(const struct sim_options *o)
{
    const struct sim_setup *s = &o->setup;
    if (s->block > s->capacity)
        bench_usage_error("--block '%zu': more than the capacity, %zu", s->block, s->capacity);
    if (o->plot && !bench_find_program("gnuplot"))
        bench_usage_error(
            "--plot '%s': gnuplot is not installed (Debian: apt-get install gnuplot-nox)", o->plot);
}

void sim_read_options(struct sim_options *o, int argc, char **argv)
{
    static const char *const one[] = {"one", NULL}, *const heist[] = {"heist", NULL},
                             *const random_only[] = {"random", NULL},
                             *const trees[] = {"fib", "unbalanced", NULL};
    char *given[OPTIONS] = {NULL};
    struct lists l = {.workloads = NULL};
    memset(o, 0, sizeof *o);
    o->setup.costs = sim_costs_default();
    for (int i = 1; i < argc; i++) {
        char *value;
        int option = bench_next_option(options, OPTIONS, argv, &i, &value);
        if (option == HELP)
            help();
        if (option == COST)
            bench_read_list(&o->setup.costs, options[COST].name, value, add_cost);
        given[option] = value;
    }
    o->compare = given[COMPARE];
    if (o->compare)
        check_compare(given);

#define NUMBER(option, unless_given, least, most)                                        \
    (given[option] ? bench_read_number(options[option].name, given[option], least, most) \
                   : (unless_given))

    o->pin = HEIST_PIN_COMPACT;
    if (given[PIN] && (heist_pin_parse(given[PIN], &o->pin) || o->pin == HEIST_PIN_NONE))
        bench_usage_error("--pin '%s': not compact or spread", given[PIN]);
    o->description = given[TOPOLOGY] ? given[TOPOLOGY] : o->compare ? NULL : DEFAULT_MACHINE;
    o->setup.tasks = NUMBER(TASKS, o->compare ? 2000 : 100000, 1, 100000000);
    o->setup.counts_attempts = given[COUNT] && counts_attempts(given[COUNT]);
    o->setup.free_refusals = given[FREE];
    if (o->setup.free_refusals && !o->setup.counts_attempts)
        bench_usage_error("--free-refusals needs --count attempts");
    o->setup.load = (unsigned)NUMBER(LOAD, 80, 1, 1000);
    o->setup.capacity = NUMBER(CAPACITY, 1024, 1, 1 << 20);
    o->setup.block = NUMBER(BLOCK, (o->setup.capacity + 7) / 8, 1, 1 << 20);
    o->setup.tries = (unsigned)NUMBER(TRIES, 2000, 1, 1000000000);
    o->setup.seed = NUMBER(SEED, 1, 0, INT64_MAX);
    o->rounds = (unsigned)NUMBER(ROUNDS, o->compare ? 200 : 3, 1, 1000);
    o->csv = given[CSV];
    o->plot = given[PLOT];
    check(o);

#define LIST(option, add, array) read_list(&l, option, given[option], array, sizeof *(array), add)

    if (o->compare) {
        LIST(WORKLOAD, add_workload, trees);
        LIST(POLICY, add_policy, random_only);
    } else {
        LIST(WORKLOAD, add_workload, sim_workloads);
        LIST(POLICY, add_policy, heist_victim_names());
    }
    LIST(BATCH, add_batch, one);
    LIST(QUEUE, add_queue, heist);
    if (given[BALANCE])
        bench_read_list(&l, options[BALANCE].name, given[BALANCE], add_balance);
    else
        bench_add_number(&l.balances, 100);
    open_machine(o, given[TOPOLOGY]);
    l.cpus = heist_topology_cpus(o->topology);
    if (o->compare)
        check_trees(&l);
    if (given[WORKERS])
        bench_read_list(&l, options[WORKERS].name, given[WORKERS], add_workers);
    else if (o->compare && l.cpus > 1)
        bench_read_list(&l, "", (char[]){"1,2"}, add_workers);
    else if (l.cpus <= SIM_WORKERS_MOST)
        bench_add_number(&l.workers, l.cpus);
    else
        bench_usage_error("--topology '%s': %u CPUs; --workers must say how many of them, 1024 at "
                          "most",
                          o->description, l.cpus);
    make_entrants(o, &l);
    make_points(o, &l);
    free_lists(&l);
    o->setup.topology = o->topology;
}

void sim_free_options(struct sim_options *o)
{
    heist_topology_free(o->topology);
    free(o->cpus);
    free(o->entrants);
    free(o->points);
}
