/* SPDX-License-Identifier: MIT */
/*
 * What the programs need of a runtime, so that each is written once and runs on all of them. One of
 * APP_SERIAL, APP_HEIST, APP_OPENMP and APP_LINKED says on which; layer_NAME.h has it. APP_LAYER is
 * what its rows call it.
 *
 *   par                     the worker that runs; passed on, never looked at
 *   par_start, par_stop     the workers come, and go
 *   par_run                 runs a function with the workers' help
 *   par_for                 calls a body for parts of 0 <= i < n, in any order
 *   par_reduce              a result of 0 <= i < n; combine must be associative, no more
 *   par_both                two functions, side by side
 *
 * Loops and par_both may be inside of each other. `grain`: fewer iterations are not worth a task;
 * for the layers that want to know.
 */
#ifndef APP_PARALLEL_H
#define APP_PARALLEL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "program.h"

enum { PAR_RESULT_MOST = 64 }; /* bytes of par_reduce's result */

#if defined(APP_HEIST)
#include "layer_heist.h"
#elif defined(APP_OPENMP)
#include "layer_openmp.h"
#elif defined(APP_LINKED)
#include "layer_linked.h"
#elif defined(APP_SERIAL)
#include "layer_serial.h"
#else
#error "which layer? -DAPP_SERIAL, -DAPP_HEIST, -DAPP_OPENMP or -DAPP_LINKED"
#endif

/* The last members of struct layer: what not every layer has. */
#ifndef PAR_OFFERS
#define PAR_OFFERS NULL, NULL, NULL
#endif

/* Ends the file of an algorithm: fn(par *, void *job) is what is measured. */
#define PROGRAM_SOLVED_BY(fn)                              \
    static void solve_job(void *job) { par_run(fn, job); } \
    const struct layer layer = {APP_LAYER, par_start, par_stop, solve_job, PAR_OFFERS}

#endif
