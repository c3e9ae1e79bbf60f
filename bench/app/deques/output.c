/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "command.h"

static const char *load_of(const struct experiment *e) { return e->is_skewed ? "skewed" : "even"; }
static const char *generation_of(const struct experiment *e)
{
    return e->is_live ? "live" : "batch";
}
static const char *steal_of(const struct experiment *e) { return e->steals ? "on" : "off"; }

void print_csv_head(FILE *f)
{
    bench_write_csv_machine(f);
    fprintf(
        f, "program,kind,threads,tasks,load,generate,steal,round,seconds,stolen,waiting,done,ok\n");
}

void print_csv_row(FILE *f, const struct options *o, size_t experiment, uint64_t round,
                   const struct outcome *outcome)
{
    const struct experiment *e = &o->experiments[experiment];
    fprintf(f, "deques,%s,%u,%zu,%s,%s,%s,%llu,%.9f,%zu,%.9f,", e->kind, e->threads, o->how.tasks,
            load_of(e), generation_of(e), steal_of(e), (unsigned long long)round + 1,
            outcome->seconds, outcome->stolen, outcome->waiting);
    for (unsigned i = 0; i < e->threads; i++)
        fprintf(f, "%s%zu", i ? "/" : "", outcome->done[i]);
    fprintf(f, ",%d\n", outcome->ok);
    fflush(f);
}

static double seconds_of(const struct outcome *o) { return o->seconds; }
static double waiting_of(const struct outcome *o) { return o->waiting; }
static double stolen_of(const struct outcome *o) { return (double)o->stolen; }

/* By round; to be freed. */
static double *values_of(const struct options *o, const struct outcome *outcomes, size_t experiment,
                         double (*value)(const struct outcome *))
{
    double *values = malloc(o->rounds * sizeof *values);
    if (!values)
        bench_fail("out of memory");
    for (uint64_t round = 0; round < o->rounds; round++)
        values[round] = value(&outcomes[round * o->number + experiment]);
    return values;
}

static struct summary summary_of(const struct options *o, const struct outcome *outcomes,
                                 size_t experiment, double (*value)(const struct outcome *))
{
    double *values = values_of(o, outcomes, experiment, value);
    struct summary s = bench_summarize(values, o->rounds);
    free(values);
    return s;
}

/* The median of the ratios in each round: what one round does not share with the next is not in
   it. */
static double times_as_long(const struct options *o, const struct outcome *outcomes, size_t slow,
                            size_t fast)
{
    double *ratios = values_of(o, outcomes, slow, seconds_of),
           *divisors = values_of(o, outcomes, fast, seconds_of);
    for (uint64_t round = 0; round < o->rounds; round++)
        ratios[round] /= divisors[round];
    double median = bench_summarize(ratios, o->rounds).median;
    free(ratios);
    free(divisors);
    return median;
}

/* How many tasks the thread has done that did the fewest in any round, and the most. */
static void extent_of(const struct options *o, const struct outcome *outcomes, size_t experiment,
                      char text[static 48])
{
    size_t least = SIZE_MAX, most = 0;
    for (uint64_t round = 0; round < o->rounds; round++)
        for (unsigned i = 0; i < o->experiments[experiment].threads; i++) {
            size_t done = outcomes[round * o->number + experiment].done[i];
            least = done < least ? done : least;
            most = done > most ? done : most;
        }
    snprintf(text, 48, "%zu-%zu", least, most);
}

static bool begins_group(const struct options *o, size_t i)
{
    const struct experiment *e = &o->experiments[i], *last = e - 1;
    return !i || e->threads != last->threads || e->is_skewed != last->is_skewed ||
           e->is_live != last->is_live;
}

/* The experiment that is the same but does not steal, if there is one beside it. */
static size_t without_stealing(const struct options *o, size_t i)
{
    const struct experiment *e = o->experiments;
    if (i + 1 < o->number && !e[i + 1].steals && e[i + 1].kind == e[i].kind &&
        !begins_group(o, i + 1))
        return i + 1;
    if (i && !e[i - 1].steals && e[i - 1].kind == e[i].kind && !begins_group(o, i))
        return i - 1;
    return i;
}

void print_table(FILE *f, const struct options *o, const struct outcome *outcomes)
{
    fprintf(
        f,
        "%zu tasks for each thread. Medians of %llu round%s. ms: until the last thread has ended, "
        "and the least\nand greatest; x: times as fast as without stealing in the same round; "
        "waiting: ms from a task's\ngeneration until it begins, in the mean; done: tasks of the "
        "thread that did the fewest, and the most.\n",
        o->how.tasks, (unsigned long long)o->rounds, o->rounds == 1 ? "" : "s");
    for (size_t i = 0; i < o->number; i++) {
        const struct experiment *e = &o->experiments[i];
        struct summary seconds = summary_of(o, outcomes, i, seconds_of);
        double waiting = summary_of(o, outcomes, i, waiting_of).median,
               stolen = summary_of(o, outcomes, i, stolen_of).median;
        size_t other = without_stealing(o, i);
        char done[48], faster[16] = "";
        extent_of(o, outcomes, i, done);
        if (e->steals && other != i)
            snprintf(faster, sizeof faster, "%.2f", times_as_long(o, outcomes, other, i));
        if (begins_group(o, i))
            fprintf(f, "\n%u thread%s, %s load, %s\n  %-10s %-5s %9s %20s %6s %8s %9s  %s\n",
                    e->threads, e->threads == 1 ? "" : "s", load_of(e), generation_of(e), "kind",
                    "steal", "ms", "least-greatest", "x", "stolen", "waiting", "done");
        char range[40];
        snprintf(range, sizeof range, "%.3f-%.3f", seconds.min * 1e3, seconds.max * 1e3);
        fprintf(f, "  %-10s %-5s %9.3f %20s %6s %8.0f %9.3f  %s\n", e->kind, steal_of(e),
                seconds.median * 1e3, range, faster, stolen, waiting * 1e3, done);
    }
    fputc('\n', f);
    bench_print_machine(f);
}
