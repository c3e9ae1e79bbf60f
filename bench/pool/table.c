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
    fputc('\n', f);
    bench_print_machine(f);
}
