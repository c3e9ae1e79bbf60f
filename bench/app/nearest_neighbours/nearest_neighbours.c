/* SPDX-License-Identifier: MIT */
/*
 * A k-d tree: points are halved along the longest side of their box, the halves side by side; then
 * every point looks for its neighbours, in the order of the tree. The node that halves a range of
 * points is kept under the number of the middle one.
 */
#include "nearest_neighbours.h"

#include "parallel.h"

enum { LEAF = 12, BUILD_ALONE = 2048, GRAIN = 64 };

struct place {
    struct point point;
    uint32_t number; /* as the caller knows it */
};

/* Nothing below the bound is in the upper half, nothing above it in the lower. */
struct node {
    int32_t bound;
    uint8_t axis;
};

struct tree {
    const struct nearest_neighbours *job;
    struct place *places;
    struct node *nodes;
};

struct range {
    struct tree *tree;
    size_t begin, end;
};

static void first_places(par *p, size_t from, size_t to, void *context)
{
    struct tree *t = context;
    (void)p;
    for (size_t i = from; i < to; i++)
        t->places[i] = (struct place){t->job->points[i], (uint32_t)i};
}

static uint8_t longest_side(const struct place *places, size_t n)
{
    int32_t least[3], most[3];
    uint8_t longest = 0;
    memcpy(least, places->point.x, sizeof least);
    memcpy(most, places->point.x, sizeof most);
    for (size_t i = 1; i < n; i++)
        for (unsigned d = 0; d < 3; d++) {
            int32_t x = places[i].point.x[d];
            least[d] = x < least[d] ? x : least[d];
            most[d] = x > most[d] ? x : most[d];
        }
    for (uint8_t d = 1; d < 3; d++)
        if ((int64_t)most[d] - least[d] > (int64_t)most[longest] - least[longest])
            longest = d;
    return longest;
}

static void swap(struct place *a, struct place *b)
{
    struct place was = *a;
    *a = *b;
    *b = was;
}

/* Puts the place there that would be there if all were sorted, nothing larger before, nothing
   smaller after it. */
static void select_middle(struct place *places, size_t n, size_t middle, unsigned axis)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        int32_t x = places[low].point.x[axis], y = places[(low + high) / 2].point.x[axis];
        int32_t z = places[high].point.x[axis], pivot = x < y ? (y < z   ? y
                                                                 : x < z ? z
                                                                         : x)
                                                              : (x < z   ? x
                                                                 : y < z ? z
                                                                         : y);
        size_t i = low, j = high;
        for (;; i++, j--) {
            while (places[i].point.x[axis] < pivot)
                i++;
            while (places[j].point.x[axis] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&places[i], &places[j]);
        }
        if (middle <= j)
            high = j;
        else
            low = j + 1;
    }
}

static void build(par *p, void *arg)
{
    const struct range r = *(struct range *)arg;
    size_t n = r.end - r.begin, middle = r.begin + n / 2;
    if (n <= LEAF)
        return;
    uint8_t axis = longest_side(r.tree->places + r.begin, n);
    select_middle(r.tree->places + r.begin, n, n / 2, axis);
    r.tree->nodes[middle] = (struct node){r.tree->places[middle].point.x[axis], axis};
    struct range low = {r.tree, r.begin, middle}, high = {r.tree, middle, r.end};
    if (n <= BUILD_ALONE) {
        build(p, &low);
        build(p, &high);
    } else {
        par_both(p, build, &low, build, &high);
    }
}

struct search {
    const struct tree *tree;
    struct place from;
    uint64_t distance[NEIGHBOURS]; /* the nearest first */
    uint32_t number[NEIGHBOURS];
};

static void consider(struct search *s, const struct place *place)
{
    uint64_t distance = square_distance(&s->from.point, &place->point);
    unsigned at = NEIGHBOURS;
    if (place->number == s->from.number)
        return;
    for (; at && (distance < s->distance[at - 1] ||
                  (distance == s->distance[at - 1] && place->number < s->number[at - 1]));
         at--)
        if (at < NEIGHBOURS) {
            s->distance[at] = s->distance[at - 1];
            s->number[at] = s->number[at - 1];
        }
    if (at < NEIGHBOURS) {
        s->distance[at] = distance;
        s->number[at] = place->number;
    }
}

static void search(struct search *s, size_t begin, size_t end)
{
    if (end - begin <= LEAF) {
        for (size_t i = begin; i < end; i++)
            consider(s, &s->tree->places[i]);
        return;
    }
    size_t middle = begin + (end - begin) / 2;
    struct node node = s->tree->nodes[middle];
    int64_t beyond = (int64_t)s->from.point.x[node.axis] - node.bound;
    bool low_first = beyond < 0;
    if (low_first)
        search(s, begin, middle);
    else
        search(s, middle, end);
    /* As far as the farthest: one with a lower number may be there. */
    if ((uint64_t)(beyond * beyond) > s->distance[NEIGHBOURS - 1])
        return;
    if (low_first)
        search(s, middle, end);
    else
        search(s, begin, middle);
}

static void search_all(par *p, size_t from, size_t to, void *context)
{
    const struct tree *t = context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        struct search s = {.tree = t, .from = t->places[i]};
        for (unsigned k = 0; k < NEIGHBOURS; k++) {
            s.distance[k] = UINT64_MAX;
            s.number[k] = NO_POINT;
        }
        search(&s, 0, t->job->n);
        memcpy(t->job->neighbours[s.from.number].of, s.number, sizeof s.number);
    }
}

static void solve(par *p, void *arg)
{
    struct nearest_neighbours *job = arg;
    struct tree t = {job, allocate(job->n, sizeof *t.places), allocate(job->n, sizeof *t.nodes)};
    struct range all = {&t, 0, job->n};
    job->neighbours = allocate(job->n, sizeof *job->neighbours);
    par_for(p, job->n, 1 << 13, first_places, &t);
    build(p, &all);
    par_for(p, job->n, GRAIN, search_all, &t);
    free(t.places);
    free(t.nodes);
}

PROGRAM_SOLVED_BY(solve);
