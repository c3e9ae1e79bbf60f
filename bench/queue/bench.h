/* SPDX-License-Identifier: MIT */
/*
 * `heist bench queue`: the parts around the trials. What to run is options.c and benchmarks.c,
 * running it is command.c and outside.c, showing it is rows.c, table.c and plot.c.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "common.h"
#include "trial.h"

#define QUEUE_TOOL "heist bench queue"

/* A row in the contest: a kind, perhaps with options (bwos_lifo:counted), or an outside program. */
struct entrant {
    const char *name;
    const struct contestant *contestant; /* NULL: outside */
    const char *program;
    heist_queue_opts opts;
    bool fifo;
};

struct options {
    const struct benchmark **benchmarks; /* NULL at the end */
    struct entrant *entrants;
    size_t number;
    struct numbers stolen, thieves, frequencies, params; /* n == 0: the benchmark's own */
    uint64_t capacity, block;                            /* block 0: the kind's default */
    unsigned reps;
    double seconds;                /* of a trial */
    bool quick, all;               /* all: no benchmark was named */
    const char *csv, *json, *plot; /* NULL: no */
};

/* Exits for --help and for what is wrong; nothing has been run or written then. */
void bench_read_options(struct options *o, char **argv); /* keeps parts of argv */
void bench_free_options(struct options *o);
bool bench_is_plain(const struct entrant *e);
/* The kind, perhaps with options, that a word of this option names; a usage error if it names
   none. */
struct entrant bench_read_kind(const char *option, char *word);
/* A usage error if the kind can't be made so. */
void bench_check_room(const struct entrant *e, uint64_t capacity, uint64_t block);
void bench_print_kinds(void); /* for --help */
void bench_check_gnuplot(const char *plot);

/* What one trial is about; a line of the plan. */
struct point {
    const struct benchmark *benchmark;
    unsigned thieves, stolen;
    uint64_t param;
    size_t capacity, block;
    bool alone; /* without thieves, for the plain contestants only */
};

struct plan {
    struct point *at;
    size_t n;
};

/* What a benchmark goes through by default, and in its quick form. */
struct sweep {
    struct numbers full, quick;
};

struct benchmark {
    const char *name;
    const char *about; /* for --help and the tables */
    const char *param; /* what the column means */
    const char *unit;  /* of param, in tables and plots */
    const char *per;   /* what ns_per_op is per */
    enum { IS_CAPACITY, IS_STOLEN, IS_FREQUENCY, IS_BLOCK, IS_BLOCKS, IS_PART, IS_OTHER } param_is;
    uint64_t least, most;                             /* of param */
    struct sweep thieves, stolen, params;             /* no numbers: it has no such thing */
    enum { PLAIN_ALONE, PLAIN_TOO, PLAIN_NOT } plain; /* the plain ones: in a point of their own? */
    bool blocks;                                      /* only for kinds that have blocks */
    bool inside;                                      /* not for outside programs */
    bool counted;                                     /* by a program that is built to count */
    /* Makes a trial of the entrant's queue: what is special to the benchmark. */
    void (*set_up)(const struct point *p, struct trial *t);
};

extern const struct benchmark bench_benchmarks[]; /* name NULL at the end */

struct plan bench_plan(const struct options *o);
bool bench_takes(const struct point *p, const struct entrant *e);

/* The numbers of a row, in the order of the CSV's columns, which begin with bench and kind. */
enum column {
    C_THIEVES,
    C_STOLEN,
    C_PARAM,
    C_REP,
    C_NS,
    C_OPS,
    C_STEALS,
    C_EMPTY,
    C_BUSY,
    C_OK,
    C_TARGET,
    C_CAPACITY,
    C_BLOCK,
    C_SIZES,
    C_P50,
    C_P90,
    C_P99,
    C_P999,
    C_OWNER_FENCES,
    C_OWNER_CAS,
    C_OWNER_RMW,
    C_THIEF_FENCES,
    C_THIEF_CAS,
    C_THIEF_RMW,
    COLUMNS
};

struct row {
    const struct point *point;
    const struct entrant *entrant;
    double value[COLUMNS]; /* NAN: does not apply */
};

struct rows {
    struct row *at;
    size_t n;
};

/* A row with what the point says; the rest NAN. */
struct row bench_row(const struct point *p, const struct entrant *e, unsigned rep);
void bench_write_csv_header(FILE *f);
void bench_write_csv_row(FILE *f, const struct row *r);
void bench_write_json(FILE *f, const struct rows *rows);
/* The one row of a CSV text, with or without a header, into `r`; NULL or what is wrong with it. */
const char *bench_read_csv(char *text, struct row *r);

/* Runs another program for one row; exits, naming it, if that fails. */
void bench_run_outside(const char *program, const struct point *p, const struct entrant *e,
                       struct row *r);
char *bench_counts_program(void); /* heist-counts, or NULL */
/* The path of a program that belongs to this one, or NULL; valid until the next call. In the build
 * tree it is in `folder` beside this one, installed in libexec. */
char *bench_program_beside(const char *folder, const char *name);
/* One, and one for each CPU that this process may use. */
void bench_add_default_workers(struct numbers *workers);
/* Runs a program that has nothing to say, in a directory; whether it went well. */
bool bench_run(char *const *argv, const char *directory);

/* Of the repetitions of one point. */
struct summary bench_summary(const struct rows *rows, const struct point *p,
                             const struct entrant *e, enum column c);
/* The median of the plain contestant of the same order, or NAN. */
double bench_limit(const struct options *o, const struct plan *plan, const struct rows *rows,
                   const struct point *p, const struct entrant *e);
void bench_print_tables(FILE *f, const struct options *o, const struct plan *plan,
                        const struct rows *rows);

/* The end of the points that go with p into one table or plot: they differ in param only. */
const struct point *bench_series_end(const struct plan *plan, const struct point *p);
void bench_plots(const struct options *o, const struct plan *plan, const struct rows *rows);

int bench_queue(int argc, char **argv);

#endif
