/* SPDX-License-Identifier: MIT */
/* Fibonacci numbers by their definition: next to no work, and a task for every call or for those
   that are large. */
#include "fib.h"

#include "parallel.h"

static uint64_t serially(int n, uint64_t first)
{
    return n < 2 ? first + (uint64_t)n : serially(n - 1, first) + serially(n - 2, first);
}

static void solve(par *p, void *arg)
{
    struct fib *job = arg;
    if (job->n < job->cutoff) {
        job->number = serially(job->n, job->first);
        return;
    }
    struct fib one = {job->n - 1, job->cutoff, job->first, 0};
    struct fib two = {job->n - 2, job->cutoff, job->first, 0};
    par_both(p, solve, &one, solve, &two);
    job->number = one.number + two.number;
}

PROGRAM_SOLVED_BY(solve);
