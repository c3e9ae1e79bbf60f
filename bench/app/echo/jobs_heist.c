/* SPDX-License-Identifier: MIT */
#include <heist/heist.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "jobs.h"

static heist_pool *pool;
static heist_group group;
static bool oldest_first; /* the order of the kind of queue */

static void must(int error)
{
    if (error)
        bench_fail("Heist: %s", strerror(-error));
}

static heist_pool_info info(void)
{
    heist_pool_info of_pool = {.size = sizeof of_pool};
    must(heist_pool_inspect(pool, &of_pool));
    return of_pool;
}

void jobs_start(unsigned workers)
{
    /* Jobs in the order in which they came, unless the user wants another kind. */
    const heist_pool_opts opts = {.size = sizeof opts,
                                  .workers = workers,
                                  .queue = getenv("HEIST_QUEUE") ? NULL : "bwos_fifo"};
    must(heist_pool_new(&pool, &opts));
    must(heist_group_init(&group, pool));
    const char *kind = info().queue;
    oldest_first = strncmp(kind, "bwos_fifo", 9) == 0 || strcmp(kind, "global") == 0;
}

void jobs_stop(void) { must(heist_pool_free(pool)); }

struct first {
    job_fn *wait;
    void *arg;
};

static void run(heist_worker *w, void *arg)
{
    const struct first *first = arg;
    (void)w;
    must(heist_group_submit(&group, first->wait, first->arg));
    heist_group_wait(&group); /* and runs jobs meanwhile */
}

void jobs_run(job_fn *wait, void *arg) { must(heist_run(pool, run, &(struct first){wait, arg})); }

void jobs_make(jobs_worker *w, job_fn *fn, void *arg)
{
    if (heist_group_submit(&group, fn, arg))
        fn(w, arg); /* no memory for it: now, then */
}

void jobs_make_and_wait(jobs_worker *w, job_fn *fn, void *const *args, size_t n, job_fn *wait,
                        void *arg)
{
    if (!oldest_first)
        must(heist_group_submit(&group, wait, arg));
    for (size_t i = 0; i < n; i++)
        jobs_make(w, fn, args[i]);
    if (oldest_first)
        must(heist_group_submit(&group, wait, arg));
}

unsigned jobs_number(const jobs_worker *w) { return heist_worker_number(w); }
unsigned jobs_numbers(void) { return heist_pool_numbers(pool); }

struct jobs_facts jobs_tell(void)
{
    heist_stats stats;
    must(heist_pool_stats(pool, &stats, NULL, 0));
    return (struct jobs_facts){info().queue, info().workers, stats.jobs, stats.steals};
}
