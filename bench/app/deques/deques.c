/* SPDX-License-Identifier: MIT */
/* Lists of tasks that compute Fibonacci numbers, side by side, and the tasks of each. */
#include "deques.h"

#include "parallel.h"

struct list {
    struct deques *job;
    size_t begin; /* of its tasks */
};

static uint64_t fib(unsigned n, uint64_t first)
{
    return n < 2 ? first + n : fib(n - 1, first) + fib(n - 2, first);
}

static void run_tasks(par *p, size_t from, size_t to, void *context)
{
    const struct list *list = context;
    struct deques *job = list->job;
    (void)p;
    for (size_t i = list->begin + from; i < list->begin + to; i++)
        job->number[i] = fib(job->which[i], job->first);
}

static void run_lists(par *p, size_t from, size_t to, void *context)
{
    for (size_t i = from; i < to; i++) {
        struct list list = {context, i * DEQUES_TASKS};
        par_for(p, DEQUES_TASKS, 1, run_tasks, &list);
    }
}

static void solve(par *p, void *job) { par_for(p, DEQUES_LISTS, 1, run_lists, job); }

PROGRAM_SOLVED_BY(solve);
