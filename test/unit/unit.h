/* SPDX-License-Identifier: MIT */
/* What all unit tests need: cmocka, one kind (-DKIND), items, memory that is counted. */
#ifndef HEIST_TEST_UNIT_H
#define HEIST_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>

#include "../kind.h"
#include "../memory.h"
#include "../random.h"

/* Items are numbers that look like pointers. */
static inline void *item(size_t i) { return (void *)(uintptr_t)((i + 1) * 16); }

static inline size_t number(const void *it) { return (size_t)((uintptr_t)it / 16 - 1); }

static struct purse purse; /* of the queue under test */

static bool signalled; /* it asks by a signal */

static inline void open_queue(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o = *opts;
    purse_open(&purse);
    o.memory = &purse.hooks;
    signalled = traits.modes && (o.mode == HEIST_SPLIT_SIGNAL || (o.mode && o.signal));
    assert_int_equal(Q(init)(q, &o), 0);
}

/* For main, where signals come: valgrind cannot make the stack larger when it delivers one. */
static __attribute__((noinline, unused)) void touch_stack(void)
{
    volatile char deep[128 * 1024];
    for (size_t i = sizeof deep; i > 0; i -= 1024)
        deep[i - 1] = 0;
}

static inline void close_queue(queue *q)
{
    Q(fini)(q);
    assert_int_equal(purse_held(&purse), 0);
}

/*
 * What a thief gets that asks: if there is nothing, the owner moves (it gets one and puts it back).
 * A signal is there at once, as a rule; under valgrind or ThreadSanitizer soon.
 */
static inline size_t steal_asking(queue *q, void **out, size_t max)
{
    size_t n = Q(steal_many)(q, out, max);
    if (!n && traits.asks) {
        void *moved = Q(get)(q);
        if (moved)
            assert_true(Q(put)(q, moved));
        n = Q(steal_many)(q, out, max);
    }
    for (int i = 0; !n && signalled && i < 30; i++) {
        sched_yield();
        n = Q(steal_many)(q, out, max);
    }
    assert_true(n <= max);
    return n;
}

/* One of them, by steal itself; NULL: nothing. */
static inline void *steal_one_asking(queue *q)
{
    void *got = NULL;
    enum heist_steal result = Q(steal)(q, &got);
    assert_int_not_equal(result, HEIST_STEAL_BUSY); /* there is nobody else */
    return result == HEIST_STEAL_OK || steal_asking(q, &got, 1) ? got : NULL;
}

#endif
