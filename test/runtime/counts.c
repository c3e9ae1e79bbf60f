/* SPDX-License-Identifier: MIT */
/*
 * counts: the statistics of pools of every kind add up: forks exactly, if asked for; tasks, steals
 * and jobs, in runs that can only end when something was stolen; changes of blocks, in those that
 * have some.
 */
#include <heist/heist.h>

#include <errno.h>
#include <heist/queue.h>
#include <string.h>

#include "check.h"

enum { FIB = 20, JOBS = 100, STEALS = 10, BLOCK = 8, BLOCKS = 10 };

HEIST_TASK_1(long, fib, int, n)
{
    if (n < 2)
        return n;
    HEIST_FORK(fib, n - 1);
    long b = HEIST_CALL(fib, n - 2);
    return b + HEIST_JOIN(fib);
}

static uint64_t forks_of_fib(int n)
{
    return n < 2 ? 0 : 1 + forks_of_fib(n - 1) + forks_of_fib(n - 2);
}

static heist_stats stats_of(heist_pool *pool)
{
    heist_stats sum = {0};
    check(!heist_pool_stats(pool, &sum, NULL, 0));
    return sum;
}

static heist_pool *new_pool(const char *kind, unsigned stats)
{
    heist_pool *pool = NULL;
    const heist_pool_opts opts = {.size = sizeof opts, .workers = 2, .stats = stats, .queue = kind};
    check(!heist_pool_new(&pool, &opts));
    return pool;
}

static void test_forks(const char *kind)
{
    static const unsigned ways[] = {0, HEIST_STATS_CHEAP, HEIST_STATS_FORKS};
    for (unsigned i = 0; i < 3; i++) {
        heist_pool *pool = new_pool(kind, ways[i]);
        long result;
        check(!heist_run_fib(pool, &result, FIB) && !heist_run_fib(pool, &result, FIB));
        check(stats_of(pool).forks == (ways[i] == HEIST_STATS_FORKS ? 2 * forks_of_fib(FIB) : 0));
        check(!heist_pool_free(pool));
    }
}

static void flag(heist_worker *w, void *flag)
{
    heist_store((heist_aptr *)flag, w, __ATOMIC_RELEASE);
}

static void nothing(heist_worker *w, void *unused)
{
    (void)w;
    (void)unused;
}

/* It does not join before the fork has begun; so it is stolen. Some kinds hide it
   until the owner forks or joins again. */
static void must_be_stolen(heist_worker *w, void *unused)
{
    heist_aptr begun = {0};
    heist_task task, other;
    (void)unused;
    check(!heist_fork(w, &task, flag, &begun));
    while (!heist_load(&begun, __ATOMIC_ACQUIRE))
        check(!heist_fork(w, &other, nothing, NULL) && !heist_join_only(w, &other));
    check(heist_load(&begun, __ATOMIC_RELAXED) != w);
    check(!heist_join(w, &task));
}

static void test_steals(const char *kind)
{
    heist_pool *pool = new_pool(kind, 0);
    heist_stats each[8], sum;
    uint64_t steals = 0, tasks = 0;
    for (unsigned i = 0; i < STEALS; i++)
        check(!heist_run(pool, must_be_stolen, NULL));
    check(!heist_pool_stats(pool, &sum, each, 8));
    for (unsigned i = 0; i < 8; i++) {
        steals += each[i].steals;
        tasks += each[i].tasks;
    }
    check(sum.steals >= STEALS && steals == sum.steals);
    check(sum.tasks >= 2 * STEALS && tasks == sum.tasks);
    check(sum.tasks == STEALS + sum.steals || strcmp(kind, "heist")); /* some are of heist_run */
    check(sum.join_waits >= STEALS && sum.jobs == 0 && sum.forks == 0);
    check(!heist_pool_free(pool));
}

static void test_jobs(const char *kind)
{
    heist_pool *pool = new_pool(kind, 0);
    heist_group group;
    check(!heist_group_init(&group, pool));
    for (unsigned i = 0; i < JOBS; i++)
        check(!heist_group_submit(&group, nothing, NULL));
    check(!heist_group_wait(&group));
    heist_stats sum = stats_of(pool);
    check(sum.jobs == JOBS && sum.tasks == JOBS && sum.helps == 0);
    check(!heist_pool_free(pool));
}

/* More at once than a block holds, whatever thieves take. */
static void fork_many(heist_worker *w, void *unused)
{
    heist_task task[BLOCK * BLOCKS];
    (void)unused;
    for (int i = 0; i < BLOCK * BLOCKS; i++)
        check(!heist_fork(w, &task[i], nothing, NULL));
    for (int i = BLOCK * BLOCKS; i-- > 0;)
        check(!heist_join(w, &task[i]));
}

static uint64_t block_changes(const char *queue)
{
    heist_pool *pool = new_pool(queue, 0);
    check(!heist_run(pool, fork_many, NULL));
    uint64_t changes = stats_of(pool).block_changes;
    check(!heist_pool_free(pool));
    return changes;
}

static void test_blocks(void)
{
    check(block_changes("bwos_lifo:8") >= BLOCKS - 1);
    check(block_changes("bwos_fifo:8") >= BLOCKS - 1);
    check(block_changes("bwos_lifo") == 0); /* all fit into one */
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++)
        check(!strncmp(*kind, "bwos_", 5) || block_changes(*kind) == 0);
}

static void test_default_pool(void)
{
    heist_stats sum, each;
    uint64_t before = stats_of(NULL).tasks;
    check(!heist_run(NULL, nothing, NULL));
    check(stats_of(NULL).tasks == before + 1);
    check(heist_pool_stats(NULL, NULL, NULL, 0) == -EINVAL);
    check(heist_pool_stats(NULL, &sum, &each, 0) == -EINVAL);
}

int main(void)
{
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++) {
        unsigned failed = checks_failed;
        test_forks(*kind);
        test_steals(*kind);
        test_jobs(*kind);
        if (failed != checks_failed)
            printf("with queues of kind %s\n", *kind);
    }
    test_blocks();
    test_default_pool();
    return check_status();
}
