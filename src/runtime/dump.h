/* SPDX-License-Identifier: MIT */
/*
 * What a pool prints about itself when a signal asks for it (HEIST_DUMP_SIGNAL): who runs what, who
 * waits for whom. All that prints may be called in a handler of a signal, while the pool works or
 * is stuck: no lock, no allocation, no stdio.
 */
#ifndef HEIST_RUNTIME_DUMP_H
#define HEIST_RUNTIME_DUMP_H

#include <heist/atomic.h>

/* The ledger of orders between a handler and heist_dump_uninstall_. */
/* a handler: that it runs before its look at what to call; pairs with CHANGE; else a dump goes on
   after uninstall has returned */
#ifndef HEIST_DP_ENTER
#define HEIST_DP_ENTER __ATOMIC_SEQ_CST
#endif
/* install and uninstall: what to call before the look at who runs; pairs with ENTER */
#ifndef HEIST_DP_CHANGE
#define HEIST_DP_CHANGE __ATOMIC_SEQ_CST
#endif
/* a handler: what it did before it is gone; pairs with WAIT; else the pool is freed under it */
#ifndef HEIST_DP_LEAVE
#define HEIST_DP_LEAVE __ATOMIC_RELEASE
#endif
/* uninstall: nobody runs before what comes next; pairs with LEAVE; also the total order of ENTER */
#ifndef HEIST_DP_WAIT
#define HEIST_DP_WAIT __ATOMIC_SEQ_CST
#endif
/* the scratch memory of one dump before the next; pairs with DONE */
#ifndef HEIST_DP_PRINT
#define HEIST_DP_PRINT __ATOMIC_ACQUIRE
#endif
#ifndef HEIST_DP_DONE
#define HEIST_DP_DONE __ATOMIC_RELEASE
#endif

enum heist_dump_state_ {
    HEIST_DUMP_IDLE_,      /* looks for work */
    HEIST_DUMP_PARKED_,    /* sleeps until there is work */
    HEIST_DUMP_RUNNING_,   /* in a task */
    HEIST_DUMP_WAITING_,   /* at a join whose task was stolen */
    HEIST_DUMP_BENCHED_,   /* not used at present: there are more workers than CPUs */
    HEIST_DUMP_NO_THREAD_, /* the system gave no thread for it */
    HEIST_DUMP_LENDER_     /* the place of a thread that lends itself, and nobody is there */
};

struct heist_dump_worker_ {
    enum heist_dump_state_ state;
    uintptr_t function;    /* the innermost task's; 0: none */
    uint64_t depth;        /* tasks on its stack */
    uint64_t public_tasks; /* that a thief may take */
    uint64_t queued;       /* in its queue, private ones included */
    int waits_for;         /* the worker that has the task; -1: nobody, or not known */
};

struct heist_dump_pool_ {
    const char *name, *kind;
    unsigned workers; /* that may work at the same time */
    unsigned seats;   /* a line each: also places of threads that lend themselves */
    uint64_t jobs_queued, jobs_running;
    /* Called in the handler, several times for the same worker: there may be too many for an
       array. */
    struct heist_dump_worker_ (*worker)(const void *context, unsigned number);
    const void *context;
};

/* False: another dump is being printed, and nothing was. */
bool heist_dump_print_(int fd, const struct heist_dump_pool_ *pool);

/*
 * From now on the signal calls dump(STDERR_FILENO). One at a time in a process. 0; -EINVAL: not a
 * signal that can be used so; -EBUSY: there is a handler, ours or the program's, or the program
 * ignores the signal: then all stays as it is.
 */
int heist_dump_install_(int signal, void (*dump)(int fd));

/* Returns when no handler is in `dump` any more. If the program has its own handler by now, that
   stays. Not in a handler. */
void heist_dump_uninstall_(void);

/* Returns when no handler is in `dump` that may have begun before the caller's last sequentially
   consistent store. Not in a handler. */
void heist_dump_wait_(void);

/* In the child of a fork: no handler is under way. */
void heist_dump_in_child_(void);

#endif
