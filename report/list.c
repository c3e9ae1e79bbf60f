/* SPDX-License-Identifier: MIT */
/* What would be run; and all claims, as a page of the documentation has them. */
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* ---- Plain ---- */

static void print_experiments(const struct report_options *o)
{
    double total = 0;
    for (const struct experiment *e = report_experiments; e->name; e++) {
        if (!report_is_wanted(o, e))
            continue;
        const char *obstacle = report_obstacle(e);
        char *command = report_shown(e, o->length, false);
        printf("%-19s %4.0f s  %s\n%-27s%s\n", e->name, e->seconds[o->length], e->about, "",
               command);
        if (obstacle)
            printf("%-27snot here: %s\n", "", obstacle);
        else
            total += e->seconds[o->length];
        free(command);
    }
    printf("\nAbout %.0f minutes on a machine with two slow CPUs.\n", total / 60 + 0.5);
}

/* ---- Markdown ---- */

/* What would end a cell is escaped. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static void print_limits(const struct claim *c)
{
    static const char *const signs[] = {[AT_LEAST] = ">=", [AT_MOST] = "<="};
    if (c->test == WITHIN)
        printf("within a factor of %g (in part: %g)", c->holds, c->part);
    else
        printf("%s %g (in part: %g)", signs[c->test], c->holds, c->part);
}

static void print_claim(const struct figure *f, const struct claim *c, bool is_first)
{
    printf("| ");
    print_cell(is_first ? f->name : "\"");
    printf(" | ");
    if (f->why_not) {
        print_cell(f->about);
        printf(" | | %s: ", f->is_drawing ? "nothing to measure" : "can't be measured here");
        print_cell(f->why_not);
        printf(" | |\n");
        return;
    }
    print_cell(c->says);
    printf(" | ");
    print_cell(c->paper ? c->paper : "");
    printf(" | %s`%s`", c->statistic == SHARE ? "share >= 1 of " : "", c->value);
    printf(" at `%s`", c->over);
    if (c->under)
        printf(" / at `%s`", c->under);
    if (c->per)
        printf(", per `%s`", c->per);
    printf(": ");
    print_limits(c);
    const char *name = report_experiment_of(f, c)->name;
    printf(" | [`" REPORT_TOOL " --only %s`](#%s) |\n", name, name);
}

static void print_paper(const struct paper *p)
{
    printf("## %s\n\n`%s`: " REPORT_TOOL " --only %s\n\n", p->title, p->name, p->name);
    printf("| figure | claim | the paper | decided by | run by |\n|---|---|---|---|---|\n");
    for (const struct figure *f = p->figures; f->name; f++)
        for (int i = 0; i < CLAIMS_MOST && (i == 0 || f->claims[i].says); i++)
            print_claim(f, &f->claims[i], i == 0);
    printf("\n");
}

static void print_commands(const struct report_options *o)
{
    printf("## The experiments\n\n");
    for (const struct experiment *e = report_experiments; e->name; e++) {
        char *command = report_shown(e, o->length, true);
        printf("### %s\n\n%c%s", e->name, e->about[0] & ~0x20, e->about + 1);
        if (e->cpus > 1)
            printf(" (takes %u CPUs)", e->cpus);
        printf(".\n\n```sh\n" REPORT_TOOL " --only %s\n%s\n```\n%s", e->name, command,
               e[1].name ? "\n" : "");
        free(command);
    }
}

void report_print_list(const struct report_options *o)
{
    if (!o->markdown) {
        print_experiments(o);
        return;
    }
    for (const struct paper *p = report_papers; p->name; p++)
        print_paper(p);
    print_commands(o);
}
