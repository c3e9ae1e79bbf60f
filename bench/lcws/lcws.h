/* SPDX-License-Identifier: MIT */
/*
 * `heist bench lcws`: the programs of bench/app on the schedulers of the LCWS paper, beside a plain
 * work-stealing deque. What was asked for is options.c, what there is to run programs.c; rounds.c
 * runs it, rows.c reads what it prints, figures.c shows it as the paper's figures do. docs/lcws.md
 * has the results.
 */
#ifndef LCWS_LCWS_H
#define LCWS_LCWS_H

#include "common.h"

#define LCWS_TOOL "heist bench lcws"

/* The schedulers, and HEIST_QUEUE for them. The first is what the paper calls WS; the last is the
   same again: what it differs by from the first is chance. */
#define LCWS_KINDS(X)                                           \
    X(CHASELEV, "chaselev", "chaselev")                         \
    X(USER, "split:user", "split:user")                         \
    X(SIGNALS, "split:signal", "split:signal")                  \
    X(CONSERVATIVE, "split:conservative", "split:conservative") \
    X(HALF, "split:half", "split:half")                         \
    X(AGAIN, "chaselev-again", "chaselev")
#define LCWS_KIND_(NAME, text, queue) NAME,
enum { LCWS_KINDS(LCWS_KIND_) KINDS };
#undef LCWS_KIND_
extern const char *const lcws_kinds[KINDS], *const lcws_queues[KINDS];

/* What is read from a program's rows, by the names there. */
#define LCWS_STATS(X) X(fences) X(cas) X(steals) X(exposures) X(empty) X(parks)
#define LCWS_STAT_(name) STAT_##name,
enum { LCWS_STATS(LCWS_STAT_) STATS };
#undef LCWS_STAT_
extern const char *const lcws_stats[STATS];

struct lcws_program {
    const char *name;
    char *timed, *counted; /* executables: as the library is; and counting its atomics; NULL: not
                              built */
};
/* All that there are; name NULL at the end. */
const struct lcws_program *lcws_programs(void);
/* Calls `each` for the shapes of a program. */
typedef void lcws_shape_fn(void *context, const struct lcws_program *p, const char *shape,
                           uint64_t size);
void lcws_each_shape(const struct lcws_program *p, lcws_shape_fn *each, void *context);

enum { LCWS_TURNS_MOST = 1000 };

struct lcws_options {
    const struct lcws_program **programs; /* NULL at the end */
    struct numbers workers;
    unsigned rounds, counted_rounds; /* timed ones, and of those the first that also count */
    unsigned turns;                  /* of every scheduler in a timed round */
    unsigned percent;                /* of the programs' own sizes */
    unsigned patience;               /* seconds for one turn */
    bool first_shape;                /* only that */
    const char *loops;               /* --loops of the programs */
    const char *csv;                 /* NULL: none */
};
/* Exits for --help and for what is wrong; nothing has been run or written then. */
void lcws_read_options(struct lcws_options *o, char **argv);
void lcws_free_options(struct lcws_options *o);

struct lcws_sample {
    double seconds;
    uint64_t checksum, stats[STATS];
    unsigned round, repetition;
    bool counted; /* by the program that counts: its seconds are not compared */
};
/* SHAPE SIZE, of which the line keeps the shape. */
bool lcws_read_shape(char *line, uint64_t *size);
/* From a text, which is taken to pieces: a header and so many rows, each into a copy of the first
   sample. */
bool lcws_read_rows(char *text, struct lcws_sample *samples, unsigned rows);

/* One program, of one shape, with so many workers: the paper's configuration. */
struct lcws_case {
    const struct lcws_program *program;
    char *shape;
    uint64_t size;
    unsigned workers;
    struct {
        struct lcws_sample *samples;
        size_t n;
        bool failed;
    } kinds[KINDS];
};

struct lcws_cases {
    struct lcws_case *at;
    size_t n;
};
struct lcws_cases lcws_make_cases(const struct lcws_options *o);
void lcws_free_cases(struct lcws_cases *cases);
/* How many schedulers failed somewhere. Each sample goes to `csv` too, if that is not NULL. */
size_t lcws_run(struct lcws_cases *cases, const struct lcws_options *o, FILE *csv);

void lcws_print_figures(FILE *f, const struct lcws_cases *cases, const struct lcws_options *o);

int bench_lcws(int argc, char **argv);

#endif
