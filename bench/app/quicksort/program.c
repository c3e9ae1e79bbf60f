/* SPDX-License-Identifier: MIT */
#include "quicksort.h"

#include <string.h>

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct quicksort *job = allocate_zeroed(1, sizeof *job);
    uint32_t *keys = make_keys(size, shape, (uint64_t)1 << 32, seed);
    job->n = size;
    job->numbers = allocate(size, sizeof *job->numbers);
    for (size_t i = 0; i < size; i++)
        job->numbers[i] = ((int64_t)keys[i] - INT32_MAX) * INT32_MAX; /* of both signs */
    free(keys);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct quicksort *job = arg;
    spans[0] = (struct span){job->sorted, job->n * sizeof *job->sorted};
    return 1;
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The C library's sort. */
static const char *check(const void *arg)
{
    const struct quicksort *job = arg;
    int64_t *sorted = allocate(job->n, sizeof *sorted);
    memcpy(sorted, job->numbers, job->n * sizeof *sorted);
    qsort(sorted, job->n, sizeof *sorted, compare);
    int different = memcmp(sorted, job->sorted, job->n * sizeof *sorted);
    free(sorted);
    return different ? "not what the C library's qsort makes of it" : NULL;
}

static void forget(void *arg)
{
    struct quicksort *job = arg;
    free(job->sorted);
}

static void drop(void *arg)
{
    struct quicksort *job = arg;
    free(job->numbers);
    free(job);
}

const struct program program = {
    .name = "quicksort",
    .about = "sorts 64-bit numbers in place, a task for each half down to 32 numbers",
    .unit = "numbers",
    .sizes = (const size_t[]){10000000, 10000000, 10000000, 10000000},
    .size_most = UINT32_MAX,
    .shapes = key_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
