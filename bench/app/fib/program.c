/* SPDX-License-Identifier: MIT */
#include "fib.h"

static const struct shape shapes[] = {
    {"every", "a task for every call"},
    {"cutoff", "no tasks below the 25th number"},
    {NULL, NULL},
};

/* The largest number that takes no more calls. */
static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct fib *job = allocate_zeroed(1, sizeof *job);
    job->first = seed - 1;
    job->cutoff = shape ? 25 : 2;
    for (size_t calls = 1, before = 1, next; (next = calls + before + 1) <= size; job->n++) {
        before = calls;
        calls = next;
    }
    job->n++; /* the first takes one call, as the one before it */
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct fib *job = arg;
    spans[0] = (struct span){&job->number, sizeof job->number};
    return 1;
}

/* By addition. */
static const char *check(const void *arg)
{
    const struct fib *job = arg;
    uint64_t number = job->first, next = number + 1;
    for (int i = 0; i < job->n; i++) {
        uint64_t sum = number + next;
        number = next;
        next = sum;
    }
    return number == job->number ? NULL : "another number";
}

static void forget(void *arg) { ((struct fib *)arg)->number = 0; }

const struct program program = {
    .name = "fib",
    .about = "a Fibonacci number by two calls each",
    .unit = "calls",
    .sizes = (const size_t[]){7049155, 866988873},
    .size_most = (size_t)1 << 40,
    .shapes = shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = free,
};
