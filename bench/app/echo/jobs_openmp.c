/* SPDX-License-Identifier: MIT */
/*
 * By tasks of OpenMP: libgomp if gcc compiles it, libomp if clang does. These may run a task at
 * once, inside of the one that makes it: if there are many tasks, libomp also if there is one
 * thread. A job that makes itself again would never return. So the job that waits is a loop around
 * the tasks that it makes, and jobs that these make are put aside until its next turn. That comes
 * when all tasks have ended, so none is put aside while it sleeps.
 */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common.h"
#include "jobs.h"

struct job {
    job_fn *fn;
    void *arg;
    struct job *next;
};

static unsigned threads;
static _Atomic(struct job *) aside; /* the newest first */
static bool waits_again;

void jobs_start(unsigned workers)
{
    omp_set_dynamic(0);
    threads = workers ? workers : (unsigned)omp_get_num_procs();
}

void jobs_stop(void) { omp_pause_resource_all(omp_pause_hard); }

static void make_task(job_fn *fn, void *arg)
{
#pragma omp task firstprivate(fn, arg) /* by name: clang 14 crashes otherwise */
    fn(NULL, arg);
}

static void make_those_aside(void)
{
    struct job *job = atomic_exchange(&aside, NULL);
    while (job) {
        struct job *next = job->next;
        make_task(job->fn, job->arg);
        free(job);
        job = next;
    }
}

void jobs_run(job_fn *wait, void *arg)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
    do {
        waits_again = false;
        wait(NULL, arg);
        make_those_aside();
#pragma omp taskwait
    } while (waits_again);
}

void jobs_make(jobs_worker *w, job_fn *fn, void *arg)
{
    struct job *job = malloc(sizeof *job);
    (void)w;
    if (!job)
        bench_fail("out of memory");
    *job = (struct job){fn, arg, aside};
    while (!atomic_compare_exchange_weak(&aside, &job->next, job))
        continue;
}

void jobs_make_and_wait(jobs_worker *w, job_fn *fn, void *const *args, size_t n, job_fn *wait,
                        void *arg)
{
    (void)w;
    (void)wait;
    (void)arg;
    for (size_t i = 0; i < n; i++)
        make_task(fn, args[i]);
    waits_again = true;
}

/* One thread makes all. */
unsigned jobs_number(const jobs_worker *w)
{
    (void)w;
    return 0;
}

unsigned jobs_numbers(void) { return 1; }

struct jobs_facts jobs_tell(void)
{
    return (struct jobs_facts){.name = APP_LAYER, .workers = threads};
}
