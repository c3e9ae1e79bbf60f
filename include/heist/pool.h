/* SPDX-License-Identifier: MIT */
/*
 * Pools of workers. Most programs need none of this: the default pool, NULL, is made when it is
 * first used, and has one worker per CPU that the process may use.
 *
 * A pool of n workers has n - 1 threads that wait for work; the thread that calls heist_run is one
 * more worker while it is in there. Only for jobs (heist/jobs.h) that come while nobody is in
 * there, the n-th thread is made. Idle workers sleep.
 *
 * After fork() the child's pools are empty and make their threads again when they are used; the
 * parent's are as they were.
 */
#ifndef HEIST_POOL_H
#define HEIST_POOL_H

#include <heist/slots.h>
#include <heist/victim.h>

HEIST_BEGIN_DECLS

/* One worker of a pool: what code that runs on it is given, and gives to what it calls. */
typedef struct heist_worker {
    heist_slots slots;
} heist_worker;

/* A pool. NULL, wherever one is taken, is the default pool. */
typedef struct heist_pool heist_pool;

/* Zero means the default; fields are only ever added at the end. */
typedef struct heist_pool_opts {
    size_t size;       /* sizeof(heist_pool_opts), as the caller was compiled */
    unsigned workers;  /* 0: HEIST_WORKERS, or the least of affinity and CPU quota; at most 1024 */
    unsigned stats;    /* HEIST_STATS_...: 0: as HEIST_STATS says */
    const char *queue; /* NULL: HEIST_QUEUE, or "heist". As there: "chaselev", "split:signal",
                          "bwos_lifo:64" ... */
    /* What follows: docs/policies.md. */
    const char
        *victim;       /* whom to steal from. NULL: HEIST_VICTIM, or "random". "numa+prob" ...; with
                           victim_fn: NULL, "own" or "own+prob" */
    const char *batch; /* how much. NULL: HEIST_BATCH, or "one". "half", "block" */
    const char *pin;   /* where threads run. NULL: HEIST_PIN, or "none". "compact", "spread" */
    heist_victim_fn *victim_fn; /* the user's own policy: queue i is that of worker number i; all
                                   workers call it at the same time */
    void *victim_context;       /* its argument */
} heist_pool_opts;

/* What a pool counts: heist_pool_opts.stats. */
enum {
    HEIST_STATS_CHEAP = 1, /* everything but forks that no thief has seen */
    HEIST_STATS_FORKS      /* these too: every fork takes the slow path */
};

/* Makes a pool; opts NULL: all defaults. 0; -EINVAL; -ENOMEM. If the system refuses threads, the
   pool has fewer workers: heist_pool_inspect says so. */
HEIST_API HEIST_MUST_CHECK int heist_pool_new(heist_pool **out, const heist_pool_opts *opts);
/* Waits for all jobs, and ends all threads. 0; -EDEADLK: called from inside of it; -ENOMEM: in the
   child of a fork; in both cases nothing was done. */
HEIST_API int heist_pool_free(heist_pool *pool);
/* Jobs that have not begun never will: whoever waits for them gets -ECANCELED. Those that run may
   look at heist_is_cancelled. New ones are refused. NULL: the default pool. */
HEIST_API int heist_pool_cancel(heist_pool *pool);
/* Looks again how many CPUs this process may use, and adapts; for a pool that was made with
   workers 0. 0, or what went wrong while making threads. */
HEIST_API int heist_pool_refresh(heist_pool *pool);

/* A pool as it is now. */
typedef struct heist_pool_info {
    size_t size;                      /* sizeof(heist_pool_info), set by the caller */
    unsigned workers;                 /* how many there should be */
    unsigned threads;                 /* how many threads it has now */
    int error;                        /* why there are fewer than it wanted: -EAGAIN ...; 0 */
    unsigned affinity;                /* CPUs that the process may use */
    unsigned quota;                   /* CPUs that its cgroup may use; 0: no limit */
    const char *queue;                /* the kind */
    uint64_t jobs;                    /* queued or running */
    const char *victim, *batch, *pin; /* as in the options; "own" is the user's own */
    unsigned pinned; /* threads that are pinned: fewer than there are if the system refuses */
} heist_pool_info;

/* Fills info. NULL: the default pool. 0, -EINVAL, -ENOMEM. */
HEIST_API int heist_pool_inspect(heist_pool *pool, heist_pool_info *info);
/* How many workers there should be. NULL: the default pool; 0 if that can't be made. */
HEIST_API unsigned heist_pool_workers(heist_pool *pool);
/* Every heist_worker_number is below it: for arrays with one element per worker. */
HEIST_API unsigned heist_pool_numbers(const heist_pool *pool);

/* Of the code that runs: which worker it is. */
HEIST_API unsigned heist_worker_number(const heist_worker *w);
/* And of which pool. */
HEIST_API heist_pool *heist_worker_pool(const heist_worker *w);
/* The worker that the calling thread is, or NULL. */
HEIST_API heist_worker *heist_worker_current(void);

/* A function that a pool runs, on the worker w. */
typedef void heist_fn(heist_worker *w, void *arg);

/*
 * Runs fn(worker, arg) and all that it forks, on the calling thread, which is a worker meanwhile;
 * returns when all has ended. Any number of threads may do so at once, also from inside of a pool,
 * the same or another. NULL: the default pool.
 * 0; -EINVAL: no function; -ENOMEM: also if there were too many forks at once (a million), or the C
 * stack was about to end: then what it has done so far is lost.
 */
HEIST_API int heist_run(heist_pool *pool, heist_fn *fn, void *arg);

HEIST_END_DECLS

#endif
