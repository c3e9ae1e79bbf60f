/* SPDX-License-Identifier: MIT */
/* check_choose, and compare-and-swap that may fail for no reason. */
#include "feature.h"

static heist_au64 x;
static int a, b;

static void tell(void) { outcome("%d%d", a, b); }

/* ---- Choices ---- */

static void pick_of_3(void) { a = (int)check_choose(3); }
static void pick_of_2(void) { b = (int)check_choose(2); }
static void pick_of_1(void) { a = (int)check_choose(1); }
static void write_x(void) { heist_store(&x, 1, __ATOMIC_RELAXED); }
static void read_x(void) { b = (int)heist_load(&x, __ATOMIC_RELAXED); }

static void pick_twice(void)
{
    pick_of_3();
    pick_of_2();
}

static void pick_and_read(void)
{
    pick_of_3();
    read_x();
}

static void read_and_pick(void)
{
    read_x();
    pick_of_3();
}

static void read_and_perhaps_pick(void)
{
    read_x();
    if (b)
        pick_of_3();
}

static void write_what_is_picked(void)
{
    pick_of_3();
    heist_store(&x, (uint64_t)a + 1, __ATOMIC_RELAXED);
}

/* ---- Compare-and-swap ---- */

static bool swap_weakly(uint64_t expected, uint64_t desired)
{
    return heist_cas_weak(&x, &expected, desired, __ATOMIC_RELAXED);
}

static void weak(void) { a = swap_weakly(0, 1); }
static void weak_late(void) { a = swap_weakly(1, 2); }

static void strong(void)
{
    uint64_t expected = 0;
    a = heist_cas(&x, &expected, 1, __ATOMIC_RELAXED);
}

static void strong_late(void)
{
    uint64_t expected = 1;
    a = heist_cas(&x, &expected, 2, __ATOMIC_RELAXED);
}

static void weak_twice(void)
{
    a = swap_weakly(0, 1);
    b = swap_weakly(0, 1);
}

/* `a`: how often it failed. It must end: hence the limit is never met. */
static void weak_until_done(void)
{
    while (!swap_weakly(0, 1))
        check_assert(++a < 2);
}

static void increment_weakly(void)
{
    uint64_t old = heist_load(&x, __ATOMIC_RELAXED);
    while (!heist_cas_weak(&x, &old, old + 1, __ATOMIC_RELAXED))
        ;
}

static void increment_strongly(void)
{
    uint64_t old = heist_load(&x, __ATOMIC_RELAXED);
    while (!heist_cas(&x, &old, old + 1, __ATOMIC_RELAXED))
        ;
}

static void tell_x(void) { outcome("%d", (int)x.v_); }

const struct feature choice_features[] = {
    {"choose", {nothing, {pick_of_3}, tell}, .executions = EVERY(3), .outcomes = "00 10 20"},
    {"choose of one", {nothing, {pick_of_1}, tell}, .executions = EVERY(1), .outcomes = "00"},
    {"choose twice", /* 3 times 2 */
     {nothing, {pick_twice}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 11 20 21"},
    {"choose in two threads", /* 3 times 2 */
     {nothing, {pick_of_3, pick_of_2}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 11 20 21"},
    /* 3 choices, and the read takes the initial value or the other thread's: 6, however the threads
       are numbered, and so whether the write comes before the read or revisits it. */
    {"choose, read",
     {nothing, {pick_and_read, write_x}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 11 20 21"},
    {"choose, read; write first",
     {nothing, {write_x, pick_and_read}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 11 20 21"},
    {"read, choose", /* the choice is taken away with the read that is revisited */
     {nothing, {read_and_pick, write_x}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 11 20 21"},
    {"read, choose; write first",
     {nothing, {write_x, read_and_pick}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 11 20 21"},
    {"choose what is written", /* 3 choices; the read takes what was written, or 0 */
     {nothing, {write_what_is_picked, read_x}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 12 20 23"},
    {"choose what is written; read first",
     {nothing, {read_x, write_what_is_picked}, tell},
     .executions = EVERY(6),
     .outcomes = "00 01 10 12 20 23"},
    {"choose if", /* it reads 0: 1; it reads 1: 3 */
     {nothing, {read_and_perhaps_pick, write_x}, tell},
     .executions = EVERY(4),
     .outcomes = "00 01 11 21"},
    {"choose if; write first",
     {nothing, {write_x, read_and_perhaps_pick}, tell},
     .executions = EVERY(4),
     .outcomes = "00 01 11 21"},

    /* It writes, and the read takes that or not: 2; it fails, and there is one value to read. */
    {"weak cas", {nothing, {weak, read_x}, tell}, .executions = EVERY(3), .outcomes = "00 10 11"},
    {"weak cas; read first",
     {nothing, {read_x, weak}, tell},
     .executions = EVERY(3),
     .outcomes = "00 10 11"},
    {"strong cas", {nothing, {strong, read_x}, tell}, .executions = EVERY(2), .outcomes = "10 11"},
    {"weak cas alone", {nothing, {weak}, tell}, .executions = EVERY(2), .outcomes = "00 10"},
    /* It reads 0 and fails; or it reads 1, and writes or fails. */
    {"weak cas revisited",
     {nothing, {weak_late, write_x}, tell},
     .executions = EVERY(3),
     .outcomes = "00 10"},
    {"weak cas behind a write",
     {nothing, {write_x, weak_late}, tell},
     .executions = EVERY(3),
     .outcomes = "00 10"},
    {"strong cas revisited",
     {nothing, {strong_late, write_x}, tell},
     .executions = EVERY(2),
     .outcomes = "00 10"},
    /* One of the two writes, the other fails, with a reason or without: never both without. */
    {"weak cas twice",
     {nothing, {weak_twice}, tell},
     .options = {.whole = true},
     .executions = EVERY(2),
     .outcomes = "01 10"},
    /* It fails once or never; the read takes 0 or 1. */
    {"weak cas until done",
     {nothing, {weak_until_done, read_x}, tell},
     .executions = EVERY(4),
     .outcomes = "00 01 10 11"},
    /* The first in coherence order reads 0 and 0, and fails once or not: 2. The second: if its load
       takes 1, the same 2; if it takes 0, its first swap reads 1 and fails, with or without one
       that reads 0 and fails for no reason before it, and then the same 2. 2 * (2 + 2 * 2) = 12,
       and either thread may be the first. */
    {"weak increments",
     {nothing, {increment_weakly, increment_weakly}, tell_x},
     .executions = EVERY(24),
     .outcomes = "2"},
    {"strong increments", /* in the same way: 1 * (1 + 1), either first */
     {nothing, {increment_strongly, increment_strongly}, tell_x},
     .executions = EVERY(4),
     .outcomes = "2"},
    {.name = NULL},
};
