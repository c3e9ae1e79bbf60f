/* SPDX-License-Identifier: MIT */
/*
 * Boruvka's rounds. Every tree finds the lightest edge that leaves it, all of these belong to the
 * forest, and join trees to larger ones; edges inside of a tree are dropped, and trees that were
 * joined to another.
 * Bodies copy their context: what they write could be a part of it, for all that the compiler
 * knows, who would read it again for each element.
 */
#include "spanning_forest.h"

#include "atomic_min.h"
#include "blocks.h"

enum { GRAIN = 1024 };
#define NO_EDGE UINT64_MAX

/* An edge between two trees; a tree has the number of one of its vertices. */
struct link {
    uint32_t a, b;
    uint64_t key; /* weight, then number: no two are the same */
};

struct forest {
    const struct spanning_forest *job;
    struct link *links, *links_left;
    uint32_t *trees, *trees_left;
    _Atomic uint64_t *lightest; /* by tree: of the keys of its links */
    uint32_t *joined;           /* by tree: to which; itself, if it stays */
    uint32_t *root;             /* by tree: which it is a part of after this round */
    uint8_t *chosen;            /* by edge */
};

static void first_trees(par *p, size_t from, size_t to, void *context)
{
    const struct forest f = *(struct forest *)context;
    (void)p;
    for (size_t i = from; i < to; i++)
        f.trees[i] = (uint32_t)i;
}

static void first_links(par *p, size_t from, size_t to, void *context)
{
    const struct forest f = *(struct forest *)context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        struct edge e = f.job->graph.edge[i];
        f.links[i] = (struct link){e.a, e.b, (uint64_t)f.job->weight[i] << 32 | i};
        f.chosen[i] = 0;
    }
}

static void forget_lightest(par *p, size_t from, size_t to, void *context)
{
    const struct forest f = *(struct forest *)context;
    (void)p;
    for (size_t i = from; i < to; i++)
        atomic_store_explicit(&f.lightest[f.trees[i]], NO_EDGE, memory_order_relaxed);
}

static void find_lightest(par *p, size_t from, size_t to, void *context)
{
    const struct forest f = *(struct forest *)context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        struct link l = f.links[i];
        atomic_min64(&f.lightest[l.a], l.key);
        atomic_min64(&f.lightest[l.b], l.key);
    }
}

static uint64_t lightest_of(const struct forest *f, uint32_t tree)
{
    return atomic_load_explicit(&f->lightest[tree], memory_order_relaxed);
}

/* The link by which a tree is joined knows both its ends: it says so to the one whose lightest
   it is. Of two that have the same lightest link the one with the lower number stays, and so
   there is no cycle. */
static void join(par *p, size_t from, size_t to, void *context)
{
    const struct forest f = *(struct forest *)context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        struct link l = f.links[i];
        bool a = lightest_of(&f, l.a) == l.key, b = lightest_of(&f, l.b) == l.key;
        if (a || b)
            f.chosen[(uint32_t)l.key] = 1;
        if (a && !(b && l.a < l.b))
            f.joined[l.a] = l.b;
        if (b && !(a && l.b < l.a))
            f.joined[l.b] = l.a;
    }
}

static void stay(par *p, size_t from, size_t to, void *context)
{
    const struct forest f = *(struct forest *)context;
    (void)p;
    for (size_t i = from; i < to; i++)
        f.joined[f.trees[i]] = f.trees[i];
}

static void find_roots(par *p, size_t from, size_t to, void *context)
{
    const struct forest f = *(struct forest *)context;
    (void)p;
    for (size_t i = from; i < to; i++) {
        uint32_t root = f.trees[i];
        while (f.joined[root] != root)
            root = f.joined[root];
        f.root[f.trees[i]] = root;
    }
}

static size_t count_links(size_t from, size_t to, void *context)
{
    const struct forest *f = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += f->root[f->links[i].a] != f->root[f->links[i].b];
    return number;
}

static size_t write_links(size_t from, size_t to, size_t at, void *context)
{
    const struct forest *f = context;
    size_t next = at;
    for (size_t i = from; i < to; i++) {
        struct link l = {f->root[f->links[i].a], f->root[f->links[i].b], f->links[i].key};
        if (l.a != l.b)
            f->links_left[next++] = l;
    }
    return next - at;
}

/* Those that stay and may still have links. */
static bool goes_on(const struct forest *f, uint32_t tree)
{
    return f->root[tree] == tree && lightest_of(f, tree) != NO_EDGE;
}

static size_t count_trees(size_t from, size_t to, void *context)
{
    const struct forest *f = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += goes_on(f, f->trees[i]);
    return number;
}

static size_t write_trees(size_t from, size_t to, size_t at, void *context)
{
    const struct forest *f = context;
    size_t next = at;
    for (size_t i = from; i < to; i++)
        if (goes_on(f, f->trees[i]))
            f->trees_left[next++] = f->trees[i];
    return next - at;
}

static void end_round(struct forest *f)
{
    struct link *links = f->links;
    uint32_t *trees = f->trees;
    f->links = f->links_left;
    f->links_left = links;
    f->trees = f->trees_left;
    f->trees_left = trees;
}

static void solve(par *p, void *arg)
{
    struct spanning_forest *job = arg;
    size_t trees = job->graph.vertices, links = job->graph.edges;
    struct forest f = {.job = job,
                       .links = allocate(links, sizeof *f.links),
                       .links_left = allocate(links, sizeof *f.links),
                       .trees = allocate(trees, sizeof *f.trees),
                       .trees_left = allocate(trees, sizeof *f.trees),
                       .lightest = allocate(trees, sizeof *f.lightest),
                       .joined = allocate(trees, sizeof *f.joined),
                       .root = allocate(trees, sizeof *f.root),
                       .chosen = allocate(links, 1)};
    const struct filter links_left = {count_links, write_links, &f};
    const struct filter trees_left = {count_trees, write_trees, &f};
    par_for(p, trees, 1 << 14, first_trees, &f);
    par_for(p, links, 1 << 13, first_links, &f);
    while (links) {
        par_for(p, trees, GRAIN, forget_lightest, &f);
        par_for(p, trees, GRAIN, stay, &f);
        par_for(p, links, GRAIN, find_lightest, &f);
        par_for(p, links, GRAIN, join, &f);
        par_for(p, trees, GRAIN, find_roots, &f);
        links = par_filter(p, links, &links_left);
        trees = par_filter(p, trees, &trees_left);
        end_round(&f);
    }
    job->edges = allocate(job->graph.vertices, sizeof *job->edges);
    job->number = par_pack(p, job->graph.edges, (struct pack){f.chosen, NULL, job->edges});
    free(f.links);
    free(f.links_left);
    free(f.trees);
    free(f.trees_left);
    free(f.lightest);
    free(f.joined);
    free(f.root);
    free(f.chosen);
}

PROGRAM_SOLVED_BY(solve);
