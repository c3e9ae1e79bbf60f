/* SPDX-License-Identifier: MIT */
/* The parallel merge sort: halves are sorted into the other array, and merged back in parallel. */
#include <heist/loops.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    INSERTION = 12, /* elements that are sorted by insertion */
    ALONE = 2048    /* elements that are not worth a task: a fork costs little, a cold cache more */
};

struct sort {
    size_t size;
    heist_compare_fn *compare;
    void *context;
};

/* After inlining with a constant size, element copies are plain moves. */
#define WITH_SIZE(function, s, ...)              \
    do {                                         \
        if ((s)->size == 8)                      \
            function(s, 8, __VA_ARGS__);         \
        else if ((s)->size == 4)                 \
            function(s, 4, __VA_ARGS__);         \
        else                                     \
            function(s, (s)->size, __VA_ARGS__); \
    } while (0)

static inline __attribute__((always_inline)) void insert_all(const struct sort *s, size_t size,
                                                             char *a, size_t n, char *spare)
{
    for (char *next = a + size; next < a + n * size; next += size) {
        char *hole = next;
        if (s->compare(next - size, next, s->context) <= 0)
            continue;
        memcpy(spare, next, size);
        do {
            memcpy(hole, hole - size, size);
            hole -= size;
        } while (hole > a && s->compare(hole - size, spare, s->context) > 0);
        memcpy(hole, spare, size);
    }
}

struct merge {
    const struct sort *sort;
    const char *a, *b; /* two sorted runs; of equals, those in a come first */
    size_t na, nb;
    char *to;
};

static inline __attribute__((always_inline)) void merge_all(const struct sort *s, size_t size,
                                                            const struct merge *m)
{
    const char *a = m->a, *b = m->b, *a_end = a + m->na * size, *b_end = b + m->nb * size;
    char *to = m->to;
    while (a < a_end && b < b_end) {
        bool from_b = s->compare(a, b, s->context) > 0;
        memcpy(to, from_b ? b : a, size);
        a += from_b ? 0 : size;
        b += from_b ? size : 0;
        to += size;
    }
    if (a < a_end)
        memcpy(to, a, (size_t)(a_end - a));
    else if (b < b_end)
        memcpy(to, b, (size_t)(b_end - b));
}

/* How many of the run come before the pivot; `equals` says whether those equal to it do. */
static size_t place_of(const struct sort *s, const char *run, size_t n, const char *pivot,
                       bool equals)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        int order = s->compare(run + middle * s->size, pivot, s->context);
        if (order < 0 || (equals && order == 0))
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static void run_merge(heist_worker *w, void *arg)
{
    const struct merge *m = arg;
    const struct sort *s = m->sort;
    if (m->na + m->nb <= ALONE) {
        WITH_SIZE(merge_all, s, m);
        return;
    }
    size_t na, nb; /* what goes into the lower half */
    if (m->na >= m->nb) {
        na = m->na / 2;
        nb = place_of(s, m->b, m->nb, m->a + na * s->size, false);
    } else {
        nb = m->nb / 2;
        na = place_of(s, m->a, m->na, m->b + nb * s->size, true);
    }
    heist_task task;
    struct merge lower = {s, m->a, m->b, na, nb, m->to};
    struct merge upper = {s,          m->a + na * s->size, m->b + nb * s->size,
                          m->na - na, m->nb - nb,          m->to + (na + nb) * s->size};
    heist_fork(w, &task, run_merge, &upper);
    run_merge(w, &lower);
    heist_join(w, &task);
}

struct range {
    const struct sort *sort;
    char *a, *other; /* the elements, and as much room */
    size_t n;
    bool into_other;
};

static void run_sort(heist_worker *w, void *arg)
{
    const struct range *r = arg;
    const struct sort *s = r->sort;
    if (r->n <= INSERTION) {
        WITH_SIZE(insert_all, s, r->a, r->n, r->other);
        if (r->into_other)
            memcpy(r->other, r->a, r->n * s->size);
        return;
    }
    size_t half = r->n / 2, offset = half * s->size;
    struct range lower = {s, r->a, r->other, half, !r->into_other};
    struct range upper = {s, r->a + offset, r->other + offset, r->n - half, !r->into_other};
    if (r->n <= ALONE) {
        run_sort(w, &lower);
        run_sort(w, &upper);
    } else {
        heist_task task;
        heist_fork(w, &task, run_sort, &upper);
        run_sort(w, &lower);
        heist_join(w, &task);
    }
    const char *from = r->into_other ? r->a : r->other;
    char *to = r->into_other ? r->other : r->a;
    if (s->compare(from + offset - s->size, from + offset, s->context) <= 0) {
        memcpy(to, from, r->n * s->size); /* sorted already */
        return;
    }
    struct merge m = {s, from, from + offset, half, r->n - half, to};
    run_merge(w, &m);
}

int heist_sort(heist_worker *w, void *base, size_t number, size_t size, heist_compare_fn *compare,
               void *context)
{
    size_t bytes;
    if (!compare || !size)
        return -EINVAL;
    if (number < 2)
        return 0;
    char *room = __builtin_mul_overflow(number, size, &bytes) ? NULL : malloc(bytes);
    if (!room)
        return -ENOMEM;
    const struct sort s = {size, compare, context};
    struct range all = {&s, base, room, number, false};
    run_sort(w, &all);
    free(room);
    return 0;
}
