/* SPDX-License-Identifier: MIT */
/* Any kind by its name. */
#include <heist/kinds.h>
#include <heist/queue.h>

#define KIND global /* for what unit.h has to offer; the kinds here have names */
#include "unit.h"

#define NAME(kind) #kind,
static const char *const expected[] = {HEIST_QUEUE_KINDS(NAME)};
enum { KINDS = sizeof expected / sizeof *expected };

static void test_the_list(void **state)
{
    (void)state;
    const char *const *kinds = heist_queue_kinds();
    for (size_t i = 0; i < KINDS; i++)
        assert_string_equal(kinds[i], expected[i]);
    assert_null(kinds[KINDS]);
}

static void test_unknown_kinds(void **state)
{
    (void)state;
    static const char *const unknown[] = {"", "glob", "globals", "Global", "bwos", " abp", NULL};
    heist_queue *untouched = (heist_queue *)&untouched, *q = untouched;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_int_equal(heist_queue_new(&q, unknown[i], NULL), -EINVAL);
        assert_ptr_equal(q, untouched);
    }
}

static void test_wrong_options(void **state)
{
    (void)state;
    heist_queue *untouched = (heist_queue *)&untouched, *q = untouched;
    for (size_t i = 0; i < KINDS; i++) {
        purse_open(&purse);
        heist_queue_opts o = {.capacity = SIZE_MAX, .memory = &purse.hooks};
        assert_int_equal(heist_queue_new(&q, expected[i], &o), -EINVAL);
        o.capacity = 1;
        o.block = 2;
        assert_int_equal(heist_queue_new(&q, expected[i], &o), -EINVAL);
        o.block = 0;
        o.bound = 3;
        assert_int_equal(heist_queue_new(&q, expected[i], &o), -EINVAL);
        assert_ptr_equal(q, untouched);
        assert_int_equal(purse_held(&purse), 0);
    }
    heist_queue_opts fixed = {.bound = HEIST_BOUND_FIXED}, grows = {.bound = HEIST_BOUND_GROWS};
    assert_int_equal(heist_queue_new(&q, "bulk", &fixed), -EINVAL);
    assert_int_equal(heist_queue_new(&q, "abp", &grows), -EINVAL);
    assert_ptr_equal(q, untouched);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        heist_queue *untouched = (heist_queue *)&untouched, *q = untouched;
        heist_queue_opts o = {.memory = &purse.hooks};
        int error = -ENOMEM;
        for (uint64_t k = 1; error; k++) {
            purse_open(&purse);
            purse.fail_at = k;
            error = heist_queue_new(&q, expected[i], &o);
            if (error) {
                assert_int_equal(error, -ENOMEM);
                assert_ptr_equal(q, untouched);
                assert_int_equal(purse_held(&purse), 0);
            }
        }
        heist_queue_free(q);
        assert_int_equal(purse_held(&purse), 0);
    }
    heist_queue_free(NULL);
}

static void test_every_function_of_every_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        heist_queue *q;
        void *items[] = {item(0), item(1), item(2)}, *got;
        purse_open(&purse);
        heist_queue_opts o = {.capacity = 8, .block = 1, .memory = &purse.hooks};
        assert_int_equal(heist_queue_new(&q, expected[i], &o), 0);
        assert_string_equal(heist_queue_kind(q), expected[i]);
        heist_queue_adopt(q);
        assert_false(heist_queue_put(q, NULL));
        assert_true(heist_queue_put(q, item(7)));
        assert_int_equal(heist_queue_put_many(q, items, 3), 3);
        assert_int_equal(heist_queue_size(q), 4);
        heist_queue_steal(q, &got); /* it may only have asked, or have something already */
        got = heist_queue_get(q);
        assert_non_null(got);
        assert_true(heist_queue_put(q, got));
        bool sampled = false;
        for (uint64_t random = 0; random < 8; random++)
            sampled |= heist_queue_sample(q, random);
        assert_true(sampled);
        size_t before = heist_queue_size(q);
        assert_int_equal(heist_queue_steal(q, &got), HEIST_STEAL_OK);
        assert_int_equal(heist_queue_size(q), before - 1);
        size_t left = heist_queue_steal_many(q, items, 3);
        while (heist_queue_get(q))
            left++;
        assert_int_equal(left, before - 1);
        heist_queue_free(q);
        assert_int_equal(purse_held(&purse), 0);
    }
}

/* Of few items, a thief that takes one between any two of the owner's waits at most for its first.
 */
static void test_a_thief_that_comes_again_waits_once(void **state)
{
    (void)state;
    enum { N = 20 };
    for (size_t i = 0; i < KINDS; i++) {
        heist_queue *q;
        void *got;
        assert_int_equal(heist_queue_new(&q, expected[i], NULL), 0);
        heist_queue_adopt(q);
        for (size_t k = 0; k < N; k++)
            assert_true(heist_queue_put(q, item(k)));
        size_t left = N;
        left -= heist_queue_steal(q, &got) == HEIST_STEAL_OK;
        while (left) {
            assert_non_null(heist_queue_get(q));
            left--;
            if (left) {
                assert_int_equal(heist_queue_steal(q, &got), HEIST_STEAL_OK);
                left--;
            }
        }
        heist_queue_free(q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_list),
        cmocka_unit_test(test_unknown_kinds),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_every_function_of_every_kind),
        cmocka_unit_test(test_a_thief_that_comes_again_waits_once),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
