/* SPDX-License-Identifier: MIT */
/* Heist with plain functions. The loops and the rest are as with typed tasks. */
#include "heist_pool.h"

struct fib {
    int n;
    long result;
};

static void fib_task(heist_worker *w, void *arg)
{
    struct fib *f = arg;
    if (f->n < 2) {
        f->result = f->n;
        return;
    }
    struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
    heist_task task;
    heist_fork(w, &task, fib_task, &a);
    fib_task(w, &b);
    heist_join(w, &task);
    f->result = a.result + b.result;
}

static uint64_t fib(uint64_t n)
{
    struct fib f = {(int)n, 0};
    must(heist_run(the_pool, fib_task, &f));
    return (uint64_t)f.result;
}

struct position {
    struct board board;
    uint64_t solutions;
};

static void solve(heist_worker *w, void *arg)
{
    struct position *p = arg, next[32];
    heist_task task[32];
    uint32_t places = free_places(&p->board);
    unsigned forked = 0;
    if (!places) {
        p->solutions = p->board.columns == p->board.all;
        return;
    }
    for (; places & (places - 1); places &= places - 1) {
        next[forked].board = place_queen(&p->board, places & -places);
        heist_fork(w, &task[forked], solve, &next[forked]);
        forked++;
    }
    next[forked].board = place_queen(&p->board, places);
    solve(w, &next[forked]);
    p->solutions = next[forked].solutions;
    while (forked--) {
        heist_join(w, &task[forked]);
        p->solutions += next[forked].solutions;
    }
}

static uint64_t queens(uint64_t n)
{
    struct position p = {empty_board(n), 0};
    must(heist_run(the_pool, solve, &p));
    return p.solutions;
}

struct tree {
    uint64_t node, levels, size;
};

static void count_nodes(heist_worker *w, void *arg)
{
    struct tree *t = arg, child[CHILDREN_MAX];
    heist_task task[CHILDREN_MAX];
    unsigned children = children_of(t->node, t->levels);
    t->size = 1;
    if (!children)
        return;
    for (unsigned i = 0; i < children; i++)
        child[i] = (struct tree){child_of(t->node, i), t->levels - 1, 0};
    for (unsigned i = 1; i < children; i++)
        heist_fork(w, &task[i], count_nodes, &child[i]);
    count_nodes(w, &child[0]);
    t->size += child[0].size;
    while (--children) {
        heist_join(w, &task[children]);
        t->size += child[children].size;
    }
}

static uint64_t uts(uint64_t levels)
{
    struct tree t = {UTS_ROOT, levels, 0};
    must(heist_run(the_pool, count_nodes, &t));
    return t.size;
}

struct numbers {
    int64_t *a;
    size_t n;
};

static void quicksort_task(heist_worker *w, void *arg)
{
    const struct numbers *s = arg;
    if (s->n <= SORT_CUTOFF) {
        insertion_sort(s->a, s->n);
        return;
    }
    size_t middle = partition(s->a, s->n);
    struct numbers low = {s->a, middle}, high = {s->a + middle, s->n - middle};
    heist_task task;
    heist_fork(w, &task, quicksort_task, &low);
    quicksort_task(w, &high);
    heist_join(w, &task);
}

static void quicksort(int64_t *a, size_t n)
{
    struct numbers s = {a, n};
    must(heist_run(the_pool, quicksort_task, &s));
}

static void merge_task(heist_worker *w, void *arg)
{
    const struct merge *m = arg;
    struct merge low, high;
    heist_task task;
    if (m->na + m->nb <= MERGE_CUTOFF) {
        merge_runs(m);
        return;
    }
    split_merge(m, &low, &high);
    heist_fork(w, &task, merge_task, &low);
    merge_task(w, &high);
    heist_join(w, &task);
}

struct sort {
    int64_t *a, *b;
    size_t n;
    int into_b;
};

static void sort_task(heist_worker *w, void *arg)
{
    const struct sort *s = arg;
    if (s->n <= SORT_CUTOFF) {
        insertion_sort(s->a, s->n);
        if (s->into_b)
            memcpy(s->b, s->a, s->n * sizeof *s->a);
        return;
    }
    size_t half = half_of(s->n);
    struct sort low = {s->a, s->b, half, !s->into_b};
    struct sort high = {s->a + half, s->b + half, s->n - half, !s->into_b};
    heist_task task;
    heist_fork(w, &task, sort_task, &low);
    sort_task(w, &high);
    heist_join(w, &task);
    struct merge m = merge_of_halves(s->into_b ? s->a : s->b, s->n, s->into_b ? s->b : s->a);
    merge_task(w, &m);
}

static void mergesort(int64_t *a, int64_t *scratch, size_t n)
{
    struct sort s = {a, scratch, n, 0};
    must(heist_run(the_pool, sort_task, &s));
}

/* In the order of heist_typed.c. */
static void multiply(heist_worker *w, void *arg)
{
    const struct product *p = arg;
    struct product part[4];
    heist_task task[4];
    if (p->n == MATRIX_LEAF) {
        multiply_leaf(p);
        return;
    }
    for (unsigned phase = 0; phase < 8; phase += 4) {
        for (unsigned i = 0; i < 4; i++)
            part[i] = part_of(p, phase + i);
        for (unsigned i = 3; i > 0; i--)
            heist_fork(w, &task[i], multiply, &part[i]);
        multiply(w, &part[0]);
        for (unsigned i = 1; i < 4; i++)
            heist_join(w, &task[i]);
    }
}

static void matmul(const struct product *p)
{
    struct product copy = *p;
    must(heist_run(the_pool, multiply, &copy));
}

const struct kernels kernels = {
    .about = "Heist " HEIST_VERSION_STRING ", plain functions, " COMPILER,
    .start = start_pool,
    .stop = stop_pool,
    .fib = fib,
    .queens = queens,
    .uts = uts,
    .quicksort = quicksort,
    .mergesort = mergesort,
    .matmul = matmul,
};
