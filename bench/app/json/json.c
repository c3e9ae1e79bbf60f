/* SPDX-License-Identifier: MIT */
/* Parses a file of JSON lines, and sums up what is in it, block by block. */
#include "json.h"

#include "parallel.h"

static void sum_blocks(par *p, size_t from, size_t to, void *partial, void *context)
{
    (void)p;
    for (size_t i = from; i < to; i++)
        json_sum_block(context, i, partial);
}

static void add(par *p, void *left, void *right, void *context)
{
    struct totals *a = left;
    const struct totals *b = right;
    (void)p;
    (void)context;
    a->records += b->records;
    a->broken += b->broken;
    a->sum += b->sum;
}

static void solve(par *p, void *arg)
{
    struct json *job = arg;
    const par_reduction summing = {
        .size = sizeof job->totals, .body = sum_blocks, .combine = add, .context = job};
    par_reduce(p, (job->length + JSON_BLOCK - 1) / JSON_BLOCK, 1, &summing, &job->totals);
}

PROGRAM_SOLVED_BY(solve);
