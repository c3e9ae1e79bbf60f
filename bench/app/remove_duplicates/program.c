/* SPDX-License-Identifier: MIT */
#include "remove_duplicates.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct remove_duplicates *job = allocate_zeroed(1, sizeof *job);
    job->n = size;
    job->keys = make_keys(size, shape, size, seed);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct remove_duplicates *job = arg;
    spans[0] = (struct span){job->distinct, job->number * sizeof *job->distinct};
    return 1;
}

/* All keys are below n: a mark for each. */
static const char *check(const void *arg)
{
    const struct remove_duplicates *job = arg;
    uint8_t *there = allocate_zeroed(job->n, 1);
    const char *wrong = NULL;
    size_t number = 0;
    for (size_t i = 0; i < job->n; i++) {
        number += !there[job->keys[i]];
        there[job->keys[i]] = 1;
    }
    for (size_t i = 0; i < job->number && !wrong; i++) {
        if (job->distinct[i] >= job->n || !there[job->distinct[i]])
            wrong = "a key that was not there, or twice";
        else
            there[job->distinct[i]] = 0;
    }
    if (!wrong && number != job->number)
        wrong = "a key is missing";
    free(there);
    return wrong;
}

static void forget(void *arg)
{
    struct remove_duplicates *job = arg;
    free(job->distinct);
}

static void drop(void *arg)
{
    struct remove_duplicates *job = arg;
    free(job->keys);
    free(job);
}

const struct program program = {
    .name = "remove_duplicates",
    .about = "each of the keys once",
    .unit = "keys, each below their number",
    .sizes = (const size_t[]){6000000, 8000000, 6000000, 20000000},
    .size_most = (size_t)1 << 30,
    .shapes = key_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
