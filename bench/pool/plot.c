/* SPDX-License-Identifier: MIT */
/*
 * A plot by gnuplot as in Fig. 12 of the BWoS paper: throughput against the balancing factor, the
 * median of each entrant as a line and every trial as a dot. Kinds differ in colour, policies in
 * their marks, batches in their dashes.
 */
#include <errno.h>
#include <string.h>

#include "pool.h"

static const char *const colours[] = {"#e41a1c", "#377eb8", "#4daf4a", "#984ea3", "#ff7f00",
                                      "#a65628", "#f781bf", "#17becf", "#7f7f7f", "#000000"};

static const char *colour(const struct pool_options *o, const struct pool_entrant *e)
{
    return colours[(size_t)(e->kind - o->kinds) % (sizeof colours / sizeof *colours)];
}

/* Entrants are combined in this order: batches change first, then policies. */
static size_t dashes(const struct pool_options *o, const struct pool_entrant *e)
{
    return (size_t)(e - o->entrants) % o->number_of_batches + 1;
}

static size_t mark(const struct pool_options *o, const struct pool_entrant *e)
{
    return (size_t)(e - o->entrants) / o->number_of_batches % o->number_of_policies + 1;
}

static void write_data(FILE *f, const struct pool_options *o, const struct pool_rows *rows)
{
    for (const struct pool_entrant *e = o->entrants; e != o->entrants + o->number; e++) {
        fprintf(f, "$median%td << END\n", e - o->entrants);
        for (size_t i = 0; i < o->balance.n; i++)
            fprintf(f, "%llu %g\n", (unsigned long long)o->balance.at[i],
                    pool_summary(rows, e, o->balance.at[i], P_SPEED).median / 1e6);
        fprintf(f, "END\n$all%td << END\n", e - o->entrants);
        for (const struct pool_row *r = rows->at; r != rows->at + rows->n; r++)
            if (r->entrant == e)
                fprintf(f, "%g %g\n", r->value[P_BALANCE], r->value[P_SPEED] / 1e6);
        fprintf(f, "END\n");
    }
}

static void write_plot(FILE *f, const struct pool_options *o)
{
    fprintf(f,
            "set title 'A pool of %u queues of %llu items'\nset xlabel 'balancing factor (%%)'\n"
            "set ylabel 'million operations per second'\nset yrange [0:*]\nset grid\n"
            "set key outside right maxcols 1 noenhanced\n",
            o->threads, (unsigned long long)o->capacity);
    const char *separator = "plot ";
    for (const struct pool_entrant *e = o->entrants; e != o->entrants + o->number; e++) {
        fprintf(f,
                "%s$median%td using 1:2 with linespoints linewidth 1.5 dashtype %zu pointtype %zu "
                "pointsize 0.8 linecolor '%s' title '%s', \\\n$all%td using 1:2 with points "
                "pointtype 7 pointsize 0.2 linecolor '%s' notitle",
                separator, e - o->entrants, dashes(o, e), mark(o, e), colour(o, e), e->name,
                e - o->entrants, colour(o, e));
        separator = ", \\\n";
    }
    fputc('\n', f);
}

/* The script stays beside the plot, so that it can be drawn otherwise. */
void pool_plot(const struct pool_options *o, const struct pool_rows *rows)
{
    char script[4096];
    const char *slash = strrchr(o->plot, '/'), *name = slash ? slash + 1 : o->plot;
    int length = (int)strlen(o->plot) - 4;
    if ((size_t)snprintf(script, sizeof script, "%.*s.gp", length, o->plot) >= sizeof script)
        bench_fail("--plot '%s': too long", o->plot);
    FILE *f = fopen(script, "w");
    if (!f)
        bench_fail("--plot '%s': %s: %s", o->plot, script, strerror(errno));
    write_data(f, o, rows);
    fprintf(f, "set terminal svg size 1100,%zu background '#ffffff' noenhanced\nset output '%s'\n",
            o->number < 25 ? 600 : o->number * 20 + 100, name);
    write_plot(f, o);
    if (fclose(f))
        bench_fail("--plot '%s': %s could not be written", o->plot, script);
    char *file = strrchr(script, '/');
    char *argv[] = {"gnuplot", file ? file + 1 : script, NULL};
    if (file)
        *file = '\0';
    if (!bench_run(argv, file ? (*script ? script : "/") : "."))
        bench_fail("--plot '%s': gnuplot failed", o->plot);
}
