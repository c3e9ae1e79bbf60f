/* SPDX-License-Identifier: MIT */
/* The program deques: its options (options.c), and what it prints (output.c). */
#ifndef DEQUES_COMMAND_H
#define DEQUES_COMMAND_H

#include "common.h"
#include "experiment.h"

struct options {
    struct experiment
        *experiments; /* those of the same threads, load and generation side by side */
    size_t number;
    struct circumstances how;
    uint64_t rounds;
    const char *csv;
};

void read_options(struct options *o, char **argv);

/* rounds x experiments */
void print_csv_head(FILE *f);
void print_csv_row(FILE *f, const struct options *o, size_t experiment, uint64_t round,
                   const struct outcome *outcome);
void print_table(FILE *f, const struct options *o, const struct outcome *outcomes);

#endif
