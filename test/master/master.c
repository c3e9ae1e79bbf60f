/* SPDX-License-Identifier: MIT */
/*
 * heist_master_run as users see it: every node exactly once, whatever the pool and the options;
 * what the options say happens, and is required to have happened; cancellation, errors, and pools
 * that are busy.
 */
#include <errno.h>
#include <heist/master.h>
#include <pthread.h>

#include "../runtime/pools.h"

/* ---- A tree whose nodes are counted ---- */

struct node {
    heist_bulk_node link; /* first, so that a link is a node */
    unsigned depth;
};

struct tree {
    unsigned depth, width;
    unsigned work; /* turns of a loop in each node */
    heist_au64 made, expanded, dropped;
    heist_au32 cancel;
    uint64_t stop_at; /* expanded nodes; 0: never */
    int error;        /* what the node there returns; 0: it cancels */
    heist_au32 asked; /* calls of the affinity function */
    uint64_t wrong;   /* of them: what it was given makes no sense; or what the first was given */
    unsigned workers;
    heist_au32 came[2]; /* the first two workers, to a leaf */
};

static struct node *new_node(struct tree *t, unsigned depth)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->depth = depth;
    heist_add(&t->made, 1, __ATOMIC_RELAXED);
    return n;
}

static void spin(unsigned turns)
{
    for (volatile unsigned i = 0; i < turns; i++)
        continue;
}

static int expand(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                  void *context)
{
    struct tree *t = context;
    struct node *n = (struct node *)link;
    if (!check(heist_master_number(w) < t->workers))
        return -ERANGE;
    for (unsigned i = 0; n->depth && i < t->width; i++)
        heist_master_add(batch, &new_node(t, n->depth - 1)->link);
    spin(t->work);
    free(n);
    if (heist_add(&t->expanded, 1, __ATOMIC_RELAXED) + 1 != t->stop_at)
        return 0;
    if (!t->error)
        heist_master_cancel(w);
    return t->error;
}

static void drop(heist_bulk_node *link, void *context)
{
    struct tree *t = context;
    heist_add(&t->dropped, 1, __ATOMIC_RELAXED);
    free(link);
}

static uint64_t nodes_of(unsigned depth, unsigned width)
{
    uint64_t all = 1;
    for (uint64_t level = 1; depth; depth--)
        all += level *= width;
    return all;
}

static heist_master_opts opts_of(struct tree *t, heist_master_stats *stats, unsigned workers)
{
    *stats = (heist_master_stats){.size = sizeof *stats};
    t->workers = workers;
    return (heist_master_opts){.size = sizeof(heist_master_opts),
                               .expand = expand,
                               .drop = drop,
                               .context = t,
                               .workers = workers,
                               .stats = stats};
}

/* Also whether nothing was lost, and nothing done twice: then a node would be freed twice. */
static int run_tree(heist_pool *pool, const heist_master_opts *opts)
{
    struct tree *t = opts->context;
    heist_bulk_chain roots = {NULL, NULL, 0};
    heist_master_add(&roots, &new_node(t, t->depth)->link);
    int result = heist_master_run(pool, opts, &roots);
    check(!roots.count && !roots.first);
    check(t->expanded.v_ + t->dropped.v_ == t->made.v_);
    check(opts->stats->expanded == t->expanded.v_ && opts->stats->dropped == t->dropped.v_);
    return result;
}

/* ---- Pools of all sorts ---- */

static void test_pools(void)
{
    static const char *const queues[] = {"heist", "chaselev", "split", "bulk", "bwos_fifo"};
    uint64_t redistributions = 0, threads = 0;
    for (unsigned q = 0; q < 5; q++)
        for (unsigned pool_workers = 1; pool_workers <= 4; pool_workers *= 2)
            for (unsigned workers = 1; workers <= 9; workers += 4) {
                heist_pool *pool = pool_of(pool_workers, queues[q]);
                struct tree t = {.depth = 4, .width = 9, .work = 100};
                heist_master_stats stats;
                heist_master_opts opts = opts_of(&t, &stats, workers);
                check(run_tree(pool, &opts) == 0);
                check(t.expanded.v_ == nodes_of(4, 9) && !t.dropped.v_);
                check(stats.workers == workers);
                check(workers > 1 || (!stats.redistributions && !stats.moved));
                check(pool_workers > 1 || !stats.threads);
                redistributions += stats.redistributions;
                threads += stats.threads;
                check(!heist_pool_free(pool));
            }
    check(redistributions > 0 && threads > 0);
}

/* The default pool, and as many workers as it has; counts of each. */
static void test_default(void)
{
    enum { MOST = 1024 };
    static heist_master_count each[MOST];
    struct tree t = {.depth = 12, .width = 3, .work = 20};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 0);
    uint64_t expanded = 0, received = 0;
    t.workers = heist_pool_workers(NULL);
    stats.each = each;
    stats.number = MOST;
    check(run_tree(NULL, &opts) == 0);
    check(t.expanded.v_ == nodes_of(12, 3));
    check(stats.workers == t.workers);
    for (unsigned i = 0; i < stats.workers && i < MOST; i++) {
        expanded += each[i].expanded;
        received += each[i].received;
    }
    check(expanded == stats.expanded && received == stats.moved);
}

static void test_no_nodes(void)
{
    struct tree t = {.depth = 0};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 3);
    heist_bulk_chain roots = {NULL, NULL, 0};
    check(heist_master_run(NULL, &opts, &roots) == 0 && !stats.expanded);
}

/* Nodes that are freed by others than who made them, many hand-overs: what the sanitizers look at.
   */
static void test_stress(void)
{
    double end = seconds() + (SANITIZED ? 4 : 2);
    uint64_t redistributions = 0, in_vain = 0;
    heist_pool *pool = pool_of(4, NULL);
    unsigned round = 0;
    do {
        struct tree t = {.depth = 3 + round % 6, .width = round % 3 ? 2 : 6 - round % 4};
        heist_master_stats stats;
        heist_master_opts opts = opts_of(&t, &stats, 2 + round % 5);
        opts.percent = 1 + round * 37 % 100;
        opts.keep = 1 + round % 6;
        opts.low_water = round % 4;
        t.work = round % 7 * 30;
        check(run_tree(pool, &opts) == 0);
        check(t.expanded.v_ == nodes_of(t.depth, t.width));
        redistributions += stats.redistributions;
        in_vain += stats.in_vain;
        round++;
    } while (seconds() < end && !checks_failed);
    printf("%u rounds, %llu redistributions, %llu in vain\n", round,
           (unsigned long long)redistributions, (unsigned long long)in_vain);
    check(redistributions > 100 && in_vain > 0);
    check(!heist_pool_free(pool));
}

/* ---- Options ---- */

static unsigned choose_last(const heist_bulk_chain *chain, unsigned from, const unsigned *hungry,
                            unsigned number, void *context)
{
    struct tree *t = context;
    heist_add(&t->asked, 1, __ATOMIC_RELAXED);
    size_t length = 1;
    for (const heist_bulk_node *n = chain->first; n != chain->last && length < 1u << 20;
         n = n->next)
        length++;
    t->wrong += length != chain->count || chain->last->next || from >= t->workers || !number;
    for (unsigned i = 0; i < number; i++)
        t->wrong += hungry[i] >= t->workers || hungry[i] == from;
    /* Every other time something that is none of them. */
    return t->asked.v_ % 2 ? number - 1 : number + 7;
}

static void test_affinity(void)
{
    heist_pool *pool = pool_of(4, NULL);
    struct tree t = {.depth = 6, .width = 6, .work = 200};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 6);
    opts.affinity = choose_last;
    check(run_tree(pool, &opts) == 0);
    check(t.expanded.v_ == nodes_of(6, 6));
    check(t.asked.v_ == stats.redistributions && t.asked.v_ > 0 && !t.wrong);
    check(!heist_pool_free(pool));
}

/* Worker 2, if it is hungry; how much it got the first time. */
static unsigned choose_worker_2(const heist_bulk_chain *chain, unsigned from,
                                const unsigned *hungry, unsigned number, void *context)
{
    struct tree *t = context;
    unsigned at = 0;
    (void)from;
    while (at < number && hungry[at] != 2)
        at++;
    if (!heist_add(&t->asked, 1, __ATOMIC_RELAXED))
        t->wrong = chain->count;
    return at;
}

static void test_chosen(void)
{
    heist_master_count each[4];
    heist_pool *pool = pool_of(2, NULL);
    struct tree t = {.depth = 1, .width = 1000, .work = 2000};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 4);
    opts.affinity = choose_worker_2;
    stats.each = each;
    stats.number = 4;
    check(run_tree(pool, &opts) == 0);
    check(t.asked.v_ > 0 && t.wrong > 0 && each[2].received >= t.wrong);
    check(!heist_pool_free(pool));
}

/* Who is about to run out is given more while it still has some: it need not idle for that. */
static void test_low_water(void)
{
    heist_pool *pool = pool_of(2, NULL);
    uint64_t redistributions = 0;
    for (size_t low = 1; low <= 64; low *= 4) {
        struct tree t = {.depth = 5, .width = 7, .work = 100};
        heist_master_stats stats;
        heist_master_opts opts = opts_of(&t, &stats, 2);
        opts.low_water = low;
        check(run_tree(pool, &opts) == 0);
        check(t.expanded.v_ == nodes_of(5, 7));
        redistributions += stats.redistributions;
    }
    check(redistributions > 0);
    check(!heist_pool_free(pool));
}

static void test_bad_options(void)
{
    struct tree t = {.depth = 1, .width = 1};
    heist_master_stats stats, no_size = {.size = 1};
    const heist_master_opts good = opts_of(&t, &stats, 2);
    struct {
        heist_master_opts opts;
        char later[8];
    } newer = {good, {1}};
    heist_bulk_node node = {.next = NULL};
    heist_bulk_chain roots = {&node, &node, 1}, junk = {NULL, NULL, 1};
    heist_master_opts opts[7];
    for (int i = 0; i < 7; i++)
        opts[i] = good;
    opts[0].size = 0;
    opts[1].expand = NULL;
    opts[2].percent = 101;
    opts[3].workers = 1025;
    opts[4].stats = &no_size;
    opts[5].keep = SIZE_MAX;
    opts[6].size = 8;
    for (int i = 0; i < 7; i++)
        check(heist_master_run(NULL, &opts[i], &roots) == -EINVAL);
    newer.opts.size = sizeof newer;
    check(heist_master_run(NULL, &newer.opts, &roots) == -EINVAL);
    check(heist_master_run(NULL, NULL, &roots) == -EINVAL);
    check(heist_master_run(NULL, &good, NULL) == -EINVAL);
    check(heist_master_run(NULL, &good, &junk) == -EINVAL);
    check(roots.first == &node && roots.count == 1 && !t.expanded.v_ && !t.dropped.v_);
}

/* ---- Ends before the end ---- */

static void test_cancel(void)
{
    static const struct {
        int error, result;
    } ways[] = {{0, -ECANCELED}, {-EIO, -EIO}, {7, -EINVAL}};
    heist_pool *pool = pool_of(3, NULL);
    for (int i = 0; i < 3; i++) {
        struct tree t = {.depth = 40, .width = 2, .stop_at = 5000, .error = ways[i].error};
        heist_master_stats stats;
        heist_master_opts opts = opts_of(&t, &stats, 3);
        check(run_tree(pool, &opts) == ways[i].result);
        check(t.expanded.v_ >= 5000 && t.dropped.v_ > 0);
    }
    check(!heist_pool_free(pool));
}

static void *cancel_later(void *arg)
{
    struct tree *t = arg;
    while (heist_load(&t->expanded, __ATOMIC_RELAXED) < 1000)
        nap(1e-3);
    heist_store(&t->cancel, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void test_cancel_from_outside(void)
{
    pthread_t thread;
    struct tree t = {.depth = 60, .width = 2};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 2);
    opts.cancel = &t.cancel;
    check(!pthread_create(&thread, NULL, cancel_later, &t));
    check(run_tree(NULL, &opts) == -ECANCELED);
    check(t.dropped.v_ > 0);
    pthread_join(thread, NULL);
    /* And before it begins. */
    struct tree none = {.depth = 60, .width = 2};
    opts.context = &none;
    check(run_tree(NULL, &opts) == -ECANCELED);
    check(!none.expanded.v_ && none.dropped.v_ == 1);
}

/* ---- What expand may do ---- */

static void endless(heist_worker *w, void *arg)
{
    volatile char local[4000] = {0};
    heist_task task;
    heist_fork(w, &task, endless, arg);
    heist_join(w, &task);
    *(char *)arg = local[0];
}

static int expand_too_deep(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                           void *context)
{
    struct tree *t = context;
    char result;
    if (((struct node *)link)->depth)
        return expand(w, link, batch, context);
    free(link);
    heist_add(&t->expanded, 1, __ATOMIC_RELAXED); /* since it does not come back */
    endless(heist_worker_current(), &result);
    return 0;
}

static void test_too_deep(void)
{
    heist_pool *pool = pool_of(2, NULL);
    struct tree t = {.depth = 1, .width = 100};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 2);
    heist_bulk_chain roots = {NULL, NULL, 0};
    opts.expand = expand_too_deep;
    heist_master_add(&roots, &new_node(&t, 1)->link);
    check(heist_master_run(pool, &opts, &roots) == -ENOMEM);
    check(t.expanded.v_ + t.dropped.v_ == t.made.v_);
    check(t.dropped.v_ > 0 && t.expanded.v_ > 1);
    check(!heist_pool_free(pool));
}

/* Each leaf is a run of its own, on the same pool; and forks. */
static int expand_nested(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                         void *context)
{
    bool is_leaf = !((struct node *)link)->depth;
    int error = expand(w, link, batch, context);
    if (error || !is_leaf)
        return error;
    struct tree inner = {.depth = 4, .width = 4};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&inner, &stats, 3);
    check(run_tree(heist_worker_pool(heist_worker_current()), &opts) == 0);
    check(inner.expanded.v_ == nodes_of(4, 4));
    heist_task task;
    heist_au32 forked = {0};
    heist_worker *here = heist_worker_current();
    heist_fork(here, &task, add_one, &forked);
    check(!heist_join(here, &task) && forked.v_ == 1);
    return 0;
}

static void run_nested(heist_worker *w, void *arg)
{
    struct tree t = {.depth = 2, .width = 12};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 4);
    (void)arg;
    opts.expand = expand_nested;
    check(run_tree(heist_worker_pool(w), &opts) == 0);
    check(t.expanded.v_ == nodes_of(2, 12));
}

static void *run_nested_in_thread(void *pool)
{
    check(!heist_run(pool, run_nested, NULL));
    return NULL;
}

static void test_nested(void)
{
    pthread_t threads[3];
    heist_pool *pool = pool_of(3, NULL);
    for (int i = 0; i < 3; i++)
        check(!pthread_create(&threads[i], NULL, run_nested_in_thread, pool));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    check(!heist_pool_free(pool));
}

/* ---- Pools that do not help ---- */

/* All others are in long tasks: the caller does all, and does not wait for those whom it called. */
static void run_in_busy_pool(heist_worker *w, void *arg)
{
    struct tree t = {.depth = 5, .width = 6};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 3);
    (void)w;
    check(run_tree(arg, &opts) == 0);
    check(t.expanded.v_ == nodes_of(5, 6));
}

static void test_busy_pool(void)
{
    heist_pool *pool = pool_of(3, NULL);
    struct gate gate = {{0}, {0}};
    heist_group group;
    check(!heist_group_init(&group, pool));
    for (int i = 0; i < 2; i++)
        check(!heist_group_submit(&group, stand_at, &gate));
    check(until(&gate.entered, 2));
    run_in_busy_pool(NULL, pool);                    /* by a thread that is no worker */
    check(!heist_run(pool, run_in_busy_pool, pool)); /* and by one that is */
    heist_store(&gate.open, 1, __ATOMIC_RELEASE);
    check(!heist_group_wait(&group));
    check(!heist_pool_free(pool));
}

static void test_cancelled_pool(void)
{
    heist_pool *pool = pool_of(3, NULL);
    check(!heist_pool_cancel(pool));
    struct tree t = {.depth = 5, .width = 6};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 5);
    check(run_tree(pool, &opts) == 0);
    check(t.expanded.v_ == nodes_of(5, 6) && !stats.threads);
    check(!heist_pool_free(pool));
}

/* ---- Time ---- */

struct waiting {
    heist_au32 expanded;
    uint32_t wanted;
    double nap;
    bool ok;
    heist_master_count each[4];
};

static bool until_at_least(const heist_au32 *word, uint32_t wanted)
{
    double end = seconds() + PATIENCE;
    while (heist_load(word, __ATOMIC_ACQUIRE) < wanted && seconds() < end)
        nap(50e-6);
    return heist_load(word, __ATOMIC_ACQUIRE) >= wanted;
}

/* The newest node of the batch waits for all that others can get; or takes a nap. */
static int expand_waiting(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                          void *context)
{
    struct waiting *s = context;
    (void)w, (void)batch;
    if (!((struct node *)link)->depth)
        heist_add(&s->expanded, 1, __ATOMIC_RELEASE);
    else if (s->nap > 0)
        nap(s->nap);
    else
        s->ok = until_at_least(&s->expanded, s->wanted);
    return 0;
}

static void run_waiting(heist_pool *pool, struct waiting *s, unsigned nodes)
{
    static struct node node[100];
    heist_master_stats stats = {.size = sizeof stats, .each = s->each, .number = 4};
    heist_bulk_chain roots = {NULL, NULL, 0};
    heist_master_opts opts = {.size = sizeof opts,
                              .expand = expand_waiting,
                              .context = s,
                              .workers = 4,
                              .keep = 4,
                              .stats = &stats};
    for (unsigned i = 0; i < nodes; i++) {
        node[i].depth = i + 1 == nodes;
        heist_master_add(&roots, &node[i].link);
    }
    check(!heist_master_run(pool, &opts, &roots));
}

/* The first nodes of one worker wait until the other has some. */
static int expand_together(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                           void *context)
{
    struct tree *t = context;
    bool is_leaf = !((struct node *)link)->depth;
    int error = expand(w, link, batch, context);
    unsigned number = heist_master_number(w);
    if (error || !is_leaf)
        return error;
    heist_store(&t->came[number], 1, __ATOMIC_RELEASE);
    return until(&t->came[!number], 1) ? 0 : -ETIMEDOUT;
}

/* Both have fewer nodes than they should: who has none gets some all the same. */
static void test_low_water_of_all(void)
{
    heist_pool *pool = pool_of(2, NULL);
    struct tree t = {.depth = 1, .width = 63};
    heist_master_stats stats;
    heist_master_opts opts = opts_of(&t, &stats, 2);
    opts.expand = expand_together;
    opts.low_water = 64;
    check(run_tree(pool, &opts) == 0);
    check(t.expanded.v_ == nodes_of(1, 63) && stats.redistributions > 0);
    check(!heist_pool_free(pool));
}

/* A worker inside of a long node keeps no more than `keep` others waiting. */
static void test_long_node(void)
{
    heist_pool *pool = pool_of(2, NULL);
    struct waiting s = {.wanted = 95};
    run_waiting(pool, &s, 100);
    check(s.ok && s.expanded.v_ == 99);
    check(!heist_pool_free(pool));
}

static void test_sleep(void)
{
    heist_pool *pool = pool_of(4, NULL);
    struct waiting s = {.nap = 0.4};
    clock_t before = clock();
    run_waiting(pool, &s, 1);
    double cpu = (double)(clock() - before) / CLOCKS_PER_SEC;
    check(cpu < 0.1 * SLOWER);
    /* All but the first have waited throughout: until the end. */
    check(s.each[0].idle_ns < s.each[1].idle_ns);
    for (int i = 1; i < 4; i++)
        check(s.each[i].idle_ns > 300000000);
    check(!heist_pool_free(pool));
}

/* ---- Bounds ---- */

static void raise_and_lower(heist_worker *w, size_t from, size_t to, void *context)
{
    heist_master_bound *bounds = context;
    (void)w;
    for (size_t i = from; i < to; i++) {
        heist_master_bound_raise(&bounds[0], (int64_t)(i * 7919 % 100003) - 50000);
        heist_master_bound_lower(&bounds[1], (int64_t)(i * 7919 % 100003) - 50000);
    }
}

static void test_bounds(void)
{
    heist_master_bound bounds[2];
    heist_master_bound_init(&bounds[0], INT64_MIN);
    heist_master_bound_init(&bounds[1], INT64_MAX);
    check(!heist_run_for(NULL, 0, 100003, 1, raise_and_lower, bounds));
    check(heist_master_bound_get(&bounds[0]) == 50002);
    check(heist_master_bound_get(&bounds[1]) == -50000);
    check(!heist_master_bound_raise(&bounds[0], 50002));
    check(!heist_master_bound_lower(&bounds[1], -50000));
    check(heist_master_bound_raise(&bounds[0], 50003));
    check(heist_master_bound_lower(&bounds[1], -50001));
}

int main(void)
{
    test_bad_options();
    test_no_nodes();
    test_bounds();
    test_default();
    test_pools();
    test_stress();
    test_affinity();
    test_chosen();
    test_low_water();
    test_low_water_of_all();
    test_cancel();
    test_cancel_from_outside();
    test_too_deep();
    test_nested();
    test_busy_pool();
    test_cancelled_pool();
    test_long_node();
    test_sleep();
    return check_status();
}
