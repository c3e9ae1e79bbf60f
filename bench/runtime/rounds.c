/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "processes.h"
#include "runtime.h"

enum { EXIT_NO_PART = 3 };             /* of a contestant that has no such benchmark */
enum { PROBE_SIZE = 25, PROBES = 3 };  /* of fib: to know how fast everybody is */
enum { SLOW = 10 };                    /* times the serial program */
#define GOLDEN_RATIO 1.618033988749895 /* so much longer takes the next fib */

/* Says why an entry is out of the contest. */
static void fail_entry(const struct runtime_contest *c, struct runtime_entry *e, const char *why,
                       const char *details)
{
    e->state = FAILED;
    bench_clear_progress();
    fprintf(stderr, "%s: %s in %s %llu with %u worker%s: %s%s%s\n", bench_tool, e->contestant->name,
            c->benchmark->name, (unsigned long long)c->size, e->workers, e->workers == 1 ? "" : "s",
            why, *details ? ": " : "", details);
}

/* One run of a contestant; whether the samples are there. */
static bool run_entry(const struct runtime_options *o, const struct runtime_contest *c,
                      struct runtime_entry *e, uint64_t size, struct runtime_sample *samples,
                      int repeat)
{
    char numbers[3][24], why[64];
    snprintf(numbers[0], sizeof numbers[0], "%llu", (unsigned long long)size);
    snprintf(numbers[1], sizeof numbers[1], "%u", e->workers);
    snprintf(numbers[2], sizeof numbers[2], "%d", repeat);
    char *argv[] = {e->contestant->program,
                    "--bench",
                    (char *)c->benchmark->bench,
                    "--size",
                    numbers[0],
                    "--workers",
                    numbers[1],
                    "--repeat",
                    numbers[2],
                    NULL};
    struct process p = {.argv = argv, .patience = o->patience};
    int status = processes_run_one(&p, why, sizeof why);
    if (status == EXIT_NO_PART) {
        e->state = NO_PART;
    } else if (status) {
        fail_entry(c, e, why, p.printed[1].at);
    } else if (runtime_read_lines(e->contestant, c->benchmark, p.printed[0].at, samples, repeat) !=
               repeat) {
        snprintf(why, sizeof why, "it did not print %d line%s '%s SECONDS RESULT'", repeat,
                 repeat == 1 ? "" : "s", c->benchmark->bench);
        fail_entry(c, e, why, p.printed[1].at);
    }
    processes_forget(&p);
    return e->state == IN;
}

static void show_progress(const struct runtime_contest *c, const struct runtime_entry *e,
                          const struct runtime_progress *p, double part, const char *what)
{
    char name[128], line[96];
    snprintf(name, sizeof name, "%s with %u", e->contestant->name, e->workers);
    snprintf(line, sizeof line, "%s %llu, %s", c->benchmark->name, (unsigned long long)c->size,
             what);
    bench_show_progress(p->from + part * (p->to - p->from), p->began, name, line);
}

/* The least time that an entry takes for fib(PROBE_SIZE); NAN if it does not. */
static double probe(const struct runtime_options *o, struct runtime_contest *c,
                    struct runtime_entry *e, const struct runtime_progress *p)
{
    struct runtime_sample samples[PROBES];
    double least = NAN;
    show_progress(c, e, p, 0, "how fast everybody is");
    if (run_entry(o, c, e, PROBE_SIZE, samples, PROBES))
        for (int i = 0; i < PROBES; i++)
            least = fmin(least, samples[i].seconds); /* of a NAN and a number: the number */
    return least;
}

static bool is_baseline(const struct runtime_entry *serial, const struct runtime_entry *e)
{
    const char *name = e->contestant->baseline;
    return name && strcmp(serial->contestant->name, name) == 0;
}

/* Sets the size so that the slowest is within the limit, or finds those who are too slow. */
static void calibrate(const struct runtime_options *o, struct runtime_contest *c,
                      const struct runtime_progress *p)
{
    double limit = o->quick ? 0.2 : 3, slowest = 0;
    double *times = bench_grow(NULL, 0, (c->n + 1) * sizeof *times);
    for (size_t i = 0; i < c->n; i++) {
        times[i] = probe(o, c, &c->entries[i], p);
        slowest = fmax(slowest, times[i]);
    }
    for (size_t i = 0; i < c->n && c->benchmark->fast_only; i++)
        for (size_t j = 0; j < c->n; j++)
            if (c->entries[i].state == IN && is_baseline(&c->entries[j], &c->entries[i]) &&
                times[i] > SLOW * times[j])
                c->entries[i].state = TOO_SLOW;
    if (c->benchmark->calibrated && slowest > 0) {
        double size = PROBE_SIZE + floor(log(limit / slowest) / log(GOLDEN_RATIO));
        c->size = size < 10 ? 10 : size < (double)c->size ? (uint64_t)size : c->size;
    }
    free(times);
}

/* Whether a contestant is for this benchmark. */
static bool is_for(const struct runtime_contestant *who, const struct runtime_benchmark *b)
{
    char name[64];
    snprintf(name, sizeof name, " %s ", b->name);
    return !who->only || strstr(who->only, name);
}

static void add_entry(struct runtime_contest *c, struct runtime_contestant *who, uint64_t workers)
{
    c->entries = bench_grow(c->entries, c->n, sizeof *c->entries);
    c->entries[c->n++] =
        (struct runtime_entry){.contestant = who, .workers = (unsigned)workers, .state = IN};
}

static void add_entries(struct runtime_contest *c, const struct runtime_options *o)
{
    uint64_t most = 0;
    for (size_t i = 0; i < o->workers.n; i++)
        most = o->workers.at[i] > most ? o->workers.at[i] : most;
    for (size_t i = 0; i < o->number; i++) {
        struct runtime_contestant *who = &o->contestants[i];
        if (is_for(who, c->benchmark) && who->role == SERIAL)
            add_entry(c, who, 1);
    }
    for (size_t w = 0; w < o->workers.n; w++)
        for (size_t i = 0; i < o->number; i++) {
            struct runtime_contestant *who = &o->contestants[i];
            if (is_for(who, c->benchmark) && who->role != SERIAL &&
                (!c->benchmark->whole_pool || o->workers.at[w] == most))
                add_entry(c, who, o->workers.at[w]);
        }
}

/* How many samples have this result. */
static size_t count_result(const struct runtime_contest *c, uint64_t result)
{
    size_t n = 0;
    for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++)
        for (size_t i = 0; i < e->n; i++)
            n += e->samples[i].result == result;
    return n;
}

/* What most say is right. Returns how many entries say something else. */
static size_t check_results(struct runtime_contest *c)
{
    uint64_t right = 0;
    size_t most = 0, bad = 0;
    for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++) {
        size_t n = e->n ? count_result(c, e->samples[0].result) : 0;
        if (n > most) {
            most = n;
            right = e->samples[0].result;
        }
    }
    for (struct runtime_entry *e = c->entries; e != c->entries + c->n; e++) {
        const struct runtime_sample *wrong = NULL;
        for (size_t i = 0; i < e->n; i++) {
            e->samples[i].ok = e->samples[i].result == right;
            if (!e->samples[i].ok)
                wrong = &e->samples[i];
        }
        if (wrong) {
            char details[96];
            snprintf(details, sizeof details, "%llu, where most have %llu",
                     (unsigned long long)wrong->result, (unsigned long long)right);
            fail_entry(c, e, "another result", details);
            bad++;
        }
    }
    return bad;
}

size_t runtime_hold(struct runtime_contest *c, const struct runtime_options *o,
                    const struct runtime_progress *p)
{
    const struct runtime_benchmark *b = c->benchmark;
    unsigned most = !b->lasting ? o->rounds : o->quick ? 1 : 3;
    unsigned rounds = o->rounds < most ? o->rounds : most;
    int repeat = b->warm ? 1 : 2; /* the last counts */
    size_t bad = 0;
    add_entries(c, o);
    if ((b->calibrated || b->fast_only) && !o->sizes.n)
        calibrate(o, c, p);
    for (unsigned round = 1; round <= rounds; round++)
        for (size_t i = 0; i < c->n; i++) {
            struct runtime_entry *e = &c->entries[(i + round - 1) % c->n];
            struct runtime_sample samples[2];
            char what[48];
            if (e->state != IN)
                continue;
            snprintf(what, sizeof what, "round %u of %u", round, rounds);
            show_progress(c, e, p, (round - 1 + (double)i / (double)c->n) / rounds, what);
            if (!run_entry(o, c, e, c->size, samples, repeat))
                continue;
            e->samples = bench_grow(e->samples, e->n, sizeof *e->samples);
            e->samples[e->n] = samples[repeat - 1];
            e->samples[e->n++].round = round;
        }
    bench_clear_progress();
    for (const struct runtime_entry *e = c->entries; e != c->entries + c->n; e++)
        bad += e->state == FAILED;
    return bad + check_results(c);
}

void runtime_free_contest(struct runtime_contest *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->entries[i].samples);
    free(c->entries);
}
