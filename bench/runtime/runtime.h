/* SPDX-License-Identifier: MIT */
/*
 * `heist bench runtime`: runs the contestants, each a program of its own, in turn. What there is to
 * run is benchmarks.c and contestants.c, what was asked for options.c; rounds.c runs it, lines.c
 * reads what they print, table.c shows it. docs/bench-runtime.md says what a contestant takes and
 * prints.
 */
#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

#include "common.h"

#define RUNTIME_TOOL "heist bench runtime"

struct runtime_benchmark {
    const char *name;
    const char *about; /* for --help and the tables */
    const char *bench; /* what the contestants call it */
    const char *size;  /* what its size is */
    struct numbers full, quick;
    const char *unit; /* of what is shown: seconds * scale, divided by the size if per_size */
    double scale;
    bool per_size;
    const char *extra; /* what else is measured: the key in a contestant's line; NULL: nothing */
    const char *extra_unit;
    double extra_scale;
    bool calibrated; /* the size is such that the slowest takes a few seconds */
    bool fast_only;  /* not for those that take 10 times as long as the serial program */
    bool whole_pool; /* only with the greatest number of workers */
    bool warm;       /* a contestant needs no repetition to warm up */
    bool lasting;    /* takes so long that three rounds, with --quick one, are enough */
};
extern const struct runtime_benchmark runtime_benchmarks[]; /* name NULL at the end */

enum runtime_role { SERIAL, HEIST, PEER };

struct runtime_contestant {
    const char *name;
    enum runtime_role role;
    const char *baseline; /* the serial program that it is compared with */
    const char *only;     /* the benchmarks that it is for, " a b "; NULL: all */
    const char *packages; /* Debian's, that it takes to build it; NULL: it came with --contestant */
    char *program;        /* NULL: it was not built */
    char about[128];      /* what it says of itself */
};
/* All that are known, and whether they are built; name NULL at the end. */
const struct runtime_contestant *runtime_contestants(void);

struct runtime_options {
    const struct runtime_benchmark **benchmarks; /* NULL at the end */
    struct runtime_contestant *contestants;
    size_t number;
    struct numbers workers;
    struct numbers sizes; /* n == 0: the benchmark's own */
    unsigned rounds;
    unsigned patience; /* seconds for one run of a contestant */
    bool quick, all;   /* all: no contestant was named */
    const char *csv;   /* NULL: none */
};
/* Exits for --help and for what is wrong; nothing has been run or written then. */
void runtime_read_options(struct runtime_options *o, char **argv); /* keeps parts of argv */
void runtime_free_options(struct runtime_options *o);

struct runtime_sample {
    double seconds, extra; /* extra NAN: none */
    uint64_t result;
    unsigned round;
    bool ok; /* the result is that of most */
};

/* What a contestant printed, which is taken to pieces: the repetitions, at most `most`; -1: there
   is something else. */
int runtime_read_lines(struct runtime_contestant *who, const struct runtime_benchmark *b,
                       char *text, struct runtime_sample *samples, int most);

/* A contestant with so many workers. */
struct runtime_entry {
    struct runtime_contestant *contestant;
    unsigned workers;
    enum { IN, NO_PART, TOO_SLOW, FAILED } state;
    struct runtime_sample *samples;
    size_t n;
};

/* One benchmark of one size. */
struct runtime_contest {
    const struct runtime_benchmark *benchmark;
    uint64_t size;
    struct runtime_entry *entries;
    size_t n;
};

struct runtime_progress {
    double from, to; /* parts of everything */
    uint64_t began;
};
/* How many contestants failed or gave another result. */
size_t runtime_hold(struct runtime_contest *c, const struct runtime_options *o,
                    const struct runtime_progress *p);
void runtime_free_contest(struct runtime_contest *c);

/* Of the seconds of all rounds; n == 0 if it took no part. */
struct summary runtime_summary(const struct runtime_entry *e);
void runtime_print_table(FILE *f, const struct runtime_contest *c);
void runtime_print_overview(FILE *f, const struct runtime_contest *contests, size_t n);
void runtime_write_csv_header(FILE *f);
void runtime_write_csv(FILE *f, const struct runtime_contest *c);

int bench_runtime(int argc, char **argv);

#endif
