/* SPDX-License-Identifier: MIT */
#include "knapsack.h"

enum { ITEMS = 40, RANGE = 5000 }; /* of an instance: so many, weights from 1 to that */

static const struct shape shapes[] = {
    {"strong", "profits are weights and a constant: the hardest"},
    {"weak", "profits are near the weights"},
    {NULL, NULL},
};

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct knapsack *job = allocate_zeroed(1, sizeof *job);
    job->instances = (size + RANGE - 1) / RANGE;
    job->instance = allocate(job->instances, sizeof *job->instance);
    for (size_t i = 0; i < job->instances; i++) {
        size_t left = size - i * RANGE;
        job->instance[i] = instance_new(ITEMS, left < RANGE ? (int64_t)left : RANGE,
                                        shape ? WEAK : STRONG, seed * 1000003 + i);
        if (!job->instance[i])
            bench_fail("out of memory");
    }
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct knapsack *job = arg;
    spans[0] = (struct span){job->profit, job->instances * sizeof *job->profit};
    return 1;
}

static const char *check(const void *arg)
{
    const struct knapsack *job = arg;
    for (size_t i = 0; i < job->instances; i++) {
        int64_t right = instance_solve(job->instance[i]);
        if (right < 0)
            bench_fail("out of memory");
        if (job->profit[i] != right)
            return "dynamic programming comes to another profit";
    }
    return NULL;
}

static void forget(void *arg)
{
    struct knapsack *job = arg;
    free(job->profit);
    job->profit = NULL;
}

static void drop(void *arg)
{
    struct knapsack *job = arg;
    for (size_t i = 0; i < job->instances; i++)
        instance_free(job->instance[i]);
    free(job->instance);
    free(job);
}

const struct program program = {
    .name = "knapsack",
    .about = "0/1 knapsacks of 40 items, by branch and bound over decision diagrams",
    .unit = "largest weights, added up over the instances, 5000 in each",
    .sizes = (const size_t[]){500000, 5000000},
    .size_most = (size_t)1 << 32,
    .shapes = shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
