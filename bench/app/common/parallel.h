/* SPDX-License-Identifier: MIT */
/* For the file of an algorithm: the functions of a layer, whichever it is linked with. */
#ifndef APP_PARALLEL_H
#define APP_PARALLEL_H

#include <stdint.h>
#include <string.h>

#include "layer.h"
#include "program.h"

/* Ends that file: fn(par *, void *job) is what is measured. */
#define PROGRAM_SOLVED_BY(fn) \
    void program_solve(void *job) { par_run(fn, job); }

#endif
