/* SPDX-License-Identifier: MIT */
/* OpenMP: libgomp if gcc compiles it, libomp if clang does. */
#include "contestant.h"

#include <omp.h>

/* Runs a block as the first task of a team. */
#define IN_A_TEAM _Pragma("omp parallel") _Pragma("omp single")

static void start(unsigned workers)
{
    omp_set_dynamic(0);
    omp_set_num_threads((int)workers);
}

static void stop(void) { omp_pause_resource_all(omp_pause_hard); }

static long fib_task(int n)
{
    if (n < 2)
        return n;
    long a, b;
#pragma omp task shared(a)
    a = fib_task(n - 1);
    b = fib_task(n - 2);
#pragma omp taskwait
    return a + b;
}

static uint64_t fib(uint64_t n)
{
    uint64_t result = 0;
    IN_A_TEAM
    result = (uint64_t)fib_task((int)n);
    return result;
}

static uint64_t solutions(struct board b)
{
    uint64_t found[32];
    uint32_t places = free_places(&b);
    unsigned tasks = 0;
    if (!places)
        return b.columns == b.all;
    for (; places & (places - 1); places &= places - 1) {
        struct board next = place_queen(&b, places & -places);
        uint64_t *to = &found[tasks++];
#pragma omp task firstprivate(next, to)
        *to = solutions(next);
    }
    uint64_t n = solutions(place_queen(&b, places));
#pragma omp taskwait
    while (tasks--)
        n += found[tasks];
    return n;
}

static uint64_t queens(uint64_t n)
{
    uint64_t result = 0;
    IN_A_TEAM
    result = solutions(empty_board(n));
    return result;
}

static uint64_t count_nodes(uint64_t node, uint64_t levels)
{
    uint64_t below[CHILDREN_MAX];
    unsigned children = children_of(node, levels);
    if (!children)
        return 1;
    for (unsigned i = 1; i < children; i++) {
        uint64_t *to = &below[i];
#pragma omp task firstprivate(to, i)
        *to = count_nodes(child_of(node, i), levels - 1);
    }
    uint64_t n = 1 + count_nodes(child_of(node, 0), levels - 1);
#pragma omp taskwait
    while (--children)
        n += below[children];
    return n;
}

static uint64_t uts(uint64_t levels)
{
    uint64_t result = 0;
    IN_A_TEAM
    result = count_nodes(UTS_ROOT, levels);
    return result;
}

static void quicksort_task(int64_t *a, size_t n)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(a, n);
        return;
    }
    size_t middle = partition(a, n);
#pragma omp task
    quicksort_task(a, middle);
    quicksort_task(a + middle, n - middle);
#pragma omp taskwait
}

static void quicksort(int64_t *a, size_t n)
{
    IN_A_TEAM
    quicksort_task(a, n);
}

static void merge_task(const struct merge *m)
{
    struct merge low, high;
    if (m->na + m->nb <= MERGE_CUTOFF) {
        merge_runs(m);
        return;
    }
    split_merge(m, &low, &high);
#pragma omp task shared(low)
    merge_task(&low);
    merge_task(&high);
#pragma omp taskwait
}

static void sort_task(int64_t *a, int64_t *b, size_t n, int into_b)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(a, n);
        if (into_b)
            memcpy(b, a, n * sizeof *a);
        return;
    }
    size_t half = half_of(n);
#pragma omp task
    sort_task(a, b, half, !into_b);
    sort_task(a + half, b + half, n - half, !into_b);
#pragma omp taskwait
    struct merge m = merge_of_halves(into_b ? a : b, n, into_b ? b : a);
    merge_task(&m);
}

static void mergesort(int64_t *a, int64_t *scratch, size_t n)
{
    IN_A_TEAM
    sort_task(a, scratch, n, 0);
}

static void multiply(struct product p)
{
    if (p.n == MATRIX_LEAF) {
        multiply_leaf(&p);
        return;
    }
    for (unsigned phase = 0; phase < 8; phase += 4) {
        for (unsigned i = 0; i < 3; i++) {
#pragma omp task firstprivate(i)
            multiply(part_of(&p, phase + i));
        }
        multiply(part_of(&p, phase + 3));
#pragma omp taskwait
    }
}

static void matmul(const struct product *p)
{
    IN_A_TEAM
    multiply(*p);
}

static void skewed(uint64_t *out, size_t n)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < n; i++)
        skewed_iterations(out, n, i, i + 1);
}

static void tiny(uint64_t *out, uint64_t loops)
{
    while (loops--) {
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < TINY; i++)
            tiny_iterations(out, i, i + 1);
    }
}

static uint64_t sum(uint64_t n)
{
    uint64_t result = 0;
#pragma omp parallel for schedule(static) reduction(+ : result)
    for (uint64_t i = 0; i < n; i++)
        result += mix(i);
    return result;
}

#ifdef __clang__
#define RUNTIME "libomp"
#else
#define RUNTIME "libgomp"
#endif

const struct kernels kernels = {
    .about = RUNTIME ", " COMPILER,
    .start = start,
    .stop = stop,
    .fib = fib,
    .queens = queens,
    .uts = uts,
    .quicksort = quicksort,
    .mergesort = mergesort,
    .matmul = matmul,
    .skewed = skewed,
    .tiny = tiny,
    .sum = sum,
};
