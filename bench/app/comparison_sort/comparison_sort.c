/* SPDX-License-Identifier: MIT */
/*
 * A merge sort whose halves are sorted side by side and whose merges are cut in two where the
 * middle of the longer run belongs in the shorter one.
 */
#include "comparison_sort.h"

#include "parallel.h"

enum { SORT_ALONE = 2048, MERGE_ALONE = 8192, INSERTION = 24 };

struct merge {
    const double *a, *b;
    size_t na, nb;
    double *to;
};

static void merge_alone(const struct merge *m)
{
    const double *a = m->a, *a_end = a + m->na, *b = m->b, *b_end = b + m->nb;
    double *to = m->to;
    while (a < a_end && b < b_end) {
        bool second = *b < *a;
        *to++ = second ? *b : *a;
        b += second;
        a += !second;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *to);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *to);
}

/* How many are below the bound, or, with `equal`, not above it. */
static size_t rank_of(const double *at, size_t n, double bound, bool equal)
{
    size_t low = 0;
    while (n) {
        size_t half = n / 2;
        if (at[low + half] < bound || (equal && at[low + half] == bound)) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static void merge(par *p, void *arg)
{
    const struct merge m = *(struct merge *)arg;
    if (m.na + m.nb <= MERGE_ALONE) {
        merge_alone(&m);
        return;
    }
    size_t a = m.na / 2, b = m.nb / 2;
    if (m.na >= m.nb)
        b = rank_of(m.b, m.nb, m.a[a], false);
    else
        a = rank_of(m.a, m.na, m.b[b], true);
    struct merge low = {m.a, m.b, a, b, m.to};
    struct merge high = {m.a + a, m.b + b, m.na - a, m.nb - b, m.to + a + b};
    par_both(p, merge, &low, merge, &high);
}

struct part {
    const double *from;
    double *to, *other;
    size_t n;
};

static void insertion_sort(const struct part *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double number = s->from[i];
        size_t at = i;
        for (; at && number < s->to[at - 1]; at--)
            s->to[at] = s->to[at - 1];
        s->to[at] = number;
    }
}

/* The halves, sorted, go to `other`; merged they go to `to`. */
static void sort(par *p, void *arg)
{
    const struct part s = *(struct part *)arg;
    if (s.n <= INSERTION) {
        insertion_sort(&s);
        return;
    }
    size_t half = s.n / 2;
    struct part low = {s.from, s.other, s.to, half};
    struct part high = {s.from + half, s.other + half, s.to + half, s.n - half};
    struct merge both = {s.other, s.other + half, half, s.n - half, s.to};
    if (s.n <= SORT_ALONE) {
        sort(p, &low);
        sort(p, &high);
        merge_alone(&both);
    } else {
        par_both(p, sort, &low, sort, &high);
        merge(p, &both);
    }
}

static void solve(par *p, void *arg)
{
    struct comparison_sort *job = arg;
    double *other = allocate(job->n, sizeof *other);
    job->sorted = allocate(job->n, sizeof *job->sorted);
    struct part all = {job->numbers, job->sorted, other, job->n};
    sort(p, &all);
    free(other);
}

PROGRAM_SOLVED_BY(solve);
