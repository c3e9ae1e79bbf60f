/* SPDX-License-Identifier: MIT */
/*
 * environment [library|others|names]: the table of the HEIST_ variables, for docs/environment.md:
 * those that the library reads, those that others do; or the names of all.
 */
#include <stdio.h>
#include <string.h>

#include "environment.h"

static void print_table(bool of_library)
{
    puts("| variable | takes | default | what it does |\n|---|---|---|---|");
    for (const struct heist_variable_ *v = heist_variables_; v->name; v++)
        if (of_library == (v->parse != NULL))
            printf("| `%s` | %s | %s | %s |\n", v->name, v->takes, v->otherwise, v->does);
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (!strcmp(what, "library") || !strcmp(what, "others")) {
        print_table(!strcmp(what, "library"));
    } else if (!strcmp(what, "names")) {
        for (const struct heist_variable_ *v = heist_variables_; v->name; v++)
            puts(v->name);
    } else {
        fprintf(stderr, "environment: '%s': give library, others or names\n", what);
        return 2;
    }
    return 0;
}
