/* SPDX-License-Identifier: MIT */
/*
 * `heist verify`: runs the programs of the model checker, verify-KIND, beside each other. What was
 * asked for is verify_options.c, what is to be run verify_plan.c, what the programs said
 * verify_rows.c; verify.c runs them. docs/verification.md says what the programs take and print.
 */
#ifndef TOOL_VERIFY_H
#define TOOL_VERIFY_H

#include <stdio.h>

#include "processes.h"

#define VERIFY "heist verify"

enum { VERIFY_MODELS = 3, VERIFY_PASSED = 4, VERIFY_GO_ON = -1 };

struct verify_options {
    const char **kinds; /* as many as there are arguments at most */
    size_t number;      /* of kinds; 0: all */
    const char *client; /* NULL: all */
    const char *models[VERIFY_MODELS];
    size_t models_number;
    bool quick, full, mutants;
    uint64_t seconds; /* for each client; 0: no limit */
    size_t jobs;
    bool csv;
    const char *csv_path;                  /* NULL: stdout */
    const char *passed[2 * VERIFY_PASSED]; /* options for the one program, and their values */
    size_t passed_number;
};

/* All that can be checked, by name: the kinds of queues, and the
   protocols of the runtime. NULL ends it. */
const char *const *verify_kinds(void);

/* VERIFY_GO_ON, or the exit status: after --help, or after bad input and a message. */
int verify_read_options(struct verify_options *o, int argc, char **argv); /* keeps parts of argv */

/* A kind, and the program that checks it. */
struct verify_subject {
    const char *kind;
    char *program;
    char *argv[3];
    struct process list; /* prints its clients */
    struct text clients; /* their names, for a message */
};

/* A row, as the programs print it. */
enum verify_field {
    V_KIND,
    V_CLIENT,
    V_MODEL,
    V_WEAKENED,
    V_EXECUTIONS,
    V_RUNS,
    V_VERDICT,
    V_SECONDS,
    V_FIELDS
};
struct verify_row {
    const char *field[V_FIELDS];
};

enum verify_cost { COST_FULL, COST_RANDOM, COST_QUICK }; /* the longest first */

/* One run of a program. */
struct verify_job {
    const struct verify_subject *subject;
    const char *client; /* NULL: all its mutants */
    enum verify_cost cost;
    const char *model;
    struct process process;
    char *argv[10 + 2 * VERIFY_PASSED];
    char limit[24];      /* the value of --seconds */
    uint64_t executions; /* explored so far */
    struct text remarks; /* what it said on stderr, progress apart */
    bool over;           /* it has ended, or its turn never came */
    int status;          /* what it makes of the command's exit status */
    struct verify_row *rows;
    size_t number;         /* of rows */
    const char *execution; /* that failed; NULL: none */
    char trouble[160];     /* why there is no row that can be trusted */
    char made[2][24];      /* numbers of a row that was made here */
};

struct verify_plan {
    struct verify_subject *subjects;
    size_t subjects_number;
    struct verify_job *jobs; /* in the order of the table */
    size_t number;
    int stopped; /* the signal that asked for the end; 0: none */
};

/* As verify_read_options. */
int verify_make_plan(struct verify_plan *plan, const struct verify_options *o);
void verify_free_plan(struct verify_plan *plan);

/* After the end of the process: its rows, and whether all is well. */
void verify_judge(struct verify_job *job);
/* For a job that can't be run any more. */
void verify_judge_unstarted(struct verify_job *job);

void verify_write_csv_header(FILE *f);
void verify_write_csv(FILE *f, const struct verify_job *job);
void verify_print_table(FILE *f, const struct verify_plan *plan, bool mutants);
void verify_print_troubles(FILE *f, const struct verify_plan *plan);
void verify_print_totals(FILE *f, const struct verify_plan *plan, bool mutants, double seconds);

#endif
