/* SPDX-License-Identifier: MIT */
#include "integer_sort.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct integer_sort *job = allocate_zeroed(1, sizeof *job);
    job->n = size;
    job->keys = make_keys(size, shape, size, seed);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct integer_sort *job = arg;
    spans[0] = (struct span){job->sorted, job->n * sizeof *job->sorted};
    return 1;
}

/* All keys are below n: counting is sorting. */
static const char *check(const void *arg)
{
    const struct integer_sort *job = arg;
    uint32_t *left = allocate_zeroed(job->n, sizeof *left);
    const char *wrong = NULL;
    for (size_t i = 0; i < job->n; i++)
        left[job->keys[i]]++;
    for (size_t i = 0; i < job->n && !wrong; i++) {
        if (i && job->sorted[i - 1] > job->sorted[i])
            wrong = "not sorted";
        else if (job->sorted[i] >= job->n || !left[job->sorted[i]]--)
            wrong = "a key that was not there, or not so often";
    }
    free(left);
    return wrong;
}

static void forget(void *arg)
{
    struct integer_sort *job = arg;
    free(job->sorted);
}

static void drop(void *arg)
{
    struct integer_sort *job = arg;
    free(job->keys);
    free(job);
}

const struct program program = {
    .name = "integer_sort",
    .about = "sorts whole numbers by their digits",
    .unit = "keys, each below their number",
    .sizes = (const size_t[]){12000000, 12000000, 12000000, 12000000},
    .size_most = UINT32_MAX,
    .shapes = key_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
