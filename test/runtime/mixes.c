/* SPDX-License-Identifier: MIT */
/*
 * mixes [SEED [QUEUE]]: threads that do whatever can be done with a pool, at random and all at
 * once, with pauses in which it falls asleep. All that was begun must end, and be counted.
 */
#define _GNU_SOURCE
#include "pools.h"

#include <pthread.h>

#include "../random.h"

enum { THREADS = 4, STEPS = 300, MOST = 30, DEEPEST = 3 };

static heist_pool *pool, *other;
static heist_au64 begun, ended;
static uint64_t seed = 1;

struct mix {
    uint64_t random;
    int depth;
};

static void do_some(struct mix *mix, heist_worker *w);

/* A job or a fork, which frees what it was given. */
static void one(heist_worker *w, void *arg)
{
    struct mix *mix = arg;
    if (mix->depth < DEEPEST && !random_below(&mix->random, 4))
        do_some(mix, w);
    free(mix);
    heist_add(&ended, 1, __ATOMIC_RELAXED);
}

static struct mix *child_of(struct mix *mix)
{
    struct mix *child = malloc(sizeof *child);
    if (!child)
        abort();
    *child = (struct mix){random_next(&mix->random), mix->depth + 1};
    heist_add(&begun, 1, __ATOMIC_RELAXED);
    return child;
}

static void jobs(struct mix *mix, heist_pool *where)
{
    heist_job job[MOST];
    unsigned n = 1 + (unsigned)random_below(&mix->random, MOST);
    for (unsigned i = 0; i < n; i++) {
        const heist_job_opts opts = {.size = sizeof opts,
                                     .priority =
                                         random_below(&mix->random, 2) ? HEIST_HIGH : HEIST_NORMAL};
        check(!heist_submit_with(where, &job[i], one, child_of(mix), &opts));
    }
    for (unsigned i = 0; i < n; i++)
        check(!(i % 2 ? heist_wait(&job[i]) : heist_lend(&job[i])));
}

static void groups(struct mix *mix, heist_pool *where)
{
    heist_group group;
    check(!heist_group_init(&group, where));
    for (uint64_t n = random_below(&mix->random, MOST); n > 0; n--)
        check(!heist_group_submit(&group, one, child_of(mix)));
    check(!heist_group_wait(&group));
}

static void detached(struct mix *mix, heist_pool *where)
{
    heist_call calls[MOST];
    size_t n = (size_t)random_below(&mix->random, MOST);
    for (size_t i = 0; i < n; i++)
        calls[i] = (heist_call){one, child_of(mix)};
    check(!heist_submit_many(where, calls, n, NULL));
}

static void forks(heist_worker *w, void *arg)
{
    struct mix *mix = arg;
    heist_task task[MOST];
    unsigned n = (unsigned)random_below(&mix->random, MOST);
    for (unsigned i = 0; i < n; i++)
        check(!heist_fork(w, &task[i], one, child_of(mix)));
    if (mix->depth < DEEPEST && !random_below(&mix->random, 4))
        do_some(mix, w);
    for (unsigned i = n; i-- > 0;)
        check(!(random_below(&mix->random, 4) ? heist_join : heist_join_only)(w, &task[i]));
}

static void do_some(struct mix *mix, heist_worker *w)
{
    /* A job that waits for one of another pool, whose job waits for one of this, may wait
       for itself: so only from outside. */
    heist_pool *where = !w && !random_below(&mix->random, 4) ? other : pool;
    where = w ? heist_worker_pool(w) : where;
    switch (random_below(&mix->random, 5)) {
    case 0:
        jobs(mix, where);
        break;
    case 1:
        groups(mix, where);
        break;
    case 2:
        detached(mix, where);
        break;
    case 3:
        check(!heist_run(where, forks, mix));
        break;
    default:
        nap((double)random_below(&mix->random, 300) * 1e-6);
    }
}

static void *be_thread(void *number)
{
    struct mix mix = {seed + *(unsigned *)number, 0};
    for (int i = 0; i < STEPS; i++)
        do_some(&mix, NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    for (unsigned workers = 1; workers <= 4; workers *= 2) {
        pthread_t thread[THREADS];
        unsigned number[THREADS];
        pool = pool_of(workers, argc > 2 ? argv[2] : NULL);
        other = pool_of(2, NULL);
        for (unsigned i = 0; i < THREADS; i++) {
            number[i] = i;
            check(!pthread_create(&thread[i], NULL, be_thread, &number[i]));
        }
        for (unsigned i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
        check(!heist_pool_free(pool));
        check(!heist_pool_free(other));
        check(heist_load(&begun, __ATOMIC_RELAXED) == heist_load(&ended, __ATOMIC_RELAXED));
    }
    return check_status();
}
