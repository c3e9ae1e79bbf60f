/* SPDX-License-Identifier: MIT */
/*
 * Loops on the runtime: for, each, reduce, scan, sort, invoke.
 *
 *   static void square(heist_worker *w, size_t from, size_t to, void *context)
 *   {
 *       double *a = context;
 *       for (size_t i = from; i < to; i++)
 *           a[i] *= a[i];
 *   }
 *   ... heist_run_for(NULL, 0, n, 0, square, a);
 *
 * Each comes in two forms with the same arguments but the first. heist_X(w, ...) is for code that
 * runs on a worker, and may be nested; heist_run_X(pool, ...) is for everybody else, NULL is the
 * default pool. Both return when all is done: 0, or -EINVAL (a function is NULL, an element has no
 * bytes); heist_sort also -ENOMEM; heist_run_X also what heist_run returns.
 *
 * A range is begin <= i < end; an empty one if begin >= end. It is split only when another worker
 * is out of work, so a loop that nobody helps with costs as much as a plain one. A worker looks for
 * requests about every 2 us, or after each iteration if that takes longer. No grain is needed: 0.
 * If one is given, a worker hands over no fewer iterations, and calls a body for no fewer, but for
 * the last ones of what it has.
 */
#ifndef HEIST_LOOPS_H
#define HEIST_LOOPS_H

#include <heist/fork.h>
#include <heist/jobs.h>

HEIST_BEGIN_DECLS

/* The body of a loop, for from <= i < to. */
typedef void heist_range_fn(heist_worker *w, size_t from, size_t to, void *context);

/* Calls body for parts of the range that together make it up, in any order. */
HEIST_API int heist_for(heist_worker *w, size_t begin, size_t end, size_t grain,
                        heist_range_fn *body, void *context);
HEIST_API int heist_run_for(heist_pool *pool, size_t begin, size_t end, size_t grain,
                            heist_range_fn *body, void *context);

/* What is done to an element. */
typedef void heist_each_fn(heist_worker *w, void *element, void *context);

/* Calls fn for each of an array's elements, `size` bytes each, in any order. */
HEIST_API int heist_each(heist_worker *w, void *base, size_t number, size_t size, heist_each_fn *fn,
                         void *context);
HEIST_API int heist_run_each(heist_pool *pool, void *base, size_t number, size_t size,
                             heist_each_fn *fn, void *context);

/*
 * How to come from a range to a result. It is enough that combine is associative: left is always of
 * the indices just below those of right. Results are moved by memcpy.
 */
typedef struct heist_reduction {
    size_t size;          /* of a result, in bytes: any */
    const void *identity; /* a result of no index; NULL: all bytes 0 */
    /* Adds the range to a partial result, of the range just below it. */
    void (*body)(heist_worker *w, size_t from, size_t to, void *partial, void *context);
    /* left becomes left and right together; right is not used again. */
    void (*combine)(heist_worker *w, void *left, void *right, void *context);
    void *context; /* for both */
} heist_reduction;

/*
 * The result of the range. Partial results of more than 64 bytes are allocated when work is handed
 * over; without memory for one the worker goes on alone.
 */
HEIST_API int heist_reduce(heist_worker *w, size_t begin, size_t end, size_t grain,
                           const heist_reduction *reduction, void *result);
HEIST_API int heist_run_reduce(heist_pool *pool, size_t begin, size_t end, size_t grain,
                               const heist_reduction *reduction, void *result);

/* out = left and right together; out is one of the two, or none of them. */
typedef void heist_scan_fn(void *out, const void *left, const void *right, void *context);

/*
 * to[i] = from[0], ..., from[i] together, for an associative fn. `to` is `from`, or does not
 * overlap it. One call of fn per element; more for those that other workers took over.
 */
HEIST_API int heist_scan(heist_worker *w, void *to, const void *from, size_t number, size_t size,
                         heist_scan_fn *fn, void *context);
HEIST_API int heist_run_scan(heist_pool *pool, void *to, const void *from, size_t number,
                             size_t size, heist_scan_fn *fn, void *context);

/* Negative: a before b; positive: b before a; 0: they stay as they are. */
typedef int heist_compare_fn(const void *a, const void *b, void *context);

/* A stable merge sort. It needs as much memory again as the array; -ENOMEM: nothing was done. */
HEIST_API int heist_sort(heist_worker *w, void *base, size_t number, size_t size,
                         heist_compare_fn *compare, void *context);
HEIST_API int heist_run_sort(heist_pool *pool, void *base, size_t number, size_t size,
                             heist_compare_fn *compare, void *context);

/* Calls them all, in any order, each as a task. */
HEIST_API int heist_invoke(heist_worker *w, const heist_call *calls, size_t number);
HEIST_API int heist_run_invoke(heist_pool *pool, const heist_call *calls, size_t number);

HEIST_END_DECLS

#endif
