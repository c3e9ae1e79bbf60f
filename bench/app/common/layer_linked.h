/* SPDX-License-Identifier: MIT */
/* parallel.h by a library in another language: layer_tbb.cpp, rust/layer_rayon.rs. */
#ifndef APP_LAYER_LINKED_H
#define APP_LAYER_LINKED_H

#include "layer_types.h"

#ifdef __cplusplus
extern "C" {
#endif

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
