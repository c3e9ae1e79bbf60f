/* SPDX-License-Identifier: MIT */
#include "mark.h"
#include "random.h"

enum { ROOTS = 64, WIDE = 1 << 16, LISTS = 16 };
enum { RANDOM, TREES, LISTS_OF_PAIRS, ARRAYS };

static const struct shape shapes[] = {
    [RANDOM] = {"random", "0 to 4 references, half of them to objects nearby"},
    [TREES] = {"trees", "a binary tree, some branches cut, and as many objects outside of it"},
    [LISTS_OF_PAIRS] = {"lists", "16 long lists, most elements with an object of their own"},
    [ARRAYS] = {"arrays", "arrays of 65536 references to small objects"},
    {NULL, NULL},
};

/* --- references: how many an object has, and the i-th of them --- */

static uint32_t references_of(unsigned shape, uint64_t n, uint64_t seed, uint64_t object)
{
    switch (shape) {
    case RANDOM:
        return random_at_below(seed, object, 5);
    case TREES: { /* those with even numbers are a heap as sorts have it */
        uint64_t at = object / 2, number = (n + 1) / 2;
        bool leaf = object % 2 || 2 * at + 1 >= number, cut = !random_at_below(seed, object, 1000);
        return leaf ? 0 : 2 * at + 2 >= number || cut ? 1 : 2;
    }
    case LISTS_OF_PAIRS:
        return object % 2 ? 0
                          : (object + 2 * LISTS < n) +
                                (object + 1 < n && random_at_below(seed, object, 8));
    default:
        return object % WIDE       ? random_at_below(seed, object, 2)
               : n - object < WIDE ? (uint32_t)(n - object)
                                   : WIDE;
    }
}

static uint32_t reference_of(unsigned shape, uint64_t n, uint64_t seed, uint64_t object, uint32_t i)
{
    uint64_t r = random_at(~seed, object * 8 + i % 8 + (uint64_t)i * 0x10001);
    switch (shape) {
    case RANDOM:
        return (uint32_t)(r & 1 ? (r >> 32) % n : (object + (r >> 32) % 64) % n);
    case TREES:
        return (uint32_t)(2 * (object + 1 + i));
    case LISTS_OF_PAIRS: /* the next element; the element's own object */
        return (uint32_t)(i == 0 && object + 2 * LISTS < n ? object + 2 * LISTS : object + 1);
    default: /* an array's elements are anywhere; some lead to the next array */
        return (uint32_t)(object % WIDE ? (object / WIDE + 1) * WIDE % (n - n % WIDE + 1) : r % n);
    }
}

static struct heap make_heap(size_t n, unsigned shape, uint64_t seed)
{
    struct heap heap = {.objects = n, .roots = n < ROOTS ? n : ROOTS};
    heap.first = allocate(n + 1, sizeof *heap.first);
    for (size_t i = 0; i < n; i++) {
        heap.first[i] = (uint32_t)heap.references;
        heap.references += references_of(shape, n, seed, i);
    }
    heap.first[n] = (uint32_t)heap.references;
    heap.reference = allocate(heap.references, sizeof *heap.reference);
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = heap.first[i]; k < heap.first[i + 1]; k++)
            heap.reference[k] = reference_of(shape, n, seed, i, k - heap.first[i]);
    heap.root = allocate(heap.roots, sizeof *heap.root);
    for (size_t i = 0; i < heap.roots; i++)
        heap.root[i] = shape == RANDOM ? random_at_below(seed + 1, i, n) : (uint32_t)(2 * i % n);
    return heap;
}

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct mark *job = allocate_zeroed(1, sizeof *job);
    job->heap = make_heap(size, shape, seed);
    return job;
}

/* --- the result --- */

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct mark *job = arg;
    spans[0] = (struct span){job->marks, job->heap.objects};
    spans[1] = (struct span){&job->marked, sizeof job->marked};
    return 2;
}

/* In breadth, one after the other. */
static const char *check(const void *arg)
{
    const struct mark *job = arg;
    const struct heap *heap = &job->heap;
    unsigned char *reached = allocate_zeroed(heap->objects, 1);
    uint32_t *queue = allocate(heap->objects, sizeof *queue);
    size_t begin = 0, end = 0;
    const char *wrong = NULL;
    for (size_t i = 0; i < heap->roots; i++)
        if (!reached[heap->root[i]]++)
            queue[end++] = heap->root[i];
    for (; begin < end; begin++)
        for (uint32_t k = heap->first[queue[begin]]; k < heap->first[queue[begin] + 1]; k++)
            if (!reached[heap->reference[k]]) {
                reached[heap->reference[k]] = 1;
                queue[end++] = heap->reference[k];
            }
    for (size_t i = 0; i < heap->objects && !wrong; i++)
        if (job->marks[i] != !!reached[i])
            wrong = reached[i] ? "an object that can be reached is not marked"
                               : "an object is marked that nothing leads to";
    if (!wrong && job->marked != end)
        wrong = "the number of marked objects is wrong";
    free(reached);
    free(queue);
    return wrong;
}

static void forget(void *arg)
{
    struct mark *job = arg;
    free(job->marks);
}

static void drop(void *arg)
{
    struct mark *job = arg;
    free(job->heap.first);
    free(job->heap.reference);
    free(job->heap.root);
    free(job);
}

const struct program program = {
    .name = "mark",
    .about = "marks the objects of a heap that its roots lead to, as a garbage collector does",
    .unit = "objects",
    .sizes = (const size_t[]){2500000, 20000000, 8000000, 4000000},
    .size_most = 1 << 29,
    .shapes = shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
