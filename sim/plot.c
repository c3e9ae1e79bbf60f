/* SPDX-License-Identifier: MIT */
/* Plots by gnuplot: the median of each entrant as a line, and every round as a dot. */
#include <errno.h>
#include <string.h>

#include "bench.h"
#include "command.h"

static const char *const colours[] = {"#000000", "#7f7f7f", "#a65628", "#ff7f00",
                                      "#e41a1c", "#f781bf", "#377eb8", "#4daf4a",
                                      "#984ea3", "#17becf", "#bcbd22", "#1b3a6b"};

static const char *const axis_names[] = {[SIM_SPEEDUP] = "work / time: workers that never idled",
                                         [SIM_WAIT] = "mean wait of a task, us",
                                         [SIM_THROUGHPUT] = "puts and items taken, per us"};

/* A plot: the points that differ in one thing only. */
struct series {
    const struct sim_options *o;
    const struct sim_rows *rows;
    const struct sim_point *first;
    bool by_balance; /* else by workers */
};

static bool belongs(const struct series *x, const struct sim_point *p)
{
    return p->workload == x->first->workload && p->queue == x->first->queue &&
           (x->by_balance ? p->workers == x->first->workers : p->balance == x->first->balance);
}

static unsigned position(const struct series *x, const struct sim_point *p)
{
    return x->by_balance ? p->balance : p->workers;
}

static void write_data(FILE *f, const struct series *x)
{
    const struct sim_options *o = x->o;
    for (size_t i = 0; i < o->entrants_n; i++) {
        const struct sim_entrant *e = &o->entrants[i];
        fprintf(f, "$median%zu << END\n", i);
        for (const struct sim_point *p = o->points; p != o->points + o->points_n; p++)
            if (belongs(x, p))
                fprintf(f, "%u %g\n", position(x, p),
                        sim_median(x->rows, p, e, sim_measure_of_row));
        fprintf(f, "END\n$all%zu << END\n", i);
        for (const struct sim_row *r = x->rows->at; r != x->rows->at + x->rows->n; r++)
            if (r->entrant == e && belongs(x, r->point))
                fprintf(f, "%u %g\n", position(x, r->point), r->measure);
        fprintf(f, "END\n");
    }
}

/* A file's name may have anything in it: in quotes for gnuplot, where two are one. */
static void write_quoted(FILE *f, const char *text)
{
    fputc('\'', f);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', f);
        fputc(*text == '\n' ? ' ' : *text, f);
    }
    fputc('\'', f);
}

static void write_script(FILE *f, const struct series *x, const char *name)
{
    const struct sim_options *o = x->o;
    write_data(f, x);
    fprintf(f, "set title '%s, queue %s, ", x->first->workload->name,
            sim_queue_names[x->first->queue]);
    if (x->by_balance) {
        fprintf(f, "%u workers' noenhanced\nset xlabel 'balance, %%'\n", x->first->workers);
    } else {
        fputs("'.", f);
        write_quoted(f, o->description ? o->description : "this machine");
        fputs(" noenhanced\nset xlabel 'workers'\nset logscale xy 2\n", f);
    }
    fprintf(f,
            "set ylabel '%s'\nset grid\nset key outside right noenhanced\n"
            "set terminal svg size 1000,600 background '#ffffff' noenhanced\nset output '%s.svg'\n",
            axis_names[x->first->workload->measure], name);
    for (size_t i = 0; i < o->entrants_n; i++) {
        const char *colour = colours[i % (sizeof colours / sizeof *colours)];
        char entrant[32];
        fprintf(f,
                "%s$median%zu using 1:2 with linespoints pointsize 0.5 linewidth 2 dashtype %d "
                "linecolor '%s' title '%s', \\\n",
                i ? ", \\\n" : "plot ", i, o->entrants[i].policy.prob ? 2 : 1, colour,
                sim_entrant_name(&o->entrants[i], entrant));
        fprintf(f, "$all%zu using 1:2 with points pointtype 7 pointsize 0.3 linecolor '%s' notitle",
                i, colour);
    }
    fputc('\n', f);
}

static void draw(const struct series *x)
{
    const struct sim_point *p = x->first;
    char name[64], path[4096];
    int n = snprintf(name, sizeof name, "%s-%s", p->workload->name, sim_queue_names[p->queue]);
    if (x->by_balance)
        snprintf(name + n, sizeof name - (size_t)n, "-%u-workers", p->workers);
    else if (p->workload->measure == SIM_THROUGHPUT)
        snprintf(name + n, sizeof name - (size_t)n, "-%u-percent", p->balance);
    if ((size_t)snprintf(path, sizeof path, "%s/%s.gp", x->o->plot, name) >= sizeof path)
        bench_fail("--plot '%s': too long", x->o->plot);
    FILE *f = fopen(path, "w");
    if (!f)
        bench_fail("--plot '%s': %s: %s", x->o->plot, path, strerror(errno));
    write_script(f, x, name);
    if (fclose(f))
        bench_fail("--plot '%s': %s could not be written", x->o->plot, path);
    char *argv[] = {"gnuplot", path + strlen(x->o->plot) + 1, NULL};
    if (!bench_run(argv, x->o->plot))
        bench_fail("--plot '%s': gnuplot failed on %s", x->o->plot, path);
}

/* Whether this is the first point of its series, and how many it has. */
static size_t length(const struct series *x, bool *is_first)
{
    size_t n = 0;
    for (const struct sim_point *p = x->o->points; p != x->o->points + x->o->points_n; p++)
        if (belongs(x, p)) {
            if (!n++)
                *is_first = p == x->first;
        }
    return n;
}

/* By workers in any case; by balance where there are several. */
void sim_plot(const struct sim_options *o, const struct sim_rows *rows)
{
    for (const struct sim_point *p = o->points; p != o->points + o->points_n; p++) {
        struct series by_workers = {o, rows, p, false}, by_balance = {o, rows, p, true};
        bool first_w, first_b;
        size_t workers = length(&by_workers, &first_w), balances = length(&by_balance, &first_b);
        if (first_w && (workers > 1 || balances == 1))
            draw(&by_workers);
        if (first_b && balances > 1)
            draw(&by_balance);
    }
}
