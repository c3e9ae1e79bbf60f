/* SPDX-License-Identifier: MIT */
/* A batch that is stolen item by item, from an owner that moves meanwhile: it moves in the windows
   of the thief's steals. */
static void in_window(const char *name);
#define HEIST_WINDOW(name) in_window(name)
#include "unit.h"

enum { N = 64 };

static queue q;
static unsigned looks, moves_from;
static void (*move)(void); /* before the look of this number, and before all later ones */

static void in_window(const char *name)
{
    static bool is_inside;
    if (is_inside || strcmp(name, "look") || ++looks < moves_from)
        return;
    is_inside = true;
    move();
    is_inside = false;
}

static void get_one(void) { assert_non_null(Q(get)(&q)); }
static void put_one(void) { assert_true(Q(put)(&q, item(0))); }
static void stay(void) {}

static size_t batch_while(void (*moves)(void), unsigned from)
{
    void *got[N];
    open_queue(&q, &(heist_queue_opts){.capacity = 2 * N, .origin = INT64_MAX - (uint64_t)N});
    for (size_t i = 0; i < N; i++)
        assert_true(Q(put)(&q, item(i)));
    looks = 0;
    move = moves;
    moves_from = from;
    size_t n = Q(steal_many)(&q, got, N);
    move = stay;
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(got[i], item(i));
    close_queue(&q);
    return n;
}

static void test_a_batch_ends_when_the_owner_comes_down(void **state)
{
    (void)state;
    assert_int_equal(batch_while(get_one, 2), 2);
    assert_int_equal(batch_while(get_one, 5), 5);
}

/* The thief has not seen how high it was before. */
static void test_not_at_its_first_item(void **state)
{
    (void)state;
    assert_int_equal(batch_while(get_one, 1), 2);
}

static void test_not_when_the_owner_stays_or_goes_up(void **state)
{
    (void)state;
    assert_int_equal(batch_while(stay, 1), N);
    assert_int_equal(batch_while(put_one, 3), N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_batch_ends_when_the_owner_comes_down),
        cmocka_unit_test(test_not_at_its_first_item),
        cmocka_unit_test(test_not_when_the_owner_stays_or_goes_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
