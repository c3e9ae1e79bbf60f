/* SPDX-License-Identifier: MIT */
/* What the kinds do that give memory back while they run. */
#include "unit.h"

enum { TEN_MILLION = 10 * 1000 * 1000, SMALL = 64 * 1024 };

static void put_all(queue *q, size_t n)
{
    bool all = true;
    for (size_t i = 0; i < n; i++)
        all &= Q(put)(q, item(i));
    assert_true(all);
}

static void test_shrinks_when_the_owner_empties_it(void **state)
{
    (void)state;
    queue q;
    open_queue(&q, &(heist_queue_opts){0});
    assert_true(purse_held(&purse) < SMALL);
    for (size_t n = TEN_MILLION; n > 10000; n /= 10) {
        put_all(&q, n);
        assert_true(purse_held(&purse) >= n * sizeof(void *));
        bool in_order = true;
        for (size_t i = n; i-- > 0;)
            in_order &= Q(get)(&q) == item(i);
        assert_true(in_order);
        assert_null(Q(get)(&q));
        assert_true(purse_held(&purse) < SMALL);
    }
    close_queue(&q);
}

static void test_shrinks_when_thieves_empty_it(void **state)
{
    (void)state;
    enum { N = 1000 * 1000 };
    queue q;
    open_queue(&q, &(heist_queue_opts){0});
    put_all(&q, N);
    bool in_order = true;
    for (size_t i = 0; i < N; i++) {
        void *got = NULL;
        enum heist_steal result = Q(steal)(&q, &got);
        while (traits.asks && result == HEIST_STEAL_EMPTY) /* this owner does not answer */
            result = Q(steal)(&q, &got);
        in_order &= result == HEIST_STEAL_OK && got == item(i);
    }
    assert_true(in_order);
    for (int i = 0; i < 64; i++) /* the owner looks whether there is something */
        assert_null(Q(get)(&q));
    assert_true(purse_held(&purse) < SMALL);
    close_queue(&q);
}

/* Around the sizes at which it grows and shrinks it must not do both all the time. */
static void test_does_not_thrash(void **state)
{
    (void)state;
    queue q;
    open_queue(&q, &(heist_queue_opts){0});
    for (size_t n = 1; n < 100000; n++) {
        assert_true(Q(put)(&q, item(n)));
        if (n % 3 == 0) {
            uint64_t before = heist_load(&purse.allocs, __ATOMIC_RELAXED);
            for (int i = 0; i < 100; i++) {
                assert_true(Q(put)(&q, item(0)));
                assert_ptr_equal(Q(get)(&q), item(0));
            }
            assert_true(heist_load(&purse.allocs, __ATOMIC_RELAXED) <= before + 1);
        }
    }
    close_queue(&q);
}

/* Without memory to shrink into, it stays as it is and loses nothing. */
static void test_no_memory_to_shrink(void **state)
{
    (void)state;
    enum { N = 100000 };
    queue q;
    open_queue(&q, &(heist_queue_opts){0});
    put_all(&q, N);
    purse.fail_at = 1;
    purse.forever = true;
    bool in_order = true;
    for (size_t i = N; i-- > 0;)
        in_order &= Q(get)(&q) == item(i);
    assert_true(in_order);
    purse.fail_at = 0;
    put_all(&q, 4 * N); /* grows, and then shrinks again */
    while (Q(get)(&q))
        ;
    assert_true(purse_held(&purse) < SMALL);
    close_queue(&q);
}

static void test_never_below_its_capacity(void **state)
{
    (void)state;
    enum { CAPACITY = 1 << 16 };
    queue q;
    open_queue(&q, &(heist_queue_opts){.capacity = CAPACITY});
    uint64_t at_first = purse_held(&purse);
    put_all(&q, 8 * CAPACITY);
    while (Q(get)(&q))
        ;
    assert_int_equal(purse_held(&purse), at_first);
    close_queue(&q);
}

/* heist does not shrink where the kernel has no heavy fence: see no_membarrier.c. */
#ifdef HEIST_DEFAULT_H
static bool shrinks(void) { return heist_has_heavy_fence(); }
#else
static bool shrinks(void) { return true; }
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shrinks_when_the_owner_empties_it),
        cmocka_unit_test(test_shrinks_when_thieves_empty_it),
        cmocka_unit_test(test_does_not_thrash),
        cmocka_unit_test(test_no_memory_to_shrink),
        cmocka_unit_test(test_never_below_its_capacity),
    };
    if (!shrinks()) {
        puts("no membarrier here: nothing to test");
        return 77;
    }
    return cmocka_run_group_tests_name("shrinks: " KIND_NAME, tests, NULL, NULL);
}
