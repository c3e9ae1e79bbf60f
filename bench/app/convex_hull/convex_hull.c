/* SPDX-License-Identifier: MIT */
/*
 * Quickhull: the spot that is farthest from a line is a corner; of the others only those matter
 * that are outside of the two lines to it, and these two sets are solved side by side. A set of n
 * spots has n places in each of two arrays, where its parts go in turn, and n in that of the
 * corners.
 */
#include "convex_hull.h"

#include "blocks.h"

enum { REDUCE_GRAIN = 4096, SPLIT_ALONE = 512 };

struct ends {
    struct spot first, last;
};

static void find_ends(par *p, size_t from, size_t to, void *partial, void *context)
{
    const struct spot *spots = context;
    struct ends e = *(struct ends *)partial;
    (void)p;
    for (size_t i = from; i < to; i++) {
        e.first = is_before(spots[i], e.first) ? spots[i] : e.first;
        e.last = is_before(e.last, spots[i]) ? spots[i] : e.last;
    }
    *(struct ends *)partial = e;
}

static void join_ends(par *p, void *left, void *right, void *context)
{
    struct ends *a = left, *b = right;
    (void)p;
    (void)context;
    a->first = is_before(b->first, a->first) ? b->first : a->first;
    a->last = is_before(a->last, b->last) ? b->last : a->last;
}

/* The spots left of the way from a to b. */
struct set {
    struct spot a, b;
    struct spot *spots, *other; /* where they are, and where their parts go */
    size_t n;
    struct spot *corners; /* between a and b */
    size_t number;
};

struct farthest {
    struct spot spot;
    int64_t area; /* 0: none yet */
};

/* Of several that are as far only the first and the last are corners. */
static bool is_farther(struct farthest a, struct farthest b)
{
    return a.area != b.area ? a.area > b.area : is_before(a.spot, b.spot);
}

static void find_farthest(par *p, size_t from, size_t to, void *partial, void *context)
{
    const struct set *s = context;
    struct farthest best = *(struct farthest *)partial;
    (void)p;
    for (size_t i = from; i < to; i++) {
        struct farthest this = {s->spots[i], area_of(s->a, s->b, s->spots[i])};
        if (is_farther(this, best))
            best = this;
    }
    *(struct farthest *)partial = best;
}

static void join_farthest(par *p, void *left, void *right, void *context)
{
    struct farthest *a = left, *b = right;
    (void)p;
    (void)context;
    if (is_farther(*b, *a))
        *a = *b;
}

/* A filter from `spots` to `to`: what is left of the way from a to b. */
struct side {
    struct spot a, b;
    const struct spot *spots;
    struct spot *to;
};

static size_t count_side(size_t from, size_t to, void *context)
{
    const struct side *s = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += area_of(s->a, s->b, s->spots[i]) > 0;
    return number;
}

static size_t write_side(size_t from, size_t to, size_t at, void *context)
{
    const struct side *s = context;
    size_t next = at;
    for (size_t i = from; i < to; i++)
        if (area_of(s->a, s->b, s->spots[i]) > 0)
            s->to[next++] = s->spots[i];
    return next - at;
}

static size_t take_side(par *p, struct spot a, struct spot b, const struct spot *spots, size_t n,
                        struct spot *to)
{
    struct side side = {a, b, spots, to};
    const struct filter filter = {count_side, write_side, &side};
    return par_filter(p, n, &filter);
}

static void solve_set(par *p, void *arg)
{
    struct set *s = arg;
    const par_reduction reduction = {.size = sizeof(struct farthest),
                                     .body = find_farthest,
                                     .combine = join_farthest,
                                     .context = s};
    struct farthest best = {.area = 0};
    s->number = 0;
    if (!s->n)
        return;
    if (s->n <= REDUCE_GRAIN)
        find_farthest(p, 0, s->n, &best, s);
    else
        par_reduce(p, s->n, REDUCE_GRAIN, &reduction, &best);
    struct spot c = best.spot;
    struct set low = {
        .a = s->a, .b = c, .spots = s->other, .other = s->spots, .corners = s->corners};
    struct set high = {.a = c, .b = s->b};
    low.n = take_side(p, low.a, low.b, s->spots, s->n, low.spots);
    /* One place more for c, which was in the set and is in neither part. */
    high.spots = s->other + low.n + 1;
    high.n = take_side(p, high.a, high.b, s->spots, s->n, high.spots);
    high.other = s->spots + low.n + 1;
    high.corners = s->corners + low.n + 1;
    if (s->n <= SPLIT_ALONE) {
        solve_set(p, &low);
        solve_set(p, &high);
    } else {
        par_both(p, solve_set, &low, solve_set, &high);
    }
    s->corners[low.number] = c;
    memmove(s->corners + low.number + 1, high.corners, high.number * sizeof c);
    s->number = low.number + 1 + high.number;
}

/* Two sets, above and below of the line from the first to the last spot. Each fits: together
   they have two fewer than there are spots, if there is more than one. */
static void solve(par *p, void *arg)
{
    struct convex_hull *job = arg;
    const struct ends none = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
    const par_reduction reduction = {.size = sizeof none,
                                     .identity = &none,
                                     .body = find_ends,
                                     .combine = join_ends,
                                     .context = job->spots};
    struct spot *spots = allocate(job->n, sizeof *spots), *other = allocate(job->n, sizeof *other);
    struct spot *corners = allocate(job->n + 1, sizeof *corners);
    struct ends ends;
    par_reduce(p, job->n, REDUCE_GRAIN, &reduction, &ends);
    struct set above = {
        .a = ends.first, .b = ends.last, .spots = spots, .other = other, .corners = corners + 1};
    struct set below = {.a = ends.last, .b = ends.first};
    above.n = take_side(p, above.a, above.b, job->spots, job->n, above.spots);
    below.spots = spots + above.n;
    below.other = other + above.n;
    below.corners = above.corners + above.n + 1;
    below.n = take_side(p, below.a, below.b, job->spots, job->n, below.spots);
    par_both(p, solve_set, &above, solve_set, &below);
    corners[0] = ends.first;
    job->number = 1 + above.number;
    if (is_before(ends.first, ends.last)) {
        corners[job->number++] = ends.last;
        memmove(corners + job->number, below.corners, below.number * sizeof *corners);
        job->number += below.number;
    }
    job->corners = corners;
    free(spots);
    free(other);
}

PROGRAM_SOLVED_BY(solve);
