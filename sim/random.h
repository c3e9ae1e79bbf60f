/* SPDX-License-Identifier: MIT */
/* Random numbers of the simulator: whole numbers only, the same on every machine. */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include "work.h" /* mix and GOLDEN */

static inline uint64_t sim_hash(uint64_t x) { return mix(x + GOLDEN); }

static inline uint64_t sim_next(uint64_t *state) { return mix(*state += GOLDEN); }

static inline uint64_t sim_below(uint64_t *state, uint64_t n)
{
    return (uint64_t)((unsigned __int128)sim_next(state) * n >> 64);
}

/* From 0 to twice the mean, all as likely. */
static inline uint64_t sim_spread(uint64_t random, uint64_t mean)
{
    return (uint64_t)((unsigned __int128)random * (2 * mean + 1) >> 64);
}

#endif
