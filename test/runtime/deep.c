/* SPDX-License-Identifier: MIT */
/*
 * deep: recursion to a depth of a million, with large and small stacks: the right result or
 * -ENOMEM, and the pool still works. Joins that help, on a bounded stack. Locks held across
 * join_only; and across join, where a task must come to want a lock that its own thread holds, else
 * the test proves nothing.
 */
#define _GNU_SOURCE
#include "pools.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    /* ThreadSanitizer keeps a stack of its own, of 64 Ki calls. */
    MILLION = SLOWER > 1 ? 5000 : 1000000,
    SMALL_STACK = 64 << 10,
    LOCKS = 4,
    CHILD_SECONDS = 60,
    TRIES = 20,
    OWN_LOCK = 42,
    WIDE = 64 << 10 /* bytes of the stack */
};

/* ---- chains ---- */

/* Forks the chain and joins it at once. */
HEIST_TASK_1(int, forked_chain, int, depth)
{
    if (!depth)
        return 0;
    HEIST_FORK(forked_chain, depth - 1);
    return 1 + HEIST_JOIN(forked_chain);
}

HEIST_TASK_1(int, leaf, int, n)
{
    (void)heist_head_;
    return HEIST_WORKER() ? n : 0;
}

/* A fork at each depth, all there at once. */
HEIST_TASK_1(int, called_chain, int, depth)
{
    if (!depth)
        return 0;
    HEIST_FORK(leaf, 1);
    int below = HEIST_CALL(called_chain, depth - 1);
    return below + HEIST_JOIN(leaf);
}

/* Of which a few fill what is kept of a stack. */
HEIST_TASK_1(int, wide_chain, int, depth)
{
    volatile char local[WIDE];
    local[depth % WIDE] = 1;
    if (!depth)
        return 0;
    HEIST_FORK(wide_chain, depth % 2 ? depth - 1 : 0);
    int below = HEIST_CALL(wide_chain, depth % 2 ? 0 : depth - 1);
    return below + HEIST_JOIN(wide_chain) + local[depth % WIDE];
}

/* Two of which only one forks. */
HEIST_TASK_DECLARE_1(int, forking, int, depth)
HEIST_TASK_1(int, calling, int, depth) { return depth ? HEIST_CALL(forking, depth - 1) + 1 : 0; }
HEIST_TASK_DEFINE_1(int, forking, int, depth)
{
    if (!depth)
        return 0;
    HEIST_FORK(leaf, 1);
    int below = HEIST_CALL(calling, depth - 1);
    return below + HEIST_JOIN(leaf);
}

struct link {
    int depth, result;
};

static void plain_chain(heist_worker *w, void *arg)
{
    struct link *link = arg, next = {link->depth - 1, 0};
    heist_task task;
    if (link->depth) {
        heist_fork(w, &task, plain_chain, &next);
        heist_join(w, &task);
        link->result = next.result + 1;
    }
}

static bool right_or_refused(const char *what, int error, int result, int depth)
{
    bool ok = error ? error == -ENOMEM : result == depth;
    if (!ok)
        printf("%s to %d: error %d, result %d\n", what, depth, error, result);
    return ok;
}

static void go_deep(heist_pool *pool, int depth)
{
    int result = 0;
    struct link link = {depth, 0};
    int error = heist_run_forked_chain(pool, &result, depth);
    check(right_or_refused("forked and joined", error, result, depth));
    error = heist_run_called_chain(pool, &result, depth);
    check(right_or_refused("called", error, result, depth));
    error = heist_run_calling(pool, &result, depth);
    check(right_or_refused("called in turn", error, result, depth));
    error = heist_run(pool, plain_chain, &link);
    check(right_or_refused("plain", error, link.result, depth));
    check(!heist_run_called_chain(pool, &result, 20) && result == 20);
}

static void job_goes_deep(heist_worker *w, void *arg)
{
    (void)arg;
    struct link link = {MILLION, 0};
    plain_chain(w, &link);
    check(link.result == MILLION);
}

static void test_chains(void)
{
    for (unsigned workers = 1; workers <= 4; workers *= 2) {
        heist_pool *pool = pool_of(workers, NULL);
        heist_job job;
        for (int depth = 1000; depth <= MILLION; depth *= 10)
            go_deep(pool, depth);
        check(!heist_submit(pool, &job, job_goes_deep, NULL)); /* on a pool's thread */
        int error = heist_wait(&job);
        check(!error || error == -ENOMEM);
        go_deep(pool, 1000);
        check(!heist_pool_free(pool));
    }
}

static void test_wide_chain(void)
{
    heist_pool *pool = pool_of(1, NULL);
    int result = 0;
    for (int depth = 10; depth <= MILLION; depth *= 10) {
        int error = heist_run_wide_chain(pool, &result, depth);
        check(right_or_refused("wide", error, result, depth));
    }
    check(!heist_run_wide_chain(pool, &result, 20) && result == 20);
    check(!heist_pool_free(pool));
}

/* ---- small stacks ---- */

static void *go_deep_here(void *pool)
{
    heist_job job;
    heist_au32 sum = {0};
    go_deep(pool, MILLION);
    check(!heist_submit(pool, &job, add_one, &sum));
    check(!heist_lend(&job));
    check(heist_load(&sum, __ATOMIC_RELAXED) == 1);
    return NULL;
}

static void test_small_thread(void)
{
    for (unsigned workers = 1; workers <= 4; workers *= 4) {
        heist_pool *pool = pool_of(workers, NULL);
        pthread_attr_t attr;
        pthread_t thread;
        pthread_attr_init(&attr);
        check(!pthread_attr_setstacksize(&attr, SLOWER * SMALL_STACK));
        check(!pthread_create(&thread, &attr, go_deep_here, pool));
        pthread_join(thread, NULL);
        pthread_attr_destroy(&attr);
        check(!heist_pool_free(pool));
    }
}

/* ---- stolen back and forth ---- */

/* Unbalanced, so that all steal from all, and deep. */
HEIST_TASK_2(uint32_t, comb, int, depth, int, width)
{
    if (!depth)
        return 1;
    uint32_t sum = 1;
    for (int i = 0; i < width; i++)
        HEIST_FORK(comb, i ? depth / 4 : depth - 1, i ? 2 : width);
    for (int i = 0; i < width; i++)
        sum += HEIST_JOIN(comb);
    return sum;
}

static void test_back_and_forth(void)
{
    for (unsigned workers = 2; workers <= 8; workers *= 2) {
        heist_pool *pool = pool_of(workers, NULL), *alone = pool_of(1, NULL);
        uint32_t wanted = 0, sum = 0;
        check(!heist_run_comb(alone, &wanted, 40, 3));
        for (int i = 0; i < 10; i++) {
            int deep = 0;
            check(!heist_run_comb(pool, &sum, 40, 3) && sum == wanted);
            int error = heist_run_called_chain(pool, &deep, MILLION);
            check(right_or_refused("called", error, deep, MILLION));
        }
        check(!heist_pool_free(alone));
        check(!heist_pool_free(pool));
    }
}

/* ---- locks ---- */

static pthread_mutex_t locks[LOCKS];
static int (*join)(heist_worker *, heist_task *);

static void work(heist_worker *w, void *arg)
{
    volatile unsigned *steps = arg;
    (void)w;
    for (unsigned i = 0; i < 20000; i++)
        (*steps)++;
}

/* Each takes one of a few locks and holds it while it joins. */
static void locked_task(heist_worker *w, void *lock)
{
    heist_task task;
    unsigned steps = 0;
    if (pthread_mutex_lock(lock) == EDEADLK) /* they check for it */
        _exit(OWN_LOCK);
    check(!heist_fork(w, &task, work, &steps));
    sched_yield();
    check(!join(w, &task));
    check(steps == 20000);
    pthread_mutex_unlock(lock);
}

static void many_locked(heist_worker *w, void *arg)
{
    enum { TASKS = 2000 / SLOWER };
    static heist_task task[TASKS];
    (void)arg;
    for (int i = 0; i < TASKS; i++)
        check(!heist_fork(w, &task[i], locked_task, &locks[i % LOCKS]));
    for (int i = TASKS; i-- > 0;)
        check(!heist_join(w, &task[i]));
}

static void use_locks(unsigned workers)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&locks[i], &attr);
    heist_pool *pool = pool_of(workers, NULL);
    for (int i = 0; i < 5; i++)
        check(!heist_run(pool, many_locked, NULL));
    check(!heist_pool_free(pool));
}

static void test_locks(void)
{
    join = heist_join_only;
    for (unsigned workers = 2; workers <= 8; workers *= 2)
        use_locks(workers);
}

/* ---- in processes of their own ---- */

static int as_child(int (*fn)(void), unsigned limit)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(limit);
        checks_failed = 0;
        _exit(fn());
    }
    check(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

/* A program with `ulimit -s 256`: the main thread's stack, and those of the threads it makes. */
static int with_small_limit(void)
{
    const struct rlimit limit = {256 << 10, 256 << 10};
    check(!setrlimit(RLIMIT_STACK, &limit));
    test_chains();
    return check_status();
}

/* Some deadlock with others: those are ended by the alarm, and tell nothing. */
static int with_wrong_join(void)
{
    join = heist_join;
    for (;;)
        use_locks(4);
    return 0;
}

static void test_wrong_join(void)
{
    int status = 0;
    for (int i = 0; i < TRIES && !(WIFEXITED(status) && WEXITSTATUS(status) == OWN_LOCK); i++)
        status = as_child(with_wrong_join, 2);
    check(WIFEXITED(status) && WEXITSTATUS(status) == OWN_LOCK);
}

int main(void)
{
    if (SLOWER == 1) /* ThreadSanitizer reports it before it happens */
        test_wrong_join();
    if (SLOWER == 1) /* ThreadSanitizer needs more itself */
        check(as_child(with_small_limit, CHILD_SECONDS) == 0);
    test_chains();
    test_wide_chain();
    test_small_thread();
    test_back_and_forth();
    test_locks();
    return check_status();
}
