/* SPDX-License-Identifier: MIT */
/* Each block of keys has counts of its own; then these are added up, many buckets at a time. */
#include "histogram.h"

#include "blocks.h"

static void count(size_t from, size_t to, uint32_t *counts, void *context)
{
    const uint32_t *keys = context;
    for (size_t i = from; i < to; i++)
        counts[keys[i]]++;
}

static void solve(par *p, void *arg)
{
    struct histogram *job = arg;
    const struct partition by_key = {.buckets = job->buckets, .count = count, .context = job->keys};
    job->counts = allocate(job->buckets, sizeof *job->counts);
    par_count(p, job->n, &by_key, job->counts);
}

PROGRAM_SOLVED_BY(solve);
