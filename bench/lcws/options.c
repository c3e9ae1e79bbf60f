/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "lcws.h"

static size_t count_programs(const struct lcws_options *o)
{
    size_t n = 0;
    while (o->programs && o->programs[n])
        n++;
    return n;
}

static void add_program(struct lcws_options *o, const struct lcws_program *p)
{
    size_t n = count_programs(o);
    if (!p->timed || !p->counted)
        bench_usage_error("%s is not built; `cmake --build BUILD --target heist-apps` does that",
                          p->name);
    o->programs = realloc(o->programs, (n + 2) * sizeof *o->programs);
    if (!o->programs)
        bench_fail("out of memory");
    o->programs[n] = p;
    o->programs[n + 1] = NULL;
}

static void add_named(void *context, const char *option, char *word)
{
    struct lcws_options *o = context;
    const struct lcws_program *p = lcws_programs();
    while (p->name && strcmp(p->name, word) != 0)
        p++;
    if (!p->name)
        bench_usage_error("%s '%s': no such program; there are: %s", option, word,
                          BENCH_ALL_NAMES(lcws_programs()));
    for (size_t i = 0; i < count_programs(o); i++)
        if (o->programs[i] == p)
            bench_usage_error("%s: '%s' is named twice", option, word);
    add_program(o, p);
}

enum { PROGRAMS, WORKERS, LOOPS, SIZE, ROUNDS, TURNS, PATIENCE, QUICK, CSV, HELP, OPTIONS };

static const struct bench_option options[OPTIONS] = {
    [PROGRAMS] = {"--programs", "LIST", "programs, of those below; default: all"},
    [WORKERS] = {"--workers", "LIST", "numbers of workers; default: 1 and one per CPU"},
    [LOOPS] = {"--loops", "NAME",
               "eager: cut up at once, down to a microsecond, as the paper's; lazy: as Heist's; "
               "default: eager"},
    [SIZE] = {"--size", "PERCENT",
              "of the programs' own sizes, 1 to 1000; default: 25, with --quick 5"},
    [ROUNDS] = {"--rounds", "N",
                "how often every scheduler is started anew; default: 5, with --quick 3"},
    [TURNS] = {"--turns", "N", "solutions on every scheduler in a round, in turns; default: 9"},
    [PATIENCE] = {"--patience", "S", "seconds after which a turn is given up; default: 120"},
    [QUICK] = {"--quick", NULL, "small, few rounds, one input per program: a minute or two"},
    [CSV] = {"--csv", "FILE", "write all points as CSV; -: to stdout, instead of the tables"},
    [HELP] = {"--help", NULL, "show this"},
};

static const char *read_loops(const char *option, const char *name)
{
    if (strcmp(name, "eager") != 0 && strcmp(name, "lazy") != 0)
        bench_usage_error("%s '%s': it is eager or lazy", option, name);
    return name;
}

static _Noreturn void help(void)
{
    printf(
        "usage: " LCWS_TOOL " [OPTION]...\n\n"
        "Runs the programs of bench/app, with all their inputs, on the four schedulers of the "
        "LCWS paper\n(split queues: user, signal, conservative, half) and on plain work stealing "
        "(chaselev), in turn,\nand shows what the paper's figures 3, 5, 6 and 8 show: fences and "
        "CAS beside chaselev's, steals,\nexposed work that was not stolen, and speed. chaselev "
        "runs "
        "twice: by what the second differs from\nthe first, that is chance. Fences and CAS are "
        "counted by programs of their own, whose time is not\ncompared. Exit status: 0; 1 if a run "
        "failed or gave another result; 2 for bad arguments.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nPrograms:\n ");
    for (const struct lcws_program *p = lcws_programs(); p->name; p++)
        printf(" %s", p->name);
    printf("\n\nExamples:\n"
           "  " LCWS_TOOL " --quick\n"
           "  " LCWS_TOOL " --programs bfs,comparison_sort --workers 2 --csv rows.csv\n"
           "  " LCWS_TOOL " --size 100 --rounds 11 --loops lazy\n\n"
           "What the figures mean, and results: docs/lcws.md.\n");
    bench_close_output("output", "-", stdout);
    exit(0);
}

void lcws_read_options(struct lcws_options *o, char **argv)
{
    char *given[OPTIONS] = {NULL};
    memset(o, 0, sizeof *o);
    if (!bench_read_arguments(options, OPTIONS, argv, given))
        help();

#define NUMBER(option, unless_given, least, most) \
    (unsigned)bench_read_number_or(unless_given, options[option].name, given[option], least, most)

    bool quick = given[QUICK];
    bench_read_list(&o->workers, options[WORKERS].name, given[WORKERS], bench_add_workers);
    bench_read_list(o, options[PROGRAMS].name, given[PROGRAMS], add_named);
    o->percent = NUMBER(SIZE, quick ? 5 : 25, 1, 1000);
    o->rounds = NUMBER(ROUNDS, quick ? 3 : 5, 1, 1000);
    o->turns = NUMBER(TURNS, 9, 1, LCWS_TURNS_MOST);
    o->counted_rounds = quick || o->rounds < 3 ? 1 : 3;
    o->patience = NUMBER(PATIENCE, 120, 1, 1000000);
    o->first_shape = quick;
    o->csv = given[CSV];
    o->loops = given[LOOPS] ? read_loops(options[LOOPS].name, given[LOOPS]) : "eager";
    if (!given[WORKERS])
        bench_add_default_workers(&o->workers);
    for (const struct lcws_program *p = lcws_programs(); p->name && !given[PROGRAMS]; p++)
        add_program(o, p);
}

void lcws_free_options(struct lcws_options *o)
{
    free(o->programs);
    free((void *)o->workers.at);
}
