/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <errno.h>
#include <heist/atomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void set_counts(struct row *r, const struct outcome *out)
{
    double operations = (double)(out->owner.put.n + out->owner.got.n);
    double taken = (double)out->thieves.taken.n;
    const struct counted *owner = &out->owner.counted, *thief = &out->thieves.counted;
    r->value[C_OWNER_FENCES] = (double)owner->fences / operations;
    r->value[C_OWNER_CAS] = (double)owner->cas / operations;
    r->value[C_OWNER_RMW] = (double)owner->rmw / operations;
    if (taken > 0) {
        r->value[C_THIEF_FENCES] = (double)thief->fences / taken;
        r->value[C_THIEF_CAS] = (double)thief->cas / taken;
        r->value[C_THIEF_RMW] = (double)thief->rmw / taken;
    }
}

static void set_outcome(struct row *r, const struct outcome *out)
{
    const struct owned *o = &out->owner;
    const struct helped *h = &out->thieves;
    double ops = (double)(o->put.n + o->got.n + h->taken.n);
    r->value[C_NS] = out->ns / ops;
    if (o->calls) {
        ops = (double)o->calls;
        r->value[C_NS] =
            h->taken.n ? out->percentile[0] : o->call_ticks / bench_ticks_per_ns() / ops;
    }
    r->value[C_OPS] = ops;
    r->value[C_STOLEN] = o->put.n ? 100 * (double)h->taken.n / (double)o->put.n : 0;
    r->value[C_STEALS] = (double)h->taken.n;
    r->value[C_EMPTY] = (double)h->empty;
    r->value[C_BUSY] = (double)h->busy;
    r->value[C_SIZES] = h->sizes ? (double)h->sizes : NAN;
    r->value[C_OK] = out->ok && o->put.n;
    for (int i = 0; i < 4; i++)
        r->value[C_P50 + i] = out->percentile[i];
    if (HEIST_COUNT)
        set_counts(r, out);
}

static struct row run_point(const struct options *o, const struct point *p, const struct entrant *e,
                            unsigned rep)
{
    struct row r = bench_row(p, e, rep);
    if (!e->contestant) {
        bench_run_outside(e->program, p, e, &r);
    } else if (p->benchmark->counted && !HEIST_COUNT) {
        bench_run_outside(bench_counts_program(), p, e, &r);
    } else {
        struct trial t = {
            .contestant = e->contestant, .opts = e->opts, .seconds = o->seconds, .keep = 1};
        struct outcome out;
        t.opts.capacity = p->capacity;
        t.opts.block = p->block;
        p->benchmark->set_up(p, &t);
        int error = bench_trial(&t, &out);
        if (error)
            bench_fail("%s in %s: %s", e->name, p->benchmark->name, strerror(-error));
        set_outcome(&r, &out);
    }
    return r;
}

static void show_progress(const struct options *o, unsigned rep, const struct point *p,
                          const struct entrant *e, double done, uint64_t began)
{
    char what[256], line[64];
    snprintf(what, sizeof what, "%s %s", p->benchmark->name, e->name);
    snprintf(line, sizeof line, "repetition %u of %u", rep, o->reps);
    bench_show_progress(done, began, what, line);
}

/* All repetitions of all points; within a point the entrants take turns in who is first. */
static struct rows run_all(const struct options *o, const struct plan *plan, FILE *csv)
{
    struct rows rows = {NULL, 0};
    size_t steps = o->reps * plan->n * o->number, step = 0;
    uint64_t began = clock_ns();
    for (unsigned rep = 1; rep <= o->reps; rep++)
        for (const struct point *p = plan->at; p != plan->at + plan->n; p++)
            for (size_t i = 0; i < o->number; i++) {
                const struct entrant *e = &o->entrants[(i + rep - 1) % o->number];
                double done = (double)step++ / (double)steps;
                if (!bench_takes(p, e))
                    continue;
                if (steps > 1)
                    show_progress(o, rep, p, e, done, began);
                struct row r = run_point(o, p, e, rep);
                rows.at = bench_grow(rows.at, rows.n, sizeof *rows.at);
                rows.at[rows.n++] = r;
                if (csv) {
                    bench_write_csv_row(csv, &r);
                    fflush(csv);
                }
            }
    bench_clear_progress();
    return rows;
}

/* What the record says of this benchmark alone. */
static void add_facts(unsigned threads)
{
    const int *cpus;
    unsigned n = bench_cpus(&cpus);
    bench_machine_begin();
    bench_machine_add("cpus", "%u of %ld; owner pinned to %d, %s", n, sysconf(_SC_NPROCESSORS_ONLN),
                      cpus[0], n > 1 ? "each thief to another one" : "thieves to the same one");
    if (threads > n)
        bench_machine_add("crowded",
                          "up to %u threads on %u CPUs: some share one, and yield while they wait",
                          threads, n);
    bench_machine_add("loops", "%s", LOOP_FLAGS);
    bench_machine_add("clock", "%s, %.4f ticks per ns", CLOCK_NAME, bench_ticks_per_ns());
}

/* Without heist-counts: an error if it was asked for, else the rest is worth running. */
static void check_counts(struct options *o)
{
    for (const struct benchmark **b = o->benchmarks; *b; b++) {
        if (!(*b)->counted || HEIST_COUNT || bench_counts_program())
            continue;
        if (!o->all)
            bench_usage_error("--bench %s: heist-counts is not beside this program", (*b)->name);
        fprintf(stderr, QUEUE_TOOL ": no heist-counts beside this program, %s left out\n",
                (*b)->name);
        for (const struct benchmark **c = b; *c; c++)
            c[0] = c[1];
        return;
    }
}

static size_t report_bad_rows(const struct rows *rows)
{
    size_t bad = 0;
    for (const struct row *r = rows->at; r != rows->at + rows->n; r++)
        if (r->value[C_OK] != 1) {
            bad++;
            fprintf(stderr,
                    QUEUE_TOOL ": %s in %s (param %.0f, repetition %.0f): items lost or "
                               "invented\n",
                    r->entrant->name, r->point->benchmark->name, r->value[C_PARAM],
                    r->value[C_REP]);
        }
    return bad;
}

static bool has_something(const struct options *o, const struct plan *plan)
{
    for (const struct point *p = plan->at; p != plan->at + plan->n; p++)
        for (size_t i = 0; i < o->number; i++)
            if (bench_takes(p, &o->entrants[i]))
                return true;
    return false;
}

int bench_queue(int argc, char **argv)
{
    struct options o;
    bench_tool = QUEUE_TOOL;
    bench_machine_command(argc, argv);
    bench_read_options(&o, argv);
    check_counts(&o);
    struct plan plan = bench_plan(&o);
    if (!has_something(&o, &plan))
        bench_usage_error("nothing to run: no kind given takes part in a benchmark given");
    FILE *csv = bench_open_output("--csv", o.csv), *json = bench_open_output("--json", o.json);
    if (o.plot && mkdir(o.plot, 0777) && errno != EEXIST)
        bench_usage_error("--plot '%s': %s", o.plot, strerror(errno));
    bench_empty_output(csv);
    bench_empty_output(json);

    unsigned threads = 1;
    for (const struct point *p = plan.at; p != plan.at + plan.n; p++)
        threads = p->thieves + 1 > threads ? p->thieves + 1 : threads;
    add_facts(threads);
    if (csv)
        bench_write_csv_header(csv);
    struct rows rows = run_all(&o, &plan, csv);
    bench_machine_end();
    if (csv)
        bench_write_csv_machine(csv);
    if (json)
        bench_write_json(json, &rows);
    if (!bench_is_stdout(o.csv) && !bench_is_stdout(o.json)) {
        bench_print_tables(stdout, &o, &plan, &rows);
        bench_close_output("output", "-", stdout);
    }
    bench_close_output("--csv", o.csv, csv);
    bench_close_output("--json", o.json, json);
    if (o.plot)
        bench_plots(&o, &plan, &rows);
    size_t bad = report_bad_rows(&rows);
    free(rows.at);
    free(plan.at);
    bench_free_options(&o);
    return bad ? EXIT_FAILED : 0;
}
