/* SPDX-License-Identifier: MIT */
/* Who steps aside, and where to, on a made-up machine. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "crowd.h"

/* ---- The machine ---- */

static struct {
    cpu_set_t may;
    int here; /* where the thread is */
    bool refuses;
    unsigned moves, yields;
    cpu_set_t told; /* last */
} machine;

static void machine_is(unsigned may, int here)
{
    memset(&machine, 0, sizeof machine);
    machine.here = here;
    for (int i = 0; i < 32; i++)
        if (may >> i & 1)
            CPU_SET(i, &machine.may);
}

int __wrap_sched_getcpu(void);
int __wrap_sched_getcpu(void) { return machine.here; }

int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    machine.yields++;
    return 0;
}

int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    assert_int_equal(pid, 0);
    memcpy(set, &machine.may, bytes);
    return 0;
}

/* A thread goes to the first CPU of a set that it is not in. */
int __wrap_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set);
int __wrap_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set)
{
    assert_int_equal(pid, 0);
    assert_int_equal(bytes, sizeof machine.told);
    if (machine.refuses) {
        errno = EPERM;
        return -1;
    }
    machine.told = *set;
    if (CPU_ISSET(machine.here, set))
        return 0;
    machine.moves++;
    for (machine.here = 0; !CPU_ISSET(machine.here, set);)
        machine.here++;
    return 0;
}

/* ---- A thread begins ---- */

static int begins_at(unsigned may, int here, int maker, unsigned rank)
{
    machine_is(may, here);
    heist_crowd_begin_(maker, rank);
    /* All that are online, also those that are not yet; or just those that it may use. */
    if (machine.moves && CPU_COUNT(&machine.may) == sysconf(_SC_NPROCESSORS_ONLN))
        assert_int_equal(CPU_COUNT(&machine.told), CPU_SETSIZE);
    else if (machine.moves)
        assert_true(CPU_EQUAL(&machine.told, &machine.may));
    return machine.here;
}

static void goes_where_no_other_rank_goes(void **state)
{
    (void)state;
    assert_int_equal(begins_at(0x0f, 1, 1, 0), 2);
    assert_int_equal(begins_at(0x0f, 1, 1, 1), 3);
    assert_int_equal(begins_at(0x0f, 1, 1, 2), 0);
    assert_int_equal(begins_at(0x0f, 1, 1, 3), 2);
    assert_int_equal(begins_at(0x29, 3, 3, 0), 5);
    assert_int_equal(begins_at(0x29, 3, 3, 1), 0);
    assert_int_equal(begins_at(0x05, 1, 1, 0), 2); /* a CPU that it may not use any more */
}

static void stays_where_it_is_alone(void **state)
{
    (void)state;
    assert_int_equal(begins_at(0x0f, 2, 1, 0), 2);
    assert_int_equal(begins_at(0x0f, 2, -1, 0), 2); /* not known */
    assert_int_equal(begins_at(0x02, 1, 1, 0), 1);  /* there is no other */
    assert_int_equal(machine.moves, 0);
}

static void may_use_all_cpus_afterwards(void **state)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    (void)state;
    if (online < 2 || online > 31)
        skip();
    assert_int_equal(begins_at((1u << online) - 1, 1, 1, 0), 2 % online);
    assert_int_equal(CPU_COUNT(&machine.told), CPU_SETSIZE);
}

static void stays_if_the_system_refuses(void **state)
{
    (void)state;
    machine_is(0x0f, 1);
    machine.refuses = true;
    heist_crowd_begin_(1, 0);
    assert_int_equal(machine.here, 1);
    assert_int_equal(CPU_COUNT(&machine.told), 0);
}

/* ---- A thread is woken ---- */

/* By a worker at `waker`, at `wakee`; where it is in the end. */
static int wakes_at(struct crowd *c, int waker, int wakee)
{
    machine.here = waker;
    heist_crowd_before_wake_(c);
    heist_crowd_after_wake_(c, true);
    machine.here = wakee;
    heist_crowd_woken_(c, 0);
    return machine.here;
}

static void leaves_its_waker(void **state)
{
    struct crowd c;
    (void)state;
    memset(&c, 0, sizeof c);
    machine_is(0x03, 0);
    assert_int_equal(wakes_at(&c, 0, 1), 1);
    assert_int_equal(wakes_at(&c, 1, 0), 0);
    assert_int_equal(machine.moves, 0);
    assert_int_equal(wakes_at(&c, 0, 0), 1);
    assert_int_equal(wakes_at(&c, 1, 1), 0);
    assert_int_equal(machine.moves, 2);
}

/* Nobody knows where those are who wake from outside, or whether they go on. */
static void knows_a_waker_once(void **state)
{
    struct crowd c;
    (void)state;
    memset(&c, 0, sizeof c);
    machine_is(0x03, 0);
    heist_crowd_woken_(&c, 0);
    wakes_at(&c, 0, 1);
    machine.here = 0;
    heist_crowd_woken_(&c, 0);
    heist_crowd_before_wake_(&c);
    heist_crowd_after_wake_(&c, false);
    heist_crowd_woken_(&c, 0);
    assert_int_equal(machine.moves, 0);
}

static void wakers_yield_for_a_while(void **state)
{
    struct crowd c;
    (void)state;
    memset(&c, 0, sizeof c);
    machine_is(0x03, 0);
    wakes_at(&c, 0, 1);
    assert_int_equal(machine.yields, 0);
    wakes_at(&c, 0, 0);
    for (int i = 0; i < 100; i++)
        wakes_at(&c, 0, 1);
    assert_in_range(machine.yields, 1, 50);
    machine.yields = 0;
    wakes_at(&c, 0, 1);
    assert_int_equal(machine.yields, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_where_no_other_rank_goes),
        cmocka_unit_test(stays_where_it_is_alone),
        cmocka_unit_test(may_use_all_cpus_afterwards),
        cmocka_unit_test(stays_if_the_system_refuses),
        cmocka_unit_test(leaves_its_waker),
        cmocka_unit_test(knows_a_waker_once),
        cmocka_unit_test(wakers_yield_for_a_while),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
