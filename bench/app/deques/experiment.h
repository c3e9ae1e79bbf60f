/* SPDX-License-Identifier: MIT */
/*
 * An experiment of the deques report: threads with a deque each, and tasks that compute Fibonacci
 * numbers. A thread takes tasks from its own deque; when that is empty it steals, or not.
 */
#ifndef DEQUES_EXPERIMENT_H
#define DEQUES_EXPERIMENT_H

#include <heist/victim.h>

struct experiment {
    const char *kind;
    unsigned threads;
    bool is_skewed; /* half of the threads have tasks with work, the others empty ones */
    bool is_live;   /* tasks come one by one while the threads run; else all are there before */
    bool steals;
};

/* What all experiments of a run have in common. */
struct circumstances {
    size_t tasks; /* of each thread */
    unsigned
        fib; /* even load: any of the fib-th to the (fib + 4)-th number; skewed: the fib-th, and
                     the first for the empty ones */
    uint64_t interval; /* live: nanoseconds between two tasks, in the mean */
    uint64_t seed;
    heist_queue_opts queue;
    heist_victim_policy victim;
};

enum { FIB_LEAST = 1, FIB_MOST = 45, FIB_RANGE = 5 };

struct outcome {
    double seconds; /* until the last thread has ended */
    double waiting; /* seconds from a task's generation until it begins, the mean of all tasks */
    size_t stolen;
    size_t *done; /* tasks by thread; to be freed */
    bool ok;      /* every task has been run once, and the sum of the results is right */
};

struct outcome run_experiment(const struct experiment *what, const struct circumstances *how);

#endif
