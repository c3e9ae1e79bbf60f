/* SPDX-License-Identifier: MIT */
/*
 * Marks what can be reached, as a garbage collector does: an object is a task of a few
 * instructions, which claims those that it refers to. Recursion ends at a depth; what is claimed
 * there overflows into a list, whose objects are the roots of the next round.
 */
#include "mark.h"

#include "parallel.h"

enum { DEPTH_MOST = 256, FEW = 8, WIDE_GRAIN = 64, COUNT_GRAIN = 1 << 16 };

struct marking {
    const struct heap *heap;
    atomic_uchar *marks;
    uint32_t *overflow;
    atomic_size_t overflows;
    const uint32_t *roots; /* of this round, claimed */
};

/* Objects that are claimed and not looked at. */
struct some {
    struct marking *marking;
    const uint32_t *objects;
    uint32_t number, depth;
};

/* References of an object that has many. */
struct wide {
    struct marking *marking;
    const uint32_t *references;
    uint32_t depth;
};

static void visit_some(par *p, void *arg);

/* Most references lead to what is marked: a load is cheaper then. */
static inline bool claim(struct marking *m, uint32_t object)
{
    return !atomic_load_explicit(&m->marks[object], memory_order_relaxed) &&
           !atomic_exchange_explicit(&m->marks[object], 1, memory_order_relaxed);
}

/* Whether there is something to visit: an object that refers to nothing is done with. */
static inline bool claim_to_visit(struct marking *m, uint32_t object)
{
    return claim(m, object) && m->heap->first[object] != m->heap->first[object + 1];
}

static void put_off(struct marking *m, const uint32_t *objects, uint32_t number)
{
    size_t at = atomic_fetch_add_explicit(&m->overflows, number, memory_order_relaxed);
    memcpy(m->overflow + at, objects, number * sizeof *objects);
}

static void visit_wide(par *p, size_t from, size_t to, void *context)
{
    const struct wide *wide = context;
    uint32_t claimed[FEW];
    struct some some = {wide->marking, claimed, 0, wide->depth};
    for (size_t i = from; i < to; i++) {
        if (claim_to_visit(wide->marking, wide->references[i]))
            claimed[some.number++] = wide->references[i];
        if (some.number == FEW || (some.number && i + 1 == to)) {
            visit_some(p, &some);
            some.number = 0;
        }
    }
}

static void visit(par *p, struct marking *m, uint32_t object, uint32_t depth)
{
    for (;;) {
        const uint32_t *references = m->heap->reference + m->heap->first[object];
        uint32_t number = m->heap->first[object + 1] - m->heap->first[object], claimed[FEW], n = 0;
        if (number > FEW && depth < DEPTH_MOST) {
            struct wide wide = {m, references, depth + 1};
            par_for(p, number, WIDE_GRAIN, visit_wide, &wide);
            return;
        }
        for (uint32_t i = 0; i < number; i++) {
            if (claim_to_visit(m, references[i]))
                claimed[n++] = references[i];
            if (n == FEW && i + 1 < number) { /* a wide one, too deep */
                put_off(m, claimed, n);
                n = 0;
            }
        }
        if (n == 0)
            return;
        if (n > 1) {
            struct some some = {m, claimed, n, depth + 1};
            visit_some(p, &some);
            return;
        }
        object = claimed[0]; /* a chain goes no deeper */
    }
}

static void visit_some(par *p, void *arg)
{
    const struct some *some = arg;
    uint32_t half = some->number / 2;
    if (some->number == 1) {
        visit(p, some->marking, some->objects[0], some->depth);
    } else if (some->depth >= DEPTH_MOST) {
        put_off(some->marking, some->objects, some->number);
    } else {
        struct some left = {some->marking, some->objects, half, some->depth};
        struct some right = {some->marking, some->objects + half, some->number - half, some->depth};
        par_both(p, visit_some, &left, visit_some, &right);
    }
}

static void visit_roots(par *p, size_t from, size_t to, void *context)
{
    struct marking *m = context;
    for (size_t i = from; i < to; i++)
        visit(p, m, m->roots[i], 0);
}

static void count(par *p, size_t from, size_t to, void *partial, void *context)
{
    const unsigned char *marks = context; /* nobody changes them any more */
    uint64_t sum = 0;
    (void)p;
    for (size_t i = from; i < to; i++)
        sum += marks[i];
    *(uint64_t *)partial += sum;
}

static void add(par *p, void *left, void *right, void *context)
{
    (void)p;
    (void)context;
    *(uint64_t *)left += *(uint64_t *)right;
}

static void solve(par *p, void *arg)
{
    struct mark *job = arg;
    const struct heap *heap = &job->heap;
    job->marks = allocate_zeroed(heap->objects, sizeof *job->marks);
    uint32_t *roots = allocate(heap->objects, sizeof *roots);
    uint32_t *overflow = allocate(heap->objects, sizeof *overflow);
    struct marking m = {.heap = heap, .marks = job->marks};
    size_t number = 0;
    for (size_t i = 0; i < heap->roots; i++)
        if (claim(&m, heap->root[i]))
            roots[number++] = heap->root[i];
    while (number) {
        m.roots = roots;
        m.overflow = overflow;
        m.overflows = 0;
        par_for(p, number, 1, visit_roots, &m);
        number = m.overflows;
        uint32_t *swap = roots;
        roots = overflow;
        overflow = swap;
    }
    const par_reduction counting = {
        .size = sizeof job->marked, .body = count, .combine = add, .context = job->marks};
    par_reduce(p, heap->objects, COUNT_GRAIN, &counting, &job->marked);
    free(roots);
    free(overflow);
}

PROGRAM_SOLVED_BY(solve);
