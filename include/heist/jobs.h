/* SPDX-License-Identifier: MIT */
/*
 * Jobs: functions that a pool runs when it can, submitted from any thread, its own workers
 * included.
 *
 *   heist_job job;
 *   heist_submit(NULL, &job, convert, &picture);     the default pool; returns at once
 *   ...
 *   heist_wait(&job);                                 the picture is converted
 *
 * A job may fork, run loops, and submit jobs. Jobs from outside begin in the order in which they
 * were submitted, those of high priority first. Jobs that a worker submits go to its own queue, of
 * the pool's kind: it runs them in order with the kinds bwos_fifo and global, with the others the
 * newest first.
 *
 * A worker that waits runs other jobs meanwhile, on top of the one that waits. So two jobs must not
 * wait for each other, not even through a third; and hold no lock across a wait that other jobs may
 * want.
 *
 * The job is the caller's memory, and must stay until it was waited for; NULL: nobody will wait for
 * it, and the library allocates what it needs. Nothing else is allocated.
 */
#ifndef HEIST_JOBS_H
#define HEIST_JOBS_H

#include <heist/pool.h>

HEIST_BEGIN_DECLS

/* A job that somebody waits for: the caller's memory. */
typedef struct heist_job heist_job;
typedef struct heist_group heist_group;

/* Which jobs from outside begin first. */
enum heist_priority { HEIST_NORMAL, HEIST_HIGH };

/* Zero means the default; fields are only ever added at the end. */
typedef struct heist_job_opts {
    size_t size;                  /* sizeof(heist_job_opts) */
    heist_group *group;           /* NULL: none */
    enum heist_priority priority; /* HEIST_NORMAL */
} heist_job_opts;

struct heist_job {
    heist_fn *fn;
    void *arg;
    heist_pool *pool;
    heist_group *group;
    heist_aptr waiters; /* a list; all bits set when the job has ended */
    heist_job *next;
    struct heist_batch_ *batch; /* of which it is a part: allocated by the library; or NULL */
    int error;
};

/* Hands over fn(worker, arg), and returns at once. job NULL: nobody will wait for it.
   0; -EINVAL; -ENOMEM; -ECANCELED: the pool or the group was cancelled; -EAGAIN: the pool has no
   thread, and the system gives none. In all cases but 0 nothing was submitted. */
HEIST_API HEIST_MUST_CHECK int heist_submit(heist_pool *pool, heist_job *job, heist_fn *fn,
                                            void *arg);
/* As heist_submit, with a group or a priority. opts NULL: neither. */
HEIST_API HEIST_MUST_CHECK int heist_submit_with(heist_pool *pool, heist_job *job, heist_fn *fn,
                                                 void *arg, const heist_job_opts *opts);

/* One of many functions to call. */
typedef struct heist_call {
    heist_fn *fn; /* this, */
    void *arg;    /* with this */
} heist_call;

/* All of them, or none: one allocation, one lock, and as many workers woken as there are calls.
   Nobody can wait for one of them alone. Returns what heist_submit does. */
HEIST_API HEIST_MUST_CHECK int heist_submit_many(heist_pool *pool, const heist_call *calls,
                                                 size_t number, const heist_job_opts *opts);

/*
 * Until the job has ended, once per job. A worker runs other work meanwhile. Another thread sleeps;
 * but if the job has not begun and is the next one, it runs it itself, as heist_run would.
 * 0; -ECANCELED: it has not run; -ENOMEM: it ended early, as heist_run says; -EAGAIN, on a worker:
 * the C stack is about to end, so that no other work can be run on it; the job has not ended, and
 * is still to be waited for.
 */
HEIST_API int heist_wait(heist_job *job);
/* The same; a thread that is no worker becomes one meanwhile, and runs whatever there is. */
HEIST_API int heist_lend(heist_job *job);

/* Jobs that are waited for, or cancelled, together. The caller's memory. */
struct heist_group {
    heist_pool *pool;
    heist_au64 pending; /* the jobs that have not ended; above them, how many last ones end */
    heist_aptr waiters;
    heist_au32 cancelled;
    heist_au32 failed; /* the first error, negated */
};

/* Makes an empty group. NULL: the default pool. 0, or why that could not be made. */
HEIST_API int heist_group_init(heist_group *group, heist_pool *pool);
/* As heist_submit, to the group's pool; it is waited for with the group. */
HEIST_API HEIST_MUST_CHECK int heist_group_submit(heist_group *group, heist_fn *fn, void *arg);
/*
 * Until all jobs of the group have ended, those submitted meanwhile included; then it can be used
 * again.
 * 0, or the first error of a job: -ENOMEM, and -ECANCELED if one did not run; -EDEADLK: this is one
 * of its jobs; -EAGAIN as heist_wait.
 */
HEIST_API int heist_group_wait(heist_group *group);
/* The same; a thread that is no worker becomes one meanwhile, as in heist_lend. */
HEIST_API int heist_group_lend(heist_group *group);
/* Jobs that have not begun never will; new ones are refused, until
   the group has been waited for. */
HEIST_API void heist_group_cancel(heist_group *group);

/* For a job and all that it forks: whether its group, or the pool, was cancelled. Cheap. */
HEIST_API bool heist_is_cancelled(const heist_worker *w);

HEIST_END_DECLS

#endif
