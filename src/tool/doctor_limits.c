/* SPDX-License-Identifier: MIT */
/* Threads, stacks and signals: how many, how large. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../runtime/cgroups.h"
#include "doctor.h"
#include "doctor_workers.h"
#include "tool.h"

/* The number, or that there is none. */
static const char *shown_limit(char text[static 24], unsigned long long limit, bool is_none)
{
    snprintf(text, 24, "%llu", limit);
    return is_none ? "any number" : text;
}

/* ---- Threads ---- */

static unsigned limit_of_pids(const char *directory)
{
    uint64_t n;
    if (!heist_cgroup_read_(directory, "pids.max", &n))
        return 0;
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

static void *wait_for_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* How many can be there at once, up to `wanted`; and why not more. */
static unsigned start_threads(unsigned wanted, int *error)
{
    pthread_t *thread = tool_realloc(NULL, wanted * sizeof *thread);
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    unsigned n = 0;
    *error = 0;
    pthread_mutex_lock(&gate);
    while (n < wanted && !(*error = pthread_create(&thread[n], NULL, wait_for_gate, &gate)))
        n++;
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return n;
}

static void check_threads(struct doctor *d)
{
    static const struct heist_cgroup_limits_ pids = {"pids", limit_of_pids, limit_of_pids};
    char shown[2][24];
    struct rlimit processes = {RLIM_INFINITY, RLIM_INFINITY};
    int error;
    getrlimit(RLIMIT_NPROC, &processes);
    unsigned in_cgroup = heist_cgroup_least_(d->root, &pids);
    unsigned wanted = doctor_workers(d).number, n = start_threads(wanted, &error);
    const char *of_user =
        shown_limit(shown[0], processes.rlim_cur, processes.rlim_cur == RLIM_INFINITY);
    const char *of_cgroup = shown_limit(shown[1], in_cgroup, !in_cgroup);
    if (n < wanted)
        doctor_add(d, "threads", DOCTOR_PROBLEM,
                   "raise ulimit -u, ulimit -v or pids.max (docker run --pids-limit), or set "
                   "HEIST_WORKERS",
                   "only %u of a pool's %u threads can be started (%s); limits: %s of the user, %s "
                   "of the cgroup",
                   n, wanted, strerror(error), of_user, of_cgroup);
    else
        doctor_add(d, "threads", DOCTOR_OK, NULL,
                   "a pool's %u can be started; limits: %s of the user, %s of the cgroup", wanted,
                   of_user, of_cgroup);
}

/* ---- Stacks ---- */

static void check_stack(struct doctor *d)
{
    enum { SMALL = 1024, KIB = 1024 };
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    pthread_attr_t attr;
    size_t size = 0;
    getrlimit(RLIMIT_STACK, &limit);
    if (!pthread_getattr_default_np(&attr)) {
        pthread_attr_getstacksize(&attr, &size);
        pthread_attr_destroy(&attr);
    }
    if (limit.rlim_cur == RLIM_INFINITY)
        doctor_add(d, "stack", DOCTOR_NOTE, "ulimit -s with a number, before the program starts",
                   "unlimited, which gives each worker only %zu KiB", size / KIB);
    else if (size / KIB < SMALL)
        doctor_add(d, "stack", DOCTOR_NOTE, "ulimit -s 8192, before the program starts",
                   "%zu KiB for each worker: recursion that forks ends early, with -ENOMEM",
                   size / KIB);
    else
        doctor_add(
            d, "stack", DOCTOR_OK, NULL,
            "%zu KiB for each worker; recursion that forks ends with -ENOMEM before that does",
            size / KIB);
}

/* ---- Signals ---- */

/* What a thief sends in the modes of split that use a signal is SIGURG, with a value, which takes a
   place in the queue of pending signals. */
static void check_signals(struct doctor *d)
{
    enum { FEW = 64 };
    char shown[24];
    struct rlimit pending = {RLIM_INFINITY, RLIM_INFINITY};
    sigset_t blocked;
    getrlimit(RLIMIT_SIGPENDING, &pending);
    sigemptyset(&blocked);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    if (pending.rlim_cur < FEW)
        doctor_add(d, "signals", DOCTOR_NOTE, "ulimit -i 1024 or more",
                   "only %llu may be pending: SIGURG of split:signal may come without its value, "
                   "and then looks like the program's own",
                   (unsigned long long)pending.rlim_cur);
    else if (sigismember(&blocked, SIGURG))
        doctor_add(d, "signals", DOCTOR_NOTE, "start the program with SIGURG unblocked",
                   "SIGURG is blocked: in split:signal, threads that lend themselves to a pool "
                   "answer late");
    else
        doctor_add(d, "signals", DOCTOR_OK, NULL,
                   "SIGURG, which split:signal sends, can come; %s may be pending",
                   shown_limit(shown, pending.rlim_cur, pending.rlim_cur == RLIM_INFINITY));
}

void doctor_check_limits(struct doctor *d)
{
    check_threads(d);
    check_stack(d);
    check_signals(d);
}
