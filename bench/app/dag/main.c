/* SPDX-License-Identifier: MIT */
/* Exploration of a large random graph, by master and workers, by plain work stealing, by one
   thread. */
#include <heist/pool.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "common.h"
#include "explore.h"

static const struct mode {
    const char *name;
    explore_fn *explore;
    bool needs_pool;
} modes[] = {
    {"serial", explore_serial, false},
    {"steal", explore_steal, true},
    {"master", explore_master, true},
};

enum { MODES = sizeof modes / sizeof *modes, NODES_MOST = 2000000000 };

struct options {
    struct dag_graph graph;
    const struct mode *modes[MODES];
    size_t number; /* of modes */
    uint64_t workers, degree, repeat;
    bool json;
};

/* ---- Options ---- */

enum option { WORKERS, MODE, NODES, COSTS, COST, BATCH, MEAN, SEED, REPEAT, JSON, HELP, OPTIONS };

static const struct bench_option options[OPTIONS] = {
    [WORKERS] = {"--workers", "N", "workers of the pool (as many as there are CPUs)"},
    [MODE] = {"--mode", "LIST", "master, steal, serial; several take turns (master)"},
    [NODES] = {"--nodes", "N", "nodes of the graph (2500000); the paper also has 300000000"},
    [COSTS] = {"--costs", "NAME", "even; or varied: each node's by 1 to 1000 (even)"},
    [COST] = {"--cost", "N",
              "turns of a loop, about a nanosecond each, in a node (even: 0, varied: 10)"},
    [BATCH] = {"--batch", "N",
               "successors of a node that has any (8, or the degree if that is more)"},
    [MEAN] = {"--degree", "N", "successors of a node on average (8, or the batch if that is less)"},
    [SEED] = {"--seed", "N", "of the graph (1)"},
    [REPEAT] = {"--repeat", "N", "a row for each (1)"},
    [JSON] = {"--json", NULL, "rows as JSON, instead of CSV"},
    [HELP] = {"--help", NULL, "this text"},
};

static void help(void)
{
    printf(
        "usage: dag [OPTION]...\n\n"
        "Explores a random graph from its root and prints a row for each run. Every node is "
        "claimed "
        "by a bit,\nand expanded once; ok says that those and no others were found that one thread "
        "finds, by number and\nchecksum.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nexamples:\n"
           "  dag --mode master,steal --workers 2 --repeat 7\n"
           "  dag --mode master,steal --workers 2 --repeat 7 --costs varied --batch 512\n"
           "  dag --mode master --nodes 300000000 --json\n\n"
           "Exit status 0; 1 if a result is wrong; 2 for bad input.\n");
    exit(0);
}

static void add_mode(void *context, const char *option, char *word)
{
    struct options *o = context;
    const struct mode *m = modes;
    while (m < modes + MODES && strcmp(m->name, word) != 0)
        m++;
    if (m == modes + MODES)
        bench_usage_error("%s '%s': it takes master, steal, serial", option, word);
    for (size_t i = 0; i < o->number; i++)
        if (o->modes[i] == m)
            bench_usage_error("%s: '%s' is named twice", option, word);
    o->modes[o->number++] = m;
}

static bool is_varied(const char *option, const char *word)
{
    if (strcmp(word, "even") != 0 && strcmp(word, "varied") != 0)
        bench_usage_error("%s '%s': it takes even, varied", option, word);
    return *word == 'v';
}

static void read_options(struct options *o, char **argv)
{
    struct dag_graph *g = &o->graph;
    bool has_cost = false, has_batch = false, has_degree = false;
    for (int i = 1; argv[i]; i++) {
        char *value;
        enum option which = (enum option)bench_next_option(options, OPTIONS, argv, &i, &value);
        const char *name = options[which].name;
        switch (which) {
        case WORKERS:
            o->workers = bench_read_number(name, value, 1, 1024);
            break;
        case MODE:
            bench_read_list(o, name, value, add_mode);
            break;
        case NODES:
            g->nodes = bench_read_number(name, value, 1, NODES_MOST);
            break;
        case COSTS:
            g->varies = is_varied(name, value);
            break;
        case COST:
            g->cost = (uint32_t)bench_read_number(name, value, 0, 1000000);
            has_cost = true;
            break;
        case BATCH:
            g->batch = (uint32_t)bench_read_number(name, value, 1, 1000000);
            has_batch = true;
            break;
        case MEAN:
            o->degree = bench_read_number(name, value, 1, 1000000);
            has_degree = true;
            break;
        case SEED:
            g->seed = bench_read_number(name, value, 0, UINT64_MAX);
            break;
        case REPEAT:
            o->repeat = bench_read_number(name, value, 1, 1000000);
            break;
        case JSON:
            o->json = true;
            break;
        default:
            help();
        }
    }
    if (!o->number)
        o->modes[o->number++] = &modes[MODES - 1];
    if (!has_cost && g->varies)
        g->cost = VARIED_COST;
    if (o->degree <= g->batch)
        return;
    if (has_batch && has_degree)
        bench_usage_error("--degree %llu is more than --batch %u", (unsigned long long)o->degree,
                          g->batch);
    if (has_batch)
        o->degree = g->batch;
    else
        g->batch = (uint32_t)o->degree; /* every node has some */
}

/* ---- Runs ---- */

static void make_graph(struct options *o)
{
    struct dag_graph *g = &o->graph;
    graph_shape(g, o->degree);
    g->claimed = malloc(graph_words(g) * sizeof *g->claimed);
    if (!g->claimed)
        bench_fail("out of memory");
}

struct time {
    double seconds, cpu; /* on the clock; of all threads */
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct exploration explore(const struct dag_graph *g, explore_fn *fn, heist_pool *pool,
                                  struct time *time)
{
    struct exploration e = {{0, 0}, 0, 0, 0};
    memset((void *)g->claimed, 0, graph_words(g) * sizeof *g->claimed);
    uint64_t begin = clock_ns();
    double cpu = cpu_seconds();
    fn(g, pool, &e);
    time->seconds = (double)(clock_ns() - begin) * 1e-9;
    time->cpu = cpu_seconds() - cpu;
    return e;
}

static void print_row(const struct options *o, const struct mode *m, uint64_t repeat,
                      struct time time, const struct exploration *e, bool ok)
{
    static const char csv[] =
        "dag,%s,%llu,%llu,%s,%u,%llu,%.6f,%.6f,%llu,%016llx,%s,%.6f,%llu,%llu\n";
    static const char json[] =
        "{\"program\": \"dag\", \"mode\": \"%s\", \"workers\": %llu, \"nodes\": %llu, "
        "\"costs\": \"%s\", \"batch\": %u, \"repeat\": %llu, \"seconds\": %.6f, \"cpu\": %.6f, "
        "\"count\": %llu, \"checksum\": \"%016llx\", \"ok\": \"%s\", \"idle\": %.6f, "
        "\"redistributions\": %llu, \"moved\": %llu}\n";
    typedef unsigned long long number;
    printf(o->json ? json : csv, m->name, (number)(m->needs_pool ? o->workers : 1),
           (number)o->graph.nodes, o->graph.varies ? "varied" : "even", o->graph.batch,
           (number)repeat, time.seconds, time.cpu, (number)e->found.nodes,
           (number)e->found.checksum, ok ? "yes" : "no", e->idle, (number)e->redistributions,
           (number)e->moved);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct options o = {
        .graph = {.nodes = 2500000, .seed = 1, .batch = DEGREE}, .degree = DEGREE, .repeat = 1};
    heist_pool *pool;
    bool all_ok = true;
    struct time time;
    (void)argc;
    bench_tool = "dag";
    read_options(&o, argv);
    make_graph(&o);
    const heist_pool_opts pool_opts = {.size = sizeof pool_opts, .workers = (unsigned)o.workers};
    int error = heist_pool_new(&pool, &pool_opts);
    if (error)
        bench_fail("no pool: %s", strerror(-error));
    o.workers = heist_pool_workers(pool);
    struct dag_graph free_of_cost = o.graph;
    free_of_cost.cost = 0;
    const struct found right = explore(&free_of_cost, explore_serial, NULL, &time).found;
    if (!o.json)
        printf("program,mode,workers,nodes,costs,batch,repeat,seconds,cpu,count,checksum,ok,idle,"
               "redistributions,moved\n");
    for (uint64_t i = 0; i < o.repeat; i++)
        for (size_t k = 0; k < o.number; k++) {
            const struct mode *m = o.modes[(k + i) % o.number];
            struct exploration e = explore(&o.graph, m->explore, pool, &time);
            bool ok = e.found.nodes == right.nodes && e.found.checksum == right.checksum;
            print_row(&o, m, i, time, &e, ok);
            all_ok &= ok;
        }
    free((void *)o.graph.claimed);
    error = heist_pool_free(pool);
    return error || !all_ok ? EXIT_FAILED : 0;
}
