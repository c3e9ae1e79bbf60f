/* SPDX-License-Identifier: MIT */
/*
 * long_task: an owner forks tasks, or submits jobs, and then computes for long without a call into
 * the runtime. Thieves must begin the first soon, and have run all before the owner is done. Other
 * programs run on this machine too, and a thief that looks for work has to wait for its turn among
 * them, milliseconds: so most rounds must be well before the owner's end; and with thieves that
 * sleep the best one must be soon, beside a plain thread which the owner wakes by a semaphore, and
 * beside how long others keep the owner's own CPU. A host that takes the thief's CPU away for tens
 * of milliseconds shows in neither, and only makes it later: one series of several must be well.
 */
#define _GNU_SOURCE
#include "pools.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { ROUNDS = 15, TASKS = 4, SERIES = 10 };
static const double length = 20e-3, soon = SLOWER * 1e-3;

struct round {
    heist_worker *owner;
    double begun, first; /* when the owner began to compute; when the first task did */
    double pause;        /* the longest of the owner, while others had its CPU */
    heist_au32 claimed, elsewhere;
    unsigned ready; /* tasks that thieves had run when the owner was done */
};

static void task(heist_worker *w, void *arg)
{
    struct round *r = arg;
    if (!heist_exchange(&r->claimed, 1, __ATOMIC_RELAXED))
        r->first = seconds();
    heist_add(&r->elsewhere, w != r->owner, __ATOMIC_RELEASE);
}

static void compute(struct round *r)
{
    double now, last = r->begun = seconds();
    for (; (now = seconds()) < r->begun + length; last = now)
        r->pause = now - last > r->pause ? now - last : r->pause;
    r->ready = heist_load(&r->elsewhere, __ATOMIC_ACQUIRE);
}

static void with_forks(heist_worker *w, void *arg)
{
    struct round *r = arg;
    heist_task forked[TASKS];
    r->owner = w;
    for (int i = 0; i < TASKS; i++)
        check(!heist_fork(w, &forked[i], task, r));
    compute(r);
    for (int i = TASKS; i-- > 0;)
        check(!heist_join(w, &forked[i]));
}

static void with_jobs(heist_worker *w, void *arg)
{
    struct round *r = arg;
    heist_job job[TASKS];
    r->owner = w;
    for (int i = 0; i < TASKS; i++)
        check(!heist_submit(heist_worker_pool(w), &job[i], task, r));
    compute(r);
    for (int i = 0; i < TASKS; i++)
        check(!heist_wait(&job[i]));
}

/* The plain thread. */
static sem_t to_do, done;
static struct round *of_thread;
static heist_worker nobody; /* who owns its tasks */

static void *be_thread(void *unused)
{
    while (!sem_wait(&to_do) && of_thread) {
        for (int i = 0; i < TASKS; i++)
            task(NULL, of_thread);
        sem_post(&done);
    }
    return unused;
}

static void with_thread(heist_worker *w, void *arg)
{
    struct round *r = of_thread = arg;
    r->owner = w;
    sem_post(&to_do);
    compute(r);
    sem_wait(&done);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct results {
    double delay[ROUNDS], pause[ROUNDS];
    unsigned complete;
};

static void add_result(struct results *all, int i, const struct round *r)
{
    all->delay[i] = r->first - r->begun;
    all->pause[i] = r->pause;
    all->complete += r->ready == TASKS;
}

/* `asleep`: the thieves are, when the owner begins; else they still look for work. */
static bool is_well(const char *name, heist_fn *fn, unsigned workers, bool asleep, bool as_job)
{
    heist_pool *pool = pool_of(workers, NULL);
    struct results ours = {.complete = 0}, theirs = {.complete = 0};
    for (int i = 0; i < ROUNDS; i++) {
        struct round r = {0}, plain = {0};
        heist_job job;
        with_thread(&nobody, &plain);
        if (asleep)
            nap(3e-3);
        if (as_job)
            check(!heist_submit(pool, &job, fn, &r) && !heist_wait(&job));
        else
            check(!heist_run(pool, fn, &r));
        add_result(&ours, i, &r);
        add_result(&theirs, i, &plain);
    }
    qsort(ours.delay, ROUNDS, sizeof *ours.delay, by_size);
    qsort(ours.pause, ROUNDS, sizeof *ours.pause, by_size);
    qsort(theirs.delay, ROUNDS, sizeof *theirs.delay, by_size);
    double best = ours.delay[0], median = ours.delay[ROUNDS / 2], pause = ours.pause[ROUNDS / 2];
    double usual = theirs.delay[ROUNDS / 2];
    printf(
        "%s, %u workers%s%s: begun after %.0f to %.0f us (a thread: %.0f; pauses: %.0f), all run "
        "in %u rounds (%u)\n",
        name, workers, asleep ? ", asleep" : "", as_job ? ", in a job" : "", best * 1e6,
        median * 1e6, usual * 1e6, pause * 1e6, ours.complete, theirs.complete);
    check(!heist_pool_free(pool));
    return (!asleep || best < soon + 2 * (usual > pause ? usual : pause)) && median < length / 2 &&
           2 * ours.complete >= theirs.complete;
}

static void test(const char *name, heist_fn *fn, unsigned workers, bool asleep, bool as_job)
{
    int series = 0;
    while (!is_well(name, fn, workers, asleep, as_job) && ++series < SERIES)
        printf("again, for this was too late\n");
    check(series < SERIES);
}

int main(void)
{
    cpu_set_t cpus;
    if (!heist_has_heavy_fence() || sched_getaffinity(0, sizeof cpus, &cpus) ||
        CPU_COUNT(&cpus) < 2) {
        printf("skipped: it needs two CPUs, and membarrier\n");
        return 77;
    }
    pthread_t thread;
    sem_init(&to_do, 0, 0);
    sem_init(&done, 0, 0);
    check(!pthread_create(&thread, NULL, be_thread, NULL));
    for (int i = 0; i < 8; i++) {
        bool asleep = i & 1, as_job = i & 2;
        test("forks", with_forks, i & 4 ? 4 : 2, asleep, as_job);
        test("jobs", with_jobs, i & 4 ? 4 : 2, asleep, as_job);
    }
    of_thread = NULL;
    sem_post(&to_do);
    pthread_join(thread, NULL);
    return check_status();
}
