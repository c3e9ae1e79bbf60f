/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker.h"

static __thread struct worker *current; /* the worker that this thread is */

static size_t bytes_of_slots(void) { return (SLOTS + 1) * sizeof(heist_slot); }

static struct worker *make_worker(heist_pool *pool, unsigned number)
{
    void *memory;
    if (posix_memalign(&memory, HEIST_LINE, sizeof(struct worker)))
        return NULL;
    void *slots = mmap(NULL, bytes_of_slots(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slots == MAP_FAILED) {
        free(memory);
        return NULL;
    }
    struct worker *w = memset(memory, 0, sizeof *w);
    heist_slots_init_(&w->w.slots, slots, SLOTS);
    w->w.head = slots;
    w->pool = pool;
    w->number = number;
    w->random = 0x9e3779b97f4a7c15u * (number + 1);
    return w;
}

static void free_worker(struct worker *w)
{
    munmap(w->w.slots.first, bytes_of_slots());
    free(w);
}

static void *begin(void *worker)
{
    current = worker;
    pthread_setname_np(pthread_self(), "heist");
    heist_worker_idle_(worker);
    return NULL;
}

/* All signals stay with the program's own threads. */
static int start_thread(struct worker *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&w->thread, NULL, begin, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    w->has_thread = !error;
    return error;
}

static unsigned cpus(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

static unsigned workers_wanted(unsigned asked)
{
    const char *text = getenv("HEIST_WORKERS");
    char *end;
    unsigned long n = text ? strtoul(text, &end, 10) : 0;
    if (asked)
        return asked;
    return text && !*end && n > 0 && n <= WORKERS_MAX ? (unsigned)n : cpus();
}

static void stop(heist_pool *pool)
{
    heist_store(&pool->stopping, 1, __ATOMIC_RELAXED);
    heist_park_wake_all_(&pool->parking);
    for (unsigned i = 0; i < pool->workers; i++)
        if (pool->worker[i]->has_thread)
            pthread_join(pool->worker[i]->thread, NULL);
    for (unsigned i = 0; i < pool->workers; i++)
        free_worker(pool->worker[i]);
    pthread_mutex_destroy(&pool->lending);
    free(pool->worker);
    free(pool);
}

int heist_pool_new(heist_pool **out, const heist_pool_opts *opts)
{
    const size_t known = offsetof(heist_pool_opts, workers) + sizeof opts->workers;
    unsigned asked = opts ? opts->workers : 0;
    if (!out || asked > WORKERS_MAX || (opts && opts->size && opts->size < known))
        return -EINVAL;
    unsigned wanted = workers_wanted(asked);
    void *memory;
    if (posix_memalign(&memory, HEIST_LINE, sizeof(heist_pool)))
        return -ENOMEM;
    heist_pool *pool = memset(memory, 0, sizeof *pool);
    pool->worker = calloc(wanted, sizeof *pool->worker);
    pthread_mutex_init(&pool->lending, NULL);
    while (pool->worker && pool->workers < wanted &&
           (pool->worker[pool->workers] = make_worker(pool, pool->workers)))
        pool->workers++;
    if (!pool->workers) {
        free(pool->worker);
        free(pool);
        return -ENOMEM;
    }
    for (unsigned i = 1; i < pool->workers; i++)
        if (start_thread(pool->worker[i]))
            break; /* with fewer threads; the workers without one have no work to steal */
    *out = pool;
    return 0;
}

int heist_pool_free(heist_pool *pool)
{
    if (!pool)
        return 0;
    if (current && current->pool == pool)
        return -EDEADLK;
    stop(pool);
    return 0;
}

unsigned heist_pool_workers(const heist_pool *pool) { return pool->workers; }

static heist_pool *default_pool;
static int default_error;
static pid_t default_process; /* whose threads it has */

static void make_default(void)
{
    default_error = heist_pool_new(&default_pool, NULL);
    default_process = getpid();
}

/* When the program ends, or unloads the library: no thread is left behind. A child after fork has no
   threads to wait for, and a pool that somebody still runs in goes with the process. */
__attribute__((destructor)) static void free_default(void)
{
    if (default_pool && default_process == getpid() &&
        !pthread_mutex_trylock(&default_pool->lending)) {
        pthread_mutex_unlock(&default_pool->lending);
        heist_pool_free(default_pool);
    }
}

static int pool_or_default(heist_pool **pool)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (*pool)
        return 0;
    pthread_once(&once, make_default);
    *pool = default_pool;
    return default_error;
}

/* Runs on the calling thread, as the pool's first worker. */
int heist_run_slot_(heist_pool *pool, heist_slot_run *run, void *data, size_t arguments,
                    size_t result)
{
    int error = pool_or_default(&pool);
    if (error)
        return error;
    for (const struct worker *w = current; w; w = w->outer)
        if (w->pool == pool)
            return -EDEADLK;
    heist_slot slot = {.run = run};
    memcpy(slot.data, data, arguments);
    struct worker *before = current;
    pthread_mutex_lock(&pool->lending);
    current = pool->worker[0];
    current->outer = before;
    bool ok = heist_worker_run_(current, current->w.slots.first, &slot);
    current = before;
    pthread_mutex_unlock(&pool->lending);
    if (ok)
        memcpy(data, slot.data, result);
    return ok ? 0 : -ENOMEM;
}

int heist_run(heist_pool *pool, heist_fn *fn, void *arg)
{
    struct heist_plain_call_ call = {fn, arg};
    return fn ? heist_run_slot_(pool, heist_run_plain_, &call, sizeof call, 0) : -EINVAL;
}
