/* SPDX-License-Identifier: MIT */
/*
 * Plots by gnuplot: the median of each entrant as a line or a bar, and every repetition as a dot.
 */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const colours[] = {"#000000", "#7f7f7f", "#a65628", "#ff7f00", "#e41a1c",
                                      "#f781bf", "#377eb8", "#4daf4a", "#984ea3", "#17becf"};

static const char *colour(const struct options *o, const struct entrant *e)
{
    return colours[(size_t)(e - o->entrants) % (sizeof colours / sizeof *colours)];
}

/* Whether some point of the series has a row of this entrant. */
static bool takes_part(const struct rows *rows, const struct point *from, const struct point *to,
                       const struct entrant *e)
{
    for (const struct point *p = from; p != to; p++)
        if (bench_summary(rows, p, e, C_NS).n)
            return true;
    return false;
}

/*
 * Where a point is on the x axis: at its param, or with one point, each entrant beside the other.
 */
static double position(const struct options *o, const struct point *p, const struct entrant *e,
                       bool bars)
{
    return bars ? (double)(e - o->entrants) : (double)p->param;
}

/* Two blocks of data per entrant: $median1, $all1, $median2, ... */
static void write_data(FILE *f, const struct options *o, const struct rows *rows,
                       const struct point *from, const struct point *to)
{
    bool bars = to - from == 1;
    for (const struct entrant *e = o->entrants; e != o->entrants + o->number; e++) {
        if (!takes_part(rows, from, to, e))
            continue;
        fprintf(f, "$median%td << END\n", e - o->entrants);
        for (const struct point *p = from; p != to; p++)
            if (bench_summary(rows, p, e, C_NS).n)
                fprintf(f, "%g %g \"%s\"\n", position(o, p, e, bars),
                        bench_summary(rows, p, e, C_NS).median, e->name);
        fprintf(f, "END\n$all%td << END\n", e - o->entrants);
        for (const struct row *r = rows->at; r != rows->at + rows->n; r++)
            if (r->entrant == e && r->point >= from && r->point < to)
                fprintf(f, "%g %g\n", position(o, r->point, e, bars), r->value[C_NS]);
        fprintf(f, "END\n");
    }
}

static void write_axes(FILE *f, const struct point *from, const struct point *to)
{
    const struct benchmark *b = from->benchmark;
    fprintf(f, "set title '%s: %s", b->name, b->about);
    if (b->stolen.full.n)
        fprintf(f, ", %u %% stolen", from->stolen);
    if (from->thieves)
        fprintf(f, ", thieves: %u", from->thieves);
    fprintf(f, "' noenhanced\nset ylabel 'ns per %s'\nset logscale y\nset grid\n", b->per);
    fprintf(f, "set key outside right noenhanced\n");
    if (to - from == 1) {
        fprintf(f,
                "set xtics rotate by -30 noenhanced\nset boxwidth 0.7\nset style fill solid 0.4\n");
        fprintf(f, "set yrange [0.1:*]\n");
        return;
    }
    fprintf(f, "set xlabel '%s'\nset xtics (", b->param);
    for (const struct point *p = from; p != to; p++)
        fprintf(f, "%s%llu", p == from ? "" : ", ", (unsigned long long)p->param);
    fprintf(f, ")\n%s", from->param ? "set logscale x\n" : "");
    fprintf(f, "set xrange [%g:%g]\n", (double)from->param, (double)to[-1].param);
}

static void write_plot(FILE *f, const struct options *o, const struct plan *plan,
                       const struct rows *rows, const struct point *from, const struct point *to)
{
    bool bars = to - from == 1;
    const char *separator = "plot ";
    for (const struct entrant *e = o->entrants; e != o->entrants + o->number; e++) {
        double limit = bench_is_plain(e) ? bench_limit(o, plan, rows, from, e) : NAN;
        if (!takes_part(rows, from, to, e)) {
            if (isnan(limit))
                continue;
            fprintf(f, "%s%g with lines dashtype 2 linewidth 2 linecolor '%s' title '%s, alone'",
                    separator, limit, colour(o, e), e->name);
        } else {
            fprintf(f, "%s$median%td using 1:2%s with %s linecolor '%s' title '%s', \\\n",
                    separator, e - o->entrants, bars ? ":xtic(3)" : "",
                    bars ? "boxes" : "lines linewidth 2", colour(o, e), e->name);
            fprintf(
                f,
                "$all%td using 1:2 with points pointtype 7 pointsize 0.35 linecolor '%s' notitle",
                e - o->entrants, bars ? "#000000" : colour(o, e));
        }
        separator = ", \\\n";
    }
    fputc('\n', f);
}

static void plot_series(const struct options *o, const struct plan *plan, const struct rows *rows,
                        const struct point *from, const struct point *to)
{
    char name[128], script[4096];
    const char *file = script + strlen(o->plot) + 1;
    int n = snprintf(name, sizeof name, "%s", from->benchmark->name);
    if (from->thieves)
        n += snprintf(name + n, sizeof name - (size_t)n, "-%u-thieves", from->thieves);
    if (from->benchmark->stolen.full.n)
        snprintf(name + n, sizeof name - (size_t)n, "-%u-stolen", from->stolen);
    if ((size_t)snprintf(script, sizeof script, "%s/%s.gp", o->plot, name) >= sizeof script)
        bench_fail("--plot '%s': too long", o->plot);
    FILE *f = fopen(script, "w");
    if (!f)
        bench_fail("--plot '%s': %s: %s", o->plot, script, strerror(errno));
    write_data(f, o, rows, from, to);
    write_axes(f, from, to);
    fprintf(f,
            "set terminal svg size 1000,600 background '#ffffff' noenhanced\nset output '%s.svg'\n",
            name);
    write_plot(f, o, plan, rows, from, to);
    fprintf(f, "set terminal pngcairo size 1000,600 noenhanced\nset output '%s.png'\nreplot\n",
            name);
    if (fclose(f))
        bench_fail("--plot '%s': %s could not be written", o->plot, script);
    char *argv[] = {"gnuplot", (char *)file, NULL};
    if (!bench_run(argv, o->plot))
        bench_fail("--plot '%s': gnuplot failed on %s", o->plot, script);
}

void bench_plots(const struct options *o, const struct plan *plan, const struct rows *rows)
{
    const struct point *end = plan->at + plan->n, *next;
    for (const struct point *p = plan->at; p != end; p = next) {
        next = bench_series_end(plan, p);
        if (!p->alone && !p->benchmark->counted)
            plot_series(o, plan, rows, p, next);
    }
}
