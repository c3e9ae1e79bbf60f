/* SPDX-License-Identifier: MIT */
/* Whom to steal from: orders, and probabilities against what the formulas say, by counting draws.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <heist/victim.h>

enum { CAPACITY = 1000, MANY = 64 };

/* victim [DRAWS]: with fewer than a million, shares are known less well. */
static unsigned draws = 1000000;
static double tolerance = 0.05;

/* ---- Queues that are only numbers ---- */

struct pool {
    size_t size[MANY];
    unsigned weight[MANY];
    unsigned samples, sizes;
};

static bool sample(void *context, unsigned i, uint64_t random)
{
    struct pool *pool = context;
    pool->samples++;
    return random % CAPACITY < pool->size[i];
}

static size_t size_of(void *context, unsigned i)
{
    struct pool *pool = context;
    pool->sizes++;
    return pool->size[i];
}

static unsigned weight_of(void *context, unsigned i) { return ((struct pool *)context)->weight[i]; }

/* 2 sockets, each with 2 caches, each with 8 cores. */
static unsigned level(void *context, unsigned a, unsigned b)
{
    (void)context;
    return a / 8 == b / 8 ? 1 : a / 16 == b / 16 ? 3 : 4;
}

static heist_victim_set set_of(struct pool *pool, unsigned number)
{
    return (heist_victim_set){
        .number = number, .context = pool, .sample = sample, .size = size_of, .level = level};
}

static heist_victim_policy named(const char *name)
{
    heist_victim_policy policy;
    assert_int_equal(heist_victim_parse(name, &policy), 0);
    return policy;
}

static void begin(heist_victim *v, const heist_victim_set *set, const char *name, unsigned self)
{
    heist_victim_policy policy = named(name);
    assert_int_equal(heist_victim_init(v, set, &policy, self, 1), 0);
}

/* How often each was chosen, of those draws that chose one; [number]: how often none. */
static void count(heist_victim *v, unsigned times, double *share)
{
    unsigned n = v->number, none = 0;
    memset(share, 0, (n + 1) * sizeof *share);
    for (unsigned k = 0; k < times; k++) {
        unsigned i = heist_victim_next(v);
        assert_true(i == HEIST_VICTIM_NONE || (i < n && i != v->self));
        i == HEIST_VICTIM_NONE ? none++ : share[i]++;
    }
    for (unsigned i = 0; i < n; i++)
        share[i] /= times - none;
    share[n] = (double)none / times;
}

/* Within 5% of what it should be, and of nothing if that is it. */
static void assert_near(double is, double should)
{
    if (fabs(is - should) > tolerance * should)
        fail_msg("%g instead of %g", is, should);
}

static void assert_shares(heist_victim *v, const double *expected)
{
    double share[MANY + 1];
    count(v, draws, share);
    for (unsigned i = 0; i < v->number; i++)
        assert_near(share[i], expected[i]);
}

/* ---- Names and mistakes ---- */

static void test_names(void **state)
{
    (void)state;
    unsigned n = 0;
    for (const char *const *name = heist_victim_names(); *name; name++, n++) {
        heist_victim_policy policy = named(*name);
        assert_string_equal(heist_victim_name(&policy), *name);
        assert_int_equal(policy.prob, strstr(*name, "+prob") != NULL);
    }
    assert_int_equal(n, 12);
    heist_victim_policy own = {.rule = HEIST_VICTIM_OWN};
    assert_string_equal(heist_victim_name(&own), "own");
    own.prob = true;
    assert_string_equal(heist_victim_name(&own), "own+prob");
    static const char *const unknown[] = {"",      "rand", "Random", "random+",        "random+pro",
                                          "+prob", "own",  "numa ",  "numa+prob+prob", NULL};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        heist_victim_policy policy = {.rule = 77};
        assert_int_equal(heist_victim_parse(unknown[i], &policy), -EINVAL);
        assert_int_equal(policy.rule, 77);
    }
}

static void test_batch_names(void **state)
{
    (void)state;
    enum heist_batch batch;
    for (const char *const *name = heist_batch_names(); *name; name++) {
        assert_int_equal(heist_batch_parse(*name, &batch), 0);
        assert_string_equal(heist_batch_name(batch), *name);
    }
    assert_int_equal(heist_batch_parse("all-of-block", &batch), 0);
    assert_int_equal(batch, HEIST_BATCH_BLOCK);
    static const char *const unknown[] = {"", "two", "One", "block ", NULL};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_int_equal(heist_batch_parse(unknown[i], &batch), -EINVAL);
    assert_int_equal(batch, HEIST_BATCH_BLOCK);
}

static void test_mistakes(void **state)
{
    (void)state;
    static struct pool pool;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 4);
    heist_victim_policy policy = {.rule = HEIST_VICTIM_OWN + 1};
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    policy.rule = HEIST_VICTIM_NUMA + 1;
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    policy.rule = HEIST_VICTIM_OWN;
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    policy = named("random+prob");
    assert_int_equal(heist_victim_init(NULL, &set, &policy, 0, 0), -EINVAL);
    assert_int_equal(heist_victim_init(&v, NULL, &policy, 0, 0), -EINVAL);
    assert_int_equal(heist_victim_init(&v, &set, NULL, 0, 0), -EINVAL);
    set.sample = NULL;
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    set = set_of(&pool, 4);
    set.size = NULL;
    policy = named("best_of_two");
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    policy = named("best_of_many");
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    set = set_of(&pool, HEIST_VICTIM_QUEUES + 1);
    policy = named("random");
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    set = set_of(&pool, 4);
    set.weight = weight_of;
    for (unsigned i = 0; i < 4; i++)
        pool.weight[i] = HEIST_VICTIM_WEIGHT;
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), 0);
    pool.weight[3] = 0;
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
    pool.weight[3] = HEIST_VICTIM_WEIGHT + 1;
    assert_int_equal(heist_victim_init(&v, &set, &policy, 0, 0), -EINVAL);
}

/* ---- Every policy ---- */

static void test_nobody_else(void **state)
{
    (void)state;
    static struct pool pool = {.size = {CAPACITY, CAPACITY}};
    for (const char *const *name = heist_victim_names(); *name; name++) {
        heist_victim v;
        heist_victim_set set = set_of(&pool, 2);
        begin(&v, &set, *name, 0);
        assert_int_equal(heist_victim_next(&v), 1);
        heist_victim_resize(&v, 1);
        assert_int_equal(heist_victim_next(&v), HEIST_VICTIM_NONE);
        assert_int_equal(heist_victim_any(&v), HEIST_VICTIM_NONE);
        heist_victim_resize(&v, 0);
        assert_int_equal(heist_victim_next(&v), HEIST_VICTIM_NONE);
        heist_victim_resize(&v, 99); /* no more than the set can have */
        assert_int_equal(v.number, 2);
        assert_int_equal(heist_victim_next(&v), 1);
        heist_victim_fini(&v);
    }
}

/* Each queue's turn comes, and never the thief's own; equal seeds give equal choices, others do
 * not. */
static void test_everybody(void **state)
{
    (void)state;
    static struct pool pool;
    for (unsigned i = 0; i < MANY; i++)
        pool.size[i] = 1 + i % 3;
    for (const char *const *name = heist_victim_names(); *name; name++)
        for (unsigned self = 0; self <= 11; self++) { /* 11: no queue of its own */
            heist_victim_set set = set_of(&pool, 11);
            heist_victim_policy policy = named(*name);
            heist_victim v, same, differs;
            unsigned seen = 0, differ = 0;
            assert_int_equal(heist_victim_init(&v, &set, &policy, self, 5), 0);
            assert_int_equal(heist_victim_init(&same, &set, &policy, self, 5), 0);
            assert_int_equal(heist_victim_init(&differs, &set, &policy, self, 6), 0);
            for (unsigned k = 0; k < 100 * 11; k++) {
                unsigned i = heist_victim_any(&v);
                assert_true(i < 11 && i != self);
                assert_int_equal(heist_victim_any(&same), i);
                differ += heist_victim_any(&differs) != i;
                seen |= 1u << i;
            }
            /* Of many, the fullest ones are taken always. */
            if (policy.rule != HEIST_VICTIM_BEST_OF_MANY && policy.rule != HEIST_VICTIM_BEST_OF_TWO)
                assert_int_equal(seen, 0x7ff & ~(1u << self));
            if (policy.rule != HEIST_VICTIM_SEQUENTIAL)
                assert_true(differ);
            heist_victim_fini(&v);
            heist_victim_fini(&same);
            heist_victim_fini(&differs);
        }
}

static void test_random(void **state)
{
    (void)state;
    static struct pool pool;
    double expected[8] = {0};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 8);
    begin(&v, &set, "random", 5);
    for (unsigned i = 0; i < 8; i++)
        expected[i] = i == 5 ? 0 : 1.0 / 7;
    assert_shares(&v, expected);
    assert_int_equal(pool.samples + pool.sizes, 0); /* nobody's lines were touched */
}

static void test_sequential(void **state)
{
    (void)state;
    static struct pool pool;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 5);
    begin(&v, &set, "sequential", 3);
    static const unsigned expected[] = {4, 0, 1, 2, 4, 0, 1, 2, 4};
    for (unsigned k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_int_equal(heist_victim_next(&v), expected[k]);
}

static void test_last(void **state)
{
    (void)state;
    static struct pool pool;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 16);
    unsigned others = 0;
    begin(&v, &set, "last", 0);
    heist_victim_result(&v, 7, 1);
    for (unsigned k = 0; k < 100; k++)
        assert_int_equal(heist_victim_next(&v), 7);
    heist_victim_result(&v, 3, 0); /* another one's failure does not count */
    assert_int_equal(heist_victim_next(&v), 7);
    heist_victim_resize(&v, 7); /* that one is gone */
    for (unsigned k = 0; k < 100; k++)
        assert_true(heist_victim_next(&v) < 7);
    heist_victim_resize(&v, 16);
    heist_victim_result(&v, 7, 0);
    for (unsigned k = 0; k < 100; k++)
        others += heist_victim_next(&v) != 7;
    assert_true(others > 50);
}

static void test_best_of_two(void **state)
{
    (void)state;
    static struct pool pool = {.size = {9, 40, 10, 30, 20, 50}};
    static const double pairs = 10;
    static const double expected[6] = {0, 3 / pairs, 0 / pairs, 2 / pairs, 1 / pairs, 4 / pairs};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 6);
    begin(&v, &set, "best_of_two", 0);
    assert_shares(&v, expected);
    assert_int_equal(pool.sizes, 2 * draws);
}

static void test_best_of_many(void **state)
{
    (void)state;
    /* Half of the 5 others, 3 neighbours of 40 10 30 20 50: the most is 40 30 50 50 50. */
    static struct pool pool = {.size = {9, 40, 10, 30, 20, 50}};
    static const double expected[6] = {0, 0.2, 0, 0.2, 0, 0.6};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 6);
    begin(&v, &set, "best_of_many", 0);
    assert_shares(&v, expected);
    assert_int_equal(pool.sizes, 3 * draws);
}

/* An item of an owner that is half as fast counts twice. */
static void test_best_with_weights(void **state)
{
    (void)state;
    static struct pool pool = {.size = {9, 40, 30}, .weight = {512, 512, 1024}};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 3);
    begin(&v, &set, "best_of_two", 0);
    for (unsigned k = 0; k < 100; k++)
        assert_int_equal(heist_victim_next(&v), 1);
    set.weight = weight_of;
    for (unsigned k = 0; k < 100; k++)
        assert_int_equal(heist_victim_next(&v), 2);
}

/* ---- Near first ---- */

/* Each round: 7 of the own cache, 8 of the own socket, 16 others; each once, and in a random order.
 */
static void test_numa_rounds(void **state)
{
    (void)state;
    static struct pool pool;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 32);
    unsigned first[32] = {0};
    begin(&v, &set, "numa", 20);
    for (unsigned round = 0; round < 1000; round++) {
        bool seen[32] = {false};
        for (unsigned k = 0; k < 31; k++) {
            unsigned i = heist_victim_next(&v);
            assert_false(seen[i]);
            seen[i] = true;
            first[i] += !k;
            assert_int_equal(level(NULL, 20, i), k < 7 ? 1 : k < 15 ? 3 : 4);
            heist_victim_result(&v, i, 0);
        }
    }
    for (unsigned i = 16; i < 24; i++)
        assert_true(i == 20 || first[i] > 100);
    heist_victim_fini(&v);
}

static void test_numa_after_success(void **state)
{
    (void)state;
    static struct pool pool;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 32);
    begin(&v, &set, "numa", 20);
    for (unsigned k = 0; k < 17; k++)
        heist_victim_next(&v);
    unsigned far = heist_victim_next(&v);
    assert_int_equal(level(NULL, 20, far), 4);
    heist_victim_result(&v, far, 1);
    assert_int_equal(level(NULL, 20, heist_victim_next(&v)), 1);
    heist_victim_fini(&v);
}

/* Where queues are is seen again after a round. */
static unsigned moving_level(void *context, unsigned thief, unsigned i)
{
    (void)thief;
    return i == *(unsigned *)context ? 0 : 200; /* farther than there are levels */
}

static void test_numa_moves(void **state)
{
    (void)state;
    unsigned near = 2;
    heist_victim v;
    heist_victim_set set = {.number = 4, .context = &near, .level = moving_level};
    begin(&v, &set, "numa", 0);
    assert_int_equal(heist_victim_next(&v), 2);
    near = 3;
    assert_int_not_equal(heist_victim_next(&v), 2);
    assert_int_not_equal(heist_victim_next(&v), 2);
    assert_int_equal(heist_victim_next(&v), 3);
    heist_victim_fini(&v);
}

/* A pool's workers move while a thief asks where they are: each time it asks, another answer. The
   order still has each of the others once. */
static unsigned restless_level(void *context, unsigned thief, unsigned i)
{
    (void)thief;
    (void)i;
    return heist_victim_draw(context, 3);
}

static void test_numa_restless(void **state)
{
    (void)state;
    enum { NUMBER = 11 };
    heist_victim moves = {.random_ = 1};
    heist_victim_set set = {.number = NUMBER, .context = &moves, .level = restless_level};
    for (unsigned round = 0; round < 100; round++) {
        bool has_queue = round % 2;
        unsigned self = has_queue ? round % NUMBER : HEIST_VICTIM_NONE;
        heist_victim v;
        bool seen[NUMBER] = {false};
        begin(&v, &set, "numa", self);
        for (unsigned k = 0; k + has_queue < NUMBER; k++) {
            unsigned i = heist_victim_next(&v);
            assert_true(i < NUMBER && i != self && !seen[i]);
            seen[i] = true;
        }
        heist_victim_fini(&v);
    }
}

/* ---- +prob ---- */

static const struct pool known = {.size = {500, 10, 200, 40, 90, 0, 330, 1000}};

/* In turn, every queue is come to equally often too. */
static void test_prob(void **state)
{
    (void)state;
    static const char *const policies[] = {"random+prob", "sequential+prob", "last+prob"};
    for (unsigned p = 0; p < sizeof policies / sizeof *policies; p++) {
        struct pool pool = known;
        double expected[8];
        heist_victim v;
        heist_victim_set set = set_of(&pool, 8);
        begin(&v, &set, policies[p], 0);
        for (unsigned i = 0; i < 8; i++)
            expected[i] = i ? (double)known.size[i] / 1670 : 0;
        assert_shares(&v, expected);
    }
}

static void test_default(void **state)
{
    (void)state;
    static const struct {
        enum heist_victim_reach reach;
        enum heist_batch batch;
        const char *name;
    } rows[] = {{HEIST_REACH_ITEMS, HEIST_BATCH_ONE, "last+prob"},
                {HEIST_REACH_ITEMS, HEIST_BATCH_HALF, "last+prob"},
                {HEIST_REACH_BLOCKS, HEIST_BATCH_ONE, "last+prob"},
                {HEIST_REACH_BLOCKS, HEIST_BATCH_BLOCK, "random+prob"}};
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        heist_victim_policy policy = heist_victim_default(rows[r].reach, rows[r].batch);
        assert_string_equal(heist_victim_name(&policy), rows[r].name);
    }
}

/* Also at a queue that no sample would accept; not any more once a steal has failed there. */
static void test_last_prob_stays(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, 0, CAPACITY, 0}};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 4);
    begin(&v, &set, "last+prob", 0);
    heist_victim_result(&v, 3, 1);
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(heist_victim_next(&v), 3);
        assert_false(v.is_sampled);
    }
    heist_victim_result(&v, 3, 0);
    for (unsigned i = 0; i < MANY; i++) {
        unsigned next = heist_victim_next(&v);
        assert_true(next == 2 || next == HEIST_VICTIM_NONE);
    }
    heist_victim_fini(&v);
}

/* Of two that are both accepted the larger, else the one that is. */
static void test_best_of_two_prob(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, 400, 100, 300, 200, 500}};
    double expected[6] = {0}, sum = 0;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 6);
    begin(&v, &set, "best_of_two+prob", 0);
    for (unsigned i = 1; i < 6; i++) {
        for (unsigned j = 1; j < 6; j++) {
            double accepted = (double)pool.size[j] / CAPACITY;
            if (j != i)
                expected[i] += (double)pool.size[i] / CAPACITY *
                               (pool.size[i] > pool.size[j] ? 1 : 1 - accepted);
        }
        sum += expected[i];
    }
    for (unsigned i = 0; i < 6; i++)
        expected[i] /= sum;
    assert_shares(&v, expected);
}

static void test_prob_with_weights(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, 600, 600, 300, 900}, .weight = {1024, 1024, 512, 1024, 256}};
    double expected[5] = {0, 600, 300, 300, 225};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 5);
    set.weight = weight_of;
    begin(&v, &set, "random+prob", 0);
    for (unsigned i = 0; i < 5; i++)
        expected[i] /= 1425;
    assert_shares(&v, expected);
}

/* What was accepted is good for `keep` steals of one item, without a sample; not if it gives none,
   or a batch, unless `keep_batch` says so. */
static void test_prob_keeps(void **state)
{
    (void)state;
    static const char *const policies[] = {"random+prob", "sequential+prob", "best_of_two+prob",
                                           "best_of_many+prob", "numa+prob"};
    for (unsigned p = 0; p < sizeof policies / sizeof *policies; p++) {
        struct pool pool = {.size = {0, 400, 100, 300, 200, 500}};
        heist_victim v;
        heist_victim_set set = set_of(&pool, 6);
        set.keep = 8;
        begin(&v, &set, policies[p], 0);
        for (unsigned ones = 0; ones < 24; ones++) {
            unsigned i;
            while ((i = heist_victim_next(&v)) == HEIST_VICTIM_NONE)
                continue;
            uint64_t sampled = v.sampled;
            unsigned samples = pool.samples;
            for (unsigned k = 0; k < ones % 8; k++) {
                heist_victim_result(&v, i, 1);
                assert_int_equal(heist_victim_next(&v), i);
                assert_true(v.is_sampled);
                assert_int_equal(v.sampled, sampled);
            }
            assert_int_equal(pool.samples, samples);
            heist_victim_result(&v, i, ones % 8 == 7 ? 1 : ones / 8 * 2);
            heist_victim_next(&v);
            assert_true(pool.samples > samples);
            heist_victim_result(&v, i, 0);
        }
        heist_victim_fini(&v);
    }
}

/* A batch counts as `keep_batch` steals: here three use up eight, also with an item in between. */
static void test_prob_keeps_batches(void **state)
{
    (void)state;
    static const size_t got[] = {2, 64, 5, 1, 64, 64, 3, 1, 1, 1, 1, 2};
    struct pool pool = {.size = {0, 400, 100, 300, 200, 500}};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 6);
    unsigned left = 0, samples = 0, i = HEIST_VICTIM_NONE;
    set.keep = 8;
    set.keep_batch = 3;
    begin(&v, &set, "random+prob", 0);
    for (unsigned k = 0; k < MANY; k++) {
        while ((i = heist_victim_next(&v)) == HEIST_VICTIM_NONE)
            continue;
        assert_int_equal(pool.samples > samples, left == 0);
        samples = pool.samples;
        left = left ? left : set.keep;
        unsigned used = got[k % 12] == 1 ? 1 : set.keep_batch;
        left = left > used ? left - used : 0;
        heist_victim_result(&v, i, got[k % 12]);
    }
    heist_victim_fini(&v);
}

/* A batch that gave less than was wanted: the thief leaves, and comes back only after the queue was
   drawn HEIST_VICTIM_SHUN times, or after a steal elsewhere. */
static void test_leaves_after_a_short_batch(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, CAPACITY}};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 2);
    set.keep = 8;
    set.keep_batch = 1;
    begin(&v, &set, "random+prob", 0);
    assert_int_equal(heist_victim_next(&v), 1);
    heist_victim_result_of(&v, 1, 64, 64);
    assert_int_equal(heist_victim_next(&v), 1);
    for (unsigned round = 0; round < 3; round++) {
        unsigned samples = pool.samples;
        heist_victim_result_of(&v, 1, 63, 64);
        for (unsigned k = 0; k < HEIST_VICTIM_SHUN / heist_victim_redraws(1); k++)
            assert_int_equal(heist_victim_next(&v), HEIST_VICTIM_NONE);
        assert_int_equal(pool.samples, samples); /* its lines are left alone */
        assert_int_equal(heist_victim_next(&v), 1);
    }
    heist_victim_result_of(&v, 1, 1, 64);
    heist_victim_result(&v, 0, 1);
    heist_victim_result(&v, 0, 0);
    assert_int_equal(heist_victim_next(&v), 1);
}

/* `last` leaves too; nobody does where a batch empties a block, nor shuns what gave nothing. */
static void test_who_leaves(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, CAPACITY, 0, 0}};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 4);
    set.keep = 8;
    begin(&v, &set, "last", 0);
    heist_victim_result_of(&v, 1, 63, 64);
    assert_int_equal(heist_victim_next(&v), 1);
    set.keep_batch = 1;
    heist_victim_result_of(&v, 1, 64, 64);
    assert_int_equal(heist_victim_next(&v), 1);
    heist_victim_result_of(&v, 1, 63, 64);
    assert_int_equal(v.last, HEIST_VICTIM_NONE);
    begin(&v, &set, "last+prob", 0);
    heist_victim_resize(&v, 2);
    assert_int_equal(heist_victim_next(&v), 1);
    heist_victim_result_of(&v, 1, 0, 64);
    assert_int_equal(heist_victim_next(&v), 1);
}

/* The shares are those of the sizes, of items too. */
static void test_kept_shares(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, 400, 100, 300, 200, 500}};
    double taken[6] = {0}, sum = 0;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 6);
    set.keep = 8;
    begin(&v, &set, "random+prob", 0);
    for (unsigned k = 0; k < draws; k++) {
        unsigned i = heist_victim_next(&v);
        if (i != HEIST_VICTIM_NONE) {
            heist_victim_result(&v, i, 1);
            taken[i]++;
            sum++;
        }
    }
    assert_true(pool.samples < draws); /* without it there are at least three for each choice */
    for (unsigned i = 0; i < 6; i++)
        assert_near(taken[i] / sum, (double)pool.size[i] / 1500);
}

/* Not what was chosen without a sample, nor what is gone. */
static void test_not_kept(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, 0, 0, CAPACITY}};
    heist_victim v;
    heist_victim_set set = set_of(&pool, 4);
    set.keep = 8;
    begin(&v, &set, "random+prob", 0);
    for (unsigned round = 0; round < MANY; round++) {
        while (heist_victim_next(&v) != 3)
            continue;
        unsigned i = heist_victim_any(&v);
        heist_victim_result(&v, i, 1);
        assert_true(i == 3 || heist_victim_next(&v) != i);
    }
    while (heist_victim_next(&v) != 3)
        continue;
    heist_victim_result(&v, 3, 1);
    heist_victim_resize(&v, 3);
    assert_int_not_equal(heist_victim_next(&v), 3);
}

/* (1 - mean)^redraws: none at all; or, near first, not in this level. */
static double refused(const struct pool *pool, unsigned first, unsigned end, unsigned self,
                      double *sum)
{
    unsigned n = 0;
    *sum = 0;
    for (unsigned i = first; i < end; i++)
        if (i != self) {
            *sum += (double)pool->size[i];
            n++;
        }
    return pow(1 - *sum / n / CAPACITY, heist_victim_redraws(n));
}

static void test_giving_up(void **state)
{
    (void)state;
    struct pool pool = {.size = {0, 10, 20, 30, 40}};
    double share[6], sum;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 5);
    begin(&v, &set, "random+prob", 0);
    count(&v, draws, share);
    assert_near(share[5], refused(&pool, 0, 5, 0, &sum));
    memset(pool.size, 0, sizeof pool.size);
    pool.samples = 0;
    assert_int_equal(heist_victim_next(&v), HEIST_VICTIM_NONE);
    assert_int_equal(pool.samples, heist_victim_redraws(4));
    assert_true(heist_victim_any(&v) < 5);
}

/* As many looks at most, whatever the policy; near first, at each level. */
static void test_looks(void **state)
{
    (void)state;
    static const unsigned numbers[] = {2, 3, 6, 9, 20, MANY};
    for (const char *const *name = heist_victim_names(); *name; name++)
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers && named(*name).prob; k++) {
            struct pool pool = {.samples = 0};
            heist_victim v;
            heist_victim_set set = set_of(&pool, numbers[k]);
            set.level = NULL;
            begin(&v, &set, *name, 0);
            assert_int_equal(heist_victim_next(&v), HEIST_VICTIM_NONE);
            assert_int_equal(pool.samples, heist_victim_redraws(numbers[k] - 1));
            heist_victim_fini(&v);
        }
}

static void test_numa_prob(void **state)
{
    (void)state;
    static const unsigned ends[][2] = {{16, 24}, {24, 32}, {0, 16}};
    struct pool pool;
    double expected[33] = {0}, share[33], sum, left = 1;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 32);
    for (unsigned i = 0; i < 32; i++)
        pool.size[i] = 20 + i * 7 % 32;
    begin(&v, &set, "numa+prob", 20);
    for (unsigned l = 0; l < 3; l++) {
        double pass = refused(&pool, ends[l][0], ends[l][1], 20, &sum);
        for (unsigned i = ends[l][0]; i < ends[l][1]; i++)
            expected[i] = i == 20 ? 0 : left * (1 - pass) * (double)pool.size[i] / sum;
        left *= pass;
    }
    count(&v, 4 * draws, share);
    assert_near(share[32], left);
    for (unsigned i = 0; i < 32; i++)
        assert_near(share[i], expected[i] / (1 - left));
    heist_victim_fini(&v);
}

/* ---- A user's own ---- */

static unsigned even_ones(void *context, heist_victim *v)
{
    ++*(unsigned *)context;
    return 2 * heist_victim_draw(v, v->number / 2);
}

static unsigned nonsense(void *context, heist_victim *v)
{
    return *(bool *)context ? v->self : v->number;
}

static void test_own(void **state)
{
    (void)state;
    struct pool pool = {.size = {100, 0, 200, 0, 300, 0, 400, 0}};
    static const double expected[8] = {0.1, 0, 0.2, 0, 0.3, 0, 0.4, 0};
    unsigned calls = 0;
    bool self = true;
    heist_victim v;
    heist_victim_set set = set_of(&pool, 8);
    heist_victim_policy own = {HEIST_VICTIM_OWN, true, even_ones, &calls};
    assert_int_equal(heist_victim_init(&v, &set, &own, 1, 1), 0);
    assert_shares(&v, expected);
    assert_int_equal(calls, pool.samples);
    own = (heist_victim_policy){HEIST_VICTIM_OWN, false, nonsense, &self};
    assert_int_equal(heist_victim_init(&v, &set, &own, 1, 1), 0);
    assert_int_equal(heist_victim_next(&v), HEIST_VICTIM_NONE);
    self = false;
    assert_int_equal(heist_victim_next(&v), HEIST_VICTIM_NONE);
}

/* ---- Real queues ---- */

enum { QUEUES = 5, ITEMS = 4096, BLOCK = 4 };

static char items[ITEMS];

/* Queue k has k/8 of its capacity. */
static void open_queues(heist_queue **queues, const char *kind)
{
    const heist_queue_opts opts = {.size = sizeof opts, .capacity = ITEMS, .block = BLOCK};
    for (unsigned k = 0; k < QUEUES; k++) {
        assert_int_equal(heist_queue_new(&queues[k], kind, &opts), 0);
        for (unsigned i = 0; i < k * ITEMS / 8; i++)
            assert_true(heist_queue_put(queues[k], &items[i]));
    }
}

static void close_queues(heist_queue **queues)
{
    for (unsigned k = 0; k < QUEUES; k++)
        heist_queue_free(queues[k]);
}

static void test_prob_of_every_kind(void **state)
{
    (void)state;
    static const double expected[QUEUES] = {0, 0.1, 0.2, 0.3, 0.4};
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++) {
        heist_queue *queues[QUEUES];
        heist_victim_set set;
        heist_victim v;
        open_queues(queues, *kind);
        heist_victim_queues(&set, queues, QUEUES);
        begin(&v, &set, "random+prob", HEIST_VICTIM_NONE);
        assert_shares(&v, expected);
        close_queues(queues);
    }
}

/* How many each batch takes: of kinds that hide nothing, and of blocks. */
static void test_batches(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        size_t half, block;
    } rows[] = {{"global", ITEMS / 4, HEIST_BATCH_PLAIN},
                {"locked", ITEMS / 4, HEIST_BATCH_PLAIN},
                {"abp", ITEMS / 4, HEIST_BATCH_PLAIN},
                {"chaselev", ITEMS / 4, HEIST_BATCH_PLAIN},
                {"bwos_lifo", BLOCK, BLOCK},
                {"bwos_fifo", BLOCK, BLOCK}};
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        heist_queue *queues[QUEUES];
        heist_victim_set set;
        heist_victim v;
        void *got[ITEMS];
        open_queues(queues, rows[r].kind);
        heist_victim_queues(&set, queues, QUEUES);
        begin(&v, &set, "last", HEIST_VICTIM_NONE);
        assert_int_equal(heist_victim_steal(&v, 4, HEIST_BATCH_HALF, got, ITEMS), rows[r].half);
        assert_int_equal(heist_victim_next(&v), 4); /* the result was reported */
        assert_int_equal(heist_victim_steal(&v, 4, HEIST_BATCH_BLOCK, got, ITEMS), rows[r].block);
        assert_int_equal(heist_victim_steal(&v, 4, HEIST_BATCH_BLOCK, got, 3), 3);
        assert_int_equal(heist_victim_steal(&v, 4, HEIST_BATCH_ONE, got, ITEMS), 1);
        assert_int_equal(heist_queue_size(queues[4]), ITEMS / 2 - rows[r].half - rows[r].block - 4);
        assert_int_equal(heist_victim_steal(&v, 0, HEIST_BATCH_HALF, got, ITEMS), 0);
        close_queues(queues);
    }
    assert_int_equal(heist_batch_items(HEIST_BATCH_HALF, 0, 0), 1);
    assert_int_equal(heist_batch_items(HEIST_BATCH_HALF, 1, 0), 1);
    assert_int_equal(heist_batch_items(HEIST_BATCH_HALF, 7, 0), 4);
}

/* FIFO BWoS: what was sampled is what is stolen, so that an accepted queue always gives something,
   from many blocks; and a candidate that was not sampled gives the oldest. */
static void test_the_sampled_block(void **state)
{
    (void)state;
    heist_queue *queues[QUEUES];
    heist_victim_set set;
    heist_victim v;
    void *got[BLOCK];
    bool seen[ITEMS / BLOCK] = {false};
    unsigned blocks = 0;
    open_queues(queues, "bwos_fifo");
    heist_victim_queues(&set, queues, QUEUES);
    begin(&v, &set, "random+prob", HEIST_VICTIM_NONE);
    for (unsigned k = 0; k < 200; k++) {
        unsigned i;
        while ((i = heist_victim_next(&v)) == HEIST_VICTIM_NONE)
            continue;
        assert_true(v.is_sampled);
        assert_int_equal(heist_victim_steal(&v, i, HEIST_BATCH_BLOCK, got, BLOCK), BLOCK);
        size_t block = (size_t)((char *)got[0] - items) / BLOCK;
        blocks += !seen[block];
        seen[block] = true;
    }
    assert_true(blocks > 50);
    unsigned i = heist_victim_any(&v);
    assert_false(v.is_sampled);
    size_t before = heist_queue_size(queues[i]);
    assert_int_equal(heist_victim_steal(&v, i, HEIST_BATCH_ONE, got, BLOCK), before > 0);
    close_queues(queues);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        double million = draws;
        draws = (unsigned)atoi(argv[1]);
        tolerance *= sqrt(million / draws);
    }
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_batch_names),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_nobody_else),
        cmocka_unit_test(test_everybody),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_sequential),
        cmocka_unit_test(test_last),
        cmocka_unit_test(test_best_of_two),
        cmocka_unit_test(test_best_of_many),
        cmocka_unit_test(test_best_with_weights),
        cmocka_unit_test(test_numa_rounds),
        cmocka_unit_test(test_numa_after_success),
        cmocka_unit_test(test_numa_moves),
        cmocka_unit_test(test_numa_restless),
        cmocka_unit_test(test_prob),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_last_prob_stays),
        cmocka_unit_test(test_best_of_two_prob),
        cmocka_unit_test(test_prob_with_weights),
        cmocka_unit_test(test_prob_keeps),
        cmocka_unit_test(test_prob_keeps_batches),
        cmocka_unit_test(test_leaves_after_a_short_batch),
        cmocka_unit_test(test_who_leaves),
        cmocka_unit_test(test_kept_shares),
        cmocka_unit_test(test_not_kept),
        cmocka_unit_test(test_giving_up),
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_numa_prob),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_prob_of_every_kind),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_the_sampled_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
