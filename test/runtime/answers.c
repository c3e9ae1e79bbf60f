/* SPDX-License-Identifier: MIT */
/*
 * answers: an owner with a `split` queue is asked for work, by a thief that goes to sleep before
 * the answer comes. The answer, in a join or in the signal's handler, must wake it. Nothing here
 * depends on time, but on the end of patience. It is tried again with a thief that was given more
 * than the first task before it slept, since the owner was slow to fork; or none, since it was
 * itself so slow to come that all was forked before it asked, and the owner holds signals back.
 * With signals it asks at first without one: a join answers it where they are held back.
 */
#define _GNU_SOURCE
#include "pools.h"

#include <pthread.h>
#include <signal.h>

enum {
    TASKS = 4,
    TRIES = 1000,
    NAPS = 400,   /* for the first task to be taken */
    CLOSES = 1000 /* pairs of forks that nobody steals */
};

struct run {
    heist_worker *owner;
    heist_au32 elsewhere, is_held, is_released;
    uint64_t parks;  /* before the first of them */
    uint32_t wanted; /* how many must run elsewhere while the owner is busy */
    bool is_ready;   /* the thief sleeps, and has had one task */
};

static heist_stats stats_of(heist_pool *pool)
{
    heist_stats sum;
    check(!heist_pool_stats(pool, &sum, NULL, 0));
    return sum;
}

static void task(heist_worker *w, void *arg)
{
    struct run *r = arg;
    if (w == r->owner)
        return;
    if (!heist_load(&r->elsewhere, __ATOMIC_RELAXED))
        r->parks = stats_of(heist_worker_pool(w)).parks;
    heist_add(&r->elsewhere, 1, __ATOMIC_RELEASE);
}

/* What the owner joins first, and so runs itself: it ends when the thief is awake. */
static void wait_for_thief(heist_worker *w, void *arg)
{
    struct run *r = arg;
    (void)w;
    check(!r->is_ready || until(&r->elsewhere, r->wanted));
}

/* The thief takes the first fork, which is made public for it; finds the others private, asks, and
   sleeps. */
static void fork_all(heist_worker *w, heist_task *forked, struct run *r)
{
    heist_pool *pool = heist_worker_pool(w);
    r->owner = w;
    for (int i = 0; i < TASKS; i++)
        check(!heist_fork(w, &forked[i], i == TASKS - 1 ? wait_for_thief : task, r));
    double end = seconds() + PATIENCE;
    uint32_t taken, naps = 0;
    do {
        nap(50e-6);
        taken = heist_load(&r->elsewhere, __ATOMIC_ACQUIRE);
    } while (!taken ? ++naps < NAPS
                    : taken == 1 && stats_of(pool).parks == r->parks && seconds() < end);
    check(taken != 1 || stats_of(pool).parks > r->parks);
    r->is_ready = taken == 1;
}

static void join_all(heist_worker *w, heist_task *forked)
{
    for (int i = TASKS; i-- > 0;)
        check(!heist_join(w, &forked[i]));
}

static void answer_in_join(heist_worker *w, void *arg)
{
    heist_task forked[TASKS];
    fork_all(w, forked, arg);
    join_all(w, forked);
}

static void mask_urgent(int how)
{
    sigset_t urgent;
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    pthread_sigmask(how, &urgent, NULL);
}

static void answer_in_handler(heist_worker *w, void *arg)
{
    struct run *r = arg;
    heist_task forked[TASKS];
    mask_urgent(SIG_BLOCK);
    fork_all(w, forked, r);
    mask_urgent(SIG_UNBLOCK);
    check(!r->is_ready || until(&r->elsewhere, r->wanted));
    join_all(w, forked);
}

static void hold(heist_worker *w, void *arg)
{
    struct run *r = arg;
    (void)w;
    heist_store(&r->is_held, 1, __ATOMIC_RELEASE);
    check(until(&r->is_released, 1));
}

static void nothing(heist_worker *w, void *arg)
{
    (void)w;
    (void)arg;
}

/* The thief is held until its request for what comes next is long forgotten, and all is private. */
static void answer_a_latecomer(heist_worker *w, void *arg)
{
    struct run *r = arg;
    heist_pool *pool = heist_worker_pool(w);
    heist_task held, passing[2], forked[TASKS];
    mask_urgent(SIG_BLOCK);
    r->owner = w;
    check(!heist_fork(w, &held, hold, r));
    for (int i = 0; i < CLOSES; i++) {
        for (int k = 0; k < 2; k++) /* conservative gives one of two */
            check(!heist_fork(w, &passing[k], nothing, NULL));
        check(until(&r->is_held, 1));
        for (int k = 2; k-- > 0;)
            check(!heist_join(w, &passing[k]));
    }
    uint64_t exposures = stats_of(pool).exposures;
    for (int i = 0; i < TASKS; i++)
        check(!heist_fork(w, &forked[i], i == TASKS - 1 ? wait_for_thief : task, r));
    check(stats_of(pool).exposures == exposures);
    uint64_t parks = stats_of(pool).parks;
    heist_store(&r->is_released, 1, __ATOMIC_RELEASE);
    double end = seconds() + PATIENCE;
    while (stats_of(pool).parks == parks && seconds() < end)
        nap(50e-6);
    check(stats_of(pool).parks > parks);
    r->is_ready = true;
    join_all(w, forked);
    check(!heist_join(w, &held));
    mask_urgent(SIG_UNBLOCK);
}

static void test(const char *queue, const char *what, heist_fn *fn, uint32_t wanted)
{
    heist_pool *pool = pool_of(2, queue);
    struct run r;
    unsigned failed = checks_failed, tries = 0;
    do {
        nap(20e-3); /* mostly asleep, then; if not, it has the first fork sooner */
        r = (struct run){.wanted = wanted};
        check(!heist_run(pool, fn, &r));
    } while (!r.is_ready && failed == checks_failed && ++tries < TRIES);
    check(r.is_ready);
    heist_stats sum = stats_of(pool);
    check(sum.steals >= wanted && sum.exposures >= sum.steals);
    printf("%s, %s: %s\n", queue, what, failed == checks_failed ? "ok" : "FAILED");
    check(!heist_pool_free(pool));
}

int main(void)
{
    test("split:user", "in a join", answer_in_join, 2);
    test("split:signal", "in the handler", answer_in_handler, TASKS - 1);
    test("split:half", "in the handler", answer_in_handler, TASKS - 1);
    test("split:conservative", "in the handler", answer_in_handler, TASKS - 1);
    test("split:user", "a latecomer", answer_a_latecomer, 1);
    test("split:signal", "a latecomer", answer_a_latecomer, 1);
    test("split:half", "a latecomer", answer_a_latecomer, TASKS / 2);
    test("split:conservative", "a latecomer", answer_a_latecomer, 1);
    return check_status();
}
