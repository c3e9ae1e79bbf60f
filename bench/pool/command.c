/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool.h"

static struct pool_places make_places(const struct pool_options *o)
{
    struct pool_places places = {NULL, malloc(o->threads * sizeof *places.cpus)};
    int error = places.cpus ? heist_topology_new(&places.topology, NULL) : -ENOMEM;
    if (!error)
        error = heist_topology_place(places.topology, HEIST_PIN_SPREAD, o->threads, places.cpus);
    if (error)
        bench_fail("the machine's topology: %s", strerror(-error));
    return places;
}

static void free_places(struct pool_places *places)
{
    heist_topology_free(places->topology);
    free(places->cpus);
}

static struct pool_row run_trial(const struct pool_options *o, const struct pool_places *places,
                                 const struct pool_entrant *e, unsigned round, uint64_t balance)
{
    struct pool_row row = {.entrant = e};
    for (int c = 0; c < POOL_COLUMNS; c++)
        row.value[c] = NAN;
    row.value[P_BALANCE] = (double)balance;
    row.value[P_THREADS] = o->threads;
    row.value[P_ROUND] = round;
    row.value[P_CAPACITY] = (double)o->capacity;
    if (o->block)
        row.value[P_BLOCK] = (double)o->block;
    int error = pool_trial(o, places, &row);
    if (error)
        bench_fail("%s: %s", e->name, strerror(-error));
    return row;
}

/* All rounds; within a point the entrants take turns in who is first. */
static struct pool_rows run_all(const struct pool_options *o, const struct pool_places *places,
                                FILE *csv)
{
    struct pool_rows rows = {NULL, 0};
    double steps = (double)(o->rounds * o->balance.n * o->number);
    uint64_t began = clock_ns();
    for (unsigned round = 1; round <= o->rounds; round++)
        for (size_t b = 0; b < o->balance.n; b++)
            for (size_t i = 0; i < o->number; i++) {
                const struct pool_entrant *e = &o->entrants[(i + round - 1) % o->number];
                char line[64];
                snprintf(line, sizeof line, "round %u of %u", round, o->rounds);
                if (steps > 1)
                    bench_show_progress((double)rows.n / steps, began, e->name, line);
                rows.at = bench_grow(rows.at, rows.n, sizeof *rows.at);
                rows.at[rows.n] = run_trial(o, places, e, round, o->balance.at[b]);
                if (csv)
                    pool_write_csv_row(csv, &rows.at[rows.n]);
                rows.n++;
            }
    bench_clear_progress();
    return rows;
}

static void add_facts(const struct pool_options *o, const struct pool_places *places)
{
    unsigned cpus = heist_topology_cpus(places->topology);
    bench_machine_begin();
    bench_machine_add("cpus", "%u of %ld; %u threads, each pinned to one", cpus,
                      sysconf(_SC_NPROCESSORS_ONLN), o->threads);
    if (o->threads > cpus && o->turn)
        bench_machine_add("crowded", "threads share CPUs, and yield after about %llu operations",
                          (unsigned long long)o->turn);
    else if (o->threads > cpus)
        bench_machine_add("crowded", "threads share CPUs, and do not yield");
}

static size_t report_bad_rows(const struct pool_rows *rows)
{
    size_t bad = 0;
    for (const struct pool_row *r = rows->at; r != rows->at + rows->n; r++)
        if (r->value[P_OK] != 1) {
            bad++;
            fprintf(stderr, POOL_TOOL ": %s (balance %.0f, round %.0f): items lost or invented\n",
                    r->entrant->name, r->value[P_BALANCE], r->value[P_ROUND]);
        }
    return bad;
}

int bench_pool(int argc, char **argv)
{
    struct pool_options o;
    bench_tool = POOL_TOOL;
    bench_machine_command(argc, argv);
    pool_read_options(&o, argc, argv);
    FILE *csv = bench_open_output("--csv", o.csv), *plot = bench_open_output("--plot", o.plot);
    bench_empty_output(csv);
    bench_close_output("--plot", o.plot, plot); /* gnuplot will write it */
    struct pool_places places = make_places(&o);
    add_facts(&o, &places);
    if (csv)
        pool_write_csv_header(csv);
    struct pool_rows rows = run_all(&o, &places, csv);
    bench_machine_end();
    if (csv)
        bench_write_csv_machine(csv);
    if (!bench_is_stdout(o.csv)) {
        pool_print_tables(stdout, &o, &rows);
        bench_close_output("output", "-", stdout);
    }
    bench_close_output("--csv", o.csv, csv);
    if (o.plot)
        pool_plot(&o, &rows);
    size_t bad = report_bad_rows(&rows);
    free(rows.at);
    free_places(&places);
    pool_free_options(&o);
    return bad ? EXIT_FAILED : 0;
}
