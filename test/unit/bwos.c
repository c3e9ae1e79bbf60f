/* SPDX-License-Identifier: MIT */
/* What only queues of blocks do; compiled for bwos_lifo and for bwos_fifo. */
#include "unit.h"

static void fill(queue *q, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(Q(put)(q, item(i)));
}

static void test_block_sizes(void **state)
{
    (void)state;
    queue q;
    /* By default an eighth of the capacity, at least 1. */
    static const struct {
        size_t capacity, block, holds;
    } shapes[] = {{8192, 0, 8192},      {8, 0, 8},   {1, 0, 2},    {3, 0, 3},
                  {100, 0, 104},        {10, 4, 12}, {10, 10, 20}, {65535, 65535, 131070},
                  {1 << 20, 0, 1 << 20}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        open_queue(&q,
                   &(heist_queue_opts){.capacity = shapes[i].capacity, .block = shapes[i].block});
        size_t n = 0;
        while (Q(put)(&q, item(n)))
            n++;
        assert_int_equal(n, shapes[i].holds);
        close_queue(&q);
    }
    heist_queue_opts too_large = {.capacity = 1 << 20, .block = 65536};
    assert_int_equal(Q(init)(&q, &too_large), -EINVAL);
    open_queue(&q, &(heist_queue_opts){.block = 3000}); /* then the capacity follows the block */
    close_queue(&q);
}

/* One claim takes up to all that one block has, and never from two. */
static void test_steal_many_takes_a_block(void **state)
{
    (void)state;
    enum { BLOCK = 4, N = 16 };
    for (unsigned form = HEIST_FORM_TAGGED; form <= HEIST_FORM_COUNTED; form++) {
        queue q;
        void *out[N];
        open_queue(&q, &(heist_queue_opts){.capacity = N, .block = BLOCK, .form = form});
        fill(&q, N);
        size_t first = traits.fifo ? BLOCK : 0;
        assert_int_equal(Q(steal_many)(&q, out, 1), 1);
        assert_ptr_equal(out[0], item(first));
        assert_int_equal(Q(steal_many)(&q, out, N), BLOCK - 1);
        for (size_t i = 0; i < BLOCK - 1; i++)
            assert_ptr_equal(out[i], item(first + 1 + i));
        assert_int_equal(Q(steal_many)(&q, out, N), BLOCK);
        assert_ptr_equal(out[0], item(first + BLOCK));
        assert_int_equal(Q(size)(&q), N - 2 * BLOCK);
        close_queue(&q);
    }
}

/* Without early grants the owner's block is hidden: so few items, and thieves see none of them. */
static void test_the_owners_block_is_hidden(void **state)
{
    (void)state;
    queue q;
    void *got;
    open_queue(&q, &(heist_queue_opts){.capacity = 16, .block = 4, .early = HEIST_EARLY_OFF});
    fill(&q, 4);
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
    assert_true(Q(put)(&q, item(4)));
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_OK);
    assert_ptr_equal(got, item(traits.fifo ? 4 : 0));
    close_queue(&q);
}

/* Without early grants what the owner takes back after a grant of its own stays hidden, also if
   thieves had some of it. */
static void test_a_grant_is_given_once(void **state)
{
    (void)state;
    queue q;
    void *got;
    open_queue(&q, &(heist_queue_opts){.capacity = 16, .block = 8, .early = HEIST_EARLY_OFF});
    fill(&q, 5);
    assert_true(Q(grant)(&q));
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_OK);
    assert_non_null(Q(get)(&q));
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
    close_queue(&q);
}

/* A thief that finds nothing asks, and the owner's next operation gives: a LIFO owner the older
   half of what it has left, a FIFO owner all. */
static void test_a_thief_that_asks_is_given(void **state)
{
    (void)state;
    enum { BLOCK = 8, N = 5 };
    for (unsigned form = HEIST_FORM_TAGGED; form <= HEIST_FORM_COUNTED; form++)
        for (int puts = 0; puts < 2; puts++) {
            queue q;
            void *got, *out[BLOCK];
            open_queue(&q,
                       &(heist_queue_opts){.capacity = 2 * BLOCK, .block = BLOCK, .form = form});
            fill(&q, N);
            assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
            if (puts)
                assert_true(Q(put)(&q, item(N)));
            else
                assert_ptr_equal(Q(get)(&q), item(traits.fifo ? 0 : N - 1));
            size_t left = puts ? N + 1 : N - 1, first = traits.fifo && !puts;
            size_t given = traits.fifo ? left : (left + 1) / 2;
            assert_int_equal(Q(size)(&q), left);
            assert_int_equal(Q(steal_many)(&q, out, 1), 1);
            assert_ptr_equal(out[0], item(first));
            assert_int_equal(Q(steal_many)(&q, out, BLOCK), given - 1);
            assert_ptr_equal(out[0], item(first + 1));
            assert_int_equal(Q(size)(&q), left - given);
            for (size_t i = 0; i < left - given; i++)
                assert_ptr_equal(Q(get)(&q), item(first + left - 1 - i));
            assert_null(Q(get)(&q));
            close_queue(&q);
        }
}

/* Nobody was hungry for long: what was given and not taken is the owner's again. */
static void test_what_was_given_comes_back(void **state)
{
    (void)state;
    enum { BLOCK = 8, N = 5 };
    for (size_t stolen = 0; stolen <= N; stolen++) {
        queue q;
        void *out[N];
        open_queue(&q, &(heist_queue_opts){.capacity = 2 * BLOCK, .block = BLOCK});
        assert_false(Q(grant)(&q)); /* there is nothing, but in a FIFO what comes is given too */
        fill(&q, N);
        assert_int_equal(Q(grant)(&q), !traits.fifo);
        assert_false(Q(grant)(&q)); /* it has nothing any more */
        assert_int_equal(Q(steal_many)(&q, out, stolen), stolen);
        for (size_t i = stolen; i < N; i++)
            assert_ptr_equal(Q(get)(&q), item(traits.fifo ? i : N - 1 - (i - stolen)));
        assert_null(Q(get)(&q));
        close_queue(&q);
    }
}

/* Grants cost no room: a queue holds the same, however often its owner gave, and whatever. */
static void test_grants_use_no_blocks_up(void **state)
{
    (void)state;
    enum { BLOCK = 4, N = 12 };
    for (unsigned form = HEIST_FORM_TAGGED; form <= HEIST_FORM_COUNTED; form++)
        for (size_t every = 1; every <= BLOCK + 1; every++) {
            queue q;
            void *got;
            open_queue(&q, &(heist_queue_opts){.capacity = N, .block = BLOCK, .form = form});
            for (int round = 0; round < 50; round++) {
                size_t n = 0;
                while (n <= N && Q(put)(&q, item(n)))
                    if (++n % every == 0)
                        Q(grant)(&q);
                assert_int_equal(n, N);
                assert_int_equal(Q(size)(&q), N);
                for (int i = 0; i < round % N && Q(steal)(&q, &got) == HEIST_STEAL_OK; i++)
                    n--;
                while (Q(get)(&q)) {
                    n--;
                    if (n % every == 0)
                        Q(grant)(&q);
                }
                assert_int_equal(n, 0);
            }
            close_queue(&q);
        }
}

/* The owner may overwrite a request unseen. Then thieves ask again before long. */
static void test_a_request_is_not_lost_for_good(void **state)
{
    (void)state;
    enum { BLOCK = 8, SOON = 200 };
    queue q;
    void *got;
    open_queue(&q, &(heist_queue_opts){.capacity = 2 * BLOCK, .block = BLOCK});
    fill(&q, 2);
#ifdef HEIST_BWOS_LIFO_H
    void *end = heist_load(&q.end, __ATOMIC_RELAXED),
         *floor = heist_load(&q.floor, __ATOMIC_RELAXED);
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
    heist_store(&q.end, end, __ATOMIC_RELAXED);
    heist_store(&q.floor, floor, __ATOMIC_RELAXED);
#else
    void *end = heist_load(&q.put_end, __ATOMIC_RELAXED);
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
    heist_store(&q.put_end, end, __ATOMIC_RELAXED);
#endif
    assert_true(Q(put)(&q, item(2)));
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
    for (int i = 0; i < SOON; i++)
        assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
    assert_true(Q(put)(&q, item(3)));
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_OK);
    close_queue(&q);
}

/* A block from which thieves took some is taken over with the rest, and then used whole again. */
static void test_take_over_and_reuse(void **state)
{
    (void)state;
    enum { BLOCK = 4, N = 8 };
    for (unsigned form = HEIST_FORM_TAGGED; form <= HEIST_FORM_COUNTED; form++) {
        queue q;
        void *got;
        open_queue(&q, &(heist_queue_opts){.capacity = N, .block = BLOCK, .form = form});
        for (int round = 0; round < 100; round++)
            for (size_t stolen = 0; stolen <= BLOCK; stolen++) {
                size_t n = 0;
                while (n < N && Q(put)(&q, item(n)))
                    n++;
                assert_int_equal(n, N);
                for (size_t i = 0; i < stolen; i++) {
                    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_OK);
                    assert_ptr_equal(got, item(traits.fifo ? BLOCK + i : i));
                }
                for (n = 0; Q(get)(&q); n++)
                    ;
                assert_int_equal(n, N - stolen);
            }
        close_queue(&q);
    }
}

/* Growth doubles the blocks, keeps the order, and a queue that was large is used again as it is. */
static void test_growth(void **state)
{
    (void)state;
    enum { N = 5000 };
    for (unsigned form = HEIST_FORM_TAGGED; form <= HEIST_FORM_COUNTED; form++)
        for (size_t block = 1; block < 9; block += 3) {
            queue q;
            open_queue(
                &q, &(heist_queue_opts){
                        .capacity = 8, .block = block, .form = form, .bound = HEIST_BOUND_GROWS});
            uint64_t at_first = purse_held(&purse), large = 0;
            for (int round = 0; round < 3; round++) {
                fill(&q, N);
                for (size_t i = 0; i < N; i++)
                    assert_ptr_equal(Q(get)(&q), item(traits.fifo ? i : N - 1 - i));
                assert_null(Q(get)(&q));
                if (round == 0)
                    large = purse_held(&purse);
            }
            assert_true(large > 10 * at_first);
            assert_int_equal(purse_held(&purse), large);
            close_queue(&q);
        }
}

/* sample and, for a FIFO, steal_from look at the same block. */
static void test_sample_says_where_to_steal(void **state)
{
    (void)state;
    enum { BLOCKS = 8, BLOCK = 4 };
    queue q;
    open_queue(&q, &(heist_queue_opts){.capacity = BLOCKS * BLOCK, .block = BLOCK});
    fill(&q, 5 * BLOCK + 1);
    unsigned open = 0;
    for (uint64_t random = 0; random < BLOCKS; random++)
        open += Q(sample)(&q, random);
    assert_int_equal(open, 5); /* of six with items, one is the owner's */
#ifdef HEIST_BWOS_FIFO_H
    for (uint64_t random = 0; random < 3 * BLOCKS; random++) {
        void *untouched = &untouched, *got = untouched;
        bool some = Q(sample)(&q, random);
        enum heist_steal result = heist_bwos_fifo_steal_from(&q, random, &got);
        assert_int_equal(result, some ? HEIST_STEAL_OK : HEIST_STEAL_EMPTY);
        if (some)
            assert_int_equal(number(got), random % BLOCKS * BLOCK + random / BLOCKS);
        else
            assert_ptr_equal(got, untouched);
    }
#endif
    close_queue(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_sizes),
        cmocka_unit_test(test_steal_many_takes_a_block),
        cmocka_unit_test(test_the_owners_block_is_hidden),
        cmocka_unit_test(test_a_grant_is_given_once),
        cmocka_unit_test(test_a_thief_that_asks_is_given),
        cmocka_unit_test(test_what_was_given_comes_back),
        cmocka_unit_test(test_grants_use_no_blocks_up),
        cmocka_unit_test(test_a_request_is_not_lost_for_good),
        cmocka_unit_test(test_take_over_and_reuse),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_sample_says_where_to_steal),
    };
    return cmocka_run_group_tests_name("blocks: " KIND_NAME, tests, NULL, NULL);
}
