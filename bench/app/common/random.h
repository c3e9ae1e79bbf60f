/* SPDX-License-Identifier: MIT */
/* Random numbers by place: the i-th of a seed, without those before it. */
#ifndef APP_RANDOM_H
#define APP_RANDOM_H

#include "../../../test/random.h"

static inline uint64_t random_at(uint64_t seed, uint64_t i)
{
    uint64_t state = seed + i * 0xbf58476d1ce4e5b9;
    return random_next(&state);
}

/* Below n, for n up to 2^32. */
static inline uint32_t random_at_below(uint64_t seed, uint64_t i, uint64_t n)
{
    return (uint32_t)((random_at(seed, i) >> 32) * n >> 32);
}

/* Below n, each power of 2 as likely as the next: half of them below the root of n. */
static inline uint32_t random_at_exponential(uint64_t seed, uint64_t i, uint64_t n)
{
    unsigned bits = 0;
    while (n >> bits > 1)
        bits++;
    bits = random_at_below(~seed, i, bits + 1);
    uint64_t most = (uint64_t)1 << bits;
    return random_at_below(seed, i, most * 2 < n ? most * 2 : n);
}

#endif
