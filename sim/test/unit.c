/* SPDX-License-Identifier: MIT */
/* The simulator: its parts, cases that were worked out by hand, and what must hold in every run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload.h"

enum { MANY = 2000 };

/* ---- Parts ---- */

static uint64_t random_state = 1;

static uint64_t draw(uint64_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % n;
}

static void test_heap(void **state)
{
    (void)state;
    struct heap_entry room[MANY];
    struct heap h = {room, 0};
    for (unsigned i = 0; i < MANY; i++)
        heap_add(&h, i, draw(100)); /* so that many are at the same time */
    struct heap_entry last = heap_take(&h);
    for (unsigned i = 1; i < MANY; i++) {
        struct heap_entry next = heap_take(&h);
        assert_true(last.time < next.time || (last.time == next.time && last.actor < next.actor));
        last = next;
    }
    assert_int_equal(h.n, 0);
}

static void test_deque(void **state)
{
    (void)state;
    struct deque d = {NULL, 0, 0, 0};
    char items[100];
    assert_null(deque_get(&d));
    assert_null(deque_take(&d));
    for (int i = 0; i < 100; i++)
        deque_put(&d, &items[i]);
    for (int i = 0; i < 10; i++)
        assert_ptr_equal(deque_take(&d), &items[i]);
    for (int i = 99; i >= 80; i--)
        assert_ptr_equal(deque_get(&d), &items[i]);
    assert_int_equal(deque_size(&d), 70);
    /* Places 10 to 79, in blocks of 16: 0 to 4, and 4 is the owner's. Of 8 blocks thieves have 0 to
       3. */
    for (uint64_t block = 0; block < 8; block++)
        assert_int_equal(deque_sample(&d, block + 800, 128, 16), block < 4);
    assert_false(deque_is_in_owners_block(&d, 16));
    assert_int_equal(deque_in_oldest_block(&d, 16), 6);
    for (int i = 10; i < 64; i++)
        assert_ptr_equal(deque_take(&d), &items[i]);
    assert_true(deque_is_in_owners_block(&d, 16));
    assert_int_equal(deque_in_oldest_block(&d, 16), 8); /* half of the 16 */
    assert_false(deque_sample(&d, 4, 128, 16));
    free(d.items);
}

static void visit(const struct tree *tree, struct tree_node node, unsigned char *seen)
{
    struct tree_node children[TREE_CHILDREN_MOST];
    unsigned n = tree_children(tree, node, children);
    seen[node.first]++;
    for (unsigned i = 0; i < n; i++)
        visit(tree, children[i], seen);
}

static void test_trees(void **state)
{
    (void)state;
    static const enum tree_shape shapes[] = {TREE_FIB, TREE_UNBALANCED};
    unsigned char seen[MANY];
    for (int i = 0; i < 2; i++)
        for (uint64_t size = 1; size <= MANY; size += size < 20 ? 1 : 97) {
            struct tree tree = {shapes[i], size};
            memset(seen, 0, sizeof seen);
            visit(&tree, (struct tree_node){0, size}, seen);
            for (uint64_t task = 0; task < MANY; task++)
                assert_int_equal(seen[task], task < size);
        }
    struct tree tree = {TREE_UNBALANCED, 1};
    uint64_t sum = 0;
    for (uint64_t task = 0; task < 100000; task++)
        sum += tree_work(&tree, task, 1000);
    assert_in_range(sum, 99000000, 101000000);
}

static void test_costs(void **state)
{
    (void)state;
    struct sim_costs costs = sim_costs_default();
    assert_int_equal(costs.of[SIM_NEAR], 15 * SIM_NS);
    assert_int_equal(costs.of[SIM_FAR], 141 * SIM_NS);
    assert_int_equal(costs.of[SIM_INTERFERE_NEAR], 170 * SIM_NS);
    assert_int_equal(costs.of[SIM_INTERFERE_FAR], 278 * SIM_NS);
    assert_int_equal(sim_costs_set(&costs, "near=2.5"), SIM_COST_OK);
    assert_int_equal(costs.of[SIM_NEAR], 2500);
    assert_int_equal(sim_costs_set(&costs, "far=0.007"), SIM_COST_OK);
    assert_int_equal(costs.of[SIM_FAR], 7);
    static const char *const unknown[] = {"near", "nea=1", "nearer=1", "=1", ""};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_int_equal(sim_costs_set(&costs, unknown[i]), SIM_COST_UNKNOWN);
    static const char *const no_time[] = {"near=",    "near=-1",      "near=1.",       "near=.5",
                                          "near=1e3", "near=1.23456", "near=10000001", "near=1 "};
    for (size_t i = 0; i < sizeof no_time / sizeof *no_time; i++)
        assert_int_equal(sim_costs_set(&costs, no_time[i]), SIM_COST_NO_TIME);
    assert_int_equal(costs.of[SIM_NEAR], 2500);
}

/* ---- Machines to simulate ---- */

struct machine {
    heist_topology *topology;
    unsigned cpus[SIM_WORKERS_MOST];
};

static const struct sim_workload *workload(const char *name)
{
    const struct sim_workload *w = sim_workloads;
    while (strcmp(w->name, name))
        w++;
    return w;
}

/* The tests that need a machine with more than one node are for builds with hwloc. */
static struct sim_setup set_up(struct machine *m, const char *description, unsigned workers,
                               const char *workload_name, const char *policy)
{
    struct sim_setup s = {.workload = workload(workload_name),
                          .workers = workers,
                          .capacity = 64,
                          .block = 8,
                          .tasks = 1000,
                          .balance = 50,
                          .load = 80,
                          .tries = 50,
                          .seed = 1,
                          .costs = sim_costs_default()};
    assert_int_equal(heist_topology_new(&m->topology, description), 0);
    if (description)
        assert_int_equal(heist_topology_place(m->topology, HEIST_PIN_COMPACT, workers, m->cpus), 0);
    else
        memset(m->cpus, 0, sizeof m->cpus); /* all on one CPU, and so near */
    s.topology = m->topology;
    s.cpus = m->cpus;
    assert_int_equal(heist_victim_parse(policy, &s.policy), 0);
    return s;
}

static void tear_down(struct machine *m) { heist_topology_free(m->topology); }

/* ---- By hand ---- */

/* Three tasks of 100 ns: get, the root, put, the called child, get, the forked child, join. */
static void test_one_worker(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, NULL, 1, "fib", "random");
    s.tasks = 3;
    s.costs.of[SIM_WORK] = 100 * SIM_NS;
    struct sim_result r = sim_run(&s);
    assert_int_equal(r.time, (2 + 100 + 2 + 100 + 2 + 100 + 1) * SIM_NS);
    assert_int_equal(r.tasks, 3);
    assert_int_equal(r.steals + r.empty + r.lost, 0);
    assert_true(r.idle == 0);
    assert_true(r.waited == 102 * SIM_NS + 0.0); /* the forked child: put at 102, begun at 204 */
    assert_true(r.is_conserved);
    tear_down(&m);
}

/*
 * The thief tries at 0, 35, 70 (15 for a look, 20 for a pause) in vain. The root ends at 102; its
 * owner pays 170 for the thief's visits and 2 for the put, and runs the called child from 274 to
 * 374. The thief's look from 105 to 120 finds the other child, which it runs until 220; then it
 * looks four times in vain, and is at the fifth when the join ends everything at 375.
 */
static void test_two_near(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, NULL, 2, "fib", "random");
    s.tasks = 3;
    s.costs.of[SIM_WORK] = 100 * SIM_NS;
    struct sim_result r = sim_run(&s);
    assert_int_equal(r.time, 375 * SIM_NS);
    assert_int_equal(r.steals, 1);
    assert_int_equal(r.moved, 1);
    assert_int_equal(r.by_level[0], 1);
    assert_int_equal(r.empty, 7);
    assert_int_equal(r.lost, 0);
    assert_true(r.idle == (120 + 375 - 220) * (double)SIM_NS);
    assert_true(r.waited == (120 - 102) * (double)SIM_NS);
    assert_true(r.is_conserved);
    tear_down(&m);
}

/* With two attempts before it sleeps: at 35 + 15 = 50 it looks at all, until 65, and sleeps. The
   put at 102 wakes it, for 1000; it comes at 5102. By then the owner has done all. */
static void test_sleep(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, NULL, 2, "fib", "random");
    s.tasks = 3;
    s.tries = 2;
    s.costs.of[SIM_WORK] = 100 * SIM_NS;
    struct sim_result r = sim_run(&s);
    assert_int_equal(r.sleeps, 1);
    assert_int_equal(r.steals, 0);
    /* get, root, disturbance, put, wake, child, get, child, join */
    assert_int_equal(r.time, (2 + 100 + 170 + 2 + 1000 + 100 + 2 + 100 + 1) * SIM_NS);
    tear_down(&m);
}

/* Only puts and gets, and one get in vain: within a round of what it takes for one alone. */
static void test_pool_without_stealing(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, NULL, 2, "pool", "random");
    s.balance = 0;
    s.tasks = 10 * 2 * s.capacity;
    struct sim_result r = sim_run(&s);
    sim_time round = (64 * 2 + 65 * 2) * SIM_NS;
    assert_in_range(r.time, 10 * round, 11 * round);
    assert_int_equal(r.tasks, 10 * 2 * 64);
    assert_int_equal(r.steals, 0);
    tear_down(&m);
}

/* How long a share is stolen, and how often +prob needs no sample. */
enum { WATCHED = 8 };
static struct {
    uint64_t in_vain[WATCHED], got[WATCHED], unsampled[WATCHED]; /* by worker */
    uint64_t unsampled_most;
    unsigned satisfied, gave_up; /* rounds */
} watched;

static void watch(struct sim *s, struct worker *w, struct task **items, size_t n)
{
    const struct sim_setup *o = s->setup;
    uint64_t *in_vain = &watched.in_vain[w->number], *got = &watched.got[w->number];
    uint64_t *unsampled = &watched.unsampled[w->number];
    *in_vain = n ? 0 : *in_vain + (w->samples ? w->samples : 1);
    *got += n;
    *unsampled = n && !w->samples ? *unsampled + 1 : 0;
    if (watched.unsampled_most < *unsampled)
        watched.unsampled_most = *unsampled;
    workload("pool")->tried(s, w, items, n);
    bool satisfied = *got == o->capacity * o->balance / 100, gave_up = *in_vain >= 16 * WATCHED;
    assert_int_equal(w->state != STEALING, satisfied || gave_up);
    watched.satisfied += satisfied;
    watched.gave_up += gave_up;
    if (satisfied || gave_up)
        *got = *in_vain = 0;
}

/* As in heist bench pool: until a share of items is there, or until 16 looks per queue in vain. */
static void test_pool_share(void **state)
{
    (void)state;
    static const char *const policies[] = {"random", "random+prob", "numa+prob"};
    for (int i = 0; i < 27; i++) {
        struct machine m;
        struct sim_setup s = set_up(&m, NULL, WATCHED, "pool", policies[i % 3]);
        struct sim_workload watching = *s.workload;
        watching.tried = watch;
        s.workload = &watching;
        s.queue = (enum sim_queue)(i / 9);
        s.batch = (enum heist_batch)(i / 3 % 3);
        s.tasks = 100 * WATCHED * s.capacity;
        s.balance = 20;
        memset(&watched, 0, sizeof watched);
        assert_true(sim_run(&s).is_conserved);
        assert_true(watched.satisfied > 10);
        if (s.queue == SIM_BLOCKS && s.batch == HEIST_BATCH_ONE)
            assert_true(watched.gave_up > 10);
        /* What +prob has accepted is good for 8 items. */
        if (s.policy.prob && s.batch == HEIST_BATCH_ONE)
            assert_int_equal(watched.unsampled_most, 7);
        tear_down(&m);
    }
}

/* Attempts in vain count too: as many attempts as the share has items. */
static void test_pool_attempts(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, NULL, WATCHED, "pool", "random");
    s.counts_attempts = true;
    s.tasks = 100 * WATCHED * s.capacity;
    struct sim_result r = sim_run(&s);
    uint64_t attempts = r.steals + r.empty + r.lost;
    assert_in_range(attempts, 99 * WATCHED * 32, 100 * WATCHED * 32);
    assert_true(r.empty > 0 && r.steals > 0);
    tear_down(&m);
}

/* Where time would wrap around, the run ends and says so. */
static void test_too_long(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, NULL, 1, "fib", "random");
    s.costs.of[SIM_WORK] = UINT64_MAX / 4;
    s.tasks = 3;
    assert_true(sim_run(&s).is_conserved);
    s.tasks = 5;
    struct sim_result r = sim_run(&s);
    assert_true(r.is_too_long && !r.is_conserved);
    tear_down(&m);
}

#if HEIST_WITH_HWLOC
/* The thief's first look takes 141: it finds the child that was put at 102; its owner pays 278. */
static void test_two_far(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, "pack:2 core:1 pu:1", 2, "fib", "random");
    s.tasks = 3;
    s.costs.of[SIM_WORK] = 100 * SIM_NS;
    struct sim_result r = sim_run(&s);
    assert_int_equal(r.time, (2 + 100 + 278 + 2 + 100 + 1) * SIM_NS);
    assert_int_equal(r.steals, 1);
    assert_int_equal(r.empty, 1);
    assert_false(sim_is_near(m.topology, m.cpus[0], m.cpus[1]));
    tear_down(&m);
}

/* ---- What must hold ---- */

static const char machine_of_32[] = "pack:2 l3:2 core:8 pu:1";

/* Everything there is, with everything. */
static void test_conserved_and_deterministic(void **state)
{
    (void)state;
    unsigned differ = 0, lost = 0, slept = 0, runs = 0;
    for (const struct sim_workload *w = sim_workloads; w->name; w++)
        for (const char *const *policy = heist_victim_names(); *policy; policy++)
            for (int i = 0; i < 9; i++) {
                struct machine m;
                struct sim_setup s = set_up(&m, machine_of_32, 32, w->name, *policy);
                s.queue = (enum sim_queue)(i / 3);
                s.batch = (enum heist_batch)(i % 3);
                struct sim_result a = sim_run(&s), b = sim_run(&s);
                s.seed = 2;
                struct sim_result c = sim_run(&s);
                assert_true(a.is_conserved && c.is_conserved);
                assert_int_equal(a.tasks, w->tasks(&s));
                assert_true(a.moved >= a.steals && a.moved > 0);
                assert_true(s.batch != HEIST_BATCH_ONE || a.moved == a.steals);
                assert_memory_equal(&a, &b, sizeof a);
                uint64_t by_level = 0;
                for (int level = 0; level < SIM_LEVELS; level++)
                    by_level += a.by_level[level];
                assert_int_equal(by_level, a.steals);
                differ += a.time != c.time;
                lost += a.lost > 0;
                slept += a.sleeps > 0;
                runs++;
                tear_down(&m);
            }
    /* That something was tested. */
    assert_true(differ > runs * 9 / 10);
    assert_true(lost > 0 && slept > 0);
}

/* What is stolen is forgotten, or run twice: seen by the run itself. */
static void lose(struct sim *s, struct worker *w, struct task **items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sim_free_task(s, items[i]);
    sim_try_again(s, w);
}

static void double_up(struct sim *s, struct worker *w, struct task **items, size_t n)
{
    if (n)
        sim_put(s, w, sim_new_task(s, items[0]->node, items[0]->parent));
    workload("fib")->tried(s, w, items, n);
}

static void test_loss_is_seen(void **state)
{
    (void)state;
    struct machine m;
    struct sim_setup s = set_up(&m, machine_of_32, 32, "fib", "random");
    struct sim_workload bad = *s.workload;
    s.workload = &bad;
    bad.tried = lose;
    assert_false(sim_run(&s).is_conserved);
    bad.tried = double_up;
    assert_false(sim_run(&s).is_conserved);
    tear_down(&m);
}

static void test_scaling(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 8, 32};
    static const char *const trees[] = {"fib", "unbalanced"};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 4; i++) {
            struct machine m;
            struct sim_setup s = set_up(&m, machine_of_32, workers[i], trees[t], "random");
            s.tasks = 50000;
            struct sim_result r = sim_run(&s);
            double speedup = sim_measure(&s, &r), n = workers[i];
            assert_true(speedup > 0.9 * n && speedup < 1.01 * n);
            /* All time is work, its overhead, or idle. */
            double busy = n * (double)r.time - r.idle;
            assert_true(busy > 0.98 * 50000 * 1000 * SIM_NS && busy < 1.1 * 50000 * 1000 * SIM_NS);
            tear_down(&m);
        }
}

static struct sim_result run_on_88(const char *name, const char *policy, bool counts_attempts)
{
    struct machine m;
    struct sim_setup s = set_up(&m, "pack:2 l3:2 core:22 pu:1", 88, name, policy);
    s.capacity = 1024;
    s.block = 128;
    s.queue = SIM_BLOCKS;
    s.balance = 100;
    s.counts_attempts = counts_attempts;
    s.tries = 2000;
    struct sim_result r = sim_run(&s);
    tear_down(&m);
    return r;
}

/* BWoS, Fig. 12: near first with +prob is ahead of random, whatever is counted. */
static void test_near_first(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct sim_result any = run_on_88("pool", "random", i), near = run_on_88("pool", "numa", i),
                          both = run_on_88("pool", "numa+prob", i);
        assert_true(near.by_level[0] > near.steals / 2);
        assert_true(any.by_level[0] < any.steals / 2);
        assert_true((double)any.time > (i ? 1.8 : 4) * (double)both.time);
        if (i) /* and near first alone, if all that it finds does not keep it going */
            assert_true((double)any.time > 1.3 * (double)near.time);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_deque),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_one_worker),
        cmocka_unit_test(test_two_near),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_pool_without_stealing),
        cmocka_unit_test(test_pool_share),
        cmocka_unit_test(test_pool_attempts),
        cmocka_unit_test(test_too_long),
#if HEIST_WITH_HWLOC
        cmocka_unit_test(test_two_far),
        cmocka_unit_test(test_conserved_and_deterministic),
        cmocka_unit_test(test_loss_is_seen),
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_near_first),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
