/* SPDX-License-Identifier: MIT */
/*
 * A program: what it makes and checks (struct program, one per directory of bench/app, in its
 * program.c), what solves it (the algorithm, beside that), and the layer that it is linked with
 * (struct layer; layer.h). main.c puts them together.
 */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "common.h"

struct shape {
    const char *name, *about;
};

/* A part of a result: bytes that are the same whoever computed them, and how often. */
struct span {
    void *at;
    size_t bytes;
};
enum { SPANS_MOST = 4 };

struct program {
    const char *name, *about;
    const char *unit;    /* what --size counts */
    const size_t *sizes; /* the default of each shape: some tenths of a second, serial */
    size_t size_most;
    const struct shape *shapes; /* a name of NULL at the end; the first is the default */
    void *(*make)(size_t size, unsigned shape, uint64_t seed); /* a job: an input, no result yet */
    /* All of the result, of a solved job: for the checksum. */
    size_t (*result)(void *job, struct span spans[SPANS_MOST]);
    /* Computes serially, and in another way, what the result must be. NULL: it is; or what is
       wrong. */
    const char *(*check)(const void *job);
    /* How many units of its input a solved job could not use; said at the end. NULL: never any. */
    uint64_t (*skipped)(const void *job);
    void (*forget)(void *job); /* frees the result: it may be solved again */
    void (*drop)(void *job);   /* frees a job without a result */
};
extern const struct program program;
void program_solve(void *job); /* the algorithm, on the layer's workers */

enum { STATS_MOST = 64 }; /* numbers of a layer */

struct layer {
    const char *name;
    void (*start)(unsigned workers);
    void (*stop)(void);
    void (*solve)(void *job);
    /* Of all workers, since the start: as many numbers as there are names; NULL: it has none. */
    void (*stats)(uint64_t *values);
    const char *const *stats_names; /* NULL at the end */
    bool *is_eager;                 /* whether loops are cut up at once; NULL: there is no choice */
};
extern const struct layer layer;
extern const char
    *layer_queue; /* of Heist's: the pool's queues; NULL: HEIST_QUEUE, or the default */

uint64_t checksum_of(void *job); /* of its result */

/* Memory, or the end of the program. */
void *allocate(size_t n, size_t size);
void *allocate_zeroed(size_t n, size_t size);

#endif
