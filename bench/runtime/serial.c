/* SPDX-License-Identifier: MIT */
/* The programs without any runtime: plain functions that call themselves. */
#include "contestant.h"

static long fib_of(int n) { return n < 2 ? n : fib_of(n - 1) + fib_of(n - 2); }

static uint64_t fib(uint64_t n) { return (uint64_t)fib_of((int)n); }

static uint64_t solutions(struct board b)
{
    uint64_t n = 0;
    if (b.columns == b.all)
        return 1;
    for (uint32_t places = free_places(&b); places; places &= places - 1)
        n += solutions(place_queen(&b, places & -places));
    return n;
}

static uint64_t queens(uint64_t n) { return solutions(empty_board(n)); }

static uint64_t count_nodes(uint64_t node, uint64_t levels)
{
    unsigned children = children_of(node, levels);
    uint64_t n = 1;
    for (unsigned i = 0; i < children; i++)
        n += count_nodes(child_of(node, i), levels - 1);
    return n;
}

static uint64_t uts(uint64_t levels) { return count_nodes(UTS_ROOT, levels); }

static void quicksort(int64_t *a, size_t n)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(a, n);
        return;
    }
    size_t middle = partition(a, n);
    quicksort(a, middle);
    quicksort(a + middle, n - middle);
}

static void merge(const struct merge *m)
{
    struct merge low, high;
    if (m->na + m->nb <= MERGE_CUTOFF) {
        merge_runs(m);
        return;
    }
    split_merge(m, &low, &high);
    merge(&low);
    merge(&high);
}

/* The sorted numbers come into a, or into b. */
static void sort_into(int64_t *a, int64_t *b, size_t n, int into_b)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(a, n);
        if (into_b)
            memcpy(b, a, n * sizeof *a);
        return;
    }
    size_t half = half_of(n);
    sort_into(a, b, half, !into_b);
    sort_into(a + half, b + half, n - half, !into_b);
    struct merge m = merge_of_halves(into_b ? a : b, n, into_b ? b : a);
    merge(&m);
}

static void mergesort(int64_t *a, int64_t *scratch, size_t n) { sort_into(a, scratch, n, 0); }

static void multiply(const struct product *p)
{
    if (p->n == MATRIX_LEAF) {
        multiply_leaf(p);
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        struct product part = part_of(p, i);
        multiply(&part);
    }
}

static void skewed(uint64_t *out, size_t n) { skewed_iterations(out, n, 0, n); }

static void tiny(uint64_t *out, uint64_t loops)
{
    while (loops--)
        tiny_iterations(out, 0, TINY);
}

static uint64_t sum(uint64_t n) { return sum_of_range(0, n); }

const struct kernels kernels = {
    .about = "no runtime, " COMPILER,
    .fib = fib,
    .queens = queens,
    .uts = uts,
    .quicksort = quicksort,
    .mergesort = mergesort,
    .matmul = multiply,
    .skewed = skewed,
    .tiny = tiny,
    .sum = sum,
};
