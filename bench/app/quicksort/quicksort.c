/* SPDX-License-Identifier: MIT */
/*
 * A quicksort in place, after a copy: one task partitions, the halves are sorted side by side, few
 * numbers by insertion. The serial parts are those of heist bench runtime's.
 */
#include "quicksort.h"

#include "../../runtime/work.h"
#include "parallel.h"

struct part {
    int64_t *at;
    size_t n;
};

static void sort(par *p, void *arg)
{
    const struct part s = *(struct part *)arg;
    if (s.n <= SORT_CUTOFF) {
        insertion_sort(s.at, s.n);
        return;
    }
    size_t middle = partition(s.at, s.n);
    struct part low = {s.at, middle}, high = {s.at + middle, s.n - middle};
    par_both(p, sort, &low, sort, &high);
}

static void copy(par *p, size_t from, size_t to, void *context)
{
    const struct quicksort *job = context;
    (void)p;
    memcpy(job->sorted + from, job->numbers + from, (to - from) * sizeof *job->sorted);
}

static void solve(par *p, void *arg)
{
    struct quicksort *job = arg;
    job->sorted = allocate(job->n, sizeof *job->sorted);
    par_for(p, job->n, 1 << 14, copy, job);
    struct part all = {job->sorted, job->n};
    sort(p, &all);
}

PROGRAM_SOLVED_BY(solve);
