/* SPDX-License-Identifier: MIT */
/*
 * What the programs need of a runtime, so that each is written once and runs on all of them: each
 * layer_NAME has these functions, and rust/layer_rayon.rs. A program's algorithm is compiled once,
 * for all layers: what differs between them is the runtime, not what a compiler made of the same
 * loops in another file.
 *
 *   par                     the worker that runs; passed on, never looked at; NULL but for Heist
 *   par_start, par_stop     the workers come, and go
 *   par_run                 runs a function with the workers' help
 *   par_for                 calls a body for parts of 0 <= i < n, in any order
 *   par_reduce              a result of 0 <= i < n; combine must be associative, no more
 *   par_both                two functions, side by side
 *
 * Loops and par_both may be inside of each other. `grain`: fewer iterations are not worth a task;
 * for the layers that want to know.
 */
#ifndef APP_LAYER_H
#define APP_LAYER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PAR_RESULT_MOST = 64 }; /* bytes of par_reduce's result */

typedef struct heist_worker par;

typedef void par_fn(par *p, void *arg);
typedef void par_range_fn(par *p, size_t from, size_t to, void *context);

/* As heist_reduction. */
typedef struct par_reduction {
    size_t size;
    const void *identity; /* NULL: all bytes 0 */
    void (*body)(par *p, size_t from, size_t to, void *partial, void *context);
    void (*combine)(par *p, void *left, void *right, void *context);
    void *context;
} par_reduction;

void par_start(unsigned workers);
void par_stop(void);
void par_run(par_fn *fn, void *arg);
void par_for(par *p, size_t n, size_t grain, par_range_fn *body, void *context);
void par_reduce(par *p, size_t n, size_t grain, const par_reduction *r, void *result);
void par_both(par *p, par_fn *first, void *a, par_fn *second, void *b);

#ifdef __cplusplus
}
#endif

#endif
