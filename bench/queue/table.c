/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 6 };

static int name_width; /* of the longest name */

struct summary bench_summary(const struct rows *rows, const struct point *p,
                             const struct entrant *e, enum column c)
{
    double *values = NULL;
    size_t n = 0;
    for (const struct row *r = rows->at; r != rows->at + rows->n; r++)
        if (r->point == p && r->entrant == e && !isnan(r->value[c])) {
            values = bench_grow(values, n, sizeof *values);
            values[n++] = r->value[c];
        }
    struct summary s = bench_summarize(values, n);
    free(values);
    return s;
}

double bench_limit(const struct options *o, const struct plan *plan, const struct rows *rows,
                   const struct point *p, const struct entrant *e)
{
    for (size_t i = 0; i < o->number; i++) {
        const struct entrant *plain = &o->entrants[i];
        if (!bench_is_plain(plain) || plain->fifo != e->fifo)
            continue;
        for (const struct point *q = plan->at; q != plan->at + plan->n; q++)
            if (q->benchmark == p->benchmark && (q == p || q->alone) && bench_takes(q, plain))
                return bench_summary(rows, q, plain, C_NS).median;
    }
    return NAN;
}

enum { CELL = 14 };

static bool is_shown(const struct rows *rows, const struct point *p, const struct entrant *e)
{
    return bench_summary(rows, p, e, C_NS).n > 0;
}

static void print_cell(FILE *f, const struct summary *s, double limit)
{
    char median[16], times[16], text[40] = "";
    if (s->n && isnan(limit))
        snprintf(text, sizeof text, "%s", bench_short_number(median, s->median));
    else if (s->n)
        snprintf(text, sizeof text, "%s x%s", bench_short_number(median, s->median),
                 bench_short_number(times, s->median / limit));
    fprintf(f, "%*s", CELL, text);
}

static void print_range(FILE *f, const struct summary *s)
{
    char min[16], max[16], text[40] = "";
    if (s->n)
        snprintf(text, sizeof text, "%s-%s", bench_short_number(min, s->min),
                 bench_short_number(max, s->max));
    fprintf(f, "%*s", CELL, text);
}

/* What the helpers did, in percent; NAN: there is nothing to compare with a target. */
static double achieved(const struct rows *rows, const struct point *p, const struct entrant *e)
{
    if (p->stolen || p->benchmark->param_is == IS_PART)
        return bench_summary(rows, p, e, C_STOLEN).median;
    return 100 * bench_summary(rows, p, e, C_SIZES).median /
           bench_summary(rows, p, e, C_OPS).median;
}

static bool missed(const struct rows *rows, const struct point *p, const struct entrant *e)
{
    double target = p->stolen ? p->stolen : (double)p->param;
    return fabs(achieved(rows, p, e) - target) > target / 10;
}

/* An entrant's line of medians, its line of ranges, and a remark where the target was missed. */
static void print_lines(FILE *f, const struct options *o, const struct plan *plan,
                        const struct rows *rows, const struct point *from, const struct point *to,
                        const struct entrant *e)
{
    bool any_missed = false;
    fprintf(f, "  %-*s", name_width, e->name);
    for (const struct point *p = from; p != to; p++) {
        struct summary s = bench_summary(rows, p, e, C_NS);
        print_cell(f, &s, bench_limit(o, plan, rows, p, e));
        any_missed |= missed(rows, p, e);
    }
    if (to - from > 1)
        fprintf(f, "\n  %-*s", name_width, "");
    for (const struct point *p = from; p != to; p++) {
        struct summary s = bench_summary(rows, p, e, C_NS);
        print_range(f, &s);
    }
    if (any_missed)
        fprintf(f, "\n  %-*s", name_width, "  achieved");
    for (const struct point *p = from; any_missed && p != to; p++)
        fprintf(f, "%*.1f %%", CELL - 2, achieved(rows, p, e));
    fputc('\n', f);
}

/* The points from..to, which differ in param only, as columns. */
static void print_matrix(FILE *f, const struct options *o, const struct plan *plan,
                         const struct rows *rows, const struct point *from, const struct point *to)
{
    fprintf(f, "  %-*s", name_width, from->benchmark->unit);
    for (const struct point *p = from; p != to; p++)
        fprintf(f, "%*llu", CELL, (unsigned long long)p->param);
    fputc('\n', f);
    for (const struct entrant *e = o->entrants; e != o->entrants + o->number; e++)
        if (is_shown(rows, from, e))
            print_lines(f, o, plan, rows, from, to, e);
}

static void print_frequency(FILE *f, const struct options *o, const struct plan *plan,
                            const struct rows *rows, const struct point *p)
{
    fprintf(f, "  %-*s%*s%*s%9s %6s %6s %5s  %s\n", name_width, "", CELL, "ns/op", CELL, "min-max",
            "tried/s", "taken", "empty", "busy", "a steal's ns: p50  p90  p99  p99.9");
    for (const struct entrant *e = o->entrants; e != o->entrants + o->number; e++) {
        struct summary s = bench_summary(rows, p, e, C_NS);
        if (!s.n)
            continue;
        double steals = bench_summary(rows, p, e, C_STEALS).median;
        double empty = bench_summary(rows, p, e, C_EMPTY).median;
        double busy = bench_summary(rows, p, e, C_BUSY).median;
        double tried = steals + empty + busy;
        double ns = s.median * bench_summary(rows, p, e, C_OPS).median;
        fprintf(f, "  %-*s", name_width, e->name);
        print_cell(f, &s, bench_limit(o, plan, rows, p, e));
        print_range(f, &s);
        fprintf(f, "%9.0f %5.1f%% %5.1f%% %4.1f%%  ", tried / ns * 1e9, 100 * steals / tried,
                100 * empty / tried, 100 * busy / tried);
        for (int c = C_P50; c <= C_P999; c++) {
            struct summary latency = bench_summary(rows, p, e, (enum column)c);
            if (latency.n)
                fprintf(f, " %6.0f", latency.median);
        }
        fputc('\n', f);
    }
}

static void print_counts(FILE *f, const struct options *o, const struct rows *rows,
                         const struct point *p)
{
    fprintf(f, "  %-*s%30s%33s\n", name_width, "", "owner, per operation", "thief, per item taken");
    fprintf(f, "  %-*s", name_width, "");
    for (int side = 0; side < 2; side++)
        fprintf(f, "%*s%10s%10s", side ? 13 : 10, "fences", "CAS", "other RMW");
    fputc('\n', f);
    for (const struct entrant *e = o->entrants; e != o->entrants + o->number; e++) {
        if (!is_shown(rows, p, e))
            continue;
        fprintf(f, "  %-*s", name_width, e->name);
        for (int c = C_OWNER_FENCES; c <= C_THIEF_RMW; c++) {
            struct summary s = bench_summary(rows, p, e, (enum column)c);
            if (s.n)
                fprintf(f, "%*.4f", c == C_THIEF_FENCES ? 13 : 10, s.median);
        }
        fputc('\n', f);
    }
}

static void print_title(FILE *f, const struct point *p)
{
    const struct benchmark *b = p->benchmark;
    fprintf(f, "\n%s: %s", b->name, b->about);
    if (b->param_is == IS_FREQUENCY)
        fprintf(f, "; %llu %s", (unsigned long long)p->param, b->unit);
    if (b->stolen.full.n)
        fprintf(f, "; %u %% stolen", p->stolen);
    if (p->thieves)
        fprintf(f, "; %u thie%s", p->thieves, p->thieves == 1 ? "f" : "ves");
    if (!b->counted)
        fprintf(f, "; ns per %s", b->per);
    fputc('\n', f);
}

/* The plain contestants of a benchmark in which they run without thieves. */
static void print_alone(FILE *f, const struct options *o, const struct plan *plan,
                        const struct rows *rows, const struct benchmark *b)
{
    for (const struct point *p = plan->at; p != plan->at + plan->n; p++)
        for (const struct entrant *e = o->entrants; e != o->entrants + o->number; e++) {
            struct summary s = bench_summary(rows, p, e, C_NS);
            if (p->benchmark != b || !p->alone || !s.n)
                continue;
            fprintf(f, "  %-*s", name_width, e->name);
            print_cell(f, &s, NAN);
            print_range(f, &s);
            fprintf(f, "  alone\n");
        }
}

/* The part of a series that fits into one table. */
static const struct point *table_end(const struct plan *plan, const struct point *p)
{
    const struct point *end = bench_series_end(plan, p);
    if (p->benchmark->param_is == IS_FREQUENCY || p->benchmark->counted)
        return p + 1;
    return end - p > COLUMNS_MAX ? p + COLUMNS_MAX : end;
}

void bench_print_tables(FILE *f, const struct options *o, const struct plan *plan,
                        const struct rows *rows)
{
    const struct point *end = plan->at + plan->n, *next;
    const struct benchmark *last = NULL;
    name_width = 14;
    for (const struct entrant *e = o->entrants; e != o->entrants + o->number; e++)
        if ((int)strlen(e->name) > name_width)
            name_width = (int)strlen(e->name);
    fprintf(
        f,
        "Medians of %u repetition%s; xN: times the plain contestant of the same order; below or "
        "beside it the least and the greatest.\n",
        o->reps, o->reps == 1 ? "" : "s");
    for (const struct point *p = plan->at; p != end; p = next) {
        next = table_end(plan, p);
        if (p->alone)
            continue;
        print_title(f, p);
        if (p->benchmark != last)
            print_alone(f, o, plan, rows, p->benchmark);
        last = p->benchmark;
        if (p->benchmark->param_is == IS_FREQUENCY)
            print_frequency(f, o, plan, rows, p);
        else if (p->benchmark->counted)
            print_counts(f, o, rows, p);
        else
            print_matrix(f, o, plan, rows, p, next);
    }
    fputc('\n', f);
    bench_print_machine(f);
}
