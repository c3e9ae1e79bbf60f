/* SPDX-License-Identifier: MIT */
/* What a worker is inside of the runtime. */
#ifndef HEIST_RUNTIME_WORKER_H
#define HEIST_RUNTIME_WORKER_H

#include <heist/heist.h>
#include <pthread.h>
#include <setjmp.h>

#include "park.h"

enum { SLOTS = 1 << 20, WORKERS_MAX = 1024 };

/* Where a task begins that this worker was given, and where it ends if it can't go on. */
struct frame {
    jmp_buf back;
    heist_slot *head;    /* its first slot */
    struct frame *outer; /* of the task that waits below it */
};

struct worker {
    heist_worker w; /* first: the two are cast into each other */
    heist_pool *pool;
    unsigned number;
    uint64_t random;
    struct frame *frame;
    struct worker *outer; /* of another pool: what the thread was when it called heist_run */
    unsigned helping;     /* joins on this worker's stack that run other work meanwhile */
    pthread_t thread;
    bool has_thread;
};

struct heist_pool {
    unsigned workers; /* the first has no thread: whoever calls heist_run is it */
    struct worker **worker;
    struct parking parking;
    pthread_mutex_t lending; /* held by whoever is the first worker */
    heist_au32 stopping;
};

static inline struct worker *worker_of(heist_worker *w) { return (struct worker *)w; }

void heist_worker_idle_(struct worker *w); /* until the pool stops */

/* Runs a task in its slot, with the slots from `head` on. False: there was no room for its forks. */
bool heist_worker_run_(struct worker *w, heist_slot *head, heist_slot *self);

#endif
