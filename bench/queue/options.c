/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static void add_stolen(void *context, const char *option, char *word)
{
    struct options *o = context;
    bench_add_number(&o->stolen, bench_read_number(option, word, 0, 100));
}

static void add_thieves(void *context, const char *option, char *word)
{
    struct options *o = context;
    bench_add_number(&o->thieves, bench_read_number(option, word, 0, 1000));
}

static void add_frequency(void *context, const char *option, char *word)
{
    struct options *o = context;
    bench_add_number(&o->frequencies, bench_read_number(option, word, 0, 1000000000));
}

static void add_param(void *context, const char *option, char *word)
{
    struct options *o = context;
    bench_add_number(&o->params, bench_read_number(option, word, 0, UINT32_MAX));
}

static size_t count_benchmarks(const struct options *o)
{
    size_t n = 0;
    while (o->benchmarks && o->benchmarks[n])
        n++;
    return n;
}

static void add_benchmark(void *context, const char *option, char *word)
{
    struct options *o = context;
    const struct benchmark *b = bench_benchmarks;
    while (b->name && strcmp(b->name, word) != 0)
        b++;
    if (!b->name)
        bench_usage_error("%s '%s': no such benchmark", option, word);
    size_t n = count_benchmarks(o);
    for (size_t i = 0; i < n; i++)
        if (o->benchmarks[i] == b)
            return;
    o->benchmarks = realloc(o->benchmarks, (n + 2) * sizeof *o->benchmarks);
    if (!o->benchmarks)
        bench_fail("out of memory");
    o->benchmarks[n] = b;
    o->benchmarks[n + 1] = NULL;
}

/* The words that may follow a kind's name, each after a colon. */
static const struct variant {
    const char *word;
    size_t offset;
    unsigned value;
} variants[] = {
    {"grows", offsetof(heist_queue_opts, bound), HEIST_BOUND_GROWS},
    {"tagged", offsetof(heist_queue_opts, form), HEIST_FORM_TAGGED},
    {"counted", offsetof(heist_queue_opts, form), HEIST_FORM_COUNTED},
    {"hidden", offsetof(heist_queue_opts, early), HEIST_EARLY_OFF},
    {"user", offsetof(heist_queue_opts, mode), HEIST_SPLIT_USER},
    {"signal", offsetof(heist_queue_opts, mode), HEIST_SPLIT_SIGNAL},
    {"conservative", offsetof(heist_queue_opts, mode), HEIST_SPLIT_CONSERVATIVE},
    {"half", offsetof(heist_queue_opts, mode), HEIST_SPLIT_HALF},
};

static bool set_variant(heist_queue_opts *opts, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strlen(variants[i].word) == length && strncmp(variants[i].word, word, length) == 0) {
            memcpy((char *)opts + variants[i].offset, &variants[i].value, sizeof(unsigned));
            return true;
        }
    return false;
}

static void add_entrant(struct options *o, struct entrant e)
{
    for (size_t i = 0; i < o->number; i++)
        if (strcmp(o->entrants[i].name, e.name) == 0)
            bench_usage_error("'%s' is named twice", e.name);
    o->entrants = bench_grow(o->entrants, o->number, sizeof *o->entrants);
    o->entrants[o->number++] = e;
}

static _Noreturn void refuse_kind(const char *option, const char *word)
{
    const char **names = NULL;
    size_t n = 0;
    for (const struct contestant *const *c = bench_contestants; *c; c++) {
        names = bench_grow(names, n, sizeof *names);
        names[n++] = (*c)->name;
    }
    names = bench_grow(names, n, sizeof *names);
    names[n] = NULL;
    const char *text = BENCH_ALL_NAMES(names);
    free(names);
    bench_usage_error("%s '%s': no such kind; there are: %s", option, word, text);
}

struct entrant bench_read_kind(const char *option, char *word)
{
    size_t length = strcspn(word, ":");
    const struct contestant *const *c = bench_contestants;
    while (*c && (strlen((*c)->name) != length || strncmp((*c)->name, word, length) != 0))
        c++;
    if (!*c)
        refuse_kind(option, word);
    struct entrant e = {.name = word, .contestant = *c, .fifo = bench_is_fifo(*c)};
    e.opts.size = sizeof e.opts;
    e.opts.capacity = HEIST_CAPACITY_DEFAULT;
    e.opts.bound = bench_bound(*c);
    for (const char *at = word + length; *at; at += length) {
        length = strcspn(++at, ":");
        if (!set_variant(&e.opts, at, length))
            bench_usage_error("%s '%s': a kind has no variant '%.*s'", option, word, (int)length,
                              at);
    }
    if (!bench_accepts(e.contestant, &e.opts))
        bench_usage_error("%s '%s': the kind refuses this variant", option, word);
    return e;
}

static void add_kind(void *context, const char *option, char *word)
{
    add_entrant(context, bench_read_kind(option, word));
}

static void add_outsider(void *context, const char *option, char *text)
{
    const char *program = bench_read_contestant(option, text);
    add_entrant(context,
                (struct entrant){.name = text, .program = program, .fifo = strstr(text, "fifo")});
}

enum {
    BENCH,
    KINDS,
    CONTESTANT,
    STOLEN,
    THIEVES,
    FREQ,
    PARAM,
    CAPACITY,
    BLOCK,
    REPS,
    TIME,
    QUICK,
    CSV,
    JSON,
    PLOT,
    HELP,
    OPTIONS
};

static const struct bench_option options[OPTIONS] = {
    [BENCH] = {"--bench", "LIST", "benchmarks, of those below; default: all"},
    [KINDS] = {"--kinds", "LIST", "kinds, of those below; default: all"},
    [CONTESTANT] = {"--contestant", "NAME=EXECUTABLE", "add an outside program (repeatable)"},
    [STOLEN] = {"--stolen", "LIST", "percentages of the items that thieves shall take"},
    [THIEVES] = {"--thieves", "LIST", "numbers of thieves"},
    [FREQ] = {"--freq", "LIST", "steals tried per second by all thieves together"},
    [PARAM] = {"--param", "LIST",
               "what the one benchmark of --bench varies, instead of its own list"},
    [CAPACITY] = {"--capacity", "N", "items that a queue holds; default: 8192"},
    [BLOCK] = {"--block", "N",
               "items in a block of a BWoS queue; default: an eighth of the capacity"},
    [REPS] = {"--reps", "N", "repetitions; default: 7"},
    [TIME] = {"--time", "MS", "length of one measurement; default: 100, with --quick 15"},
    [QUICK] = {"--quick", NULL, "short measurements of fewer points: less than a minute"},
    [CSV] = {"--csv", "FILE", "write the rows as CSV; -: to stdout, instead of the tables"},
    [JSON] = {"--json", "FILE",
              "write rows and machine as JSON; -: to stdout, instead of the tables"},
    [PLOT] = {"--plot", "DIR", "draw plots with gnuplot, SVG and PNG, into DIR"},
    [HELP] = {"--help", NULL, "show this"},
};

void bench_print_kinds(void)
{
    printf("\nKinds:");
    for (const struct contestant *const *c = bench_contestants; *c; c++)
        printf(" %s", (*c)->name);
    printf("\nand their variants, as in bwos_lifo:counted, split:half, chaselev:grows:");
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        printf(" %s", variants[i].word);
}

static _Noreturn void help(void)
{
    printf("usage: " QUEUE_TOOL " [OPTION]...\n\n"
           "Measures the queues beside a plain stack and ring, and shows medians, least and "
           "greatest of\n"
           "all repetitions. Exit status: 0; 1 if a queue lost or invented an item or a program "
           "failed;\n"
           "2 for bad arguments.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nBenchmarks:\n");
    for (const struct benchmark *b = bench_benchmarks; b->name; b++)
        printf("  %-11s %s\n", b->name, b->about);
    bench_print_kinds();
    printf("\n\nExamples:\n"
           "  " QUEUE_TOOL " --quick\n"
           "  " QUEUE_TOOL
           " --bench nosteal,stolen --kinds plain_lifo,chaselev,bwos_lifo --stolen 1,10\n"
           "  " QUEUE_TOOL " --bench freq --thieves 2 --freq 100000 --csv freq.csv\n"
           "  " QUEUE_TOOL " --plot plots --json queues.json\n"
           "  " QUEUE_TOOL " --bench stolen --contestant mine=./my-queue\n\n"
           "What is measured and how an outside program is called: docs/benchmarks.md.\n");
    bench_close_output("output", "-", stdout);
    exit(0);
}

static void check_params(const struct options *o)
{
    if (o->params.n && count_benchmarks(o) != 1)
        bench_usage_error("--param needs a --bench that names one benchmark");
    const struct benchmark *b = o->benchmarks[0];
    for (size_t i = 0; i < o->params.n; i++)
        if (o->params.at[i] < b->least || o->params.at[i] > b->most)
            bench_usage_error("--param '%llu': for %s not from %llu to %llu",
                              (unsigned long long)o->params.at[i], b->name,
                              (unsigned long long)b->least, (unsigned long long)b->most);
}

void bench_check_room(const struct entrant *e, uint64_t capacity, uint64_t block)
{
    heist_queue_opts opts = e->opts;
    if (block > capacity)
        bench_usage_error("--block '%llu': more than the capacity, %llu", (unsigned long long)block,
                          (unsigned long long)capacity);
    opts.capacity = capacity;
    opts.block = block;
    if (e->contestant && !bench_accepts(e->contestant, &opts))
        bench_usage_error("%s refuses a capacity of %llu with blocks of %llu", e->name,
                          (unsigned long long)capacity, (unsigned long long)block);
}

void bench_check_gnuplot(const char *plot)
{
    if (plot && !bench_find_program("gnuplot"))
        bench_usage_error(
            "--plot '%s': gnuplot is not installed (Debian: apt-get install gnuplot-nox)", plot);
}

void bench_read_options(struct options *o, char **argv)
{
    char *given[OPTIONS] = {NULL};
    memset(o, 0, sizeof *o);
    if (!bench_read_arguments(options, OPTIONS, argv, given))
        help();

#define LIST(option, each) bench_read_list(o, options[option].name, given[option], each)
#define NUMBER(option, unless_given, least, most) \
    bench_read_number_or(unless_given, options[option].name, given[option], least, most)

    LIST(BENCH, add_benchmark);
    LIST(KINDS, add_kind);
    LIST(STOLEN, add_stolen);
    LIST(THIEVES, add_thieves);
    LIST(FREQ, add_frequency);
    LIST(PARAM, add_param);
    o->all = !given[BENCH];
    if (o->all)
        for (const struct benchmark *b = bench_benchmarks; b->name; b++)
            add_benchmark(o, "", (char *)b->name);
    if (!given[KINDS])
        for (const struct contestant *const *c = bench_contestants; *c; c++)
            add_kind(o, "", (char *)(*c)->name);
    bench_read_values(o, options, OPTIONS, argv, CONTESTANT, add_outsider);
    o->quick = given[QUICK];
    o->capacity = NUMBER(CAPACITY, HEIST_CAPACITY_DEFAULT, 1, 1 << 28);
    o->block = NUMBER(BLOCK, 0, 1, 1 << 28);
    o->reps = (unsigned)NUMBER(REPS, 7, 1, 1000);
    o->seconds = (double)NUMBER(TIME, o->quick ? 15 : 100, 1, 600000) / 1000;
    o->csv = given[CSV];
    o->json = given[JSON];
    o->plot = given[PLOT];
    check_params(o);
    for (size_t i = 0; i < o->number; i++)
        bench_check_room(&o->entrants[i], o->capacity, o->block);
    if (o->csv && o->json && strcmp(o->csv, "-") == 0 && strcmp(o->json, "-") == 0)
        bench_usage_error("--csv - and --json - can't share stdout");
    bench_check_gnuplot(o->plot);
}

void bench_free_options(struct options *o)
{
    free(o->benchmarks);
    free(o->entrants);
    free((void *)o->stolen.at);
    free((void *)o->thieves.at);
    free((void *)o->frequencies.at);
    free((void *)o->params.at);
}

void bench_add_default_workers(struct numbers *workers)
{
    const int *cpus;
    unsigned n = bench_cpus(&cpus);
    bench_add_number(workers, 1);
    if (n > 1)
        bench_add_number(workers, n);
}
