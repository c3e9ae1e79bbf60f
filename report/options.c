/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "report.h"

enum { ONLY, OUTPUT, QUICK_, FULL_, AGAIN, LIST, MARKDOWN, HELP, OPTIONS };

static const struct bench_option options[OPTIONS] = {
    [ONLY] = {"--only", "LIST", "papers and experiments, of those below; default: all"},
    [OUTPUT] = {"--output", "DIRECTORY", "where everything is written; default: heist-report"},
    [QUICK_] = {"--quick", NULL, "short measurements: about 5 minutes in all"},
    [FULL_] = {"--full", NULL, "long ones, of more points: about 45 minutes"},
    [AGAIN] = {"--again", NULL, "also measure what the directory has already"},
    [LIST] = {"--list", NULL, "show what would be run, how long it takes, and what is missing"},
    [MARKDOWN] = {"--markdown", NULL,
                  "with --list: all claims and commands, as docs/reproduction.md"},
    [HELP] = {"--help", NULL, "show this"},
};

static _Noreturn void help(void)
{
    printf(
        "usage: " REPORT_TOOL " [OPTION]...\n\n"
        "Runs what the five papers behind Heist have measured, on this machine, and writes a page "
        "that\nshows each claim beside the result: DIRECTORY/index.html, summary.csv with the "
        "verdicts,\nrows/EXPERIMENT.csv with all points, plots/FIGURE.svg with each plot. What the "
        "directory has\nalready is not measured again, so a run that was stopped goes on where it "
        "was. Exit status: 0,\nwhatever the verdicts are; 1 if an experiment failed; 2 for bad "
        "arguments.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nPapers:");
    for (const struct paper *p = report_papers; p->name; p++)
        printf(" %s", p->name);
    printf("\n\nExperiments:\n");
    for (const struct experiment *e = report_experiments; e->name; e++)
        printf("  %-19s %s\n", e->name, e->about);
    printf("\nExamples:\n"
           "  " REPORT_TOOL " --quick\n"
           "  " REPORT_TOOL " --only bulk,stolen --output my-report\n"
           "  " REPORT_TOOL " --list --full\n"
           "  " REPORT_TOOL " --only pool --again\n\n"
           "How it decides, and what the page shows: docs/report.md.\n");
    bench_close_output("output", "-", stdout);
    exit(0);
}

static bool is_paper(const char *name)
{
    for (const struct paper *p = report_papers; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return true;
    return false;
}

static void add_name(void *context, const char *option, char *word)
{
    struct report_options *o = context;
    if (!is_paper(word) && !report_find_experiment(word))
        bench_usage_error("%s '%s': no such paper or experiment", option, word);
    for (size_t i = 0; i < o->only_number; i++)
        if (strcmp(o->only[i], word) == 0)
            bench_usage_error("%s: '%s' is named twice", option, word);
    o->only = bench_grow(o->only, o->only_number, sizeof *o->only);
    o->only[o->only_number++] = word;
}

void report_read_options(struct report_options *o, int argc, char **argv)
{
    char *given[OPTIONS] = {NULL};
    (void)argc;
    *o = (struct report_options){.output = "heist-report"};
    if (!bench_read_arguments(options, OPTIONS, argv, given))
        help();
    if (given[QUICK_] && given[FULL_])
        bench_usage_error("--quick and --full are no pair");
    if (given[MARKDOWN] && !given[LIST])
        bench_usage_error("--markdown goes with --list");
    bench_read_list(o, options[ONLY].name, given[ONLY], add_name);
    o->length = given[QUICK_] ? QUICK : given[FULL_] ? FULL : NORMAL;
    o->again = given[AGAIN];
    o->list = given[LIST];
    o->markdown = given[MARKDOWN];
    if (given[OUTPUT] && !*given[OUTPUT])
        bench_usage_error("--output '': no name of a directory");
    if (given[OUTPUT])
        o->output = given[OUTPUT];
}

static bool is_of(const struct paper *p, const struct experiment *e)
{
    for (const struct figure *f = p->figures; f->name; f++)
        for (int i = 0; i < CLAIMS_MOST && f->claims[i].says; i++)
            if (report_experiment_of(f, &f->claims[i]) == e || report_experiment_of(f, NULL) == e)
                return true;
    return false;
}

bool report_is_wanted(const struct report_options *o, const struct experiment *e)
{
    for (size_t i = 0; i < o->only_number; i++) {
        if (strcmp(o->only[i], e->name) == 0)
            return true;
        for (const struct paper *p = report_papers; p->name; p++)
            if (strcmp(o->only[i], p->name) == 0 && is_of(p, e))
                return true;
    }
    return !o->only_number;
}
