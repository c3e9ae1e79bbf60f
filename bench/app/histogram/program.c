/* SPDX-License-Identifier: MIT */
#include "histogram.h"

enum { KEYS_PER_BUCKET = 256 };

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct histogram *job = allocate_zeroed(1, sizeof *job);
    job->n = size;
    job->buckets = size / KEYS_PER_BUCKET + 1;
    job->keys = make_keys(size, shape, job->buckets, seed);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct histogram *job = arg;
    spans[0] = (struct span){job->counts, job->buckets * sizeof *job->counts};
    return 1;
}

static const char *check(const void *arg)
{
    const struct histogram *job = arg;
    uint32_t *left = allocate_zeroed(job->buckets, sizeof *left);
    const char *wrong = NULL;
    for (size_t i = 0; i < job->buckets; i++)
        left[i] = job->counts[i];
    for (size_t i = 0; i < job->n; i++)
        left[job->keys[i]]--;
    for (size_t i = 0; i < job->buckets; i++)
        if (left[i])
            wrong = "a bucket's count is wrong";
    free(left);
    return wrong;
}

static void forget(void *arg)
{
    struct histogram *job = arg;
    free(job->counts);
}

static void drop(void *arg)
{
    struct histogram *job = arg;
    free(job->keys);
    free(job);
}

const struct program program = {
    .name = "histogram",
    .about = "how often each key is there",
    .unit = "keys; a bucket per 256 of them",
    .sizes = (const size_t[]){100000000, 100000000, 100000000, 100000000},
    .size_most = UINT32_MAX,
    .shapes = key_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
