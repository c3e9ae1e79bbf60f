/* SPDX-License-Identifier: MIT */
/* groups: waited for from inside, from outside and by several; cancelled, they and whole pools. */
#define _GNU_SOURCE
#include "pools.h"

#include <errno.h>
#include <pthread.h>

enum { JOBS = 100, ROUNDS = 300, WAITERS = 4, SUBMITTERS = 3, STREAM = 20000 / SLOWER };

static heist_au32 counter;

/* ---- waiting ---- */

static void test_reuse(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    heist_group group;
    check(!heist_group_init(&group, pool));
    check(!heist_group_wait(&group)); /* nothing yet */
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    for (unsigned i = 1; i <= ROUNDS; i++) {
        for (unsigned j = 0; j < i % 7; j++)
            check(!heist_group_submit(&group, add_one, &counter));
        check(!(i % 2 ? heist_group_wait(&group) : heist_group_lend(&group)));
        if (!check(heist_exchange(&counter, 0, __ATOMIC_RELAXED) == i % 7))
            break;
    }
    check(heist_group_submit(&group, NULL, NULL) == -EINVAL);
    check(!heist_group_wait(&group));
    check(!heist_pool_free(pool));
}

struct tree {
    int depth;
    heist_group *outer;
};

/* Each waits for a group of its own, on its stack; and adds to the outer one. */
static void nest(heist_worker *w, void *arg)
{
    const struct tree *tree = arg;
    struct tree child = {tree->depth - 1, tree->outer};
    heist_group group;
    add_one(w, &counter);
    if (!tree->depth)
        return;
    check(!heist_group_init(&group, heist_worker_pool(w)));
    for (int i = 0; i < 3; i++)
        check(!heist_group_submit(&group, nest, &child));
    check(!heist_group_submit(tree->outer, add_one, &counter));
    check(!heist_group_wait(&group));
}

static void test_nested(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    heist_group group;
    struct tree root = {6, &group};
    check(!heist_group_init(&group, pool));
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    check(!heist_group_submit(&group, nest, &root));
    check(!heist_group_wait(&group));
    check(heist_load(&counter, __ATOMIC_RELAXED) == (2187 - 1) / 2 + (729 - 1) / 2);
    check(!heist_pool_free(pool));
}

static void *wait_for_it(void *group)
{
    check(!heist_group_wait(group));
    check(heist_load(&counter, __ATOMIC_ACQUIRE) == JOBS + 1);
    return NULL;
}

static void wait_inside(heist_worker *w, void *group)
{
    (void)w;
    wait_for_it(group);
}

/* From outside and on workers, at once, for jobs that can't end before all wait. */
static void test_several_waiters(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL), *other = pool_of(2, NULL);
    pthread_t thread[WAITERS];
    heist_group group;
    check(!heist_group_init(&group, pool));
    for (int round = 0; round < 20; round++) {
        struct gate gate = {0};
        heist_job inside;
        heist_store(&counter, 0, __ATOMIC_RELAXED);
        check(!heist_group_submit(&group, stand_at, &gate));
        check(until(&gate.entered, 1));
        for (int i = 0; i < JOBS + 1; i++)
            check(!heist_group_submit(&group, add_one, &counter));
        for (int i = 0; i < WAITERS; i++)
            check(!pthread_create(&thread[i], NULL, wait_for_it, &group));
        check(!heist_submit(other, &inside, wait_inside, &group));
        if (round % 2)
            nap(2e-3); /* all of them asleep */
        heist_store(&gate.open, 1, __ATOMIC_RELEASE);
        for (int i = 0; i < WAITERS; i++)
            pthread_join(thread[i], NULL);
        check(!heist_wait(&inside));
    }
    check(!heist_pool_free(other));
    check(!heist_pool_free(pool));
}

/* Others submit while somebody waits: the group ends many times, and
   nobody may miss the last end. */
struct stream {
    heist_group group;
    heist_au32 submitting;
};

static void *submit_stream(void *arg)
{
    struct stream *s = arg;
    for (int i = 0; i < STREAM; i++)
        check(!heist_group_submit(&s->group, add_one, &counter));
    heist_add(&s->submitting, -1u, __ATOMIC_RELEASE);
    return NULL;
}

static void test_stream(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    struct stream s = {.submitting = {SUBMITTERS}};
    pthread_t thread[SUBMITTERS];
    bool last;
    check(!heist_group_init(&s.group, pool));
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < SUBMITTERS; i++)
        check(!pthread_create(&thread[i], NULL, submit_stream, &s));
    do {
        last = !heist_load(&s.submitting, __ATOMIC_ACQUIRE);
        check(!heist_group_wait(&s.group));
    } while (!last);
    check(heist_load(&counter, __ATOMIC_RELAXED) == SUBMITTERS * STREAM);
    for (int i = 0; i < SUBMITTERS; i++)
        pthread_join(thread[i], NULL);
    check(!heist_pool_free(pool));
}

/* ---- cancelling ---- */

struct watcher {
    heist_au32 running, saw;
};

static void watch(heist_worker *w, void *arg)
{
    struct watcher *watcher = arg;
    double end = seconds() + PATIENCE;
    heist_add(&watcher->running, 1, __ATOMIC_RELEASE);
    while (!heist_is_cancelled(w) && seconds() < end)
        nap(50e-6);
    heist_add(&watcher->saw, heist_is_cancelled(w), __ATOMIC_RELEASE);
}

/* Two forks, of which one at least is stolen: both must learn of it,
   and what heist_run runs in them. */
static void watch_again(heist_worker *w, void *arg)
{
    check(!heist_run(heist_worker_pool(w), watch, arg));
}

static void watch_in_forks(heist_worker *w, void *arg)
{
    heist_task task;
    check(!heist_fork(w, &task, watch, arg));
    watch_again(w, arg);
    check(!heist_join(w, &task));
}

static void not_cancelled(heist_worker *w, void *arg)
{
    if (!heist_is_cancelled(w))
        add_one(w, arg);
}

static void test_cancel_group(const char *queue)
{
    heist_pool *pool = pool_of(2, queue);
    heist_group group, other;
    struct watcher watcher = {0};
    heist_job queued;
    const heist_job_opts opts = {.size = sizeof opts, .group = &group};
    check(!heist_group_init(&group, pool));
    check(!heist_group_init(&other, pool));
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    check(!heist_group_submit(&group, watch_in_forks, &watcher));
    check(until(&watcher.running, 2)); /* both workers: the fork was stolen */
    for (int i = 0; i < JOBS; i++)
        check(!heist_group_submit(&group, add_one, &counter));
    check(!heist_submit_with(pool, &queued, add_one, &counter, &opts));
    check(!heist_group_submit(&other, not_cancelled, &counter));
    heist_group_cancel(&group);
    check(heist_group_submit(&group, add_one, &counter) == -ECANCELED);
    check(heist_wait(&queued) == -ECANCELED);
    check(heist_group_wait(&group) == -ECANCELED);
    check(!heist_group_wait(&other));
    check(heist_load(&watcher.saw, __ATOMIC_RELAXED) == 2);
    check(heist_load(&counter, __ATOMIC_RELAXED) == 1); /* the other group's */
    check(!heist_group_submit(&group, not_cancelled, &counter));
    check(!heist_group_wait(&group));
    check(heist_load(&counter, __ATOMIC_RELAXED) == 2);
    check(!heist_pool_free(pool));
}

static void test_cancel_pool(const char *queue)
{
    heist_pool *pool = pool_of(2, queue);
    struct watcher watcher = {0};
    heist_job running, queued;
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    check(!heist_submit(pool, &running, watch_in_forks, &watcher));
    check(until(&watcher.running, 2));
    check(!heist_submit(pool, &queued, add_one, &counter));
    for (int i = 0; i < JOBS; i++)
        check(!heist_submit(pool, NULL, add_one, &counter));
    check(!heist_pool_cancel(pool));
    check(heist_submit(pool, NULL, add_one, &counter) == -ECANCELED);
    check(heist_wait(&queued) == -ECANCELED);
    check(heist_wait(&running) == 0);
    check(!heist_pool_free(pool));
    check(heist_load(&watcher.saw, __ATOMIC_RELAXED) == 2);
    check(!heist_load(&counter, __ATOMIC_RELAXED));
}

int main(void)
{
    /* Kinds that hide nothing from thieves while the owner is in a long task. */
    static const char *const queues[] = {"heist", "chaselev", "locked", "global"};
    for (unsigned workers = 1; workers <= 4; workers *= 2) {
        test_reuse(workers);
        test_nested(workers);
        test_several_waiters(workers);
        test_stream(workers);
    }
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
        test_cancel_group(queues[i]);
        test_cancel_pool(queues[i]);
    }
    return check_status();
}
