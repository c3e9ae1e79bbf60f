/* SPDX-License-Identifier: MIT */
/*
 * verify-published: every published error under the model checker. As published it must fail in the
 * model of its row, in the way that its row says; in stronger models it must pass, in weaker ones
 * fail, be it in other ways as well. The same small queue without the error must pass in all
 * models, with all executions explored.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "orders.h"

enum { MODELS = CHECK_SC + 1, EXIT_USAGE = 2 };

static const char *const models[MODELS] = {"rc11", "tso", "sc"}; /* the strongest comes last */

const struct order check_orders[] = {{NULL, 0}}; /* no ledger: nothing here is weakened by name */

/* What was seen of one error, in one model. */
struct seen {
    struct check_result published, repaired;
    enum check_model model;
    const char *verdict;
    bool as_expected;
};

static void forget(const struct seen *seen)
{
    free(seen->published.failure);
    free(seen->repaired.failure);
}

static struct seen look_in(const struct published *e, enum check_model model)
{
    bool must_fail = model <= e->model;
    struct seen seen = {.model = model};
    seen.published = published_check(e, false, model);
    seen.repaired = published_check(e, true, model);
    if (seen.repaired.verdict != CHECK_OK)
        seen.verdict = "FAILS WHEN REPAIRED";
    else if (must_fail && seen.published.verdict != CHECK_FAILED)
        seen.verdict = "NOT CAUGHT";
    else if (model == e->model && !(published_fault(&seen.published) & e->faults))
        seen.verdict = "FAILS IN ANOTHER WAY";
    else if (!must_fail && seen.published.verdict != CHECK_OK)
        seen.verdict = "FAILS IN TOO STRONG A MODEL";
    else
        seen.as_expected = true;
    if (seen.as_expected)
        seen.verdict = must_fail ? "fails as published" : "passes, as it must in this model";
    return seen;
}

/* In that model, or in all (MODELS): what the strongest that shows the error says then, or the
   first that is not as expected. */
static struct seen look(const struct published *e, int only)
{
    int shown = only < MODELS ? only : (int)e->model;
    struct seen seen = {.as_expected = true};
    for (int m = MODELS - 1; m >= 0 && seen.as_expected; m--) {
        if (only < MODELS && m != only)
            continue;
        struct seen now = look_in(e, (enum check_model)m);
        if (now.as_expected && m != shown) {
            forget(&now);
        } else {
            forget(&seen);
            seen = now;
        }
    }
    return seen;
}

/* ---- Output ---- */

static const char *failure_of(const struct seen *seen)
{
    const char *failure = seen->repaired.failure ? seen->repaired.failure : seen->published.failure;
    return failure ? failure : "";
}

static void print_heading(void)
{
    printf("%-26s %-41s %-5s %11s %9s  %s\n", "error", "source", "model", "executions", "repaired",
           "verdict");
}

static void print_row(const struct published *e, const struct seen *seen, bool trace)
{
    bool failed = seen->published.verdict == CHECK_FAILED; /* in one more than it counted */
    printf("%-26s %-41s %-5s %11llu %9llu  %s\n", e->name, e->source, models[seen->model],
           (unsigned long long)seen->published.executions + failed,
           (unsigned long long)seen->repaired.executions, seen->verdict);
    if (trace || !seen->as_expected)
        printf("%s", failure_of(seen));
    fflush(stdout);
}

static void print_page_heading(void)
{
    printf("# Counterexamples\n\n"
           "Written by `build/verify/published/verify-published --markdown`; a test compares.\n"
           "After a change, `cmake --build build --target counterexamples` writes it again.\n\n"
           "Each error of [errata.md](errata.md), in a small queue (`test/known_bugs/`), under\n"
           "the [model checker](verification.md): the shortest execution that it found to fail,\n"
           "in the strongest memory model in which the error shows. In stronger models it does\n"
           "not, and without the error the same queue passes in all models.\n\n"
           "Thread 0 is the owner, thread 1 a thief; when both have ended, the owner gets what\n"
           "is left. What was put before they began is in the initial values. `chooses 1` is\n"
           "where the owner's signal handler comes. `item 2` as a word is the link of that item,\n"
           "in a list. Events are numbered as the checker added them.\n");
}

static void print_section(const struct published *e, const struct seen *seen)
{
    printf("\n## %s\n\n%s (%s; `%s`)\n\n```text\n%s```\n", e->name, e->says, e->source,
           models[seen->model], failure_of(seen));
}

static void help(void)
{
    printf("usage: verify-published [OPTION]... [NAME]\n"
           "Checks the published errors, or one (--list names them): each must fail as published,\n"
           "and pass when repaired.\n"
           "  --model MODEL  only in rc11, tso or sc; else in all, and the strongest that shows\n"
           "                 the error is printed\n"
           "  --trace        print the executions that fail\n"
           "  --markdown     print docs/counterexamples.md\n"
           "  --list         print the names\n"
           "Columns: executions until the first failure, it included; executions of the repaired\n"
           "queue, which are all there are.\n"
           "Exit status: 0 all as it must be, 1 some error is not caught or a repaired queue\n"
           "fails, 2 bad usage.\n");
}

static int usage(const char *what, const char *word, const char *fix)
{
    fprintf(stderr, "verify-published: %s '%s'; %s\n", what, word, fix);
    return EXIT_USAGE;
}

static int model_of(const char *name)
{
    int model = 0;
    while (model < MODELS && strcmp(models[model], name) != 0)
        model++;
    return model;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"model", 1, 0, 'm'}, {"trace", 0, 0, 't'}, {"markdown", 0, 0, 'd'},
        {"list", 0, 0, 'l'},  {"help", 0, 0, 'h'},  {NULL, 0, NULL, 0},
    };
    int model = MODELS, failures = 0, met = 0;
    bool trace = false, markdown = false;
    opterr = 0; /* usage() says it */
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'm':
            if ((model = model_of(optarg)) == MODELS)
                return usage("no such model", optarg, "it is rc11, tso or sc");
            break;
        case 't':
            trace = true;
            break;
        case 'd':
            markdown = true;
            break;
        case 'l':
            for (const struct published *e = errors; e->name; e++)
                printf("%s\n", e->name);
            return 0;
        case 'h':
            help();
            return 0;
        default:
            return usage("unknown option, or one without its value,", argv[optind - 1],
                         "see --help");
        }
    if (argc - optind > 1)
        return usage("stray argument", argv[optind + 1], "give one name, or none");
    if (markdown && model < MODELS)
        return usage("--markdown with --model", models[model],
                     "the page has its models: leave --model out");
    const char *only = argv[optind];
    for (const struct published *e = errors; e->name; e++) {
        if (only && strcmp(only, e->name) != 0)
            continue;
        if (met++ == 0)
            markdown ? print_page_heading() : print_heading();
        struct seen seen = look(e, model);
        if (markdown)
            print_section(e, &seen);
        else
            print_row(e, &seen, trace);
        failures += !seen.as_expected;
        forget(&seen);
    }
    if (!met)
        return usage("no such error", only, "--list names them; see --help");
    return failures > 0;
}
