/* SPDX-License-Identifier: MIT */
/*
 * `heist sim`: what was asked for (options.c), the runs (command.c), and how they are shown
 * (table.c, plot.c); and the comparison with the real runtime (compare.c).
 */
#ifndef SIM_COMMAND_H
#define SIM_COMMAND_H

#include "common.h"
#include "sim.h"
#include "workload.h"

#define SIM_TOOL "heist sim"

/* A policy with a batch. */
struct sim_entrant {
    heist_victim_policy policy;
    enum heist_batch batch;
};

/* What the entrants are compared in. */
struct sim_point {
    const struct sim_workload *workload;
    enum sim_queue queue;
    unsigned workers, balance; /* balance: 0 if the workload has none */
};

struct sim_row {
    const struct sim_point *point;
    const struct sim_entrant *entrant;
    unsigned round;
    uint64_t seed;
    double measure;
    struct sim_result result;
};

struct sim_options {
    struct sim_setup setup;  /* what is the same in all runs */
    const char *description; /* of the machine; NULL: the one at hand */
    heist_topology *topology;
    unsigned *cpus; /* of as many workers as there are CPUs */
    enum heist_pin pin;
    struct sim_entrant *entrants;
    size_t entrants_n;
    struct sim_point *points;
    size_t points_n;
    unsigned rounds;
    bool compare;
    const char *csv, *plot; /* NULL: none */
};

/* Exits for --help and for what is wrong; nothing has been run or written then. */
void sim_read_options(struct sim_options *o, int argc, char **argv);
void sim_free_options(struct sim_options *o);

struct sim_setup sim_setup_of(const struct sim_options *o, const struct sim_point *p,
                              const struct sim_entrant *e);
const char *sim_entrant_name(const struct sim_entrant *e, char name[static 32]);

struct sim_rows {
    struct sim_row *at;
    size_t n;
};
/* The median of all rounds; NAN if there are none. */
double sim_median(const struct sim_rows *rows, const struct sim_point *p,
                  const struct sim_entrant *e, double (*value)(const struct sim_row *row));
double sim_measure_of_row(const struct sim_row *row);

void sim_print_tables(FILE *f, const struct sim_options *o, const struct sim_rows *rows);
void sim_write_csv_header(FILE *f, const struct sim_options *o);
void sim_write_csv_row(FILE *f, const struct sim_options *o, const struct sim_row *row);
void sim_plot(const struct sim_options *o, const struct sim_rows *rows);

/* The same trees on the real runtime. */
void sim_compare(const struct sim_options *o, FILE *csv);

#endif
