/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <heist/queue.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "tool.h"
#include "verify.h"

static const char *const models[VERIFY_MODELS] = {"rc11", "tso", "sc"};

enum {
    CLIENT = TOOL_OPTION,
    MODEL,
    QUICK,
    FULL,
    MUTANTS,
    SECONDS,
    JOBS,
    CSV,
    RANDOM,
    SEED,
    REPLAY,
    PREEMPTIONS,
    HELP
};

static const struct option options[] = {
    {"client", required_argument, NULL, CLIENT},
    {"model", required_argument, NULL, MODEL},
    {"quick", no_argument, NULL, QUICK},
    {"full", no_argument, NULL, FULL},
    {"mutants", no_argument, NULL, MUTANTS},
    {"seconds", required_argument, NULL, SECONDS},
    {"jobs", required_argument, NULL, JOBS},
    {"csv", optional_argument, NULL, CSV},
    {"random", required_argument, NULL, RANDOM},
    {"seed", required_argument, NULL, SEED},
    {"replay", required_argument, NULL, REPLAY},
    {"preemptions", required_argument, NULL, PREEMPTIONS},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

const char *const *verify_kinds(void)
{
    static const char *const protocols[] = {"slots", "park", "waiters", "groups", "pool", "master"};
    static const char *all[64];
    size_t n = 0;
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++)
        all[n++] = *kind;
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        all[n++] = protocols[i];
    all[n] = NULL;
    return all;
}

static int help(void)
{
    printf(
        "usage: " VERIFY " [KIND]... [OPTION]...\n\n"
        "Runs small programs with the queues, the clients, under a model checker: every execution "
        "that a\n"
        "memory model allows. Each item must be taken exactly once, with what was written before "
        "it was\n"
        "put. Without KIND: all kinds. Without --quick or --full: the clients that take "
        "seconds.\n"
        "Exit status: 0; 1 if a client failed or did not finish; 2 for bad arguments.\n\n"
        "  --quick          the clients that take seconds, all within a minute\n"
        "  --full           also those that take minutes, and random trials of larger ones\n"
        "  --mutants        weaken each memory order in turn: some client must fail\n"
        "  --client NAME    only this one\n"
        "  --model LIST     memory models: rc11, tso, sc; default: rc11 (repeatable)\n"
        "  --seconds N      give a client up after so long; its verdict is 'unfinished'\n"
        "  --jobs N         programs that run at the same time; default: one per CPU\n"
        "  --csv [FILE]     write the rows as CSV; without FILE, or -: to stdout, instead of "
        "the table\n"
        "  --help           show this\n\n"
        "With one KIND and --client:\n"
        "  --random N       N random executions instead of all\n"
        "  --seed S         where the random executions begin\n"
        "  --replay SEED    only the execution of this seed, or without --random of this number\n"
        "  --preemptions N  only executions with so many preemptions at most\n\n"
        "Kinds:");
    for (const char *const *kind = verify_kinds(); *kind; kind++)
        printf(" %s", *kind);
    printf("\n\nExamples:\n"
           "  " VERIFY " --quick\n"
           "  " VERIFY " bwos_lifo bwos_fifo --full --csv rows.csv\n"
           "  " VERIFY " chaselev --mutants\n"
           "  " VERIFY " abp --client last --model sc,tso,rc11\n\n"
           "What is checked, and how: docs/verification.md.\n");
    return tool_flush(VERIFY);
}

static bool is_kind(const char *word)
{
    const char *const *kind = verify_kinds();
    while (*kind && strcmp(*kind, word) != 0)
        kind++;
    return *kind;
}

static bool has(const char *const *words, size_t n, const char *word)
{
    while (n > 0 && strcmp(words[n - 1], word) != 0)
        n--;
    return n > 0;
}

static int read_kinds(struct verify_options *o, char **words, int n)
{
    o->kinds = tool_realloc(NULL, ((size_t)n + 1) * sizeof *o->kinds);
    for (int i = 0; i < n; i++) {
        if (!is_kind(words[i]))
            return tool_usage_error(VERIFY, "unknown kind", words[i]);
        if (has(o->kinds, o->number, words[i]))
            return tool_usage_error(VERIFY, "named twice: kind", words[i]);
        o->kinds[o->number++] = words[i];
    }
    return VERIFY_GO_ON;
}

static int read_models(struct verify_options *o, const char *list)
{
    const char *at = list, *end;
    do {
        size_t i = 0;
        end = at + strcspn(at, ",");
        while (i < VERIFY_MODELS && (strlen(models[i]) != (size_t)(end - at) ||
                                     strncmp(models[i], at, strlen(models[i])) != 0))
            i++;
        if (i == VERIFY_MODELS)
            return tool_usage_error(VERIFY, "--model takes a list of rc11, tso, sc, not", list);
        if (!has(o->models, o->models_number, models[i]))
            o->models[o->models_number++] = models[i];
        at = end + 1;
    } while (*end);
    return VERIFY_GO_ON;
}

static int read_number(const char *option, const char *text, uint64_t least, uint64_t most,
                       uint64_t *n)
{
    char what[96];
    if (bench_is_number(text, least, most, n))
        return VERIFY_GO_ON;
    snprintf(what, sizeof what, "--%s takes a whole number from %llu to %llu, not", option,
             (unsigned long long)least, (unsigned long long)most);
    return tool_usage_error(VERIFY, what, text);
}

/* The file that --csv names: what follows, unless that is an option or a kind. */
static const char *csv_path(char **argv)
{
    const char *path = optarg;
    const char *next = argv[optind];
    if (!path && next && (strcmp(next, "-") == 0 || *next != '-') && !is_kind(next)) {
        path = next;
        optind++;
    }
    return path && strcmp(path, "-") == 0 ? NULL : path;
}

/* An option that is for the program, which must be one then; a later value replaces an earlier. */
static int pass(struct verify_options *o, const char *option, uint64_t least, uint64_t most)
{
    uint64_t n;
    size_t i = 0;
    int status = read_number(option + strlen("--"), optarg, least, most, &n);
    if (status != VERIFY_GO_ON)
        return status;
    while (i < o->passed_number && strcmp(o->passed[i], option) != 0)
        i += 2;
    o->passed[i] = option;
    o->passed[i + 1] = optarg;
    if (i == o->passed_number)
        o->passed_number += 2;
    return VERIFY_GO_ON;
}

static int read_option(struct verify_options *o, int option, char **argv)
{
    uint64_t n = 0;
    int status = VERIFY_GO_ON;
    switch (option) {
    case CLIENT:
        o->client = optarg;
        break;
    case MODEL:
        status = read_models(o, optarg);
        break;
    case QUICK:
        o->quick = true;
        break;
    case FULL:
        o->full = true;
        break;
    case MUTANTS:
        o->mutants = true;
        break;
    case SECONDS:
        status = read_number("seconds", optarg, 1, 1000000, &o->seconds);
        break;
    case JOBS:
        status = read_number("jobs", optarg, 1, 1024, &n);
        o->jobs = n;
        break;
    case CSV:
        o->csv = true;
        o->csv_path = csv_path(argv);
        break;
    case RANDOM:
        status = pass(o, "--random", 1, UINT64_MAX);
        break;
    case SEED:
        status = pass(o, "--seed", 0, UINT64_MAX);
        break;
    case REPLAY:
        status = pass(o, "--replay", 1, UINT64_MAX);
        break;
    case PREEMPTIONS:
        status = pass(o, "--preemptions", 0, 100);
        break;
    case HELP:
        status = help();
        break;
    default:
        status = tool_option_error(VERIFY, option, argv);
    }
    return status;
}

/* What does not go together. */
static int check(const struct verify_options *o)
{
    if (o->quick && o->full)
        return tool_usage_error(VERIFY, "--quick excludes", "--full");
    if (o->mutants && (o->quick || o->full || o->client || o->passed_number))
        return tool_usage_error(VERIFY, "--mutants excludes",
                                o->quick    ? "--quick"
                                : o->full   ? "--full"
                                : o->client ? "--client"
                                            : o->passed[0]);
    if (o->passed_number && (o->number != 1 || !o->client))
        return tool_usage_error(VERIFY, "one KIND and one --client are needed for", o->passed[0]);
    return VERIFY_GO_ON;
}

int verify_read_options(struct verify_options *o, int argc, char **argv)
{
    const int *cpus;
    int status = VERIFY_GO_ON, option;
    memset(o, 0, sizeof *o);
    o->jobs = bench_cpus(&cpus);
    while (status == VERIFY_GO_ON && (option = getopt_long(argc, argv, ":", options, NULL)) != -1)
        status = read_option(o, option, argv);
    if (status == VERIFY_GO_ON)
        status = read_kinds(o, argv + optind, argc - optind);
    if (status == VERIFY_GO_ON)
        status = check(o);
    if (!o->models_number)
        o->models[o->models_number++] = models[0];
    if (status != VERIFY_GO_ON)
        free(o->kinds);
    return status;
}
