/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "pool.h"

static void print_number(FILE *f, int width, double value)
{
    char text[16] = "-";
    if (!isnan(value))
        bench_short_number(text, value);
    fprintf(f, "%*s", width, text);
}

static void print_line(FILE *f, const struct pool_options *o, const struct pool_rows *rows,
                       uint64_t balance, const struct pool_entrant *e, int width)
{
    struct summary speed = pool_summary(rows, e, balance, P_SPEED);
    char least[16], greatest[16], range[40];
    snprintf(range, sizeof range, "%s-%s", bench_short_number(least, speed.min),
             bench_short_number(greatest, speed.max));
    fprintf(f, "  %-*s", width, e->name);
    print_number(f, 9, speed.median);
    print_number(f, 7, pool_ratio(rows, e, o->entrants, balance, P_SPEED));
    fprintf(f, "  %-13s", range);
    print_number(f, 8, pool_summary(rows, e, balance, P_CPU_SPEED).median);
    print_number(f, 7, pool_ratio(rows, e, o->entrants, balance, P_CPU_SPEED));
    print_number(f, 8, pool_summary(rows, e, balance, P_STOLEN).median);
    print_number(f, 9, pool_summary(rows, e, balance, P_TRIES).median);
    print_number(f, 9, pool_summary(rows, e, balance, P_FAIR).median);
    fputc('\n', f);
}

/* A ratio between two policies, and where it is the least. */
struct least {
    double ratio; /* NAN: there is none */
    const char *to;
    uint64_t balance;
};

/* Of the ratios of two entrants, wherever something is to be stolen. */
static void find_least(struct least *l, const struct pool_options *o, const struct pool_rows *rows,
                       const struct pool_entrant *e, const struct pool_entrant *to)
{
    for (size_t i = 0; i < o->balance.n; i++) {
        uint64_t balance = o->balance.at[i];
        double ratio = balance ? pool_ratio(rows, e, to, balance, P_CPU_SPEED) : NAN;
        if (ratio < l->ratio || isnan(l->ratio))
            *l = (struct least){ratio, to->policy_name, balance};
    }
}

static void print_least(FILE *f, const struct least *l)
{
    if (isnan(l->ratio))
        fprintf(f, "%9s  %-23s", "-", "");
    else
        fprintf(f, "%9.2f  %-17s%4llu %%", l->ratio, l->to, (unsigned long long)l->balance);
}

static bool same_kind_and_batch(const struct pool_entrant *a, const struct pool_entrant *b)
{
    return a->kind == b->kind && a->batch == b->batch;
}

/* Whether `e` is `to` with +prob. */
static bool adds_prob(const struct pool_entrant *e, const struct pool_entrant *to)
{
    size_t n = strlen(to->policy_name);
    return !strncmp(e->policy_name, to->policy_name, n) && !strcmp(e->policy_name + n, "+prob");
}

/* The policies of a kind and batch, whose first entrant this is, beside each other. */
static void print_policies(FILE *f, const struct pool_options *o, const struct pool_rows *rows,
                           const struct pool_entrant *first)
{
    const struct pool_entrant *end = o->entrants + o->number;
    struct least prob = {NAN, "", 0}, best = prob;
    for (const struct pool_entrant *e = first; e != end; e++)
        for (const struct pool_entrant *to = first; to != end; to++) {
            if (!same_kind_and_batch(e, first) || !same_kind_and_batch(to, first))
                continue;
            if (adds_prob(e, to))
                find_least(&prob, o, rows, e, to);
            if (!strcmp(e->policy_name, "default") && to != e)
                find_least(&best, o, rows, e, to);
        }
    fprintf(f, "  %-10s %-5s", first->kind->name, heist_batch_name(first->batch));
    print_least(f, &prob);
    print_least(f, &best);
    fputc('\n', f);
}

static void print_all_policies(FILE *f, const struct pool_options *o, const struct pool_rows *rows)
{
    if (o->number_of_policies < 2)
        return;
    fprintf(
        f,
        "\nPolicies: the least x, by op/CPU s, of any policy with +prob beside the same without, "
        "and of the\ndefault beside any other; and where that is. Not at 0 %%, where all are the "
        "same.\n%18s%9s  %-23s%9s  %s\n",
        "", "+prob", "beside, at", "default", "beside, at");
    for (const struct pool_entrant *e = o->entrants; e != o->entrants + o->number; e++) {
        const struct pool_entrant *first = o->entrants;
        while (!same_kind_and_batch(first, e))
            first++;
        if (first == e)
            print_policies(f, o, rows, e);
    }
}

void pool_print_tables(FILE *f, const struct pool_options *o, const struct pool_rows *rows)
{
    int width = 0;
    for (const struct pool_entrant *e = o->entrants; e != o->entrants + o->number; e++)
        if ((int)strlen(e->name) > width)
            width = (int)strlen(e->name);
    fprintf(f,
            "%u queues of %llu items, as many threads. Medians of %u round%s. op/s: puts, gets and "
            "items\nstolen, per second; x: times the first line in the same round; op/CPU s: per "
            "second of CPU time\n(what others on the machine do is not in it); stolen: percent of "
            "the items put; tries: attempts\nper success; fair: Jain's index of the items stolen "
            "from each queue, 1 if as many from all.\n",
            o->threads, (unsigned long long)o->capacity, o->rounds, o->rounds == 1 ? "" : "s");
    for (size_t i = 0; i < o->balance.n; i++) {
        fprintf(f, "\nbalance %llu %%\n  %-*s%9s%7s  %-13s%8s%7s%8s%9s%9s\n",
                (unsigned long long)o->balance.at[i], width, "", "op/s", "x", "least-most",
                "op/CPU s", "x", "stolen", "tries", "fair");
        for (const struct pool_entrant *e = o->entrants; e != o->entrants + o->number; e++)
            print_line(f, o, rows, o->balance.at[i], e, width);
    }
    print_all_policies(f, o, rows);
    fputc('\n', f);
    bench_print_machine(f);
}
