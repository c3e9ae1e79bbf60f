/* SPDX-License-Identifier: MIT */
/* oneTBB. */
#include "contestant.h"

#include <cstdio>
#include <future>
#include <memory>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/version.h>

namespace
{
using range = tbb::blocked_range<size_t>;

std::unique_ptr<tbb::global_control> control;
std::unique_ptr<tbb::task_scheduler_handle> scheduler;
std::unique_ptr<tbb::task_arena> arena; /* for jobs from outside */

void start(unsigned workers)
{
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    workers);
    scheduler = std::make_unique<tbb::task_scheduler_handle>(tbb::attach{});
    arena = std::make_unique<tbb::task_arena>(static_cast<int>(workers));
}

void stop()
{
    arena.reset();
    tbb::finalize(*scheduler, std::nothrow);
    scheduler.reset();
    control.reset();
}

long fib_of(int n)
{
    if (n < 2)
        return n;
    long a, b;
    tbb::parallel_invoke([&] { a = fib_of(n - 1); }, [&] { b = fib_of(n - 2); });
    return a + b;
}

uint64_t fib(uint64_t n) { return static_cast<uint64_t>(fib_of(static_cast<int>(n))); }

uint64_t solutions(const board &b)
{
    if (b.columns == b.all)
        return 1;
    uint64_t found[32], n = 0;
    unsigned tasks = 0;
    tbb::task_group group;
    for (uint32_t places = free_places(&b); places; places &= places - 1) {
        const board next = place_queen(&b, places & -places);
        uint64_t *to = &found[tasks++];
        if (places & (places - 1))
            group.run([=] { *to = solutions(next); });
        else
            *to = solutions(next);
    }
    group.wait();
    while (tasks--)
        n += found[tasks];
    return n;
}

uint64_t queens(uint64_t n) { return solutions(empty_board(n)); }

uint64_t count_nodes(uint64_t node, uint64_t levels)
{
    const unsigned children = children_of(node, levels);
    if (!children)
        return 1;
    uint64_t below[CHILDREN_MAX], n = 1;
    tbb::task_group group;
    for (unsigned i = 1; i < children; i++)
        group.run([=, &below] { below[i] = count_nodes(child_of(node, i), levels - 1); });
    below[0] = count_nodes(child_of(node, 0), levels - 1);
    group.wait();
    for (unsigned i = 0; i < children; i++)
        n += below[i];
    return n;
}

uint64_t uts(uint64_t levels) { return count_nodes(UTS_ROOT, levels); }

void quicksort(int64_t *a, size_t n)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(a, n);
        return;
    }
    const size_t middle = partition(a, n);
    tbb::parallel_invoke([=] { quicksort(a, middle); }, [=] { quicksort(a + middle, n - middle); });
}

void merge(const struct merge &m)
{
    if (m.na + m.nb <= MERGE_CUTOFF) {
        merge_runs(&m);
        return;
    }
    struct merge low, high;
    split_merge(&m, &low, &high);
    tbb::parallel_invoke([&] { merge(low); }, [&] { merge(high); });
}

/* The sorted numbers come into a, or into b. */
void sort_into(int64_t *a, int64_t *b, size_t n, bool into_b)
{
    if (n <= SORT_CUTOFF) {
        insertion_sort(a, n);
        if (into_b)
            memcpy(b, a, n * sizeof *a);
        return;
    }
    const size_t half = half_of(n);
    tbb::parallel_invoke([=] { sort_into(a, b, half, !into_b); },
                         [=] { sort_into(a + half, b + half, n - half, !into_b); });
    merge(merge_of_halves(into_b ? a : b, n, into_b ? b : a));
}

void mergesort(int64_t *a, int64_t *scratch, size_t n) { sort_into(a, scratch, n, false); }

void multiply(const product *p)
{
    if (p->n == MATRIX_LEAF) {
        multiply_leaf(p);
        return;
    }
    for (unsigned phase = 0; phase < 8; phase += 4) {
        const auto part = [=](unsigned i) {
            const product it = part_of(p, phase + i);
            multiply(&it);
        };
        tbb::parallel_invoke([&] { part(0); }, [&] { part(1); }, [&] { part(2); },
                             [&] { part(3); });
    }
}

void skewed(uint64_t *out, size_t n)
{
    tbb::parallel_for(range(0, n),
                      [=](const range &r) { skewed_iterations(out, n, r.begin(), r.end()); });
}

void tiny(uint64_t *out, uint64_t loops)
{
    while (loops--)
        tbb::parallel_for(range(0, TINY),
                          [=](const range &r) { tiny_iterations(out, r.begin(), r.end()); });
}

uint64_t sum(uint64_t n)
{
    return tbb::parallel_reduce(
        range(0, n), uint64_t{0},
        [](const range &r, uint64_t part) { return part + sum_of_range(r.begin(), r.end()); },
        [](uint64_t a, uint64_t b) { return a + b; });
}

void submit()
{
    std::promise<void> done;
    arena->enqueue([&] { done.set_value(); });
    done.get_future().wait();
}

struct kernels make()
{
    static char about[128];
    snprintf(about, sizeof about, "oneTBB %s, " COMPILER, TBB_runtime_version());
    struct kernels k = {};
    k.about = about;
    k.start = start;
    k.stop = stop;
    k.fib = fib;
    k.queens = queens;
    k.uts = uts;
    k.quicksort = quicksort;
    k.mergesort = mergesort;
    k.matmul = multiply;
    k.skewed = skewed;
    k.tiny = tiny;
    k.sum = sum;
    k.submit = submit;
    return k;
}
} // namespace

extern "C" const struct kernels kernels = make();
