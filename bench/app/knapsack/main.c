/* SPDX-License-Identifier: MIT */
/* 0/1 knapsack by branch and bound over decision diagrams, compared with dynamic programming. */
#include <heist/pool.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "common.h"
#include "solve.h"

static const char *const correlations[] = {[NONE] = "none", [WEAK] = "weak", [STRONG] = "strong"};

struct options {
    uint64_t items, range, width, seed, instances, workers, repeat;
    enum correlation correlation;
};

enum option { ITEMS, RANGE, CORRELATION, SEED, INSTANCES, WIDTH, WORKERS, REPEAT, HELP, OPTIONS };

static const struct bench_option options[OPTIONS] = {
    [ITEMS] = {"--items", "N", "items of an instance (100)"},
    [RANGE] = {"--range", "N", "weights are 1 to N (1000)"},
    [CORRELATION] = {"--correlation", "NAME", "of profit and weight: none, weak, strong (strong)"},
    [SEED] = {"--seed", "N", "of the first instance (1)"},
    [INSTANCES] = {"--instances", "N", "with the seeds that follow (1)"},
    [WIDTH] = {"--width", "N", "of the diagrams, nodes in a layer (100)"},
    [WORKERS] = {"--workers", "N", "workers of the pool (as many as there are CPUs)"},
    [REPEAT] = {"--repeat", "N", "a row for each (1)"},
    [HELP] = {"--help", NULL, "this text"},
};

static void help(void)
{
    printf("usage: knapsack [OPTION]...\n\n"
           "Solves generated instances of the 0/1 knapsack problem to optimality: branch and "
           "bound, in "
           "which\nrestricted decision diagrams give solutions, relaxed ones bounds, and the last "
           "exact "
           "layer of a relaxed\none a batch of subproblems, on master and workers. ok says that "
           "dynamic "
           "programming comes to the same.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nexamples:\n"
           "  knapsack\n"
           "  knapsack --items 50 --width 20 --correlation weak --instances 10\n"
           "  knapsack --workers 2 --repeat 7\n\n"
           "Exit status 0; 1 if a result is wrong; 2 for bad input.\n");
    exit(0);
}

static enum correlation read_correlation(const char *option, const char *word)
{
    for (int i = NONE; i <= STRONG; i++)
        if (strcmp(correlations[i], word) == 0)
            return (enum correlation)i;
    bench_usage_error("%s '%s': it takes none, weak, strong", option, word);
}

static void read_options(struct options *o, char **argv)
{
    for (int i = 1; argv[i]; i++) {
        char *value;
        enum option which = (enum option)bench_next_option(options, OPTIONS, argv, &i, &value);
        const char *name = options[which].name;
        switch (which) {
        case ITEMS:
            o->items = bench_read_number(name, value, 1, 100000);
            break;
        case RANGE:
            o->range = bench_read_number(name, value, 1, 1000000);
            break;
        case CORRELATION:
            o->correlation = read_correlation(name, value);
            break;
        case SEED:
            o->seed = bench_read_number(name, value, 0, UINT64_MAX);
            break;
        case INSTANCES:
            o->instances = bench_read_number(name, value, 1, 1000000);
            break;
        case WIDTH:
            o->width = bench_read_number(name, value, 2, 10000000);
            break;
        case WORKERS:
            o->workers = bench_read_number(name, value, 1, 1024);
            break;
        case REPEAT:
            o->repeat = bench_read_number(name, value, 1, 1000000);
            break;
        default:
            help();
        }
    }
}

static bool solve_and_print(const struct options *o, const struct instance *k, uint64_t seed,
                            int64_t right, heist_pool *pool)
{
    typedef unsigned long long number;
    bool all_ok = true;
    for (uint64_t i = 0; i < o->repeat; i++) {
        struct solution s;
        uint64_t begin = clock_ns();
        int error = solve(k, o->width, pool, &s);
        double seconds = (double)(clock_ns() - begin) * 1e-9;
        if (error)
            bench_fail("%s", strerror(-error));
        bool ok = s.profit == right;
        printf("knapsack,%u,%s,%llu,%llu,%u,%llu,%.6f,%lld,%s,%llu,%llu,%llu,%llu\n", k->items,
               correlations[o->correlation], (number)seed, (number)o->width,
               heist_pool_workers(pool), (number)i, seconds, (long long)s.profit, ok ? "yes" : "no",
               (number)s.subproblems, (number)s.closed, (number)s.redistributions, (number)s.moved);
        fflush(stdout);
        all_ok &= ok;
    }
    return all_ok;
}

int main(int argc, char **argv)
{
    struct options o = {.items = 100,
                        .range = 1000,
                        .width = 100,
                        .seed = 1,
                        .instances = 1,
                        .repeat = 1,
                        .correlation = STRONG};
    heist_pool *pool;
    bool all_ok = true;
    (void)argc;
    bench_tool = "knapsack";
    read_options(&o, argv);
    const heist_pool_opts pool_opts = {.size = sizeof pool_opts, .workers = (unsigned)o.workers};
    int error = heist_pool_new(&pool, &pool_opts);
    if (error)
        bench_fail("no pool: %s", strerror(-error));
    printf(
        "program,items,correlation,seed,width,workers,repeat,seconds,profit,ok,subproblems,closed,"
        "redistributions,moved\n");
    for (uint64_t i = 0; i < o.instances; i++) {
        struct instance *k =
            instance_new((unsigned)o.items, (int64_t)o.range, o.correlation, o.seed + i);
        int64_t right = k ? instance_solve(k) : -1;
        if (right < 0)
            bench_fail("out of memory");
        all_ok &= solve_and_print(&o, k, o.seed + i, right, pool);
        instance_free(k);
    }
    error = heist_pool_free(pool);
    return error || !all_ok ? EXIT_FAILED : 0;
}
