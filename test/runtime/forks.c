/* SPDX-License-Identifier: MIT */
/*
 * forks [SEED]: trees of forks and joins of random shape, typed, plain and both, on pools of 1 to 8
 * workers. Every task must be run exactly once, and its join must see what it did. On more than one
 * worker some tasks must have been stolen, else the run proves nothing.
 */
#include <heist/heist.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../random.h"
#include "pools.h"

enum { DEPTH = 14, CHILDREN = 4, ROUNDS = SLOWER > 1 ? 10 : 40, TOO_MANY = 100000 };

static heist_au64 tasks, elsewhere;

/* How many children a node has follows from its name, so that the same tree can be counted. */
static unsigned children_of(uint64_t name, int depth)
{
    return depth ? (unsigned)((name * 0x9e3779b97f4a7c15u >> 40) % (CHILDREN + 1)) : 0;
}

static uint64_t child_of(uint64_t name, unsigned i) { return name * 6364136223846793005u + i + 1; }

static uint64_t count(uint64_t name, int depth)
{
    uint64_t n = 1;
    for (unsigned i = 0; i < children_of(name, depth); i++)
        n += count(child_of(name, i), depth - 1);
    return n;
}

struct node {
    uint64_t name, below;
    int depth;
    heist_worker *parent;
};

static void plain(heist_worker *w, void *arg)
{
    struct node *node = arg;
    struct node child[CHILDREN];
    heist_task task[CHILDREN];
    unsigned n = children_of(node->name, node->depth);
    if (node->parent && node->parent != w)
        heist_add(&elsewhere, 1, __ATOMIC_RELAXED);
    heist_add(&tasks, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < n; i++) {
        child[i] = (struct node){child_of(node->name, i), 0, node->depth - 1, w};
        heist_fork(w, &task[i], plain, &child[i]);
    }
    node->below = 1;
    for (unsigned i = n; i-- > 0;) {
        heist_join(w, &task[i]);
        node->below += child[i].below;
    }
}

HEIST_TASK_2(uint64_t, typed, uint64_t, name, int, depth)
{
    unsigned n = children_of(name, depth);
    uint64_t below = 1;
    heist_add(&tasks, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < n; i++)
        HEIST_FORK(typed, child_of(name, i), depth - 1);
    for (unsigned i = 0; i < n; i++)
        below += HEIST_JOIN(typed);
    return below;
}

/* Both: typed forks, with plain ones inside of them, and the other way round. */
HEIST_TASK_DECLARE_2(uint64_t, mixed, uint64_t, name, int, depth);

enum way { FORKED, PLAIN, WITHIN_A_RUN, BY_CURRENT, WAYS };
static enum way way_of(uint64_t name) { return (enum way)((name >> 33) % WAYS); }

static void plain_mixed(heist_worker *w, void *arg)
{
    struct node *node = arg;
    struct node child[CHILDREN];
    heist_task task[CHILDREN];
    unsigned n = children_of(node->name, node->depth);
    heist_add(&tasks, 1, __ATOMIC_RELAXED);
    node->below = 1;
    for (unsigned i = 0; i < n; i++) {
        child[i] = (struct node){child_of(node->name, i), 0, node->depth - 1, w};
        heist_fork(w, &task[i], plain_mixed, &child[i]);
        if (way_of(child[i].name) == WITHIN_A_RUN && i + 1 < n) {
            uint64_t below = 0;
            i++;
            child[i] = (struct node){child_of(node->name, i), 0, node->depth - 1, w};
            if (heist_run_mixed(heist_worker_pool(w), &below, child[i].name, child[i].depth))
                abort();
            node->below += below;
            task[i].slot = NULL; /* nothing to join */
        }
    }
    for (unsigned i = n; i-- > 0;)
        if (task[i].slot) {
            heist_join(w, &task[i]);
            node->below += child[i].below;
        }
}

HEIST_TASK_DEFINE_2(uint64_t, mixed, uint64_t, name, int, depth)
{
    unsigned n = children_of(name, depth), forked = 0;
    uint64_t below = 1, run = 0;
    heist_add(&tasks, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < n; i++) {
        struct node child = {child_of(name, i), 0, depth - 1, NULL};
        switch (way_of(child.name)) {
        case PLAIN:
            plain_mixed(HEIST_WORKER(), &child);
            break;
        case BY_CURRENT:
            plain_mixed(heist_worker_current(), &child);
            break;
        case WITHIN_A_RUN:
            if (heist_run_mixed(heist_worker_pool(HEIST_WORKER()), &run, child.name, child.depth))
                abort();
            child.below = run;
            break;
        default:
            HEIST_FORK(mixed, child.name, child.depth);
            forked++;
        }
        below += child.below;
    }
    while (forked--)
        below += HEIST_JOIN(mixed);
    return below;
}

/* As many forks at once as `depth`, and deep. */
HEIST_TASK_1(int, chain, int, depth)
{
    if (!depth)
        return 0;
    HEIST_FORK(chain, 0);
    int below = HEIST_CALL(chain, depth - 1);
    return below + 1 + HEIST_JOIN(chain);
}

/* More forks at once than there are slots: refused. */
HEIST_TASK_1(int, flood, int, n)
{
    for (int i = 0; i < n; i++)
        HEIST_FORK(chain, 0);
    for (int i = 0; i < n; i++)
        HEIST_JOIN(chain);
    return 0;
}

/* The same, in a task that may be stolen. */
HEIST_TASK_1(int, floods, int, n)
{
    HEIST_FORK(flood, n);
    int result = HEIST_CALL(flood, 10);
    return result + HEIST_JOIN(flood);
}

/* The same pool again, from inside; but not its end. */
static void inside(heist_worker *w, void *pool)
{
    int deep = 0;
    (void)w;
    if (heist_run_chain(pool, &deep, 10) || deep != 10 || heist_pool_free(pool) != -EDEADLK)
        abort();
}

/* Through another pool and back. */
static void there_and_back(heist_worker *w, void *pool)
{
    (void)w;
    if (heist_run(heist_worker_pool(w) == pool ? NULL : pool, inside, pool))
        abort();
}

static bool expect(const char *what, uint64_t got, uint64_t wanted)
{
    if (got != wanted)
        printf("%s: %llu, not %llu\n", what, (unsigned long long)got, (unsigned long long)wanted);
    return got == wanted;
}

static bool round_of(heist_pool *pool, uint64_t name)
{
    uint64_t wanted = count(name, DEPTH), typed_result = 0, mixed_result = 0;
    struct node root = {name, 0, DEPTH, NULL};
    heist_store(&tasks, 0, __ATOMIC_RELAXED);
    bool ok = expect("heist_run", (uint64_t)heist_run(pool, plain, &root), 0);
    ok &= expect("plain, counted", root.below, wanted);
    ok &= expect("plain, run", heist_exchange(&tasks, 0, __ATOMIC_RELAXED), wanted);
    ok &= expect("heist_run_typed", (uint64_t)heist_run_typed(pool, &typed_result, name, DEPTH), 0);
    ok &= expect("typed, counted", typed_result, wanted);
    ok &= expect("typed, run", heist_exchange(&tasks, 0, __ATOMIC_RELAXED), wanted);
    ok &= expect("heist_run_mixed", (uint64_t)heist_run_mixed(pool, &mixed_result, name, DEPTH), 0);
    ok &= expect("mixed, counted", mixed_result, wanted);
    return expect("mixed, run", heist_load(&tasks, __ATOMIC_RELAXED), wanted) && ok;
}

/* A child of a process with a default pool ends, though it has none of the pool's threads. */
static bool child_ends(void)
{
    int status;
    pid_t child = fork();
    if (!child) {
        alarm(20);
        exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    bool ok = true;
    for (unsigned workers = 1; workers <= 8 && ok; workers *= 2) {
        heist_pool *pool;
        const heist_pool_opts opts = {.size = sizeof opts, .workers = workers};
        if (heist_pool_new(&pool, &opts))
            return 1;
        heist_store(&elsewhere, 0, __ATOMIC_RELAXED);
        const int depth = 10000; /* frames of a sanitizer are large; deep.c has more */
        int deep = 0, error = heist_run_chain(pool, &deep, depth);
        ok &= expect("a deep chain", (uint64_t)(deep + error), (uint64_t)depth);
        ok &= expect("from inside", (uint64_t)heist_run(pool, inside, pool), 0);
        ok &= expect("there and back", (uint64_t)heist_run(pool, there_and_back, pool), 0);
        ok &= expect("no function", (uint64_t)-heist_run(pool, NULL, NULL), EINVAL);
        ok &= expect("a flood", (uint64_t)-heist_run_floods(pool, &deep, 3000000), ENOMEM);
        uint64_t stolen = 0;
        for (int i = 0; (i < ROUNDS || (workers > 1 && !stolen && i < TOO_MANY)) && ok; i++) {
            ok &= round_of(pool, random_next(&seed) | 1);
            stolen = heist_load(&elsewhere, __ATOMIC_RELAXED);
        }
        printf("%u workers: %llu tasks not on their parent's worker\n", workers,
               (unsigned long long)stolen);
        ok &= workers == 1 || stolen > 0;
        ok &= expect("heist_pool_free", (uint64_t)heist_pool_free(pool), 0);
    }
    ok &= expect("a child that ends", child_ends(), true);
    return !ok;
}
