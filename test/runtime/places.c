/* SPDX-License-Identifier: MIT */
/* Where a thread that lends itself goes, among threads that are pinned. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>

#include "places.h"

enum { WORKERS = 2 };

static int here; /* the CPU of the thread */
static unsigned told;
static cpu_set_t first; /* that it was told */

int __wrap_sched_getcpu(void);
int __wrap_sched_getcpu(void) { return here; }

int __wrap_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set);
int __wrap_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set)
{
    (void)pid, (void)bytes;
    if (!told++)
        first = *set;
    return 0;
}

static int os_of(const struct places *p, unsigned rank)
{
    const heist_topology *t = heist_places_topology_(p);
    return (int)heist_topology_cpu(t, heist_places_cpu_(p, rank))->os;
}

static void lends_at(const struct places *p, int cpu)
{
    here = cpu;
    told = 0;
    heist_places_lend_(p, WORKERS - 1);
}

static void goes_to_the_cpu_that_is_left(void **state)
{
    struct places *p;
    (void)state;
    assert_int_equal(heist_places_new_(&p, HEIST_PIN_SPREAD, WORKERS), 0);
    int other = os_of(p, 0), own = os_of(p, 1);
    if (other == own) {
        heist_places_free_(p);
        skip(); /* a machine with one CPU */
    }
    lends_at(p, other);
    assert_int_equal(told, 2); /* there, and free again */
    assert_int_equal(CPU_COUNT(&first), 1);
    assert_true(CPU_ISSET(own, &first));
    lends_at(p, own);
    assert_int_equal(told, 0);
    heist_places_free_(p);
}

static void stays_if_nobody_is_pinned(void **state)
{
    struct places *p;
    (void)state;
    assert_int_equal(heist_places_new_(&p, HEIST_PIN_NONE, WORKERS), 0);
    for (int cpu = 0; cpu < 4; cpu++) {
        lends_at(p, cpu);
        assert_int_equal(told, 0);
    }
    heist_places_free_(p);
    lends_at(NULL, 0);
    assert_int_equal(told, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_to_the_cpu_that_is_left),
        cmocka_unit_test(stays_if_nobody_is_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
