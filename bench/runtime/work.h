/* SPDX-License-Identifier: MIT */
/*
 * The serial parts of the programs of `heist bench runtime`, the same for all contestants in C and
 * C++; rust/work.rs and go/work.go say the same in their languages. docs/bench-runtime.md describes
 * them.
 */
#ifndef RUNTIME_WORK_H
#define RUNTIME_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SORT_CUTOFF = 32,    /* fewer numbers are sorted by insertion */
    MERGE_CUTOFF = 4096, /* fewer are merged by one task */
    MATRIX_LEAF = 64,    /* rows and columns of a product that is one task */
    CHILDREN_MAX = 64,   /* of a node of uts */
    TINY = 1000          /* iterations of a tiny loop */
};

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* About 4 ns each. */
static inline uint64_t mix_often(uint64_t x, uint64_t times)
{
    while (times--)
        x = mix(x + GOLDEN);
    return x;
}

/* ---- queens: a board is which columns and diagonals are taken, as seen from the next row ---- */

struct board {
    uint32_t all, columns, left, right;
};

static inline uint32_t free_places(const struct board *b)
{
    return b->all & ~(b->columns | b->left | b->right);
}

static inline struct board place_queen(const struct board *b, uint32_t place)
{
    struct board next = {b->all, b->columns | place, (b->left | place) << 1,
                         (b->right | place) >> 1};
    return next;
}

static inline struct board empty_board(uint64_t n)
{
    struct board b = {(UINT32_C(1) << n) - 1, 0, 0, 0};
    return b;
}

/* ---- uts: a node is a hash; the number of its children is geometric, 4 in the mean ---- */

#define UTS_ROOT UINT64_C(88) /* with 10 levels 4,096,409 nodes */

static inline unsigned children_of(uint64_t node, uint64_t levels)
{
    uint64_t random = mix(node), bound = UINT64_MAX - UINT64_MAX / 5;
    unsigned n = 0;
    while (levels && n < CHILDREN_MAX && random < bound) {
        bound -= bound / 5;
        n++;
    }
    return n;
}

static inline uint64_t child_of(uint64_t node, unsigned number)
{
    return mix(node + (number + 1) * GOLDEN);
}

/* ---- Sorting ---- */

/* A number less than all before it is known at once; the others need no look at the beginning. */
static inline void insertion_sort(int64_t *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t x = a[i];
        size_t j = i;
        if (x < a[0]) {
            for (; j > 0; j--)
                a[j] = a[j - 1];
            a[0] = x;
            continue;
        }
        for (; a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

static inline void order(int64_t *a, int64_t *b)
{
    int64_t x = *a, y = *b;
    *a = x < y ? x : y;
    *b = x < y ? y : x;
}

/* Hoare's, by the median of three: no number before the place
   returned is greater than one behind. */
static inline size_t partition(int64_t *a, size_t n)
{
    order(&a[0], &a[n / 2]);
    order(&a[n / 2], &a[n - 1]);
    order(&a[0], &a[n / 2]);
    int64_t pivot = a[n / 2], *i = a, *j = a + n - 1;
    for (;; i++, j--) {
        int64_t x, y;
        while ((x = *i) < pivot)
            i++;
        while ((y = *j) > pivot)
            j--;
        if (i >= j)
            return (size_t)(i - a);
        *i = y;
        *j = x;
    }
}

/* Two sorted runs and where their merger goes. */
struct merge {
    const int64_t *a, *b;
    size_t na, nb;
    int64_t *to;
};

/*
 * From both ends at once, since one step has to wait for the last one; n steps, of which none can
 * come to the end of a run. No branches on the numbers: what comes next can't be foreseen.
 */
static inline void merge_runs(const struct merge *m)
{
    const int64_t *a = m->a, *b = m->b;
    size_t na = m->na, nb = m->nb;
    int64_t *to = m->to;
    for (size_t n; (n = (na < nb ? na : nb) / 2) > 0;) {
        const int64_t *a_last = a + na - 1, *b_last = b + nb - 1;
        int64_t *to_last = to + na + nb - 1;
        na += nb - 2 * n;
        for (; n > 0; n--) {
            int64_t x = *a, y = *b, u = *a_last, v = *b_last;
            bool is_b = y < x, is_a = v < u;
            *to++ = is_b ? y : x;
            *to_last-- = is_a ? u : v;
            b += is_b;
            a += !is_b;
            a_last -= is_a;
            b_last -= !is_a;
        }
        nb = (size_t)(b_last - b) + 1;
        na -= nb;
    }
    for (; na && nb; to++) {
        bool is_b = *b < *a;
        *to = is_b ? *b : *a;
        is_b ? (b++, nb--) : (a++, na--);
    }
    memcpy(to, a, na * sizeof *a);
    memcpy(to + na, b, nb * sizeof *b);
}

/* Cuts the longer run in the middle, the other one where that number belongs. */
static inline void split_merge(const struct merge *m, struct merge *low, struct merge *high)
{
    const int64_t *longer = m->na < m->nb ? m->b : m->a, *other = m->na < m->nb ? m->a : m->b;
    size_t n = m->na < m->nb ? m->nb : m->na, half = n / 2;
    size_t from = 0, to = m->na + m->nb - n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (other[middle] < longer[half])
            from = middle + 1;
        else
            to = middle;
    }
    size_t others = m->na + m->nb - n;
    struct merge l = {longer, other, half, from, m->to};
    struct merge h = {longer + half, other + from, n - half, others - from, m->to + half + from};
    *low = l;
    *high = h;
}

/* The two halves of a mergesort of n numbers; the first has half_of(n). */
static inline size_t half_of(size_t n) { return n / 2; }

static inline struct merge merge_of_halves(const int64_t *from, size_t n, int64_t *to)
{
    struct merge m = {from, from + half_of(n), half_of(n), n - half_of(n), to};
    return m;
}

/* ---- Loops ---- */

/* Iteration i of n costs about i * i. */
static inline void skewed_iterations(uint64_t *out, size_t n, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        out[i] = mix_often(i, 1 + 2000 * (uint64_t)i * i / ((uint64_t)n * n));
}

/* About 10 ns each. */
static inline void tiny_iterations(uint64_t *out, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        out[i] = mix_often(out[i] + i, 7);
}

static inline uint64_t sum_of_range(uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (uint64_t i = from; i < to; i++)
        sum += mix(i);
    return sum;
}

/* ---- matmul: c += a * b ---- */

/* All are square, with rows `stride` apart; n is MATRIX_LEAF times a power of 2. */
struct product {
    double *c;
    const double *a, *b;
    size_t n, stride;
};

/* Rows of 2^k bytes would all lie in the same few lines of a cache. */
static inline size_t matrix_stride(size_t n) { return n + 8; }

/* Four rows of b at a time, so that c is not what limits. */
static inline void add_rows(double *__restrict c, const double *__restrict a,
                            const double *__restrict b0, size_t stride)
{
    const double *__restrict b1 = b0 + stride, *__restrict b2 = b1 + stride,
                             *__restrict b3 = b2 + stride;
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
#ifndef __clang__ /* which unrolls it by itself, and does not vectorise it if told to */
#pragma GCC unroll 4
#endif
    for (size_t j = 0; j < MATRIX_LEAF; j++)
        c[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
}

static inline void multiply_leaf(const struct product *p)
{
    const struct product q = *p;
    for (size_t i = 0; i < MATRIX_LEAF; i++)
        for (size_t k = 0; k < MATRIX_LEAF; k += 4)
            add_rows(q.c + i * q.stride, q.a + i * q.stride + k, q.b + k * q.stride, q.stride);
}

/* The product is 8 of half the size. Part i + 4 adds to what part i adds to: first 0 to 3,
   all at the same time, then 4 to 7. */
static inline struct product part_of(const struct product *p, unsigned i)
{
    size_t half = p->n / 2, right = half, down = half * p->stride;
    size_t row = i & 2 ? down : 0, column = i & 1 ? right : 0;
    struct product part = {p->c + row + column, p->a + row + (i & 4 ? right : 0),
                           p->b + column + (i & 4 ? down : 0), half, p->stride};
    return part;
}

#endif
