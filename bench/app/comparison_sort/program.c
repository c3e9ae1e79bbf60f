/* SPDX-License-Identifier: MIT */
#include "comparison_sort.h"

#include <string.h>

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct comparison_sort *job = allocate_zeroed(1, sizeof *job);
    uint32_t *keys = make_keys(size, shape, (uint64_t)1 << 32, seed);
    job->n = size;
    job->numbers = allocate(size, sizeof *job->numbers);
    for (size_t i = 0; i < size; i++)
        job->numbers[i] = keys[i] / 1024.0;
    free(keys);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct comparison_sort *job = arg;
    spans[0] = (struct span){job->sorted, job->n * sizeof *job->sorted};
    return 1;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The C library's sort. */
static const char *check(const void *arg)
{
    const struct comparison_sort *job = arg;
    double *sorted = allocate(job->n, sizeof *sorted);
    memcpy(sorted, job->numbers, job->n * sizeof *sorted);
    qsort(sorted, job->n, sizeof *sorted, compare);
    int different = memcmp(sorted, job->sorted, job->n * sizeof *sorted);
    free(sorted);
    return different ? "not what the C library's qsort makes of it" : NULL;
}

static void forget(void *arg)
{
    struct comparison_sort *job = arg;
    free(job->sorted);
}

static void drop(void *arg)
{
    struct comparison_sort *job = arg;
    free(job->numbers);
    free(job);
}

const struct program program = {
    .name = "comparison_sort",
    .about = "sorts floating-point numbers by comparing them",
    .unit = "numbers",
    .sizes = (const size_t[]){3000000, 3000000, 4000000, 3000000},
    .size_most = UINT32_MAX,
    .shapes = key_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
