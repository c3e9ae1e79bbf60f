/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "tool.h"

struct sim_setup sim_setup_of(const struct sim_options *o, const struct sim_point *p,
                              const struct sim_entrant *e)
{
    struct sim_setup s = o->setup;
    s.workload = p->workload;
    s.queue = p->queue;
    s.workers = p->workers;
    s.balance = p->balance;
    s.policy = e->policy;
    s.batch = e->batch;
    if (heist_topology_place(o->topology, o->pin, p->workers, o->cpus))
        bench_fail("out of memory");
    s.cpus = o->cpus;
    return s;
}

const char *sim_entrant_name(const struct sim_entrant *e, char name[static 32])
{
    snprintf(name, 32, "%s %s", heist_victim_name(&e->policy), heist_batch_name(e->batch));
    return name;
}

double sim_measure_of_row(const struct sim_row *row) { return row->measure; }

double sim_median(const struct sim_rows *rows, const struct sim_point *p,
                  const struct sim_entrant *e, double (*value)(const struct sim_row *row))
{
    double *values = NULL;
    size_t n = 0;
    for (const struct sim_row *r = rows->at; r != rows->at + rows->n; r++)
        if (r->point == p && r->entrant == e) {
            values = bench_grow(values, n, sizeof *values);
            values[n++] = value(r);
        }
    double median = bench_summarize(values, n).median;
    free(values);
    return median;
}

static void show_progress(const struct sim_options *o, const struct sim_point *p,
                          const struct sim_entrant *e, size_t done, uint64_t began)
{
    char name[32], what[128], line[64];
    double all = (double)(o->points_n * o->entrants_n * o->rounds);
    snprintf(what, sizeof what, "%s", sim_entrant_name(e, name));
    snprintf(line, sizeof line, "%s with %u worker%s", p->workload->name, p->workers,
             p->workers == 1 ? "" : "s");
    bench_show_progress((double)done / all, began, what, line);
}

static struct sim_rows run_all(const struct sim_options *o, FILE *csv)
{
    struct sim_rows rows = {NULL, 0};
    uint64_t began = clock_ns();
    for (const struct sim_point *p = o->points; p != o->points + o->points_n; p++)
        for (const struct sim_entrant *e = o->entrants; e != o->entrants + o->entrants_n; e++)
            for (unsigned round = 0; round < o->rounds; round++) {
                struct sim_setup s = sim_setup_of(o, p, e);
                show_progress(o, p, e, rows.n, began);
                s.seed += round;
                struct sim_row r = {p, e, round + 1, s.seed, 0, sim_run(&s)};
                r.measure = sim_measure(&s, &r.result);
                rows.at = bench_grow(rows.at, rows.n, sizeof *rows.at);
                rows.at[rows.n++] = r;
                if (csv)
                    sim_write_csv_row(csv, o, &r);
            }
    bench_clear_progress();
    return rows;
}

static size_t report_bad_rows(const struct sim_rows *rows)
{
    size_t bad = 0;
    for (const struct sim_row *r = rows->at; r != rows->at + rows->n; r++)
        if (!r->result.is_conserved) {
            char name[32];
            bad++;
            fprintf(stderr, SIM_TOOL ": %s with %s and seed %llu: %s\n", r->point->workload->name,
                    sim_entrant_name(r->entrant, name), (unsigned long long)r->seed,
                    r->result.is_too_long ? "stopped, it takes more than 213 simulated days"
                                          : "tasks lost or repeated");
        }
    return bad;
}

static int simulate(const struct sim_options *o, FILE *csv)
{
    if (csv)
        sim_write_csv_header(csv, o);
    struct sim_rows rows = run_all(o, csv);
    if (csv)
        bench_write_csv_machine(csv);
    if (!bench_is_stdout(o->csv))
        sim_print_tables(stdout, o, &rows);
    if (o->plot)
        sim_plot(o, &rows);
    size_t bad = report_bad_rows(&rows);
    free(rows.at);
    return bad ? EXIT_FAILED : 0;
}

int tool_sim(int argc, char **argv)
{
    struct sim_options o;
    bench_tool = SIM_TOOL;
    bench_machine_command(argc, argv);
    sim_read_options(&o, argc, argv);
    FILE *csv = bench_open_output("--csv", o.csv);
    if (o.plot && mkdir(o.plot, 0777) && errno != EEXIST)
        bench_usage_error("--plot '%s': %s", o.plot, strerror(errno));
    bench_empty_output(csv);
    int status = 0;
    if (o.compare)
        sim_compare(&o, csv);
    else
        status = simulate(&o, csv);
    bench_close_output("output", "-", stdout);
    bench_close_output("--csv", o.csv, csv);
    sim_free_options(&o);
    return status;
}
