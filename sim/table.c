/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>

#include "command.h"

/* ---- What is shown of a row ---- */

static double time_ms(const struct sim_row *r) { return (double)r->result.time / (1e6 * SIM_NS); }

static double steals(const struct sim_row *r) { return (double)r->result.steals; }

static double moved(const struct sim_row *r) { return (double)r->result.moved; }

static double failed(const struct sim_row *r) { return (double)(r->result.empty + r->result.lost); }

static double idle_percent(const struct sim_row *r)
{
    return r->result.time
               ? 100 * r->result.idle / ((double)r->result.time * (double)r->point->workers)
               : 0;
}

static double wait_us(const struct sim_row *r)
{
    return r->result.tasks ? r->result.waited / (1e3 * SIM_NS) / (double)r->result.tasks : 0;
}

static const char *const measure_names[] = {
    [SIM_SPEEDUP] = "speedup", [SIM_WAIT] = "wait us", [SIM_THROUGHPUT] = "ops/us"};

static const struct column {
    const char *name;
    double (*value)(const struct sim_row *r);
} columns[] = {{"time ms", time_ms}, {"steals", steals}, {"moved", moved}, {"failed", failed}};

static double part_at_level(const struct sim_row *r, unsigned level)
{
    return r->result.steals ? 100 * (double)r->result.by_level[level] / (double)r->result.steals
                            : 0;
}

/* ---- Tables ---- */

enum { CELL = 10, NAME = 20 };

static void print_number(FILE *f, double value)
{
    char text[16];
    fprintf(f, "%*s", CELL, isnan(value) ? "" : bench_short_number(text, value));
}

/* How much better than random with the same batch, if that was run. */
static double against_random(const struct sim_options *o, const struct sim_rows *rows,
                             const struct sim_point *p, const struct sim_entrant *e)
{
    enum sim_measure m = p->workload->measure;
    for (const struct sim_entrant *r = o->entrants; r != o->entrants + o->entrants_n; r++)
        if (r->policy.rule == HEIST_VICTIM_RANDOM && !r->policy.prob && r->batch == e->batch)
            return sim_goodness(m, sim_median(rows, p, e, sim_measure_of_row)) /
                   sim_goodness(m, sim_median(rows, p, r, sim_measure_of_row));
    return NAN;
}

static double median_at_level(const struct sim_rows *rows, const struct sim_point *p,
                              const struct sim_entrant *e, unsigned level)
{
    double sum = 0, n = 0;
    for (const struct sim_row *r = rows->at; r != rows->at + rows->n; r++)
        if (r->point == p && r->entrant == e) {
            sum += part_at_level(r, level);
            n++;
        }
    return sum / n;
}

static void print_point(FILE *f, const struct sim_options *o, const struct sim_rows *rows,
                        const struct sim_point *p)
{
    unsigned levels = heist_topology_levels(o->topology);
    fprintf(f, "\n%s, queue %s, %u worker%s", p->workload->name, sim_queue_names[p->queue],
            p->workers, p->workers == 1 ? "" : "s");
    if (p->workload->measure == SIM_THROUGHPUT)
        fprintf(f, ", balance %u %%", p->balance);
    fprintf(f, "\n  %-*s%*s%*s", NAME, "policy, batch", CELL, measure_names[p->workload->measure],
            CELL, "x random");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fprintf(f, "%*s", CELL, columns[i].name);
    fprintf(f, "%*s%*s  %% of steals by level\n", CELL, "idle %", CELL, "wait us");
    for (const struct sim_entrant *e = o->entrants; e != o->entrants + o->entrants_n; e++) {
        char name[32];
        fprintf(f, "  %-*s", NAME, sim_entrant_name(e, name));
        print_number(f, sim_median(rows, p, e, sim_measure_of_row));
        print_number(f, against_random(o, rows, p, e));
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
            print_number(f, sim_median(rows, p, e, columns[i].value));
        print_number(f, sim_median(rows, p, e, idle_percent));
        print_number(f, sim_median(rows, p, e, wait_us));
        fputs(" ", f);
        for (unsigned level = 0; level < levels && level < SIM_LEVELS; level++)
            fprintf(f, " %.0f", median_at_level(rows, p, e, level));
        fputc('\n', f);
    }
}

void sim_print_tables(FILE *f, const struct sim_options *o, const struct sim_rows *rows)
{
    fprintf(f, "Machine: %s, %u CPUs; %s. Medians of %u round%s, seeds from %" PRIu64 ".\n",
            o->description ? o->description : "this one", heist_topology_cpus(o->topology),
            heist_pin_name(o->pin), o->rounds, o->rounds == 1 ? "" : "s", o->setup.seed);
    fprintf(f, "Levels:");
    for (unsigned level = 0; level < heist_topology_levels(o->topology); level++) {
        char name[64];
        fprintf(f, "%s %u %s", level ? "," : "", level,
                heist_topology_level_name(o->topology, level, name, sizeof name));
    }
    fprintf(f, ". Costs, ns:");
    for (int i = 0; i < SIM_COSTS; i++)
        fprintf(f, " %s=%g", sim_cost_table[i].name, (double)o->setup.costs.of[i] / SIM_NS);
    fprintf(f, ".\n");
    for (const struct sim_point *p = o->points; p != o->points + o->points_n; p++)
        print_point(f, o, rows, p);
}

/* ---- CSV ---- */

void sim_write_csv_header(FILE *f, const struct sim_options *o)
{
    fprintf(f,
            "workload,queue,workers,balance,policy,batch,round,seed,time_ns,measure,tasks,steals,"
            "moved,empty,lost,looks,sleeps,idle_ns,waited_ns,events,ok");
    for (unsigned level = 0; level < heist_topology_levels(o->topology); level++)
        fprintf(f, ",steals_%u", level);
    fputc('\n', f);
}

void sim_write_csv_row(FILE *f, const struct sim_options *o, const struct sim_row *row)
{
    const struct sim_point *p = row->point;
    const struct sim_result *r = &row->result;
    fprintf(f, "%s,%s,%u,%u,%s,%s,%u,%" PRIu64 ",%.3f,%.6g,", p->workload->name,
            sim_queue_names[p->queue], p->workers, p->balance,
            heist_victim_name(&row->entrant->policy), heist_batch_name(row->entrant->batch),
            row->round, row->seed, (double)r->time / SIM_NS, row->measure);
    fprintf(f,
            "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%.0f,%.0f,%" PRIu64 ",%d",
            r->tasks, r->steals, r->moved, r->empty, r->lost, r->looks, r->sleeps, r->idle / SIM_NS,
            r->waited / SIM_NS, r->events, r->is_conserved);
    for (unsigned level = 0; level < heist_topology_levels(o->topology); level++)
        fprintf(f, ",%" PRIu64, level < SIM_LEVELS ? r->by_level[level] : 0);
    fputc('\n', f);
}
