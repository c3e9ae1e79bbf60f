/* SPDX-License-Identifier: MIT */
/* What the contestants that use Heist have in common: the pool, the loops, jobs. */
#ifndef RUNTIME_HEIST_POOL_H
#define RUNTIME_HEIST_POOL_H

#include <heist/heist.h>
#include <heist/version.h>

#include "contestant.h"

extern heist_pool *the_pool;

void must(int error); /* ends the program unless it is 0 */
void heist_start(unsigned workers);
void heist_stop(void);
void heist_skewed(uint64_t *out, size_t n);
void heist_tiny(uint64_t *out, uint64_t loops);
uint64_t heist_sum(uint64_t n);

/* Jobs that are submitted; until the library has them there is no such benchmark. */
#ifndef HEIST_HAVE_JOBS
#define HEIST_HAVE_JOBS 0
#endif
#if HEIST_HAVE_JOBS
void heist_submit_empty(void);
#define HEIST_SUBMIT heist_submit_empty
#else
#define HEIST_SUBMIT NULL
#endif

#endif
