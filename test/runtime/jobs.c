/* SPDX-License-Identifier: MIT */
/* jobs: submitted from everywhere, in order, by priority; run by
   lenders, deputies and several pools. */
#define _GNU_SOURCE
#include "pools.h"
#include "work.h"

#include <errno.h>
#include <pthread.h>

enum { THREADS = 8, EACH = 500, MANY_RUNS = 100, ORDERED = 200, POOLS = 10000 / SLOWER };

static void run_threads(unsigned number, void *(*fn)(void *), void *arg)
{
    pthread_t thread[MANY_RUNS];
    for (unsigned i = 0; i < number; i++)
        if (pthread_create(&thread[i], NULL, fn, arg))
            abort();
    for (unsigned i = 0; i < number; i++)
        pthread_join(thread[i], NULL);
}

/* ---- from several threads ---- */

static heist_pool *common;
static heist_au32 counter;

static void *submit_in_all_ways(void *unused)
{
    static const heist_job_opts high = {.size = sizeof high, .priority = HEIST_HIGH};
    heist_call calls[7];
    heist_job job[2];
    for (int i = 0; i < 7; i++)
        calls[i] = (heist_call){add_one, &counter};
    for (int i = 0; i < EACH; i++) {
        check(!heist_submit(common, &job[0], add_one, &counter));
        check(!heist_submit_with(common, &job[1], add_one, &counter, &high));
        check(!heist_submit(common, NULL, add_one, &counter));
        check(!heist_submit_many(common, calls, 7, i % 2 ? &high : NULL));
        check(!heist_wait(&job[0]));
        check(!(i % 3 ? heist_wait(&job[1]) : heist_lend(&job[1])));
    }
    return unused;
}

static void test_threads(unsigned workers)
{
    common = pool_of(workers, NULL);
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    run_threads(THREADS, submit_in_all_ways, NULL);
    check(!heist_pool_free(common)); /* waits for those that nobody has waited for */
    check(heist_load(&counter, __ATOMIC_RELAXED) == THREADS * EACH * 10);
}

static void test_bad(void)
{
    heist_pool *pool = pool_of(1, NULL);
    heist_job job;
    const heist_call calls[] = {{add_one, &counter}, {NULL, NULL}};
    const heist_job_opts small = {.size = 1},
                         odd = {.size = sizeof odd, .priority = (enum heist_priority)7};
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    check(heist_submit(pool, &job, NULL, NULL) == -EINVAL);
    check(heist_submit(pool, NULL, NULL, NULL) == -EINVAL);
    check(heist_submit_many(pool, calls, 2, NULL) == -EINVAL);
    check(heist_submit_with(pool, &job, add_one, &counter, &small) == -EINVAL);
    check(heist_submit_with(pool, &job, add_one, &counter, &odd) == -EINVAL);
    check(heist_submit_many(pool, calls, 0, NULL) == 0);
    check(!heist_pool_free(pool));
    check(!heist_load(&counter, __ATOMIC_RELAXED));
}

/* ---- order ---- */

struct place {
    unsigned place;
};
static heist_au32 begun;

static void note_place(heist_worker *w, void *arg)
{
    (void)w;
    ((struct place *)arg)->place = heist_add(&begun, 1, __ATOMIC_RELAXED);
}

static bool in_order(const struct place *places, unsigned first)
{
    for (unsigned i = 0; i < ORDERED; i++)
        if (places[i].place != first + i) {
            printf("number %u came as number %u\n", i, places[i].place - first);
            return false;
        }
    return true;
}

/* The one worker is held; what is submitted meanwhile begins in order, the urgent ones first. */
static void test_order_from_outside(void)
{
    static struct place normal[ORDERED], high[ORDERED];
    static const heist_job_opts urgent = {.size = sizeof urgent, .priority = HEIST_HIGH};
    heist_pool *pool = pool_of(1, NULL);
    struct gate gate = {0};
    heist_store(&begun, 0, __ATOMIC_RELAXED);
    check(!heist_submit(pool, NULL, stand_at, &gate));
    check(until(&gate.entered, 1));
    for (unsigned i = 0; i < ORDERED; i++) {
        check(!heist_submit(pool, NULL, note_place, &normal[i]));
        check(!heist_submit_with(pool, NULL, note_place, &high[i], &urgent));
    }
    check(info_of(pool).jobs == 2 * ORDERED + 1);
    heist_store(&gate.open, 1, __ATOMIC_RELEASE);
    check(!heist_pool_free(pool));
    check(in_order(high, 0));
    check(in_order(normal, ORDERED));
}

static void submit_in_order(heist_worker *w, void *places)
{
    for (unsigned i = 0; i < ORDERED; i++)
        check(!heist_submit(heist_worker_pool(w), NULL, note_place, (struct place *)places + i));
}

static void test_order_from_inside(void)
{
    static struct place places[ORDERED];
    heist_pool *pool = pool_of(1, "bwos_fifo");
    heist_store(&begun, 0, __ATOMIC_RELAXED);
    check(!heist_submit(pool, NULL, submit_in_order, places));
    check(!heist_pool_free(pool));
    check(in_order(places, 0));
}

/* ---- lenders and deputies ---- */

static void note_thread(heist_worker *w, void *thread)
{
    (void)w;
    *(pthread_t *)thread = pthread_self();
}

/* All workers stand still: who lends runs the job. */
static void test_lend(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    struct gate gate = {0};
    heist_job job;
    pthread_t ran_on;
    for (unsigned i = 0; i < workers; i++)
        check(!heist_submit(pool, NULL, stand_at, &gate));
    if (!check(until(&gate.entered, workers))) /* that many work at once, without a lender */
        exit(1);
    check(!heist_submit(pool, &job, note_thread, &ran_on));
    check(!heist_lend(&job));
    check(pthread_equal(ran_on, pthread_self()));
    check(!heist_worker_current());
    heist_store(&gate.open, 1, __ATOMIC_RELEASE);
    check(!heist_pool_free(pool));
}

/* What a lender leaves in its queue, and what came while it was inside, is run by others. */
static void leave_work(heist_worker *w, void *arg)
{
    for (int i = 0; i < 100; i++)
        check(!heist_submit(heist_worker_pool(w), NULL, add_one, arg));
}

static void test_left_behind(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    for (unsigned i = 0; i < 200; i++) {
        heist_store(&counter, 0, __ATOMIC_RELAXED);
        check(!heist_run(pool, leave_work, &counter));
        if (!check(until(&counter, 100)))
            exit(1);
        if (i % 20 == 0)
            nap(2e-3); /* all asleep */
    }
    check(!heist_pool_free(pool));
}

static void submit_and_wait(heist_worker *w, void *arg)
{
    heist_job job[3];
    for (int i = 0; i < 3; i++)
        check(!heist_submit(heist_worker_pool(w), &job[i], add_one, arg));
    for (int i = 0; i < 3; i++)
        check(!heist_wait(&job[i]));
}

/* Threads that enter and leave all the time must not keep the jobs of a pool waiting. */
static heist_au32 enough;

static void *run_for_ever(void *pool)
{
    heist_au32 unused = {0};
    while (!heist_load(&enough, __ATOMIC_RELAXED))
        check(!heist_run(pool, add_one, &unused));
    return NULL;
}

static void test_busy_lender(void)
{
    heist_pool *pool = pool_of(1, NULL);
    pthread_t thread[2];
    heist_store(&enough, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        check(!pthread_create(&thread[i], NULL, run_for_ever, pool));
    for (int i = 0; i < 20; i++) {
        heist_store(&counter, 0, __ATOMIC_RELAXED);
        check(!heist_submit(pool, NULL, add_one, &counter));
        if (!check(until(&counter, 1)))
            break;
    }
    heist_store(&enough, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    check(!heist_pool_free(pool));
}

/* ---- what a job may do ---- */

static void do_everything(heist_worker *w, void *arg)
{
    heist_pool *pool = heist_worker_pool(w);
    heist_au32 sum = {0}, done = {0};
    heist_job job;
    uint32_t leaves = 0;
    check(heist_worker_current() == w);
    check(heist_worker_number(w) < heist_pool_numbers(pool));
    check(!heist_submit(pool, &job, submit_and_wait, &done));
    check(!heist_run_tree(pool, &leaves, 6) && leaves == 64);
    check(!heist_for(w, 0, 1000, 0, add_range, &sum));
    check(heist_load(&sum, __ATOMIC_RELAXED) == 1000);
    check(!heist_wait(&job));
    check(heist_load(&done, __ATOMIC_RELAXED) == 3);
    check(heist_pool_free(pool) == -EDEADLK);
    add_one(w, arg);
}

static void test_everything(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < 300; i++)
        check(!heist_submit(pool, NULL, do_everything, &counter));
    check(!heist_run(pool, do_everything, &counter));
    check(!heist_pool_free(pool));
    check(heist_load(&counter, __ATOMIC_RELAXED) == 301);
}

/* ---- heist_run from more threads than may lend; and all of them at once ---- */

static void *run_tree(void *pool)
{
    for (int i = 0; i < 5; i++) {
        uint32_t leaves = 0;
        check(!heist_run_tree(pool, &leaves, 10) && leaves == 1024);
        check(!heist_run(pool, do_everything, &counter));
    }
    return NULL;
}

static void test_many_runs(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    run_threads(MANY_RUNS, run_tree, pool);
    check(heist_load(&counter, __ATOMIC_RELAXED) == MANY_RUNS * 5);
    check(!heist_pool_free(pool));
}

/* ---- two pools ---- */

struct two {
    heist_pool *a, *b;
    heist_au32 depth;
};

static void back_and_forth(heist_worker *w, void *arg)
{
    struct two *two = arg;
    heist_pool *other = heist_worker_pool(w) == two->a ? two->b : two->a;
    heist_job job;
    if (heist_add(&two->depth, -1u, __ATOMIC_RELAXED) == 0)
        return;
    check(!heist_run(other, add_one, &counter));
    check(!heist_submit(other, &job, back_and_forth, two));
    check(!heist_wait(&job));
}

static void test_two_pools(void)
{
    struct two two = {pool_of(1, NULL), pool_of(2, "chaselev"), {20}};
    heist_job job;
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    check(!heist_submit(two.a, &job, back_and_forth, &two));
    check(!heist_wait(&job));
    check(heist_load(&counter, __ATOMIC_RELAXED) == 20);
    check(!heist_pool_free(two.a));
    check(!heist_pool_free(two.b));
}

/* ---- many pools ---- */

static void test_many_pools(void)
{
    heist_store(&counter, 0, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < POOLS; i++) {
        heist_pool *pool = pool_of(1 + i % 3, NULL);
        if (i % 4 < 2)
            check(!heist_submit(pool, NULL, add_one, &counter));
        if (i % 4 == 1)
            check(!heist_run(pool, add_one, &counter));
        check(!heist_pool_free(pool));
    }
    check(heist_load(&counter, __ATOMIC_RELAXED) == POOLS / 4 * 3);
}

int main(void)
{
    test_bad();
    test_order_from_outside();
    test_order_from_inside();
    test_two_pools();
    test_busy_lender();
    for (unsigned workers = 1; workers <= 4; workers *= 2) {
        test_threads(workers);
        test_lend(workers);
        test_left_behind(workers);
        test_everything(workers);
        test_many_runs(workers);
    }
    test_many_pools();
    return check_status();
}
