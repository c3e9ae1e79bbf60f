/* SPDX-License-Identifier: MIT */
/* What workers and pools are inside of the runtime. */
#ifndef HEIST_RUNTIME_WORKER_H
#define HEIST_RUNTIME_WORKER_H

#include <heist/heist.h>
#include <heist/victim.h>
#include <pthread.h>
#include <setjmp.h>

#include "counters.h"
#include "crowd.h"
#include "park.h"
#include "tasks.h"
#include "trace.h"
#include "waiters.h"
#include "worker_orders.h"

enum {
    SLOTS = HEIST_MODEL ? 4 : 1 << 20, /* of a worker: forks at once */
    WORKERS_MAX = 1024,                /* that a user may ask for */
    LENDERS_MAX = 64, /* threads in heist_run at once; more of them wait for a worker */
    SEATS = WORKERS_MAX + 1 + LENDERS_MAX
};

/* Where a task begins that this worker was given, and where it ends if it can't go on. */
struct frame {
    jmp_buf back;
    heist_slot *head;    /* its first slot */
    struct frame *outer; /* of the task that waits below it, and what it does: see struct worker */
    uintptr_t outer_function, outer_waits_for;
};

struct worker {
    heist_worker w; /* first: the two are cast into each other */
    struct tasks *tasks;
    heist_pool *pool;
    unsigned number;
    unsigned rank; /* among the threads of the pool; of a lender: none */
    uint64_t random;
    struct frame *frame;
    uintptr_t stack_help;              /* a join below it does not help */
    struct worker *outer;              /* of another pool: what the thread was before */
    heist_auptr function;              /* of the innermost task, or 0; these are for dumps */
    heist_auptr waits_for;             /* a slot of this worker's, WAITS_FOR_JOB or 0 */
    heist_au32 depth;                  /* frames */
    heist_au32 jobs;                   /* of them */
    heist_au32 is_here;                /* a thread is this worker */
    struct heist_trace_buffer_ *trace; /* NULL: not traced */
    bool is_idle;                      /* the trace says so */
    unsigned stale;       /* items in the queue whose fork was joined meanwhile (FIFO kinds) */
    heist_victim *victim; /* NULL: any other worker, at random. These are choice.c's */
    void **loot;          /* room for a batch */
    size_t loot_most;
    heist_au32 cpu; /* of the pool's places: where it runs, or was last seen */
    bool is_pinned;
    struct heist_counters_ counters;
    struct parker parker HEIST_ALIGNED;
    pthread_t thread;
    int maker; /* the CPU of who has made the thread */
    bool has_thread, is_lender;
    heist_au32 is_taken;            /* a lender's */
    struct tasks own HEIST_ALIGNED; /* tasks, unless all share one queue */
};

#define WAITS_FOR_JOB ((uintptr_t)1)

/* Jobs from outside, in order. */
struct inbox {
    pthread_mutex_t lock;
    struct {
        heist_job *first, **last;
    } list[2]; /* by priority */
    heist_au32 number[2];
};

struct heist_pool {
    heist_au32 workers;  /* how many are to work at the same time */
    heist_au32 lenders;  /* threads in heist_run, and the like */
    heist_au32 stopping; /* threads: end */
    heist_au32 cancelled;
    heist_aptr deputy; /* the thread that works only while nobody lends; NULL: not made yet */
    heist_au32 seats;  /* workers that were made, lenders included */
    enum kind kind;
    bool counts_forks, prints_stats, has_heavy_fence;
    char name[16];
    uint64_t born; /* in nanoseconds */
    struct heist_trace_ *trace;
    heist_group jobs; /* all of them */
    struct inbox inbox;
    heist_queue_opts queue_opts;
    heist_victim_policy policy; /* whom to steal from, and how much: see choice.h */
    heist_victim_set set;
    enum heist_batch batch;
    struct places *places; /* NULL: nobody asks where workers are */
    heist_au32 pinned;     /* threads */
    struct crowd crowd;
    pthread_mutex_t lock;  /* of what follows */
    bool adapts;           /* to the CPU budget, when asked */
    heist_au32 threads;    /* that were made; read without it */
    int error;             /* of the last that was not */
    heist_au32 generation; /* of the process: see process.h */
    heist_aptr next;       /* of all pools: see process.h */
    struct worker *worker[SEATS];
    struct parking parking; /* at the end: it holds a parker per seat */
};

static inline struct worker *worker_of(heist_worker *w) { return (struct worker *)w; }

static inline void heist_worker_trace_(struct worker *w, enum heist_trace_kind_ kind, uint64_t a,
                                       uint64_t b)
{
    if (HEIST_UNLIKELY(w->trace))
        heist_trace_event_(w->trace, kind, a, b);
}

/* The worker has woken somebody: whom, or HEIST_TRACE_UNKNOWN_. */
static inline void heist_worker_woke_(struct worker *w, uint64_t whom)
{
    heist_count_(&w->counters, wakes);
    heist_worker_trace_(w, HEIST_TRACE_WAKE_, whom, 0);
}

/* ---- worker.c ---- */

/* Wakes somebody for work of this worker, which goes on meanwhile. */
bool heist_worker_wake_one_(struct worker *w, enum work work);

/* Calls the function in a slot, with the slots from `head` on for its forks. */
void heist_worker_call_(heist_worker *w, heist_slot *head, heist_slot *self);

/* The next free slot of what the worker runs, which is in head from now on. */
heist_slot *heist_worker_head_(struct worker *w);

/* Runs a task in its slot, with the slots from `head` on. False: there was no room for its forks.
   The trace shows it as HEIST_TRACE_FORK_, JOB_ or RUN_. */
bool heist_worker_run_(struct worker *w, heist_slot *head, heist_slot *self, uintptr_t context,
                       enum heist_trace_kind_ as);

/* Whose slot it is. */
struct worker *heist_worker_owner_(heist_pool *pool, const heist_slot *slot);

/* A fork that waits in a queue becomes the caller's to run: `done` becomes `mark`. */
bool heist_worker_claim_(heist_slot *slot, uintptr_t mark, uintptr_t *context);
void heist_worker_run_claimed_(struct worker *w, heist_slot *head, heist_slot *slot,
                               uintptr_t context);
/* A job that came out of a queue and is for somebody else, who is woken. */
void heist_worker_move_to_inbox_(struct worker *w, heist_job *job);
/* While the worker can't fork: requests are answered with what it has. */
void heist_worker_answer_(struct worker *w);

/* ---- idle.c ---- */

void heist_worker_idle_(struct worker *w); /* until the pool stops */

/* What a worker may do while it waits. */
enum help { HELP_NOT, HELP_FORKS, HELP_ALL };

/* Something to wait for. */
struct wait {
    bool (*is_over)(struct wait *);
    bool (*will_wake)(struct wait *); /* whoever ends it will wake this worker; false: not now */
    heist_slot *slot;                 /* a stolen task, or NULL */
    struct worker *w;                 /* whose it is */
    bool is_back;                     /* it was not stolen after all */
    heist_group *group;               /* or NULL */
    heist_aptr *list;                 /* else: the waiters of a job */
    struct waiter me;
};
/* False: the stack is too short for HELP_ALL, and it is not over. */
bool heist_worker_wait_(struct worker *w, struct wait *wait, heist_slot *head, enum help help);

/* ---- jobs.c ---- */

void heist_job_run_(struct worker *w, heist_slot *head, heist_job *job);
heist_job *heist_inbox_take_(struct inbox *inbox, enum heist_priority priority);
void heist_inbox_init_(struct inbox *inbox);
void heist_inbox_put_(struct inbox *inbox, heist_job *first, heist_job *last, uint32_t number,
                      enum heist_priority priority);
static inline bool heist_inbox_is_empty_(const struct inbox *inbox, enum heist_priority priority)
{
    return !heist_load(&inbox->number[priority], __ATOMIC_RELAXED);
}

/* ---- seats.c ---- */

struct worker *heist_worker_here_(void); /* that the calling thread is */
struct worker *heist_worker_here_in_(
    const heist_pool *pool); /* the same, or below another pool's */
int heist_seats_init_(heist_pool *pool);
void heist_seats_fini_(heist_pool *pool);
/* As many threads as there should be without jobs. 0, or why not. */
int heist_seats_fill_(heist_pool *pool);
/* A pool with jobs has at least one thread. */
int heist_seats_need_thread_(heist_pool *pool);
void heist_seats_end_threads_(heist_pool *pool);
/* There is work, and nobody sleeps: the thread that stands in for a lender, if there is none. */
void heist_seats_call_deputy_(heist_pool *pool);
bool heist_seats_is_benched_(const struct worker *w);
/* A thread that is no worker becomes one; NULL: there are too many. */
struct worker *heist_seats_enter_(heist_pool *pool);
void heist_seats_leave_(struct worker *w);
/* In the child of a fork: the pool has no threads and no jobs. 0; -ENOMEM: to be tried again. */
int heist_seats_revive_(heist_pool *pool);

/* ---- pool.c ---- */

int heist_pool_or_default_(heist_pool **pool);

/* ---- stats.c ---- */

uint64_t heist_stats_now_(void); /* in nanoseconds */
/* For HEIST_STATS: on stderr. */
void heist_stats_print_(const heist_pool *pool);

/* ---- pool_trace.c ---- */

/* As HEIST_TRACE says. */
void heist_pool_trace_begin_(heist_pool *pool);
void heist_pool_trace_end_(heist_pool *pool);

/* ---- pool_dump.c ---- */

/* Of all pools. In a handler of a signal. */
void heist_pool_dump_all_(int fd);

#endif
