/* SPDX-License-Identifier: MIT */
#include "deques.h"

#include <string.h>

#include "random.h"

enum { EVEN, SKEWED };
enum { TASKS = DEQUES_LISTS * DEQUES_TASKS, RANGE = 5 };

static const struct shape shapes[] = {
    [EVEN] = {"even", "each task computes one of five numbers that follow each other"},
    [SKEWED] = {"skewed", "half of the lists have long tasks, the others empty ones"},
    {NULL, NULL},
};

/* The calls that a number takes: 1, 1, 3, 5, 9 ... */
static size_t calls_of(unsigned n)
{
    size_t calls = 1, next = 1;
    while (n--) {
        size_t sum = calls + next + 1;
        calls = next;
        next = sum;
    }
    return calls;
}

/* All calls together, of the mean of five numbers from n on; of n in half of the tasks. */
static size_t calls_of_all(unsigned n, unsigned shape)
{
    size_t calls = 0;
    if (shape == SKEWED)
        return TASKS / 2 * calls_of(n);
    for (unsigned i = 0; i < RANGE; i++)
        calls += TASKS / RANGE * calls_of(n + i);
    return calls;
}

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct deques *job = allocate_zeroed(1, sizeof *job);
    unsigned n = 1;
    while (calls_of_all(n + 1, shape) <= size)
        n++;
    job->first = seed - 1;
    for (unsigned i = 0; i < TASKS; i++)
        job->which[i] = shape == EVEN ? n + random_at_below(seed, i, RANGE) : i < TASKS / 2 ? n : 0;
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct deques *job = arg;
    spans[0] = (struct span){job->number, sizeof job->number};
    return 1;
}

/* By addition. */
static const char *check(const void *arg)
{
    const struct deques *job = arg;
    for (unsigned i = 0; i < TASKS; i++) {
        uint64_t number = job->first, next = number + 1;
        for (unsigned n = job->which[i]; n; n--) {
            uint64_t sum = number + next;
            number = next;
            next = sum;
        }
        if (number != job->number[i])
            return "a task has another number, or none";
    }
    return NULL;
}

static void forget(void *arg)
{
    struct deques *job = arg;
    memset(job->number, 0, sizeof job->number);
}

const struct program program = {
    .name = "deques",
    .about = "8 lists of 100 tasks that compute Fibonacci numbers",
    .unit = "calls in all tasks together",
    .sizes = (const size_t[]){600000000, 200000000},
    .size_most = (size_t)1 << 40,
    .shapes = shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = free,
};
