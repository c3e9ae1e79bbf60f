/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "runtime.h"

static void add_contestant(struct runtime_options *o, struct runtime_contestant c)
{
    for (size_t i = 0; i < o->number; i++)
        if (strcmp(o->contestants[i].name, c.name) == 0)
            bench_usage_error("'%s' is named twice", c.name);
    o->contestants = bench_grow(o->contestants, o->number, sizeof *o->contestants);
    o->contestants[o->number++] = c;
}

static void add_named(void *context, const char *option, char *word)
{
    const struct runtime_contestant *c = runtime_contestants();
    while (c->name && strcmp(c->name, word) != 0)
        c++;
    if (!c->name)
        bench_usage_error("%s '%s': no such contestant", option, word);
    if (!c->program)
        bench_usage_error("%s '%s': not built; `make bench` does, with Debian's packages: %s",
                          option, word, c->packages);
    add_contestant(context, *c);
}

/* Everybody who is built. */
static void add_all(struct runtime_options *o)
{
    for (const struct runtime_contestant *c = runtime_contestants(); c->name; c++)
        if (c->program)
            add_contestant(o, *c);
    o->all = true;
}

static void add_outsider(void *context, const char *option, char *text)
{
    char *program = bench_read_contestant(option, text);
    char *path = strdup(bench_find_program(program));
    if (!path)
        bench_fail("out of memory");
    add_contestant(context, (struct runtime_contestant){
                                .name = text, .role = PEER, .baseline = "serial", .program = path});
}

static void add_benchmark(void *context, const char *option, char *word)
{
    struct runtime_options *o = context;
    const struct runtime_benchmark *b = runtime_benchmarks;
    size_t n = 0;
    while (b->name && strcmp(b->name, word) != 0)
        b++;
    if (!b->name)
        bench_usage_error("%s '%s': no such benchmark", option, word);
    while (o->benchmarks && o->benchmarks[n])
        if (o->benchmarks[n++] == b)
            return;
    o->benchmarks = realloc(o->benchmarks, (n + 2) * sizeof *o->benchmarks);
    if (!o->benchmarks)
        bench_fail("out of memory");
    o->benchmarks[n] = b;
    o->benchmarks[n + 1] = NULL;
}

static void add_size(void *context, const char *option, char *word)
{
    struct runtime_options *o = context;
    bench_add_number(&o->sizes, bench_read_number(option, word, 0, INT64_MAX));
}

enum { BENCH, WITH, CONTESTANT, WORKERS, SIZE, ROUNDS, PATIENCE, QUICK, CSV, HELP, OPTIONS };

static const struct bench_option options[OPTIONS] = {
    [BENCH] = {"--bench", "LIST", "benchmarks, of those below; default: all"},
    [WITH] = {"--with", "LIST", "contestants, of those below; default: all that are built"},
    [CONTESTANT] = {"--contestant", "NAME=EXECUTABLE", "add an outside program (repeatable)"},
    [WORKERS] = {"--workers", "LIST", "numbers of workers; default: 1 and one per CPU"},
    [SIZE] = {"--size", "LIST", "sizes of the one benchmark of --bench, instead of its own"},
    [ROUNDS] = {"--rounds", "N",
                "rounds, each with one run of every contestant; default: 7, with "
                "--quick 3"},
    [PATIENCE] = {"--patience", "S", "seconds after which a run is given up; default: 120"},
    [QUICK] = {"--quick", NULL, "small sizes, few rounds: a minute or two"},
    [CSV] = {"--csv", "FILE", "write all points as CSV; -: to stdout, instead of the tables"},
    [HELP] = {"--help", NULL, "show this"},
};

static _Noreturn void help(void)
{
    printf(
        "usage: " RUNTIME_TOOL " [OPTION]...\n\n"
        "Runs the same programs on Heist's runtime, as serial C, and on every other runtime that "
        "is\ninstalled, in turn, and shows medians and their ratios. Exit status: 0; 1 if a "
        "contestant\nfailed, took too long or gave another result than most; 2 for bad "
        "arguments.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nBenchmarks, and their sizes:\n");
    for (const struct runtime_benchmark *b = runtime_benchmarks; b->name; b++)
        printf("  %-11s %s\n              (%s)\n", b->name, b->about, b->size);
    printf("\nContestants (those not built in brackets):\n ");
    for (const struct runtime_contestant *c = runtime_contestants(); c->name; c++)
        printf(c->program ? " %s" : " [%s]", c->name);
    printf("\n\nExamples:\n"
           "  " RUNTIME_TOOL " --quick\n"
           "  " RUNTIME_TOOL " --bench fib,queens --with serial,heist,rayon --csv rows.csv\n"
           "  " RUNTIME_TOOL " --bench quicksort --size 1000000,10000000 --workers 1,2\n"
           "  " RUNTIME_TOOL " --contestant mine=./my-runtime\n\n"
           "What each does, and how an outside program is called: docs/bench-runtime.md.\n");
    bench_close_output("output", "-", stdout);
    exit(0);
}

void runtime_read_options(struct runtime_options *o, char **argv)
{
    char *given[OPTIONS] = {NULL};
    memset(o, 0, sizeof *o);
    if (!bench_read_arguments(options, OPTIONS, argv, given))
        help();

#define LIST(option, each) bench_read_list(o, options[option].name, given[option], each)
#define NUMBER(option, unless_given, least, most) \
    bench_read_number_or(unless_given, options[option].name, given[option], least, most)

    LIST(BENCH, add_benchmark);
    bench_read_list(&o->workers, options[WORKERS].name, given[WORKERS], bench_add_workers);
    LIST(SIZE, add_size);
    LIST(WITH, add_named);
    o->quick = given[QUICK];
    o->rounds = (unsigned)NUMBER(ROUNDS, o->quick ? 3 : 7, 1, 1000);
    o->patience = (unsigned)NUMBER(PATIENCE, 120, 1, 1000000);
    o->csv = given[CSV];
    if (o->sizes.n && (!o->benchmarks || o->benchmarks[1]))
        bench_usage_error("--size needs a --bench that names one benchmark");
    if (!given[WORKERS])
        bench_add_default_workers(&o->workers);
    if (!given[BENCH])
        for (const struct runtime_benchmark *b = runtime_benchmarks; b->name; b++)
            add_benchmark(o, "", (char *)b->name);
    bench_read_values(o, options, OPTIONS, argv, CONTESTANT, add_outsider);
    if (!given[WITH])
        add_all(o);
}

void runtime_free_options(struct runtime_options *o)
{
    for (size_t i = 0; i < o->number; i++)
        if (!o->contestants[i].packages) /* an outsider */
            free(o->contestants[i].program);
    free(o->benchmarks);
    free(o->contestants);
    free((void *)o->workers.at);
    free((void *)o->sizes.at);
}
