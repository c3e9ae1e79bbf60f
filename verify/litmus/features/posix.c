/* SPDX-License-Identifier: MIT */
/* What programs take from POSIX: thread-specific data and signals. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>

#include "feature.h"

static heist_au64 x, y;
static int a, data;

/* ---- Thread-specific data ---- */

static pthread_key_t key;
static int thing, other, ended;

static void at_end(void *value)
{
    check_assert(value == &thing);
    ended++;
    heist_store(&x, 1, __ATOMIC_RELAXED);
}

static void make_key(void) { check_assert(pthread_key_create(&key, at_end) == 0); }
static void set_specific(void) { pthread_setspecific(key, &thing); }

static void set_specific_twice(void)
{
    pthread_setspecific(key, &other);
    pthread_setspecific(key, &thing);
}

static void set_specific_and_none(void)
{
    pthread_setspecific(key, &other);
    pthread_setspecific(key, NULL);
}

static void read_x(void) { a = (int)heist_load(&x, __ATOMIC_RELAXED); }
static void tell_ended(void) { outcome("%d%d", ended, a); }

/* ---- Signals, to thread 0 ---- */

static int done; /* accesses of thread 0 */
static int handled, position;
static bool inside;

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    check_assert(info->si_value.sival_ptr == &thing);
    check_assert(!inside);
    inside = true;
    handled++;
    position = done;
    for (int i = 0; i < 2; i++) /* where another could come between */
        (void)heist_load(&y, __ATOMIC_RELAXED);
    inside = false;
}

static void handle_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    check_assert(sigaction(SIGUSR1, &action, NULL) == 0);
    position = -1;
}

static void send(void)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = SI_QUEUE;
    info.si_value.sival_ptr = &thing;
    uint32_t thread_0 = 1; /* as gettid gives it */
    check_assert(syscall(SYS_rt_tgsigqueueinfo, getpid(), thread_0, SIGUSR1, &info) == 0);
}

static void send_twice(void)
{
    send();
    send();
}

static void access_own(int n)
{
    check_assert(syscall(SYS_gettid) == 1);
    for (; done < n; done++)
        (void)heist_load(&y, __ATOMIC_RELAXED);
}

static void access_once(void) { access_own(1); }
static void access_twice(void) { access_own(2); }
static void access_5_times(void) { access_own(5); }

static void access_of_all_kinds(void)
{
    check_assert(syscall(SYS_gettid) == 1);
    heist_store(&y, 1, __ATOMIC_RELAXED);
    done++;
    heist_add(&y, 1, __ATOMIC_RELAXED);
    done++;
    heist_fence(__ATOMIC_SEQ_CST);
    done++;
    uint64_t expected = 0;
    heist_cas(&y, &expected, 1, __ATOMIC_RELAXED);
    done++;
}

static void tell_position(void) { outcome("%d", position); }
static void tell_handled(void) { outcome("%d", handled); }

static void on_signal_with_data(int number, siginfo_t *info, void *context)
{
    on_signal(number, info, context);
    check_assert(data == 1);
    heist_store(&x, 1, __ATOMIC_RELAXED);
}

static void handle_signals_with_data(void)
{
    struct sigaction action;
    handle_signals();
    check_assert(sigaction(SIGUSR1, NULL, &action) == 0);
    check_assert(action.sa_sigaction == on_signal);
    action.sa_sigaction = on_signal_with_data;
    check_assert(sigaction(SIGUSR1, &action, NULL) == 0);
}

static void send_data(void)
{
    data = 1;
    send();
}

static heist_au32 goes_on;

static void await_the_other(void) { heist_await(heist_load(&goes_on, __ATOMIC_RELAXED)); }

static void send_and_await_answer(void)
{
    send_data();
    heist_await(heist_load(&x, __ATOMIC_RELAXED));
    heist_store(&goes_on, 1, __ATOMIC_RELAXED);
}

const struct feature posix_features[] = {
    /* The destructor runs in its thread, before that ends: the other one reads 0 or 1. */
    {"destructor",
     {make_key, {set_specific, read_x}, tell_ended},
     .executions = EVERY(2),
     .outcomes = "10 11"},
    {"destructor of the last value",
     {make_key, {set_specific_twice, nothing}, tell_ended},
     .executions = EVERY(1),
     .outcomes = "10"},
    {"no value, no destructor",
     {make_key, {set_specific_and_none, read_x}, tell_ended},
     .executions = EVERY(1),
     .outcomes = "00"},

    /* Before each of n accesses, or not at all while the thread runs: -1. Nothing else is shared,
       so that there is one execution for each. */
    {"signal, 1 access",
     {handle_signals, {access_once, send}, tell_position},
     .executions = EVERY(2),
     .outcomes = "-1 0"},
    {"signal, 5 accesses",
     {handle_signals, {access_5_times, send}, tell_position},
     .executions = EVERY(6),
     .outcomes = "-1 0 1 2 3 4"},
    {"signal, any access", /* tso: behind two of them is the place of a fence */
     {handle_signals, {access_of_all_kinds, send}, tell_position},
     .executions = {5, 7, 5},
     .outcomes = "-1 0 1 2 3"},
    /* The word that says what is pending is looked at before both accesses (L1, L2), and taken by
       the handler (X1, X2); the sender writes it twice (W1, W2). No handler: 1. At L2: L2 takes W1
       and X W1 or W2, or both take W2: 3. At L1 in the same 3 ways; and if X1 took W1, L2 may take
       W2: 1 more. */
    {"two signals",
     {handle_signals, {access_twice, send_twice}, tell_handled},
     .executions = EVERY(8),
     .outcomes = "0 1 2"},
    {"signals of two threads",
     {handle_signals, {access_twice, send, send}, tell_handled},
     .executions = EVERY(16), /* either first */
     .outcomes = "0 1 2"},
    {"signal with data", /* what was written before it was sent is there */
     {handle_signals_with_data, {access_once, send_data}, tell_position},
     .executions = EVERY(2),
     .outcomes = "-1 0"},
    {"signal to one that waits", /* it goes on only by what the handler does */
     {handle_signals_with_data, {await_the_other, send_and_await_answer}, tell_handled},
     .executions = EVERY(1),
     .blocks = true,
     .outcomes = "1"},
    {.name = NULL},
};
