/* SPDX-License-Identifier: MIT */
/* What only split does: modes, and signals among a program's other signals. */
#define _GNU_SOURCE
#include "unit.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fill(queue *q, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(Q(put)(q, item(i)));
}

/* Steals what is public now, without moving the owner. */
static size_t steal_public(queue *q)
{
    void *got[64];
    return Q(steal_many)(q, got, 64);
}

/* --- how much is exposed --- */

/* The same after a signal, which may take its time. */
static size_t steal_soon(queue *q)
{
    size_t n = steal_public(q);
    for (int i = 0; !n && i < 1000; i++) {
        sched_yield();
        n = steal_public(q);
    }
    return n;
}

static size_t exposed_of(unsigned mode, size_t own)
{
    switch (mode) {
    case HEIST_SPLIT_CONSERVATIVE:
        return own >= 2;
    case HEIST_SPLIT_HALF:
        return (own + 1) / 2;
    default:
        return own >= 1;
    }
}

static void test_modes_expose_what_they_say(void **state)
{
    (void)state;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++)
        for (size_t n = 1; n < 20; n++) {
            queue q;
            open_queue(&q, &o);
            fill(&q, n);
            while (steal_public(&q)) /* then it asks */
                ;
            /* By a flag the owner answers when it moves; by a signal it has done so already. */
            if (!signalled)
                Q(get)(&q);
            size_t own = Q(size)(&q);
            assert_int_equal(steal_soon(&q), exposed_of(o.mode, own));
            assert_int_equal(Q(size)(&q), own - exposed_of(o.mode, own));
            close_queue(&q);
        }
}

/* Asked when it has only the item that it then gets, the owner remembers; the next put answers. */
static void test_a_request_waits_for_the_next_put(void **state)
{
    (void)state;
    static const unsigned modes[] = {HEIST_SPLIT_USER, HEIST_SPLIT_HALF};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        queue q;
        void *got;
        open_queue(&q, &(heist_queue_opts){.mode = modes[m]});
        fill(&q, 1);
        assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
        assert_ptr_equal(Q(get)(&q), item(0));
        assert_null(Q(get)(&q));
        fill(&q, 1);
        assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_OK);
        assert_ptr_equal(got, item(0));
        close_queue(&q);
    }
}

/* After the older of two items the newer one is public, without a thief that waits. */
static void test_who_takes_the_last_has_the_next_exposed(void **state)
{
    (void)state;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++) {
        queue q;
        open_queue(&q, &o);
        fill(&q, 2);
        assert_true(Q(expose)(&q));
        assert_int_equal(steal_public(&q), 1);
        uint64_t before = heist_load(&q.exposures, __ATOMIC_RELAXED);
        fill(&q, 1);
        assert_int_equal(heist_load(&q.exposures, __ATOMIC_RELAXED) - before, 1);
        close_queue(&q);
    }
}

/* What was exposed comes back: the next item is public at once. After many times it is not. */
static void test_stays_open_while_there_are_thieves(void **state)
{
    (void)state;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++) {
        size_t n = o.mode == HEIST_SPLIT_CONSERVATIVE ? 2 : 1;
        queue q;
        unsigned open = 0;
        open_queue(&q, &o);
        fill(&q, n + 1);
        assert_true(Q(expose)(&q));
        assert_in_range(steal_public(&q), 1, n);
        for (uint64_t seen; open < 1000; open++) {
            while (Q(get)(&q))
                ;
            seen = heist_load(&q.exposures, __ATOMIC_RELAXED);
            fill(&q, n);
            if (heist_load(&q.exposures, __ATOMIC_RELAXED) == seen)
                break;
        }
        assert_in_range(open, 2, 500);
        close_queue(&q);
    }
}

/* A sample is false while a request waits: nothing is to be had. Then the answer is. */
static void test_sample_while_a_request_waits(void **state)
{
    (void)state;
    queue q;
    void *got;
    open_queue(&q, &(heist_queue_opts){.capacity = 4});
    fill(&q, 4);
    assert_true(Q(sample)(&q, 3));
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
    assert_false(Q(sample)(&q, 0));
    assert_non_null(Q(get)(&q));
    assert_true(Q(sample)(&q, 2));
    assert_false(Q(sample)(&q, 3));
    close_queue(&q);
}

/* Of so many items, all private, by every random number there is. */
static bool sample_is_exact(const queue *q, size_t capacity, size_t items)
{
    bool exact = true;
    for (size_t random = 0; random < capacity; random++)
        exact &= Q(sample)(q, random) == (random < items);
    return exact;
}

/* Mostly it goes by what the owner has last said of its private items: that is near enough
   wherever the owner has come from, and what is not sure is looked up. */
static void test_sample_is_exact_on_the_way(void **state)
{
    (void)state;
    static const size_t capacities[] = {1, 15, 16, 17, 100};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
        queue q;
        size_t n = capacities[i];
        open_queue(&q, &(heist_queue_opts){.capacity = n});
        for (size_t items = 0; items < n; items++) {
            assert_true(sample_is_exact(&q, n, items));
            fill(&q, 1);
        }
        for (size_t turn = n; turn-- > n / 2;) {
            for (size_t items = n; items > turn; items--) {
                assert_true(sample_is_exact(&q, n, items));
                assert_non_null(Q(get)(&q));
            }
            fill(&q, n - turn);
        }
        close_queue(&q);
    }
}

/* What is sure without a look at the owner's line is not looked up: here that line is wrong. */
static void test_sample_leaves_the_owner_alone(void **state)
{
    (void)state;
    queue q;
    open_queue(&q, &(heist_queue_opts){.capacity = 1000});
    fill(&q, 900);
    uintptr_t bottom = heist_load(&q.bottom, __ATOMIC_RELAXED);
    heist_store(&q.bottom, heist_load(&q.base, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    assert_true(Q(sample)(&q, 600));
    assert_false(Q(sample)(&q, 999)); /* this is too near: it was looked up */
    heist_store(&q.bottom, bottom, __ATOMIC_RELAXED);
    assert_int_equal(Q(size)(&q), 900);
    close_queue(&q);
}

static void count_call(void *calls) { heist_add((heist_au32 *)calls, 1, __ATOMIC_RELAXED); }

/* What became public by a request is counted, and told of. */
static void test_exposures_are_counted_and_told(void **state)
{
    (void)state;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++)
        for (size_t n = 1; n < 20; n++) {
            queue q;
            heist_au32 calls = {0};
            open_queue(&q, &o);
            Q(tell)(&q, count_call, &calls);
            fill(&q, n);
            assert_int_equal(steal_public(&q), 0);
            if (!signalled)
                Q(get)(&q);
            size_t wanted = exposed_of(o.mode, signalled ? n : n - 1);
            for (int i = 0; i < 1000 && heist_load(&calls, __ATOMIC_RELAXED) != (wanted > 0); i++)
                sched_yield();
            assert_int_equal(heist_load(&q.exposures, __ATOMIC_RELAXED), wanted);
            assert_int_equal(heist_load(&calls, __ATOMIC_RELAXED), wanted > 0);
            close_queue(&q);
        }
}

/* Without a request, and without a word. */
static void test_the_owner_exposes(void **state)
{
    (void)state;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++)
        for (size_t n = 0; n < 20; n++) {
            queue q;
            heist_au32 calls = {0};
            size_t wanted = exposed_of(o.mode, n);
            open_queue(&q, &o);
            Q(tell)(&q, count_call, &calls);
            fill(&q, n);
            assert_int_equal(Q(expose)(&q), wanted > 0);
            assert_int_equal(Q(expose)(&q), wanted > 0);
            assert_int_equal(heist_load(&q.exposures, __ATOMIC_RELAXED), wanted);
            assert_int_equal(heist_load(&calls, __ATOMIC_RELAXED), 0);
            if (wanted)
                assert_int_equal(steal_public(&q), wanted);
            for (size_t i = n; i-- > wanted;)
                assert_ptr_equal(Q(get)(&q), item(i));
            assert_null(Q(get)(&q));
            close_queue(&q);
        }
}

/* --- signals to an owner that is busy with something else --- */

struct thief {
    queue *q;
    size_t wanted;
    heist_au64 got; /* items */
    pthread_t thread;
};

static void *steal_some(void *argument)
{
    struct thief *t = argument;
    void *got;
    for (double end = now() + 20; now() < end && heist_load(&t->got, __ATOMIC_RELAXED) < t->wanted;)
        if (Q(steal)(t->q, &got) == HEIST_STEAL_OK)
            heist_add(&t->got, 1, __ATOMIC_RELEASE);
        else
            sched_yield();
    return NULL;
}

static void start_thief(struct thief *t, queue *q, size_t wanted)
{
    *t = (struct thief){.q = q, .wanted = wanted};
    assert_int_equal(pthread_create(&t->thread, NULL, steal_some, t), 0);
}

static size_t stolen(struct thief *t) { return (size_t)heist_load(&t->got, __ATOMIC_ACQUIRE); }

/*
 * Computes, and leaves the queue alone, until the thief has what it wants. valgrind runs one thread
 * at a time, and needs to be told when another may.
 */
static void compute(struct thief *t)
{
    double end = now() + 20;
    for (unsigned i = 1; now() < end && stolen(t) < t->wanted; i++)
        if (i % 1024)
            heist_pause();
        else
            sched_yield();
    pthread_join(t->thread, NULL);
    assert_int_equal(stolen(t), t->wanted);
}

static void test_exposes_during_a_long_computation(void **state)
{
    (void)state;
    static const heist_queue_opts opts[] = {{.mode = HEIST_SPLIT_SIGNAL},
                                            {.mode = HEIST_SPLIT_SIGNAL, .signal = SIGUSR1},
                                            {.mode = HEIST_SPLIT_HALF, .signal = SIGUSR2}};
    for (size_t i = 0; i < sizeof opts / sizeof *opts; i++) {
        queue q;
        struct thief thief;
        open_queue(&q, &opts[i]);
        fill(&q, 100);
        errno = 12345;
        start_thief(&thief, &q, 50);
        compute(&thief);
        assert_int_equal(errno, 12345);
        assert_int_equal(Q(size)(&q), 50);
        for (size_t n = 0; n < 50; n++)
            assert_ptr_equal(Q(get)(&q), item(99 - n));
        assert_null(Q(get)(&q));
        close_queue(&q);
    }
}

static void *write_late(void *pipe_end)
{
    usleep(200 * 1000);
    return write(*(int *)pipe_end, "x", 1) == 1 ? pipe_end : NULL;
}

/* The owner waits in a system call, which must not notice that thieves are served. */
static void test_system_calls_restart(void **state)
{
    (void)state;
    queue q;
    struct thief thief;
    pthread_t writer;
    int ends[2];
    char byte = 0;
    void *written;
    assert_int_equal(pipe(ends), 0);
    open_queue(&q, &(heist_queue_opts){.mode = HEIST_SPLIT_SIGNAL});
    fill(&q, 100);
    assert_int_equal(pthread_create(&writer, NULL, write_late, &ends[1]), 0);
    start_thief(&thief, &q, 50);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    compute(&thief);
    pthread_join(writer, &written);
    assert_non_null(written);
    close_queue(&q);
    close(ends[0]);
    close(ends[1]);
}

static void *adopt_and_compute(void *argument)
{
    queue *q = argument;
    struct thief thief;
    Q(adopt)(q);
    start_thief(&thief, q, 50);
    compute(&thief);
    return NULL;
}

/* The thread that filled it is not the owner any more: the signal goes to the one that is. */
static void test_another_owner(void **state)
{
    (void)state;
    queue q;
    pthread_t owner;
    open_queue(&q, &(heist_queue_opts){.mode = HEIST_SPLIT_SIGNAL});
    fill(&q, 100);
    assert_int_equal(pthread_create(&owner, NULL, adopt_and_compute, &q), 0);
    pthread_join(owner, NULL);
    assert_int_equal(Q(size)(&q), 50);
    close_queue(&q);
}

/* --- the program's own handlers --- */

static volatile sig_atomic_t plain_calls, info_calls, last_value;

static void plain(int number)
{
    (void)number;
    plain_calls++;
}

static void with_info(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    info_calls++;
    last_value = info->si_value.sival_int;
}

static void set_action(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    assert_int_equal(sigaction(number, &action, NULL), 0);
}

static void send_value(int number, int value)
{
    assert_int_equal(sigqueue(getpid(), number, (union sigval){.sival_int = value}), 0);
}

/* ThreadSanitizer delivers a signal only at the next system call that it knows. */
static void expect_calls(const volatile sig_atomic_t *calls, int expected)
{
    for (int i = 0; i < 1000 && *calls < expected; i++)
        usleep(1000);
    assert_int_equal(*calls, expected);
}

static void test_foreign_signals_go_to_the_program(void **state)
{
    (void)state;
    queue q, other;
    struct thief thief;
    plain_calls = info_calls = 0;
    set_action(SIGUSR1, plain);
    struct sigaction action = {.sa_sigaction = with_info, .sa_flags = SA_SIGINFO};
    assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);

    heist_queue_opts o = {.mode = HEIST_SPLIT_SIGNAL, .signal = SIGUSR2};
    assert_int_equal(Q(init)(&other, &o), 0);
    o.signal = SIGUSR1;
    open_queue(&q, &o);
    fill(&q, 50);
    for (int round = 1; round <= 2; round++) {
        start_thief(&thief, &q, 20);
        compute(&thief);
        raise(SIGUSR1);
        expect_calls(&plain_calls, 3 * round - 2); /* and none for the thief */
        kill(getpid(), SIGUSR1);
        expect_calls(&plain_calls, 3 * round - 1);
        send_value(SIGUSR1, 1); /* queued as ours are, but not ours */
        expect_calls(&plain_calls, 3 * round);
        send_value(SIGUSR2, 4711 + round);
        expect_calls(&info_calls, round);
        assert_int_equal(last_value, 4711 + round);
    }
    Q(fini)(&other);
    close_queue(&q);
    raise(SIGUSR1);
    expect_calls(&plain_calls, 7);
    set_action(SIGUSR1, SIG_DFL);
    set_action(SIGUSR2, SIG_DFL);
}

static bool is_action(int number, void (*handler)(int))
{
    struct sigaction action;
    assert_int_equal(sigaction(number, NULL, &action), 0);
    return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == handler;
}

static void test_the_former_action_comes_back(void **state)
{
    (void)state;
    static void (*const former[])(int) = {SIG_DFL, SIG_IGN, plain};
    for (size_t i = 0; i < sizeof former / sizeof *former; i++) {
        queue a, b;
        heist_queue_opts o = {.mode = HEIST_SPLIT_SIGNAL, .signal = SIGUSR1};
        set_action(SIGUSR1, former[i]);
        assert_int_equal(Q(init)(&a, &o), 0);
        assert_int_equal(Q(init)(&b, &o), 0);
        assert_false(is_action(SIGUSR1, former[i]));
        Q(fini)(&a);
        assert_false(is_action(SIGUSR1, former[i]));
        if (former[i] != SIG_DFL) {
            int calls = plain_calls;
            raise(SIGUSR1); /* still as if we were not there */
            expect_calls(&plain_calls, calls + (former[i] == plain));
        }
        Q(fini)(&b);
        assert_true(is_action(SIGUSR1, former[i]));
    }
    set_action(SIGUSR1, SIG_DFL);
}

/* A handler that the program installs over ours stays when we go. */
static void test_a_later_action_stays(void **state)
{
    (void)state;
    queue q;
    assert_int_equal(
        Q(init)(&q, &(heist_queue_opts){.mode = HEIST_SPLIT_SIGNAL, .signal = SIGUSR1}), 0);
    set_action(SIGUSR1, plain);
    Q(fini)(&q);
    assert_true(is_action(SIGUSR1, plain));
    set_action(SIGUSR1, SIG_DFL);
}

static void block(int number, int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    assert_int_equal(pthread_sigmask(how, &set, NULL), 0);
}

static void test_a_blocked_signal_only_delays(void **state)
{
    (void)state;
    queue q;
    open_queue(&q, &(heist_queue_opts){.mode = HEIST_SPLIT_SIGNAL, .signal = SIGUSR1});
    fill(&q, 10);
    block(SIGUSR1, SIG_BLOCK);
    while (steal_public(&q)) /* what the first put may have exposed; then it asks */
        ;
    assert_int_equal(steal_public(&q), 0);
    block(SIGUSR1, SIG_UNBLOCK);
    assert_int_equal(steal_soon(&q), 1);
    close_queue(&q);
}

/*
 * A signal of the same number that is already on its way swallows the next one, whoever sent it.
 * Two queues of one owner, and a signal of the program's before both: all three get what they came
 * for.
 */
static void test_requests_that_the_kernel_merges(void **state)
{
    (void)state;
    for (int foreign = 0; foreign < 2; foreign++) {
        queue q[2];
        plain_calls = 0;
        set_action(SIGUSR1, plain);
        for (int i = 0; i < 2; i++) {
            heist_queue_opts o = {.mode = HEIST_SPLIT_SIGNAL, .signal = SIGUSR1};
            assert_int_equal(Q(init)(&q[i], &o), 0);
            fill(&q[i], 10);
        }
        block(SIGUSR1, SIG_BLOCK);
        if (foreign)
            pthread_kill(pthread_self(), SIGUSR1);
        for (int i = 0; i < 2; i++)
            while (steal_public(&q[i])) /* then it asks */
                ;
        block(SIGUSR1, SIG_UNBLOCK);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(steal_soon(&q[i]), 1);
            Q(fini)(&q[i]);
        }
        expect_calls(&plain_calls, foreign);
        set_action(SIGUSR1, SIG_DFL);
    }
}

/*
 * A request on its way when the queue goes must not kill the program by the signal's default: also
 * not if the owner has answered it before it came.
 */
static void test_a_late_signal_does_no_harm(void **state)
{
    (void)state;
    static const int numbers[] = {SIGALRM, SIGVTALRM}; /* nobody else's */
    for (int answered = 0; answered < 2; answered++) {
        heist_queue_opts o = {.mode = HEIST_SPLIT_SIGNAL, .signal = numbers[answered]};
        queue q;
        open_queue(&q, &o);
        fill(&q, 10);
        block(numbers[answered], SIG_BLOCK);
        while (steal_public(&q)) /* then it asks */
            ;
        while (answered && Q(get)(&q))
            ;
        close_queue(&q);
        memset(&q, 0xee, sizeof q);
        block(numbers[answered], SIG_UNBLOCK);
        /* And all is well for the next one. */
        struct thief thief;
        open_queue(&q, &o);
        fill(&q, 10);
        start_thief(&thief, &q, 5);
        compute(&thief);
        close_queue(&q);
    }
}

static void test_signals_that_cannot_be(void **state)
{
    (void)state;
    const int wrong[] = {-1,     SIGKILL, SIGSTOP,      SIGSEGV, SIGBUS,    SIGFPE,
                         SIGILL, 32,      SIGRTMAX + 1, 1000,    INT32_MAX, INT32_MIN};
    queue q;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (unsigned mode = HEIST_SPLIT_SIGNAL; mode <= HEIST_SPLIT_HALF; mode++) {
            purse_open(&purse);
            heist_queue_opts o = {.mode = mode, .signal = wrong[i], .memory = &purse.hooks};
            assert_int_equal(Q(init)(&q, &o), -EINVAL);
            assert_int_equal(purse_held(&purse), 0);
        }
    const int right[] = {SIGURG, SIGUSR1, SIGRTMIN, SIGRTMAX - 1};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        open_queue(&q, &(heist_queue_opts){.mode = HEIST_SPLIT_SIGNAL, .signal = right[i]});
        close_queue(&q);
    }
}

/* --- growth, and room that thieves have made --- */

static void test_growth(void **state)
{
    (void)state;
    enum { N = 20000 };
    for (unsigned mode = HEIST_SPLIT_USER; mode <= HEIST_SPLIT_HALF; mode++) {
        queue q;
        open_queue(&q,
                   &(heist_queue_opts){.capacity = 3, .bound = HEIST_BOUND_GROWS, .mode = mode});
        for (int round = 0; round < 3; round++) {
            size_t stolen_now = 0;
            fill(&q, N);
            for (void *got; stolen_now < N / 3 && (got = steal_one_asking(&q)); stolen_now++)
                assert_ptr_equal(got, item(stolen_now));
            assert_int_equal(stolen_now, N / 3);
            for (size_t i = N; i-- > stolen_now;)
                assert_ptr_equal(Q(get)(&q), item(i));
            assert_null(Q(get)(&q));
        }
        close_queue(&q);
    }
}

/* A steady stream to thieves, never empty: the same slots serve for ever. */
static void test_room_that_thieves_made(void **state)
{
    (void)state;
    queue q;
    size_t next = 0;
    open_queue(&q, &(heist_queue_opts){.capacity = 16, .mode = HEIST_SPLIT_HALF});
    fill(&q, 8);
    for (size_t put = 8; put < 10000; put++) {
        assert_true(Q(put)(&q, item(put)));
        void *got = steal_one_asking(&q);
        assert_ptr_equal(got, item(next++));
    }
    assert_int_equal(Q(size)(&q), 8);
    close_queue(&q);
}

static void test_the_largest(void **state)
{
    (void)state;
    queue q;
    heist_queue_opts o = {.capacity = 1 << 24};
    assert_int_equal(Q(init)(&q, &o), -EINVAL);
    open_queue(&q, &(heist_queue_opts){.capacity = 1000, .bound = HEIST_BOUND_GROWS});
    size_t n = 0;
    while (n < (1 << 24) + 1 && Q(put)(&q, item(n)))
        n++;
    assert_int_equal(n, (1 << 24) - 1);
    bool in_order = true;
    while (n-- > 0)
        in_order &= Q(get)(&q) == item(n);
    assert_true(in_order);
    assert_null(Q(get)(&q));
    close_queue(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_expose_what_they_say),
        cmocka_unit_test(test_a_request_waits_for_the_next_put),
        cmocka_unit_test(test_who_takes_the_last_has_the_next_exposed),
        cmocka_unit_test(test_stays_open_while_there_are_thieves),
        cmocka_unit_test(test_sample_while_a_request_waits),
        cmocka_unit_test(test_sample_is_exact_on_the_way),
        cmocka_unit_test(test_sample_leaves_the_owner_alone),
        cmocka_unit_test(test_exposures_are_counted_and_told),
        cmocka_unit_test(test_the_owner_exposes),
        cmocka_unit_test(test_exposes_during_a_long_computation),
        cmocka_unit_test(test_system_calls_restart),
        cmocka_unit_test(test_another_owner),
        cmocka_unit_test(test_foreign_signals_go_to_the_program),
        cmocka_unit_test(test_the_former_action_comes_back),
        cmocka_unit_test(test_a_later_action_stays),
        cmocka_unit_test(test_a_blocked_signal_only_delays),
        cmocka_unit_test(test_requests_that_the_kernel_merges),
        cmocka_unit_test(test_a_late_signal_does_no_harm),
        cmocka_unit_test(test_signals_that_cannot_be),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_room_that_thieves_made),
        cmocka_unit_test(test_the_largest),
    };
    touch_stack();
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
