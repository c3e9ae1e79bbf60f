/* SPDX-License-Identifier: MIT */
/*
 * Loops that split when somebody asks. All of them are reductions: a worker goes through its range
 * in chunks, from below, and looks between two of them whether a thief has asked; if so, it forks
 * the upper half of what is left. Where iterations are so long that a thief would wait for that, it
 * also forks before anybody asks, unless it has something that can be stolen. At its end it joins
 * what it has forked, nearest range first, so that partial results are combined in order.
 */
#define _GNU_SOURCE
#include <heist/loops.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "worker.h"

enum {
    PARTS = 32, /* forks of one frame: what is left after so many halvings is next to nothing */
    SMALL = 64  /* bytes of a partial result that needs no allocation */
};

/* About how long somebody who asks may have to wait for the end of a chunk. Short ones are dear: at
   the end of each the processor can't see ahead, and waits for memory once more. */
#if defined __x86_64__ || defined __i386__
enum { CHUNK_TIME = 16384 }; /* cycles: 4 to 8 us */
static inline uint64_t now(void) { return __builtin_ia32_rdtsc(); }
#else
enum { CHUNK_TIME = 7000 }; /* ns */
static inline uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
#endif
enum { WORTH_A_FORK = CHUNK_TIME / 4 };

struct loop {
    size_t grain;          /* at least 1 */
    heist_range_fn *range; /* of a loop without result; else NULL */
    heist_reduction r;     /* of such a loop: the context alone */
};

/* All that a thief needs, in one place: each step to another would cost it a cache miss. */
struct part {
    heist_task task;
    size_t from, to;
    heist_worker *forker;
    void *left;    /* the forker's partial result */
    void *partial; /* this part's own: NULL if the forker ran it, straight into left */
    struct loop loop;
    unsigned char small[SMALL] HEIST_ALIGNED;
} HEIST_ALIGNED;

static bool hungry(heist_worker *w) { return heist_slots_is_asked_(&w->slots); }

static bool has_anything_to_steal(const struct worker *w)
{
    const heist_slots *q = &w->w.slots;
    return w->pool->kind == KIND_heist ? heist_slots_has_public_(q) || heist_slots_has_private_(q)
                                       : tasks_size(w->tasks) > 0;
}

/* Whether to fork now; if so the fork will be public, as for a thief. */
static bool offers(heist_worker *w, uint64_t took)
{
    if (hungry(w))
        return true;
    if (HEIST_LIKELY(took <= 2 * CHUNK_TIME) || has_anything_to_steal(worker_of(w)))
        return false;
    heist_slots_ask_(&w->slots);
    return true;
}

static void set_identity(const heist_reduction *r, void *result)
{
    if (!result)
        return; /* of size 0 */
    if (r->identity)
        memcpy(result, r->identity, r->size);
    else
        memset(result, 0, r->size);
}

static void run_range(heist_worker *w, const struct loop *loop, size_t from, size_t to,
                      void *partial);

static void run_part(heist_worker *w, void *arg)
{
    struct part *p = arg;
    if (w == p->forker) {
        if (p->partial != p->small)
            free(p->partial);
        p->partial = NULL;
        run_range(w, &p->loop, p->from, p->to, p->left);
    } else {
        set_identity(&p->loop.r, p->partial);
        run_range(w, &p->loop, p->from, p->to, p->partial);
    }
}

static bool fork_part(heist_worker *w, struct part *p, const struct loop *loop, size_t from,
                      size_t to, void *left)
{
    p->loop = *loop;
    p->from = from;
    p->to = to;
    p->forker = w;
    p->left = left;
    p->partial = p->small;
    if (loop->r.size > SMALL && posix_memalign(&p->partial, HEIST_LINE, loop->r.size))
        return false;
    heist_fork(w, &p->task, run_part, p);
    return true;
}

static void join_part(heist_worker *w, struct part *p)
{
    const heist_reduction *r = &p->loop.r;
    heist_join(w, &p->task);
    if (p->partial && r->size)
        r->combine(w, p->left, p->partial, r->context);
    if (p->partial != p->small)
        free(p->partial);
}

static void run_chunk(heist_worker *w, const struct loop *loop, size_t from, size_t to,
                      void *partial)
{
    if (loop->range)
        loop->range(w, from, to, loop->r.context);
    else
        loop->r.body(w, from, to, partial, loop->r.context);
}

/*
 * Grows while a chunk takes less than it may; what follows may be slower, so never all of it. A
 * product that wraps around does no harm: the result is at least the grain.
 */
static size_t next_chunk(size_t chunk, uint64_t took, size_t left, size_t grain)
{
    if (took < CHUNK_TIME)
        chunk *= took < CHUNK_TIME / 8 ? 4 : 2;
    else if (took > 2 * CHUNK_TIME)
        chunk = (size_t)((double)chunk * (double)CHUNK_TIME / (double)took);
    size_t most = left / 2;
    chunk = chunk < most ? chunk : most;
    return chunk > grain ? chunk : grain;
}

static void run_range(heist_worker *w, const struct loop *loop, size_t from, size_t to,
                      void *partial)
{
    struct part parts[PARTS];
    unsigned forked = 0;
    size_t chunk = loop->grain;
    uint64_t took = CHUNK_TIME, before = now(); /* unknown so far: suppose that it is long */
    size_t n = 1;
    while (from < to) {
        if ((to - from) / 2 >= loop->grain && forked < PARTS && offers(w, took) &&
            (double)took * (double)(to - from) > (double)WORTH_A_FORK * (double)n) {
            size_t half = (to - from) / 2;
            if (fork_part(w, &parts[forked], loop, to - half, to, partial)) {
                forked++;
                to -= half;
            }
            before = now();
        }
        n = chunk < to - from ? chunk : to - from;
        run_chunk(w, loop, from, from + n, partial);
        from += n;
        uint64_t after = now();
        took = after - before;
        before = after;
        chunk = next_chunk(chunk, took, to - from, loop->grain);
    }
    while (forked)
        join_part(w, &parts[--forked]);
}

static void run_loop(heist_worker *w, const struct loop *loop, size_t from, size_t to, void *result)
{
    if (heist_pool_workers(worker_of(w)->pool) > 1)
        run_range(w, loop, from, to, result);
    else if (from < to) /* nobody will ever ask */
        run_chunk(w, loop, from, to, result);
}

int heist_reduce(heist_worker *w, size_t begin, size_t end, size_t grain,
                 const heist_reduction *reduction, void *result)
{
    if (!reduction || !reduction->body || (reduction->size && (!reduction->combine || !result)))
        return -EINVAL;
    const struct loop loop = {grain ? grain : 1, NULL, *reduction};
    set_identity(reduction, result);
    run_loop(w, &loop, begin, end, result);
    return 0;
}

int heist_for(heist_worker *w, size_t begin, size_t end, size_t grain, heist_range_fn *body,
              void *context)
{
    if (!body)
        return -EINVAL;
    const struct loop loop = {grain ? grain : 1, body, {.context = context}};
    run_loop(w, &loop, begin, end, NULL);
    return 0;
}

/* ---- each ---- */

struct each {
    char *base;
    size_t size;
    heist_each_fn *fn;
    void *context;
};

static void run_elements(heist_worker *w, size_t from, size_t to, void *context)
{
    const struct each *e = context;
    for (size_t i = from; i < to; i++)
        e->fn(w, e->base + i * e->size, e->context);
}

int heist_each(heist_worker *w, void *base, size_t number, size_t size, heist_each_fn *fn,
               void *context)
{
    struct each e = {base, size, fn, context};
    return fn && size ? heist_for(w, 0, number, 0, run_elements, &e) : -EINVAL;
}

/* ---- scan ---- */

struct scan {
    char *to;
    const char *from;
    size_t size;
    heist_scan_fn *fn;
    void *context;
};

/* What one worker has scanned, from its own beginning on: the partial result. */
struct scanned {
    size_t begin, end; /* empty: nothing yet */
};

static void scan_range(heist_worker *w, size_t from, size_t to, void *partial, void *context)
{
    const struct scan *s = context;
    struct scanned *piece = partial;
    (void)w;
    size_t i = from;
    if (piece->begin == piece->end) {
        piece->begin = from;
        if (s->to != s->from)
            memcpy(s->to + i * s->size, s->from + i * s->size, s->size);
        i++;
    }
    for (; i < to; i++) {
        char *out = s->to + i * s->size;
        s->fn(out, out - s->size, s->from + i * s->size, s->context);
    }
    piece->end = to;
}

struct carry {
    const struct scan *scan;
    const void *left;
};

static void add_carry(heist_worker *w, size_t from, size_t to, void *context)
{
    const struct carry *c = context;
    const struct scan *s = c->scan;
    (void)w;
    for (size_t i = from; i < to; i++) {
        char *out = s->to + i * s->size;
        s->fn(out, c->left, out, s->context);
    }
}

static void join_scanned(heist_worker *w, void *left, void *right, void *context)
{
    const struct scan *s = context;
    const struct scanned *piece = right;
    struct carry c = {s, s->to + (piece->begin - 1) * s->size};
    heist_for(w, piece->begin, piece->end, 0, add_carry, &c);
    ((struct scanned *)left)->end = piece->end;
}

int heist_scan(heist_worker *w, void *to, const void *from, size_t number, size_t size,
               heist_scan_fn *fn, void *context)
{
    if (!fn || !size)
        return -EINVAL;
    struct scan s = {to, from, size, fn, context};
    struct scanned all;
    const heist_reduction r = {
        .size = sizeof all, .body = scan_range, .combine = join_scanned, .context = &s};
    return heist_reduce(w, 0, number, 0, &r, &all);
}

/* ---- invoke ---- */

struct calls {
    const heist_call *calls;
    size_t number; /* at least 1 */
};

static void run_calls(heist_worker *w, void *arg)
{
    const struct calls *c = arg;
    if (c->number == 1) {
        c->calls[0].fn(w, c->calls[0].arg);
        return;
    }
    heist_task task;
    struct calls lower = {c->calls, c->number / 2};
    struct calls upper = {c->calls + lower.number, c->number - lower.number};
    heist_fork(w, &task, run_calls, &upper);
    run_calls(w, &lower);
    heist_join(w, &task);
}

int heist_invoke(heist_worker *w, const heist_call *calls, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (!calls[i].fn)
            return -EINVAL;
    struct calls all = {calls, number};
    if (number)
        run_calls(w, &all);
    return 0;
}

/* ---- from outside of a pool: the arguments in a struct ---- */

/* name, then its arguments as fields, as parameters, and as what the two forms are called with */
#define RUN(name, FIELDS, PARAMS, ARGS, FROM)          \
    struct name##_args {                               \
        int error;                                     \
        FIELDS                                         \
    };                                                 \
    static void run_##name(heist_worker *w, void *arg) \
    {                                                  \
        struct name##_args *a = arg;                   \
        a->error = heist_##name(w, FROM);              \
    }                                                  \
    int heist_run_##name(heist_pool *pool, PARAMS)     \
    {                                                  \
        struct name##_args a = {0, ARGS};              \
        int error = heist_run(pool, run_##name, &a);   \
        return error ? error : a.error;                \
    }
#define LIST(...) __VA_ARGS__

RUN(for, size_t begin; size_t end; size_t grain; heist_range_fn *body; void *context;
    , LIST(size_t begin, size_t end, size_t grain, heist_range_fn *body, void *context),
    LIST(begin, end, grain, body, context),
    LIST(a->begin, a->end, a->grain, a->body, a->context))
RUN(each, void *base; size_t number; size_t size; heist_each_fn * fn; void *context;
    , LIST(void *base, size_t number, size_t size, heist_each_fn *fn, void *context),
    LIST(base, number, size, fn, context), LIST(a->base, a->number, a->size, a->fn, a->context))
RUN(reduce, size_t begin; size_t end; size_t grain; const heist_reduction *r; void *result;
    , LIST(size_t begin, size_t end, size_t grain, const heist_reduction *r, void *result),
    LIST(begin, end, grain, r, result), LIST(a->begin, a->end, a->grain, a->r, a->result))
RUN(scan, void *to; const void *from; size_t number; size_t size; heist_scan_fn * fn; void *context;
    ,
    LIST(void *to, const void *from, size_t number, size_t size, heist_scan_fn *fn, void *context),
    LIST(to, from, number, size, fn, context),
    LIST(a->to, a->from, a->number, a->size, a->fn, a->context))
RUN(sort, void *base; size_t number; size_t size; heist_compare_fn * compare; void *context;
    , LIST(void *base, size_t number, size_t size, heist_compare_fn *compare, void *context),
    LIST(base, number, size, compare, context),
    LIST(a->base, a->number, a->size, a->compare, a->context))
RUN(invoke, const heist_call *calls; size_t number;
    , LIST(const heist_call *calls, size_t number), LIST(calls, number), LIST(a->calls, a->number))
