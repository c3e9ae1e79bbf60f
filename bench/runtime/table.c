/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

static struct summary summarize(const struct runtime_entry *e, bool extra)
{
    double *values = NULL;
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        double value = extra ? e->samples[i].extra : e->samples[i].seconds;
        if (isnan(value))
            continue;
        values = bench_grow(values, n, sizeof *values);
        values[n++] = value;
    }
    struct summary s = bench_summarize(values, n);
    free(values);
    return s;
}

struct summary runtime_summary(const struct runtime_entry *e) { return summarize(e, false); }

/* The entry of that name and number of workers, if it has samples. */
static const struct runtime_entry *find(const struct runtime_contest *c, const char *name,
                                        unsigned workers)
{
    for (const struct runtime_entry *e = c->entries; name && e != c->entries + c->n; e++)
        if (strcmp(e->contestant->name, name) == 0 && e->workers == workers && e->n)
            return e;
    return NULL;
}

/* A median, NAN if there is none. */
static double median_of(const struct runtime_entry *e)
{
    return e ? runtime_summary(e).median : NAN;
}

static double serial_of(const struct runtime_contest *c, const struct runtime_entry *e)
{
    bool serial = e->contestant->role == SERIAL;
    return median_of(find(c, serial ? e->contestant->name : e->contestant->baseline, 1));
}

static const struct runtime_entry *best_peer(const struct runtime_contest *c, unsigned workers)
{
    const struct runtime_entry *best = NULL;
    for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++)
        if (e->contestant->role == PEER && e->workers == workers && e->n && e->state == IN &&
            (!best || median_of(e) < median_of(best)))
            best = e;
    return best;
}

/* Against itself with one worker. */
static double speedup_of(const struct runtime_contest *c, const struct runtime_entry *e)
{
    return e->workers == 1 ? NAN : median_of(find(c, e->contestant->name, 1)) / median_of(e);
}

static void print_ratio(FILE *f, double value)
{
    char text[16] = "";
    if (isfinite(value))
        bench_short_number(text, value);
    fprintf(f, "%10s", text);
}

static double shown(const struct runtime_contest *c, double seconds)
{
    const struct runtime_benchmark *b = c->benchmark;
    return seconds * b->scale / (b->per_size ? (double)c->size : 1);
}

static void print_entry(FILE *f, const struct runtime_contest *c, const struct runtime_entry *e)
{
    char median[16], min[16], max[16], range[40];
    struct summary s = runtime_summary(e), extra = summarize(e, true);
    bool serial = e->contestant->role == SERIAL;
    bench_short_number(median, shown(c, s.median));
    fprintf(f, "  %-14s %7u%11s", e->contestant->name, e->workers, median);
    if (!c->benchmark->whole_pool)
        print_ratio(f, s.median / serial_of(c, e));
    print_ratio(f, serial ? NAN : s.median / median_of(best_peer(c, e->workers)));
    if (!c->benchmark->whole_pool)
        print_ratio(f, speedup_of(c, e));
    if (c->benchmark->extra)
        print_ratio(f, extra.median * c->benchmark->extra_scale);
    snprintf(range, sizeof range, "%s-%s", bench_short_number(min, shown(c, s.min)),
             bench_short_number(max, shown(c, s.max)));
    fprintf(f, "  %s%s\n", range, e->state == FAILED ? "  FAILED" : "");
}

/* Those who are not in the table, and why. */
static void print_absent(FILE *f, const struct runtime_contest *c, int state, const char *why)
{
    const char *begin = why;
    for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++) {
        if ((int)e->state != state || e->n)
            continue;
        fprintf(f, "%s %s (%u)", begin, e->contestant->name, e->workers);
        begin = ",";
    }
    if (begin != why)
        fputc('\n', f);
}

void runtime_print_table(FILE *f, const struct runtime_contest *c)
{
    const struct runtime_benchmark *b = c->benchmark;
    fprintf(f, "\n%s %llu: %s; %s\n", b->name, (unsigned long long)c->size, b->about, b->unit);
    fprintf(f, "  %-14s %7s%11s", "", "workers", "median");
    if (!b->whole_pool)
        fprintf(f, "%10s", "x serial");
    fprintf(f, "%10s", "x peer");
    if (!b->whole_pool)
        fprintf(f, "%10s", "speedup");
    if (b->extra)
        fprintf(f, "%10s", b->extra_unit);
    fprintf(f, "  least-greatest\n");
    for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++)
        if (e->n)
            print_entry(f, c, e);
    print_absent(f, c, TOO_SLOW, "  too slow for this size:");
    print_absent(f, c, FAILED, "  failed:");
    fflush(f);
}

void runtime_print_overview(FILE *f, const struct runtime_contest *contests, size_t n)
{
    fprintf(f, "\nHeist beside the serial program and the best peer\n");
    fprintf(f, "  %-20s %-14s %7s%10s%10s%10s  which is\n", "", "", "workers", "x serial",
            "speedup", "x peer");
    for (const struct runtime_contest *c = contests; c != contests + n; c++)
        for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++) {
            if (e->contestant->role != HEIST || !e->n)
                continue;
            const struct runtime_entry *peer = best_peer(c, e->workers);
            char name[48];
            snprintf(name, sizeof name, "%s %llu", c->benchmark->name, (unsigned long long)c->size);
            fprintf(f, "  %-20s %-14s %7u", name, e->contestant->name, e->workers);
            print_ratio(f, median_of(e) / serial_of(c, e));
            print_ratio(f, speedup_of(c, e));
            print_ratio(f, median_of(e) / median_of(peer));
            fprintf(f, "  %s\n", peer ? peer->contestant->name : "-");
        }
}

void runtime_write_csv_header(FILE *f)
{
    fprintf(f, "bench,contestant,workers,size,round,seconds,result,ok,p99_seconds,rss_kib,commit,"
               "host\n");
}

static void write_extra(FILE *f, const struct runtime_contest *c, const struct runtime_sample *s,
                        const char *key)
{
    fputc(',', f);
    if (c->benchmark->extra && strcmp(c->benchmark->extra, key) == 0 && !isnan(s->extra))
        fprintf(f, "%.9g", s->extra);
}

void runtime_write_csv(FILE *f, const struct runtime_contest *c)
{
    for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++)
        for (size_t i = 0; i < e->n; i++) {
            const struct runtime_sample *s = &e->samples[i];
            fprintf(f, "%s,%s,%u,%llu,%u,%.9f,%llu,%d", c->benchmark->name, e->contestant->name,
                    e->workers, (unsigned long long)c->size, s->round, s->seconds,
                    (unsigned long long)s->result, s->ok);
            write_extra(f, c, s, "p99");
            write_extra(f, c, s, "rss");
            fprintf(f, ",%s,%s\n", bench_fact("commit"), bench_fact("host"));
        }
    fflush(f);
}
