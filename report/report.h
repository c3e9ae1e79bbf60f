/* SPDX-License-Identifier: MIT */
/*
 * `heist report`: runs the papers' experiments and writes a page that shows claim beside result.
 * What the papers claim is claims_PAPER.c, what is run experiments.c; command_line.c makes commands
 * of that and programs.c finds the programs; run.c runs them, table.c reads what they printed,
 * judge.c decides; results.c, page.c, plots.c (by plot.c) and list.c show it. command.c puts it
 * together.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cpus.h"
#include "judge.h"
#include "table.h"

#define REPORT_TOOL "heist report"

enum report_length { QUICK, NORMAL, FULL, LENGTHS };

/* ---- What is run ---- */

struct experiment {
    const char *name, *about;
    /* A program in this folder of the build tree, and how it is called by hand. NULL: heist. */
    const char *folder, *program, *shown;
    /* Words with blanks between them; '...' keeps blanks. {cpus}: how many there are; {workers}:
       1, 2, 4 and so on up to that, a run each; {rows}: a file to which the program writes, if it
       does not write to stdout. */
    const char *arguments;
    const char *more[LENGTHS]; /* arguments by length */
    const char *queues;        /* with commas: HEIST_QUEUE in turn; NULL: as it is */
    unsigned turns[LENGTHS];   /* of all these runs; 0: one */
    const char *header;        /* of rows that have none */
    const char *needs;         /* a program that must be installed; NULL: none */
    unsigned cpus;             /* that it takes; 0: one will do */
    double seconds[LENGTHS];   /* a guess, on two slow CPUs */
};

extern const struct experiment report_experiments[];               /* one without a name ends it */
const struct experiment *report_find_experiment(const char *name); /* NULL: there is none */

/* ---- What the papers say ---- */

struct plot {
    const char *where;  /* rows, as in judge.h; NULL: all */
    const char *series; /* the columns, with commas, by which points differ */
    const char *x;      /* a column: lines over it; NULL: a strip for each series */
    const char *y;      /* an expression, as in judge.h */
    const char *x_label, *y_label;
    /* A point is not a row but the ratio of medians, for each group of rows that are equal in the
       columns `per`: y over that of the rows `base`; inverse: under it. NULL: it is a row. */
    const char *base, *per;
    bool inverse;
};

enum { CLAIMS_MOST = 6 };

struct figure {
    const char *name;    /* as in the paper; NULL ends a list */
    const char *about;   /* what it shows */
    const char *why_not; /* why nothing of it is measured; NULL: it is */
    bool is_drawing;     /* a drawing, a listing: there is nothing to measure */
    const char *note;    /* in what our experiment differs; NULL: not worth mentioning */
    const char *experiment;
    struct plot plot;
    struct claim claims[CLAIMS_MOST]; /* one without `says` ends it, if there are fewer */
};

struct paper {
    const char *name, *title;
    const struct figure *figures;
};

extern const struct figure report_bwos[], report_thesis[], report_lcws[], report_bulk[],
    report_deques[];
extern const struct paper report_papers[]; /* one without a name ends it */

/* The experiment that decides a claim. */
const struct experiment *report_experiment_of(const struct figure *f, const struct claim *c);
/* The anchor of a figure in the page: bwos-fig-10. */
const char *report_anchor(const struct paper *p, const struct figure *f, char id[static 64]);

/* ---- Commands ---- */

struct words {
    char **at; /* NULL at the end */
    size_t n;
};

/* All the words of arguments, with {cpus} and {workers} filled in; `rows` for {rows}. */
struct words report_words(const struct experiment *e, enum report_length length, unsigned workers,
                          const char *rows);
struct words report_queues(const struct experiment *e);
void report_free_words(struct words *w);
/* What one would type: for the reader, and to know again. With the number of CPUs as CPUS if
   `anywhere`. To be freed. */
char *report_shown(const struct experiment *e, enum report_length length, bool anywhere);
/* NULL, or why it can't be run on this machine; valid until the next call. */
const char *report_obstacle(const struct experiment *e);
/* The path of its program, to be freed; NULL: there is none. */
char *report_program(const struct experiment *e);

/* ---- Running ---- */

struct report_options {
    enum report_length length;
    const char *output;
    bool again, list, markdown;
    const char **only; /* names of papers and experiments */
    size_t only_number;
};

/* Keeps parts of argv. Ends the command at --help and bad input. */
void report_read_options(struct report_options *o, int argc, char **argv);
bool report_is_wanted(const struct report_options *o, const struct experiment *e);

enum report_outcome { NOT_RUN, MEASURED, FAILED, IMPOSSIBLE };

/* What there is of an experiment. */
struct result {
    const struct experiment *experiment;
    enum report_outcome outcome;
    struct table table; /* MEASURED */
    char why[256];      /* FAILED and IMPOSSIBLE: why */
};

/* The file of an experiment's rows; to be freed. */
char *report_rows_path(const char *output, const struct experiment *e);
/* The lines that the report adds to the rows. */
#define REPORT_COMMAND "report-command"
#define REPORT_SECONDS "report-seconds"
#define REPORT_CPU "report-cpu"
#define REPORT_DATE "report-date" /* when the run of the report began */
/* Runs what is wanted and not there yet. 0, or the signal that stopped it. */
int report_run(const struct report_options *o, struct result *results);
/* What of it is in the directory, whoever ran it. */
void report_load(const struct report_options *o, struct result *r);

/* ---- Showing ---- */

struct findings {
    struct result *results; /* in the order of report_experiments */
    const struct report_options *options;
};

/* The verdict on a claim, with all that can stand in its way. */
struct judgement report_judge(const struct findings *f, const struct figure *figure,
                              const struct claim *claim);
const struct result *report_result_of(const struct findings *f, const struct experiment *e);

void report_write_results(const struct findings *f, const char *path);
void report_write_page(const struct findings *f, const char *path);
/* A file for each figure of which there is something. */
void report_write_plots(const struct findings *f, const char *directory);
extern const char report_plot_style[];
/* With the style sheet, if it is not inside of a page that has it. */
void report_draw(FILE *out, const struct plot *plot, const struct table *table, const char *style);
void report_print_list(const struct report_options *o);

/* A file that appears when it is complete. Both end the command if that can't be done. */
FILE *report_begin_file(const char *path);
void report_end_file(FILE *f, const char *path);

#endif
