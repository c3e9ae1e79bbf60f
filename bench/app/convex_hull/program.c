/* SPDX-License-Identifier: MIT */
#include "convex_hull.h"

#include <string.h>

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct convex_hull *job = allocate_zeroed(1, sizeof *job);
    job->n = size;
    job->spots = allocate(size, sizeof *job->spots);
    for (size_t i = 0; i < size; i++) {
        struct point p = make_point(2, shape, seed, i);
        job->spots[i] = (struct spot){p.x[0], p.x[1]};
    }
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct convex_hull *job = arg;
    spans[0] = (struct span){job->corners, job->number * sizeof *job->corners};
    return 1;
}

static int compare(const void *left, const void *right)
{
    const struct spot *a = left, *b = right;
    return is_before(*b, *a) - is_before(*a, *b);
}

/* Goes over sorted spots, `step` 1 or -1, and keeps those at which the way turns right. */
static size_t half_hull(const struct spot *first, size_t n, ptrdiff_t step, struct spot *corners)
{
    size_t number = 0;
    for (; n--; first += step) {
        while (number > 1 && area_of(corners[number - 2], corners[number - 1], *first) >= 0)
            number--;
        if (!number || is_before(corners[number - 1], *first) ||
            is_before(*first, corners[number - 1]))
            corners[number++] = *first;
    }
    return number;
}

/* Andrew's way: sort, then the upper half from left to right and the lower one back. */
static const char *check(const void *arg)
{
    const struct convex_hull *job = arg;
    struct spot *sorted = allocate(job->n, sizeof *sorted),
                *corners = allocate(job->n + 1, 2 * sizeof *corners);
    memcpy(sorted, job->spots, job->n * sizeof *sorted);
    qsort(sorted, job->n, sizeof *sorted, compare);
    size_t number = half_hull(sorted, job->n, 1, corners);
    if (number > 1) /* both halves have both ends */
        number += half_hull(sorted + job->n - 1, job->n, -1, corners + number - 1) - 2;
    const char *wrong = NULL;
    if (number != job->number)
        wrong = "too many corners, or too few";
    else if (memcmp(corners, job->corners, number * sizeof *corners) != 0)
        wrong = "a corner is wrong";
    free(sorted);
    free(corners);
    return wrong;
}

static void forget(void *arg)
{
    struct convex_hull *job = arg;
    free(job->corners);
}

static void drop(void *arg)
{
    struct convex_hull *job = arg;
    free(job->spots);
    free(job);
}

const struct program program = {
    .name = "convex_hull",
    .about = "the corners of the smallest convex polygon around points in the plane",
    .unit = "points",
    .sizes = (const size_t[]){8000000, 1500000, 8000000, 8000000},
    .size_most = UINT32_MAX,
    .shapes = point_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
