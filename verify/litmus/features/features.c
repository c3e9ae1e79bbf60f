/* SPDX-License-Identifier: MIT */
/* Whether the checker says of each program in the tables what it must. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feature.h"
#include "orders.h"

const struct order check_orders[] = {{NULL, 0}}; /* no ledger: nothing here can be weakened */

/* Beside 3 times the executions, those that find out what is shared. */
enum { SPARE_RUNS = 8 };

static bool as_expected(const struct feature *f, enum check_model model,
                        const struct check_result *r)
{
    const char *failure = f->failure[model];
    if (failure)
        return r->verdict == CHECK_FAILED && !strncmp(r->failure, failure, strlen(failure));
    return r->verdict == CHECK_OK && r->executions == f->executions[model] &&
           (r->blocked > 0) == f->blocks &&
           r->runs <= 3 * (r->executions + r->blocked) + SPARE_RUNS &&
           (!f->outcomes || recorded_just(f->outcomes));
}

static void tell(const struct feature *f, enum check_model model, const struct check_result *r)
{
    const char *failure = f->failure[model];
    printf("FAILED  %s\n  expected: %s, %llu executions, outcomes %s, %s\n", f->name,
           failure ? failure : "no failure", (unsigned long long)f->executions[model],
           f->outcomes ? f->outcomes : "any", f->blocks ? "some blocked" : "none blocked");
    printf("  found: %llu executions, %llu blocked, %llu runs, outcomes",
           (unsigned long long)r->executions, (unsigned long long)r->blocked,
           (unsigned long long)r->runs);
    recorded_print();
    printf(", %s\n", r->failure ? r->failure : "no failure");
}

static int check_features(const struct feature *f, enum check_model model)
{
    int failures = 0, n = 0;
    for (; f->name; f++, n++) {
        struct check_options options = f->options;
        options.model = model;
        struct check_result r = check_recorded(&f->program, &options);
        if (!as_expected(f, model, &r)) {
            tell(f, model, &r);
            failures++;
        }
        free(r.failure);
    }
    printf("%d programs, %d failures\n", n, failures);
    return failures;
}

int main(int argc, char **argv)
{
    static const char *const models[] = {"rc11", "tso", "sc"};
    static const struct {
        const char *name;
        const struct feature *features;
    } tables[] = {{"choices", choice_features},
                  {"waits", wait_features},
                  {"posix", posix_features},
                  {"memory", memory_features}};
    for (int m = 0; argc == 3 && m < 3; m++)
        for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
            if (!strcmp(argv[1], models[m]) && !strcmp(argv[2], tables[t].name))
                return check_features(tables[t].features, (enum check_model)m) > 0;
    fprintf(stderr, "usage: features rc11|tso|sc choices|waits|posix|memory\n");
    return 2;
}
