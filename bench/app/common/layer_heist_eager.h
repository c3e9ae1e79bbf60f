/* SPDX-License-Identifier: MIT */
/*
 * Loops that are cut up before anybody asks, as Parlay's are. 1, 2, 4 and so on iterations are run
 * until that takes a microsecond; as many as were run are the grain, and the rest is halved by
 * forks and joins down to it. So there is a fork for every microsecond or so of work, and what
 * forks cost on a kind of queue can be seen: Heist's own loops hardly fork.
 */
#ifndef APP_LAYER_HEIST_EAGER_H
#define APP_LAYER_HEIST_EAGER_H

#include <heist/heist.h>
#include <string.h>

#include "clock.h"
#include "layer.h"

enum { EAGER_NS = 1000 };

/* A for, or a reduce. */
struct eager_loop {
    heist_range_fn *body;
    void *context;
    const heist_reduction *reduction; /* NULL: it is a for */
    size_t grain;
};

struct eager_part {
    const struct eager_loop *loop;
    size_t from, to;
    void *partial; /* of a reduce: what it is added to */
};

static inline void eager_run(heist_worker *w, const struct eager_part *part)
{
    const heist_reduction *r = part->loop->reduction;
    if (r)
        r->body(w, part->from, part->to, part->partial, r->context);
    else
        part->loop->body(w, part->from, part->to, part->loop->context);
}

static inline void eager_clear(const heist_reduction *r, void *partial)
{
    if (r->identity)
        memcpy(partial, r->identity, r->size);
    else
        memset(partial, 0, r->size);
}

static void eager_halve(heist_worker *w, void *arg)
{
    struct eager_part *part = arg;
    const heist_reduction *r = part->loop->reduction;
    if (part->to - part->from <= part->loop->grain) {
        eager_run(w, part);
        return;
    }
    size_t middle = part->from + (part->to - part->from) / 2;
    _Alignas(max_align_t) unsigned char partial[PAR_RESULT_MOST];
    struct eager_part high = {part->loop, middle, part->to, partial};
    heist_task task;
    if (r)
        eager_clear(r, partial);
    heist_fork(w, &task, eager_halve, &high);
    part->to = middle;
    eager_halve(w, part);
    heist_join(w, &task);
    if (r)
        r->combine(w, part->partial, partial, r->context);
}

/* All of 0 <= i < n. */
static inline void eager_loop(heist_worker *w, size_t n, struct eager_loop *loop, void *partial)
{
    struct eager_part part = {loop, 0, 0, partial};
    bool is_found = false;
    for (size_t size = 1; part.from < n && !is_found; size *= 2) {
        uint64_t began = clock_ns();
        part.to = size < n - part.from ? part.from + size : n;
        eager_run(w, &part);
        is_found = clock_ns() - began >= EAGER_NS;
        part.from = part.to;
    }
    loop->grain = part.from;
    part.to = n;
    if (part.from < n)
        eager_halve(w, &part);
}

static inline void eager_for(heist_worker *w, size_t n, heist_range_fn *body, void *context)
{
    struct eager_loop loop = {.body = body, .context = context};
    eager_loop(w, n, &loop, NULL);
}

static inline void eager_reduce(heist_worker *w, size_t n, const heist_reduction *r, void *result)
{
    struct eager_loop loop = {.reduction = r};
    eager_clear(r, result);
    eager_loop(w, n, &loop, result);
}

#endif
