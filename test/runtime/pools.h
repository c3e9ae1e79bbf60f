/* SPDX-License-Identifier: MIT */
/* Pools, clocks and waits for the tests of the runtime. A hang becomes a failure: see until. */
#ifndef HEIST_TEST_RUNTIME_POOLS_H
#define HEIST_TEST_RUNTIME_POOLS_H

#include <heist/heist.h>

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

/* gcc has macros, clang has features. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#elif __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
enum { SLOWER = 10, SANITIZED = 1 };
#elif defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 1, SANITIZED = 1 };
#else
enum { SLOWER = 1, SANITIZED = 0 };
#endif

static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void nap(double s)
{
    struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
    nanosleep(&t, NULL);
}

/* The queue NULL: as the environment says. */
static inline heist_pool *pool_of(unsigned workers, const char *queue)
{
    heist_pool *pool;
    const heist_pool_opts opts = {.size = sizeof opts, .workers = workers, .queue = queue};
    int error = heist_pool_new(&pool, &opts);
    if (error) {
        printf("heist_pool_new(%u, %s): %s\n", workers, queue ? queue : "NULL", strerror(-error));
        exit(1);
    }
    return pool;
}

static inline heist_pool_info info_of(heist_pool *pool)
{
    heist_pool_info info = {.size = sizeof info};
    check(!heist_pool_inspect(pool, &info));
    return info;
}

/* Whether the word has become this. After so long something hangs. */
enum { PATIENCE = 60 };

static inline bool until(const heist_au32 *word, uint32_t wanted)
{
    double end = seconds() + PATIENCE;
    while (heist_load(word, __ATOMIC_ACQUIRE) != wanted && seconds() < end)
        nap(50e-6);
    return heist_load(word, __ATOMIC_ACQUIRE) == wanted;
}

/* Jobs for many: count; and one that keeps a worker busy until it is let go. */
static inline void add_one(heist_worker *w, void *counter)
{
    (void)w;
    heist_add((heist_au32 *)counter, 1, __ATOMIC_ACQ_REL);
}

struct gate {
    heist_au32 entered, open;
};

static inline void stand_at(heist_worker *w, void *arg)
{
    struct gate *gate = arg;
    (void)w;
    heist_add(&gate->entered, 1, __ATOMIC_RELEASE);
    if (!until(&gate->open, 1))
        abort(); /* whoever should have opened it hangs */
}

#endif
