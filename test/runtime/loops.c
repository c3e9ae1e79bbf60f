/* SPDX-License-Identifier: MIT */
/*
 * loops [SEED]: every loop against its serial result, for many sizes and grains, on pools of 1 to 4
 * workers. On more than one worker others must have helped with each, else the run proves nothing.
 */
#include <heist/loops.h>

#include <errno.h>
#include <stdio.h>

#include "../random.h"
#include "pools.h"

enum { MANY = 1000000 / SLOWER, SECONDS = 60 };

static const size_t sizes[] = {0, 1, 2, 3, 7, 13, 64, 1009, 65537, MANY};
static const size_t grains[] = {0, 1, 5, 1000, SIZE_MAX};
#define NUMBER(a) (sizeof(a) / sizeof *(a))

static heist_au64 elsewhere; /* calls not on the thread that began the loop */
static __thread bool is_first;
static uint64_t seed = 1;

static void note(void)
{
    if (!is_first)
        heist_add(&elsewhere, 1, __ATOMIC_RELAXED);
}

static bool expect(const char *what, size_t n, int64_t got, int64_t wanted)
{
    if (got != wanted)
        printf("%s of %zu: %lld, not %lld\n", what, n, (long long)got, (long long)wanted);
    return got == wanted;
}

/* ---- for and each: each index once ---- */

static unsigned char *marks;

static void mark(heist_worker *w, size_t from, size_t to, void *context)
{
    (void)w;
    (void)context;
    note();
    for (size_t i = from; i < to; i++)
        marks[i]++;
}

static __thread volatile unsigned sink;

static void work(size_t n)
{
    for (size_t i = 0; i < n; i++)
        sink = (unsigned)i;
}

/* The higher the index the longer, and a few that are very long. */
static void mark_skewed(heist_worker *w, size_t from, size_t to, void *context)
{
    for (size_t i = from; i < to; i++)
        work(i % 1000 == 999 ? 20000 : i / 64);
    mark(w, from, to, context);
}

static void mark_element(heist_worker *w, void *element, void *context)
{
    (void)w;
    (void)context;
    note();
    ++*(unsigned char *)element;
}

static bool all_marked(const char *what, size_t begin, size_t n, int times)
{
    for (size_t i = begin; i < n; i++)
        if (!expect(what, n, marks[i], times))
            return false;
    memset(marks, 0, n);
    return true;
}

static bool test_for(heist_worker *w)
{
    bool ok = true;
    for (size_t i = 0; i < NUMBER(sizes) && ok; i++) {
        size_t n = sizes[i];
        for (size_t j = 0; j < NUMBER(grains) && ok; j++) {
            ok &= expect("heist_for", n, heist_for(w, 0, n, grains[j], mark, NULL), 0);
            ok &= all_marked("marks", 0, n, 1);
        }
        ok &= expect("heist_for", n, heist_for(w, n / 3, n, 0, mark, NULL), 0);
        ok &= all_marked("marks of the upper part", n / 3, n, 1);
        ok &= expect("heist_each", n, heist_each(w, marks, n, 1, mark_element, NULL), 0);
        ok &= all_marked("elements", 0, n, 1);
        if (n < MANY) {
            ok &= expect("a skewed heist_for", n, heist_for(w, 0, n, 0, mark_skewed, NULL), 0);
            ok &= all_marked("skewed marks", 0, n, 1);
        }
    }
    ok &= expect("heist_for backwards", 9, heist_for(w, 9, 3, 0, mark, NULL), 0);
    return ok && all_marked("marks of nothing", 0, 9, 0);
}

/* Two halves of which one would be smaller than the grain: not split, whoever asks. */
static bool test_grain(heist_worker *w)
{
    enum { N = 1009 };
    uint64_t before = heist_load(&elsewhere, __ATOMIC_RELAXED);
    heist_for(w, 0, N, N / 2 + 1, mark_skewed, NULL);
    uint64_t after = heist_load(&elsewhere, __ATOMIC_RELAXED);
    return expect("calls elsewhere", N, (int64_t)after, (int64_t)before) &&
           all_marked("marks with a grain", 0, N, 1);
}

/* ---- loops in loops ---- */

enum { ROWS = 300 };

static void mark_rows(heist_worker *w, size_t from, size_t to, void *context)
{
    for (size_t row = from; row < to; row++)
        heist_for(w, row * ROWS, row * ROWS + row, 0, mark, context);
}

static bool test_nested(heist_worker *w)
{
    heist_for(w, 0, ROWS, 0, mark_rows, NULL);
    for (size_t i = 0; i < (size_t)ROWS * ROWS; i++)
        if (!expect("nested marks", i, marks[i], i % ROWS < i / ROWS))
            return false;
    memset(marks, 0, (size_t)ROWS * ROWS);
    return true;
}

/* ---- reduce: products of matrices, which can't be swapped; and lists of any length ---- */

struct matrix {
    uint64_t a[4];
};

static struct matrix times(struct matrix x, struct matrix y)
{
    return (struct matrix){{x.a[0] * y.a[0] + x.a[1] * y.a[2], x.a[0] * y.a[1] + x.a[1] * y.a[3],
                            x.a[2] * y.a[0] + x.a[3] * y.a[2], x.a[2] * y.a[1] + x.a[3] * y.a[3]}};
}

static struct matrix matrix_of(size_t i)
{
    return (struct matrix){{i, i * i + 1, 3 * i + 2, i ^ 5}};
}

static void multiply(heist_worker *w, size_t from, size_t to, void *partial, void *context)
{
    struct matrix *m = partial;
    (void)w;
    (void)context;
    note();
    for (size_t i = from; i < to; i++)
        *m = times(*m, matrix_of(i));
}

static void multiply_two(heist_worker *w, void *left, void *right, void *context)
{
    (void)w;
    (void)context;
    *(struct matrix *)left = times(*(struct matrix *)left, *(struct matrix *)right);
}

/* What was seen, in order, as far as it fits; large enough to be allocated. */
struct list {
    size_t n, item[2000];
};

static void append(heist_worker *w, size_t from, size_t to, void *partial, void *context)
{
    struct list *list = partial;
    (void)w;
    (void)context;
    note();
    for (size_t i = from; i < to; i++) {
        work(300);
        list->item[list->n++] = i;
    }
}

static void append_list(heist_worker *w, void *left, void *right, void *context)
{
    struct list *l = left, *r = right;
    (void)w;
    (void)context;
    memcpy(l->item + l->n, r->item, r->n * sizeof *r->item);
    l->n += r->n;
}

static bool test_reduce(heist_worker *w)
{
    static const struct matrix one = {{1, 0, 0, 1}};
    const heist_reduction product = {sizeof one, &one, multiply, multiply_two, NULL};
    const heist_reduction in_order = {sizeof(struct list), NULL, append, append_list, NULL};
    bool ok = true;
    for (size_t i = 0; i < NUMBER(sizes) && ok; i++) {
        size_t n = sizes[i];
        struct matrix wanted = one, got;
        for (size_t k = 0; k < n; k++)
            wanted = times(wanted, matrix_of(k));
        for (size_t j = 0; j < NUMBER(grains) && ok; j++) {
            ok &= expect("heist_reduce", n, heist_reduce(w, 0, n, grains[j], &product, &got), 0);
            ok &= expect("a product", n, memcmp(&got, &wanted, sizeof got), 0);
        }
        struct list list;
        if (n > NUMBER(list.item))
            continue;
        ok &= expect("heist_reduce", n, heist_reduce(w, 0, n, 0, &in_order, &list), 0);
        ok &= expect("a list's length", n, (int64_t)list.n, (int64_t)n);
        for (size_t k = 0; k < n && ok; k++)
            ok &= expect("a list's item", n, (int64_t)list.item[k], (int64_t)k);
    }
    return ok;
}

/* ---- scan ---- */

static void multiply_into(void *out, const void *left, const void *right, void *context)
{
    struct matrix x = *(const struct matrix *)left, y = *(const struct matrix *)right;
    (void)context;
    note();
    *(struct matrix *)out = times(x, y);
}

static bool test_scan(heist_worker *w)
{
    struct matrix *from = malloc(MANY * sizeof *from), *to = malloc(MANY * sizeof *to);
    bool ok = true;
    for (size_t i = 0; i < NUMBER(sizes) && ok; i++) {
        size_t n = sizes[i];
        for (size_t k = 0; k < n; k++)
            from[k] = matrix_of(k);
        ok &=
            expect("heist_scan", n, heist_scan(w, to, from, n, sizeof *to, multiply_into, NULL), 0);
        ok &= expect("heist_scan in place", n,
                     heist_scan(w, from, from, n, sizeof *to, multiply_into, NULL), 0);
        struct matrix wanted = {{1, 0, 0, 1}};
        for (size_t k = 0; k < n && ok; k++) {
            wanted = times(wanted, matrix_of(k));
            ok &= expect("a scan's item", n, memcmp(&to[k], &wanted, sizeof wanted), 0);
            ok &= expect("an item in place", n, memcmp(&from[k], &wanted, sizeof wanted), 0);
        }
    }
    free(from);
    free(to);
    return ok;
}

/* ---- sort: stable, for elements of several sizes ---- */

struct record {
    uint32_t key, place;
    unsigned char more[5]; /* no power of two */
};

static int by_key(const void *a, const void *b, void *context)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    (void)context;
    note();
    return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b, void *context)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    (void)context;
    return (x > y) - (x < y);
}

enum pattern { RANDOM, SORTED, BACKWARDS, EQUAL, FEW, PATTERNS };

static uint32_t key_of(enum pattern pattern, size_t i)
{
    switch (pattern) {
    case SORTED:
        return (uint32_t)i;
    case BACKWARDS:
        return (uint32_t)(MANY - i);
    case EQUAL:
        return 5;
    case FEW:
        return (uint32_t)random_below(&seed, 10);
    default:
        return (uint32_t)random_next(&seed);
    }
}

static bool test_records(heist_worker *w, struct record *r, size_t n, enum pattern p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        r[i] = (struct record){key_of(p, i), (uint32_t)i, {0}};
        sum += (uint64_t)r[i].key * (i + 1);
    }
    bool ok = expect("heist_sort", n, heist_sort(w, r, n, sizeof *r, by_key, NULL), 0);
    for (size_t i = 0; i < n && ok; i++) {
        sum -= (uint64_t)r[i].key * ((uint64_t)r[i].place + 1);
        if (i)
            ok &= expect("sorted, and stable", n,
                         r[i - 1].key < r[i].key ||
                             (r[i - 1].key == r[i].key && r[i - 1].place < r[i].place),
                         1);
    }
    return ok && expect("a sum over the sorted", n, (int64_t)sum, 0);
}

static bool test_numbers(heist_worker *w, int64_t *a, size_t n, enum pattern p)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] = (int64_t)key_of(p, i) - 1000;
    bool ok = expect("heist_sort", n, heist_sort(w, a, n, sizeof *a, by_number, NULL), 0);
    for (size_t i = 0; i < n && ok; i++) {
        sum -= a[i];
        ok &= expect("sorted numbers", n, i && a[i - 1] > a[i], 0);
    }
    return ok && expect("a sum over the numbers", n, sum, 0);
}

static bool test_sort(heist_worker *w)
{
    struct record *r = malloc(MANY * sizeof *r);
    int64_t *a = malloc(MANY * sizeof *a);
    bool ok = true;
    for (size_t i = 0; i < NUMBER(sizes) && ok; i++)
        for (int p = 0; p < PATTERNS && ok; p++)
            ok = test_records(w, r, sizes[i], p) && test_numbers(w, a, sizes[i], p);
    if (ok) /* more than there is memory for: refused, and the array is as it was */
        ok = expect("a huge heist_sort", 0, heist_sort(w, a, SIZE_MAX / 2, 8, by_number, NULL),
                    -ENOMEM);
    free(r);
    free(a);
    return ok;
}

/* ---- invoke ---- */

static void mark_one(heist_worker *w, void *arg)
{
    (void)w;
    note();
    work(1000);
    ++*(unsigned char *)arg;
}

static bool test_invoke(heist_worker *w)
{
    enum { CALLS = 100 };
    heist_call calls[CALLS];
    bool ok = true;
    for (size_t i = 0; i < CALLS; i++)
        calls[i] = (heist_call){mark_one, &marks[i]};
    for (size_t n = 0; n <= CALLS && ok; n++) {
        ok &= expect("heist_invoke", n, heist_invoke(w, calls, n), 0);
        ok &= all_marked("calls", 0, n, 1) && expect("a call too many", n, marks[n], 0);
    }
    calls[3].fn = NULL;
    ok &= expect("heist_invoke of NULL", 9, heist_invoke(w, calls, 9), -EINVAL);
    return ok && all_marked("calls beside NULL", 0, 9, 0);
}

/* ---- a slow iteration first ---- */

/* The first index is not done before another worker has run another. */
static void wait_for_help(heist_worker *w, size_t from, size_t to, void *context)
{
    double begin = seconds();
    mark(w, from, to, NULL);
    if (from > 0)
        return;
    while (!heist_load(&elsewhere, __ATOMIC_RELAXED) && seconds() - begin < SECONDS)
        heist_pause();
    *(double *)context = seconds() - begin;
}

static bool test_slow_first(heist_worker *w)
{
    double waited = 0, begin = seconds();
    while (!heist_slots_is_asked_(&w->slots) && seconds() - begin < SECONDS)
        heist_pause(); /* until somebody asks */
    heist_store(&elsewhere, 0, __ATOMIC_RELAXED);
    heist_for(w, 0, 1000, 0, wait_for_help, &waited);
    return expect("help for a slow iteration", 1000, waited < SECONDS, 1) &&
           all_marked("slow marks", 0, 1000, 1);
}

/* ---- long iterations ---- */

/*
 * The second iteration ends when a thief is in the upper half, and the third when one has run
 * something of the lower. A thief ends its first only when the third has begun: so nobody asks
 * before that, and in it nobody is answered. What is stolen then was offered before.
 */
struct long_run {
    heist_au32 upper, third, lower; /* have begun */
    bool in_time;                   /* lower, while the third went on */
};
enum { LONG = 16, LONG_NS = 200000 };

static bool wait_for(const heist_au32 *word)
{
    double begin = seconds();
    while (!heist_load(word, __ATOMIC_RELAXED) && seconds() - begin < SECONDS)
        heist_pause();
    return heist_load(word, __ATOMIC_RELAXED);
}

static void run_long(heist_worker *w, size_t from, size_t to, void *context)
{
    struct long_run *r = context;
    double begin = seconds();
    mark(w, from, to, NULL);
    if (!is_first) {
        heist_store(from < LONG / 2 ? &r->lower : &r->upper, 1, __ATOMIC_RELAXED);
        wait_for(&r->third);
    } else if (from == 1) {
        wait_for(&r->upper);
    } else if (from == 2) {
        heist_store(&r->third, 1, __ATOMIC_RELAXED);
        r->in_time = wait_for(&r->lower);
    }
    while (seconds() - begin < LONG_NS * 1e-9)
        heist_pause();
}

static bool test_long(heist_worker *w)
{
    struct long_run r = {.in_time = false};
    bool ok = expect("heist_for", LONG, heist_for(w, 0, LONG, 0, run_long, &r), 0);
    return all_marked("long iterations", 0, LONG, 1) && ok &&
           expect("offered before a long iteration", LONG, r.in_time, 1);
}

/* ---- from outside, and with bad arguments ---- */

static bool test_outside(heist_pool *pool)
{
    const heist_reduction product = {sizeof(struct matrix), NULL, multiply, multiply_two, NULL};
    heist_reduction no_body = product, no_combine = product;
    heist_call call = {mark_one, &marks[0]}, no_call = {NULL, NULL};
    struct matrix m = matrix_of(3), result, scanned;
    int64_t numbers[] = {3, 2, 1};
    no_body.body = NULL;
    no_combine.combine = NULL;
    bool ok = expect("run_for", 9, heist_run_for(pool, 0, 9, 0, mark, NULL), 0);
    ok &= all_marked("marks from outside", 0, 9, 1);
    ok &= expect("run_each", 9, heist_run_each(pool, marks, 9, 1, mark_element, NULL), 0);
    ok &= all_marked("elements from outside", 0, 9, 1);
    ok &= expect("run_reduce", 9, heist_run_reduce(pool, 0, 9, 0, &product, &result), 0);
    ok &= expect("a product from 0", 9, (int64_t)result.a[0], 0);
    ok &= expect("run_scan", 1,
                 heist_run_scan(pool, &scanned, &m, 1, sizeof m, multiply_into, NULL), 0);
    ok &= expect("a scan", 1, memcmp(&scanned, &m, sizeof m), 0);
    ok &= expect("run_sort", 3, heist_run_sort(pool, numbers, 3, 8, by_number, NULL), 0);
    ok &= expect("the smallest", 3, numbers[0], 1) && expect("the largest", 3, numbers[2], 3);
    ok &= expect("run_invoke", 1, heist_run_invoke(pool, &call, 1), 0);
    ok &= all_marked("a call from outside", 0, 1, 1);

    ok &= expect("run_for: NULL", 9, heist_run_for(pool, 0, 9, 0, NULL, NULL), -EINVAL);
    ok &= expect("run_each: NULL", 9, heist_run_each(pool, marks, 9, 1, NULL, NULL), -EINVAL);
    ok &=
        expect("run_each: size", 9, heist_run_each(pool, marks, 9, 0, mark_element, NULL), -EINVAL);
    ok &= expect("run_reduce: NULL", 9, heist_run_reduce(pool, 0, 9, 0, NULL, &result), -EINVAL);
    ok &=
        expect("run_reduce: body", 9, heist_run_reduce(pool, 0, 9, 0, &no_body, &result), -EINVAL);
    ok &= expect("run_reduce: combine", 9, heist_run_reduce(pool, 0, 9, 0, &no_combine, &result),
                 -EINVAL);
    ok &= expect("run_reduce: result", 9, heist_run_reduce(pool, 0, 9, 0, &product, NULL), -EINVAL);
    ok &=
        expect("run_scan: NULL", 1, heist_run_scan(pool, &m, &m, 1, sizeof m, NULL, NULL), -EINVAL);
    ok &= expect("run_sort: NULL", 3, heist_run_sort(pool, numbers, 3, 8, NULL, NULL), -EINVAL);
    ok &=
        expect("run_sort: size", 3, heist_run_sort(pool, numbers, 3, 0, by_number, NULL), -EINVAL);
    return ok & expect("run_invoke: NULL", 1, heist_run_invoke(pool, &no_call, 1), -EINVAL);
}

struct test {
    unsigned workers;
    bool ok;
};

/* Again until others have helped; a small machine may need several tries. */
static bool with_help(const char *name, bool (*test)(heist_worker *), heist_worker *w,
                      unsigned workers)
{
    uint64_t calls;
    bool ok;
    double begin = seconds();
    heist_store(&elsewhere, 0, __ATOMIC_RELAXED);
    do {
        ok = test(w);
        calls = heist_load(&elsewhere, __ATOMIC_RELAXED);
    } while (ok && workers > 1 && !calls && seconds() - begin < SECONDS);
    printf("%u workers: %s: %llu calls elsewhere\n", workers, name, (unsigned long long)calls);
    return ok && (workers == 1 || expect(name, 0, calls > 0, 1));
}

static void run_tests(heist_worker *w, void *arg)
{
    struct test *t = arg;
    t->ok = with_help("for", test_for, w, t->workers) &&
            with_help("nested", test_nested, w, t->workers) &&
            with_help("reduce", test_reduce, w, t->workers) &&
            with_help("scan", test_scan, w, t->workers) &&
            with_help("sort", test_sort, w, t->workers) &&
            with_help("invoke", test_invoke, w, t->workers) && test_grain(w) &&
            (t->workers == 1 || (test_slow_first(w) && test_long(w)));
}

int main(int argc, char **argv)
{
    struct test test = {.ok = true};
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : seed;
    is_first = true;
    marks = calloc(MANY + 1, 1);
    for (test.workers = 1; test.workers <= 4 && test.ok; test.workers++) {
        heist_pool *pool;
        const heist_pool_opts opts = {.size = sizeof opts, .workers = test.workers};
        if (heist_pool_new(&pool, &opts))
            return 1;
        test.ok = heist_run(pool, run_tests, &test) == 0 && test.ok && test_outside(pool);
        heist_pool_free(pool);
    }
    free(marks);
    return !test.ok;
}
