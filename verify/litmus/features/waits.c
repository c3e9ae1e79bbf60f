/* SPDX-License-Identifier: MIT */
/* Waiting: heist_await, mutexes, deadlocks, and loops that do not say that they wait. */
#include <pthread.h>

#include "feature.h"

static heist_au32 x, y, own;
static int data, a;

static void tell_data(void) { outcome("%d", data); }

/* ---- Messages ---- */

static void set_x(void) { heist_store(&x, 1, __ATOMIC_RELEASE); }
static void set_y(void) { heist_store(&y, 1, __ATOMIC_RELEASE); }
static void await_x(void) { heist_await(heist_load(&x, __ATOMIC_ACQUIRE)); }
static void await_y(void) { heist_await(heist_load(&y, __ATOMIC_ACQUIRE)); }

static void send(void)
{
    data = 1;
    set_x();
}

static void receive(void)
{
    await_x();
    check_assert(data == 1);
}

static void send_relaxed(void)
{
    data = 1;
    heist_store(&x, 1, __ATOMIC_RELAXED);
}

static void await_either(void)
{
    heist_await(heist_load(&x, __ATOMIC_RELAXED) || heist_load(&y, __ATOMIC_RELAXED));
}

static void await_x_then_set_y(void)
{
    await_x();
    set_y();
}

static void await_y_then_set_x(void)
{
    await_y();
    set_x();
}

static void await_own_unless_x(void)
{
    if (!heist_load(&x, __ATOMIC_RELAXED))
        heist_await(heist_load(&own, __ATOMIC_RELAXED));
}

static void await_y_unless_x(void)
{
    if (!heist_load(&x, __ATOMIC_RELAXED))
        await_y();
}

static void read_y(void) { a = (int)heist_load(&y, __ATOMIC_RELAXED); }

static void spin_on_x(void)
{
    while (!heist_load(&x, __ATOMIC_RELAXED))
        ;
}

/* ---- Locks by await ---- */

static heist_au32 next, serving;

static void with_a_ticket(void)
{
    uint32_t ticket = heist_add(&next, 1, __ATOMIC_RELAXED);
    heist_await(heist_load(&serving, __ATOMIC_ACQUIRE) == ticket);
    data++;
    heist_store(&serving, ticket + 1, __ATOMIC_RELEASE);
}

static void with_a_swap(void)
{
    heist_await(heist_cas(&x, &(uint32_t){0}, 1, __ATOMIC_ACQUIRE));
    data++;
    heist_store(&x, 0, __ATOMIC_RELEASE);
}

static void with_an_exchange(void)
{
    heist_await(!heist_exchange(&x, 1, __ATOMIC_ACQUIRE));
    data++;
    heist_store(&x, 0, __ATOMIC_RELEASE);
}

/* ---- Mutexes ---- */

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third = PTHREAD_MUTEX_INITIALIZER;
static int tried[CHECK_THREADS];

static void count(void) { data++; }

static void count_locked(void)
{
    pthread_mutex_lock(&first);
    data++;
    pthread_mutex_unlock(&first);
}

static void try_to_count(int thread)
{
    if (!pthread_mutex_trylock(&first)) {
        tried[thread] = 1;
        data++;
        pthread_mutex_unlock(&first);
    }
}

static void try0(void) { try_to_count(0); }
static void try1(void) { try_to_count(1); }

static void tell_tried(void) { outcome("%d%d%d", tried[0], tried[1], data); }

static void with_both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    data++;
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void first_second(void) { with_both(&first, &second); }
static void second_first(void) { with_both(&second, &first); }

static void eat(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void eat1(void) { eat(&first, &second); }
static void eat2(void) { eat(&second, &third); }
static void eat3(void) { eat(&third, &first); }
static void eat3_in_order(void) { eat(&first, &third); }

static void lock_twice(void)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&first);
}

const struct feature wait_features[] = {
    /* An execution where the waiting thread reads the old value is blocked, and not counted. */
    {"message", {nothing, {send, receive}, nothing}, .executions = EVERY(1), .blocks = true},
    {"message; wait first",
     {nothing, {receive, send}, nothing},
     .executions = EVERY(1),
     .blocks = true},
    {"message, relaxed",
     {nothing, {send_relaxed, receive}, nothing},
     .failure = {"data race", NULL, NULL},
     .executions = EVERY(1),
     .blocks = true},
    {"either of two", /* it sees x; or it does not, and sees y */
     {nothing, {set_x, await_either, set_y}, nothing},
     .executions = EVERY(2),
     .blocks = true},
    {"one of two is enough", /* what it saw last is the newest, but not what it saw before */
     {nothing, {set_x, await_either, read_y}, nothing},
     .executions = EVERY(1),
     .blocks = true},

    /* As many executions as there are orders of the threads. */
    {"tickets, 2",
     {nothing, {with_a_ticket, with_a_ticket}, tell_data},
     .executions = EVERY(2),
     .blocks = true,
     .outcomes = "2"},
    {"tickets, 3",
     {nothing, {with_a_ticket, with_a_ticket, with_a_ticket}, tell_data},
     .executions = EVERY(6),
     .blocks = true,
     .outcomes = "3"},
    {"swap lock, 2",
     {nothing, {with_a_swap, with_a_swap}, tell_data},
     .executions = EVERY(2),
     .blocks = true,
     .outcomes = "2"},
    {"swap lock, 3",
     {nothing, {with_a_swap, with_a_swap, with_a_swap}, tell_data},
     .executions = EVERY(6),
     .blocks = true,
     .outcomes = "3"},
    {"exchange lock, 2",
     {nothing, {with_an_exchange, with_an_exchange}, tell_data},
     .executions = EVERY(2),
     .blocks = true,
     .outcomes = "2"},
    {"mutex, 2",
     {nothing, {count_locked, count_locked}, tell_data},
     .executions = EVERY(2),
     .blocks = true,
     .outcomes = "2"},
    {"mutex, 3",
     {nothing, {count_locked, count_locked, count_locked}, tell_data},
     .executions = EVERY(6),
     .blocks = true,
     .outcomes = "3"},
    {"no mutex", {nothing, {count, count}, nothing}, .failure = EVERY("data race")},
    {"mutex in one of two",
     {nothing, {count_locked, count}, nothing},
     .failure = EVERY("data race")},

    /* Both get it, in 2 orders; or one does while the other holds it, 2 ways. */
    {"trylock, 2",
     {nothing, {try0, try1}, tell_tried},
     .executions = EVERY(4),
     .outcomes = "112 101 011"},
    /* It gets it before or after the other, or not at all. Then the one that locks never waits, but
       for those that are told to. */
    {"trylock and lock",
     {nothing, {count_locked, try1}, tell_tried},
     .executions = EVERY(3),
     .blocks = true,
     .outcomes = "012 001"},

    {"two mutexes", /* 2 orders */
     {nothing, {first_second, first_second}, tell_data},
     .executions = EVERY(2),
     .blocks = true,
     .outcomes = "2"},
    {"two mutexes, opposite orders",
     {nothing, {first_second, second_first}, nothing},
     .failure = EVERY("deadlock")},
    {"a ring of mutexes", {nothing, {eat1, eat2, eat3}, nothing}, .failure = EVERY("deadlock")},
    /* Each of 3 is locked in 2 orders; of the 8 the two where these orders go round are not. */
    {"no ring of mutexes",
     {nothing, {eat1, eat2, eat3_in_order}, nothing},
     .executions = EVERY(6),
     .blocks = true},
    {"a mutex twice", {nothing, {lock_twice}, nothing}, .failure = EVERY("deadlock")},

    {"each waits for the other",
     {nothing, {await_x_then_set_y, await_y_then_set_x}, nothing},
     .failure = EVERY("deadlock")},
    {"nobody sets it", {nothing, {await_x}, nothing}, .failure = EVERY("deadlock")},
    {"others only read it", {nothing, {await_y, read_y}, nothing}, .failure = EVERY("deadlock")},
    /* Stuck only if an older value was read before, of another word. */
    {"nobody sets it, if",
     {nothing, {set_x, await_y_unless_x, read_y}, nothing},
     .failure = EVERY("deadlock")},
    {"nobody sets its own word, if",
     {nothing, {set_x, await_own_unless_x}, nothing},
     .failure = EVERY("deadlock")},

    {"a loop that does not say so",
     {nothing, {set_x, spin_on_x}, nothing},
     .failure = EVERY("no end after")},
    {"a loop that does not say so, first",
     {nothing, {spin_on_x, set_x}, nothing},
     .failure = EVERY("no end after")},
    {"a loop on its own word", {nothing, {spin_on_x}, nothing}, .failure = EVERY("no end after")},
    {.name = NULL},
};
