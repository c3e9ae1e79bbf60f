/* SPDX-License-Identifier: MIT */
/* A radix sort: a stable partition by each digit, the lowest first, as far as the largest key
   has any. */
#include "integer_sort.h"

#include "blocks.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

struct pass {
    const uint32_t *from;
    uint32_t *to;
    unsigned shift;
};

static void largest_of(par *p, size_t from, size_t to, void *partial, void *context)
{
    const uint32_t *keys = context;
    uint32_t largest = *(uint32_t *)partial;
    (void)p;
    for (size_t i = from; i < to; i++)
        largest = keys[i] > largest ? keys[i] : largest;
    *(uint32_t *)partial = largest;
}

static void larger(par *p, void *left, void *right, void *context)
{
    uint32_t *a = left, *b = right;
    (void)p;
    (void)context;
    *a = *b > *a ? *b : *a;
}

static void count(size_t from, size_t to, uint32_t *counts, void *context)
{
    const struct pass pass = *(struct pass *)context;
    for (size_t i = from; i < to; i++)
        counts[pass.from[i] >> pass.shift & (DIGITS - 1)]++;
}

static void move(size_t from, size_t to, uint32_t *place, void *context)
{
    const struct pass pass = *(struct pass *)context;
    for (size_t i = from; i < to; i++) {
        uint32_t key = pass.from[i];
        pass.to[place[key >> pass.shift & (DIGITS - 1)]++] = key;
    }
}

static void solve(par *p, void *arg)
{
    struct integer_sort *job = arg;
    const par_reduction largest_key = {
        .size = sizeof(uint32_t), .body = largest_of, .combine = larger, .context = job->keys};
    uint32_t largest, starts[DIGITS + 1], *other = allocate(job->n, sizeof *other);
    job->sorted = allocate(job->n, sizeof *job->sorted);
    par_reduce(p, job->n, 1 << 14, &largest_key, &largest);
    struct pass pass = {.from = job->keys, .to = job->sorted};
    do {
        const struct partition by_digit = {DIGITS, count, move, &pass};
        par_partition(p, job->n, &by_digit, starts);
        pass.from = pass.to;
        pass.to = pass.to == job->sorted ? other : job->sorted;
        pass.shift += DIGIT_BITS;
    } while (pass.shift < 32 && largest >> pass.shift);
    if (pass.from == other) {
        other = job->sorted;
        job->sorted = (uint32_t *)pass.from;
    }
    free(other);
}

PROGRAM_SOLVED_BY(solve);
