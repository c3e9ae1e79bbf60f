/* SPDX-License-Identifier: MIT */
/* Heist with typed tasks. */
#include "heist_pool.h"

HEIST_TASK_1(long, fib_task, int, n)
{
    if (n < 2)
        return n;
    HEIST_FORK(fib_task, n - 1);
    long b = HEIST_CALL(fib_task, n - 2);
    return b + HEIST_JOIN(fib_task);
}

static uint64_t fib(uint64_t n)
{
    long result = 0;
    must(heist_run_fib_task(the_pool, &result, (int)n));
    return (uint64_t)result;
}

HEIST_TASK_1(uint64_t, solutions, struct board, b)
{
    uint32_t places = free_places(&b);
    unsigned forked = 0;
    if (!places)
        return b.columns == b.all;
    for (; places & (places - 1); places &= places - 1) {
        HEIST_FORK(solutions, place_queen(&b, places & -places));
        forked++;
    }
    uint64_t n = HEIST_CALL(solutions, place_queen(&b, places));
    while (forked--)
        n += HEIST_JOIN(solutions);
    return n;
}

static uint64_t queens(uint64_t n)
{
    uint64_t result = 0;
    must(heist_run_solutions(the_pool, &result, empty_board(n)));
    return result;
}

HEIST_TASK_2(uint64_t, count_nodes, uint64_t, node, uint64_t, levels)
{
    unsigned children = children_of(node, levels);
    if (!children)
        return 1;
    for (unsigned i = 1; i < children; i++)
        HEIST_FORK(count_nodes, child_of(node, i), levels - 1);
    uint64_t n = 1 + HEIST_CALL(count_nodes, child_of(node, 0), levels - 1);
    for (unsigned i = 1; i < children; i++)
        n += HEIST_JOIN(count_nodes);
    return n;
}

static uint64_t uts(uint64_t levels)
{
    uint64_t result = 0;
    must(heist_run_count_nodes(the_pool, &result, UTS_ROOT, levels));
    return result;
}

/* The tasks from here on have no result to speak of. */

HEIST_TASK_2(int, quicksort_task, int64_t *, x, size_t, n)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(x, n);
        return 0;
    }
    size_t middle = partition(x, n);
    HEIST_FORK(quicksort_task, x, middle);
    HEIST_CALL(quicksort_task, x + middle, n - middle);
    return HEIST_JOIN(quicksort_task);
}

static void quicksort(int64_t *a, size_t n)
{
    int result = 0;
    must(heist_run_quicksort_task(the_pool, &result, a, n));
}

HEIST_TASK_1(int, merge_task, struct merge, m)
{
    struct merge low, high;
    if (m.na + m.nb <= MERGE_CUTOFF) {
        merge_runs(&m);
        return 0;
    }
    split_merge(&m, &low, &high);
    HEIST_FORK(merge_task, low);
    HEIST_CALL(merge_task, high);
    return HEIST_JOIN(merge_task);
}

/* The sorted numbers come into x, or into y. */
HEIST_TASK_4(int, sort_task, int64_t *, x, int64_t *, y, size_t, n, int, into_y)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(x, n);
        if (into_y)
            memcpy(y, x, n * sizeof *x);
        return 0;
    }
    size_t half = half_of(n);
    HEIST_FORK(sort_task, x, y, half, !into_y);
    HEIST_CALL(sort_task, x + half, y + half, n - half, !into_y);
    HEIST_JOIN(sort_task);
    return HEIST_CALL(merge_task, merge_of_halves(into_y ? x : y, n, into_y ? y : x));
}

static void mergesort(int64_t *a, int64_t *scratch, size_t n)
{
    int result = 0;
    must(heist_run_sort_task(the_pool, &result, a, scratch, n, 0));
}

/* The newest fork is joined first: so whoever is alone takes the parts in their order, as the
   serial program and rayon do. */
HEIST_TASK_1(int, multiply, struct product, p)
{
    if (p.n == MATRIX_LEAF) {
        multiply_leaf(&p);
        return 0;
    }
    for (unsigned phase = 0; phase < 8; phase += 4) {
        for (unsigned i = 3; i > 0; i--)
            HEIST_FORK(multiply, part_of(&p, phase + i));
        HEIST_CALL(multiply, part_of(&p, phase));
        for (unsigned i = 0; i < 3; i++)
            HEIST_JOIN(multiply);
    }
    return 0;
}

static void matmul(const struct product *p)
{
    int result = 0;
    must(heist_run_multiply(the_pool, &result, *p));
}

const struct kernels kernels = {
    .about = "Heist " HEIST_VERSION_STRING ", typed tasks, " COMPILER,
    .start = start_pool,
    .stop = stop_pool,
    .fib = fib,
    .queens = queens,
    .uts = uts,
    .quicksort = quicksort,
    .mergesort = mergesort,
    .matmul = matmul,
    .skewed = skewed_on_pool,
    .tiny = tiny_on_pool,
    .sum = sum_on_pool,
    .submit = SUBMIT_TO_POOL,
};
