/* SPDX-License-Identifier: MIT */
/* What the contestants that use Heist have in common: the pool, the loops, jobs. */
#ifndef RUNTIME_HEIST_POOL_H
#define RUNTIME_HEIST_POOL_H

#include <heist/heist.h>
#include <heist/version.h>

#include "contestant.h"

extern heist_pool *the_pool;

void must(int error); /* ends the program unless it is 0 */
void start_pool(unsigned workers);
void stop_pool(void);
void skewed_on_pool(uint64_t *out, size_t n);
void tiny_on_pool(uint64_t *out, uint64_t loops);
uint64_t sum_on_pool(uint64_t n);

/* Jobs that are submitted: without them in the library there is no such benchmark. */
#if __has_include(<heist/jobs.h>)
#define HAVE_JOBS 1
#else
#define HAVE_JOBS 0
#endif
#if HAVE_JOBS
void submit_to_pool(void);
#define SUBMIT_TO_POOL submit_to_pool
#else
#define SUBMIT_TO_POOL NULL
#endif

#endif
