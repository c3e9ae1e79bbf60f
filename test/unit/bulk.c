/* SPDX-License-Identifier: MIT */
/* The bulk queue by its own interface: ready chains, proportions. */
#include "unit.h"

enum { N = 1000 };

static heist_bulk_node nodes[N];

static size_t index_of(const heist_bulk_node *node)
{
    assert_true(node >= nodes && node < nodes + N);
    return (size_t)(node - nodes);
}

/* Pushes nodes [from, to) as one chain, so that `to - 1` is the newest. */
static void push(heist_bulk *q, size_t from, size_t to)
{
    for (size_t i = to; i-- > from + 1;)
        nodes[i].next = &nodes[i - 1];
    nodes[from].next = (heist_bulk_node *)(uintptr_t)8; /* the queue's to set */
    heist_bulk_push(q, &nodes[to - 1], &nodes[from], to - from);
}

/* A queue of nodes 0 .. n-1 with all but the newest public. */
static void open_with(heist_bulk *q, size_t n)
{
    heist_bulk_chain none = {&nodes[0], &nodes[1], 77};
    open_queue(q, &(heist_queue_opts){0});
    push(q, 0, n - 1);
    assert_int_equal(heist_bulk_steal_part(q, 50, &none), HEIST_STEAL_EMPTY); /* asks */
    assert_int_equal(none.count, 77);
    push(q, n - 1, n);
}

/* The chain has nodes to-1 .. from in this order, and says so. */
static void check_chain(const heist_bulk_chain *chain, size_t from, size_t to)
{
    assert_int_equal(chain->count, to - from);
    assert_int_equal(index_of(chain->first), to - 1);
    assert_int_equal(index_of(chain->last), from);
    const heist_bulk_node *node = chain->first;
    for (size_t i = to; i-- > from; node = node->next)
        assert_int_equal(index_of(node), i);
    assert_null(node);
}

static void check_pops(heist_bulk *q, size_t from, size_t to)
{
    for (size_t i = to; i-- > from;)
        assert_int_equal(index_of(heist_bulk_pop(q)), i);
    assert_null(heist_bulk_pop(q));
    assert_int_equal(heist_bulk_size(q), 0);
}

static void test_chains(void **state)
{
    (void)state;
    heist_bulk q;
    open_queue(&q, &(heist_queue_opts){0});
    push(&q, 0, 1);
    push(&q, 1, 100);
    assert_int_equal(index_of(heist_bulk_pop(&q)), 99);
    push(&q, 99, 102);
    assert_int_equal(heist_bulk_size(&q), 102);
    assert_int_equal(heist_load(&purse.allocs, __ATOMIC_RELAXED),
                     0); /* the nodes are the caller's */
    check_pops(&q, 0, 102);
    close_queue(&q);
}

static void test_proportions(void **state)
{
    (void)state;
    for (unsigned percent = 1; percent <= 100; percent++)
        for (size_t n = 2; n <= N; n = n * 3 + 1) {
            heist_bulk q;
            heist_bulk_chain chain;
            open_with(&q, n);
            size_t expected = ((n - 1) * percent + 99) / 100; /* rounded up */
            assert_int_equal(heist_bulk_steal_part(&q, percent, &chain), HEIST_STEAL_OK);
            check_chain(&chain, 0, expected);
            assert_int_equal(heist_bulk_size(&q), n - expected);
            check_pops(&q, expected, n);
            close_queue(&q);
        }
}

static void test_proportions_that_make_no_sense(void **state)
{
    (void)state;
    static const unsigned wrong[] = {0, 101, 200, UINT32_MAX};
    heist_bulk q;
    open_with(&q, 10);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        heist_bulk_chain chain = {&nodes[0], &nodes[1], 77};
        assert_int_equal(heist_bulk_steal_part(&q, wrong[i], &chain), HEIST_STEAL_EMPTY);
        assert_ptr_equal(chain.first, &nodes[0]);
        assert_int_equal(chain.count, 77);
    }
    check_pops(&q, 0, 10);
    close_queue(&q);
}

/* Stolen chains go into another queue as they are; what was given back can be stolen again. */
static void test_again_and_again(void **state)
{
    (void)state;
    heist_bulk q, other;
    heist_bulk_chain chain;
    open_with(&q, N);
    struct purse of_q = purse;
    open_queue(&other, &(heist_queue_opts){0});
    size_t from = 0;
    for (int i = 0; i < 6; i++) {
        size_t expected = (N - 1 - from + 9) / 10;
        assert_int_equal(heist_bulk_steal_part(&q, 10, &chain), HEIST_STEAL_OK);
        check_chain(&chain, from, from + expected);
        heist_bulk_push(&other, chain.first, chain.last, chain.count);
        from += expected;
    }
    assert_int_equal(heist_bulk_size(&other), from);
    assert_int_equal(heist_bulk_size(&q), N - from);
    for (size_t i = from; i-- > 0;)
        assert_int_equal(index_of(heist_bulk_pop(&other)), i);
    close_queue(&other);
    purse = of_q;
    check_pops(&q, from, N);
    close_queue(&q);
}

/* The owner sees what was published but not stolen, in its order. */
static void test_the_owner_takes_back(void **state)
{
    (void)state;
    heist_bulk q;
    heist_bulk_chain chain;
    open_with(&q, 10);
    check_pops(&q, 0, 10);
    push(&q, 0, 4);
    assert_int_equal(heist_bulk_steal_part(&q, 50, &chain), HEIST_STEAL_EMPTY);
    assert_int_equal(index_of(heist_bulk_pop(&q)), 3); /* pop answers too */
    assert_int_equal(heist_bulk_steal_part(&q, 50, &chain), HEIST_STEAL_OK);
    check_chain(&chain, 0, 2);
    check_pops(&q, 2, 3);
    close_queue(&q);
}

/* The common interface reuses its wrappers, also those that went through thieves. */
static void test_wrappers_come_back(void **state)
{
    (void)state;
    heist_bulk q;
    open_queue(&q, &(heist_queue_opts){0});
    uint64_t after_first = 0;
    for (int round = 0; round < 100; round++) {
        void *out[100];
        for (size_t i = 0; i < 100; i++)
            assert_true(heist_bulk_put(&q, item(i)));
        assert_int_equal(heist_bulk_steal_many(&q, out, 50), 0);
        assert_ptr_equal(heist_bulk_get(&q), item(99));
        assert_int_equal(heist_bulk_steal_many(&q, out, 50), 50);
        for (size_t i = 0; i < 50; i++)
            assert_ptr_equal(out[i], item(i));
        for (size_t i = 99; i-- > 50;)
            assert_ptr_equal(heist_bulk_get(&q), item(i));
        assert_null(heist_bulk_get(&q));
        if (round == 0)
            after_first = purse_held(&purse);
    }
    assert_int_equal(purse_held(&purse), after_first);
    close_queue(&q);
}

/* The owner publishes without being asked, but not what it keeps, nor beside what is public. */
static void test_offers(void **state)
{
    (void)state;
    heist_bulk q;
    heist_bulk_chain chain;
    open_queue(&q, &(heist_queue_opts){0});
    assert_false(heist_bulk_offer(&q, 1)); /* there is nothing */
    push(&q, 0, 7);
    assert_false(heist_bulk_offer(&q, 4)); /* too few */
    push(&q, 7, 10);
    assert_true(heist_bulk_offer(&q, 4));
    assert_false(heist_bulk_offer(&q, 1)); /* public already */
    assert_int_equal(heist_bulk_size(&q), 10);
    assert_int_equal(heist_bulk_steal_part(&q, 50, &chain), HEIST_STEAL_OK);
    check_chain(&chain, 0, 3);
    push(&q, 10, 12);
    assert_true(heist_bulk_offer(&q, 1)); /* nodes 6 to 10, beside 3 to 5, which were given back */
    assert_int_equal(heist_bulk_steal_part(&q, 100, &chain), HEIST_STEAL_OK);
    check_chain(&chain, 3, 6);
    check_pops(&q, 6, 12);
    close_queue(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_proportions),
        cmocka_unit_test(test_proportions_that_make_no_sense),
        cmocka_unit_test(test_again_and_again),
        cmocka_unit_test(test_the_owner_takes_back),
        cmocka_unit_test(test_wrappers_come_back),
        cmocka_unit_test(test_offers),
    };
    return cmocka_run_group_tests_name("bulk", tests, NULL, NULL);
}
