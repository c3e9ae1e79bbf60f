/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <heist/heist.h>

#include <errno.h>
#include <heist/queue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "choice.h"
#include "environment.h"
#include "places.h"
#include "process.h"
#include "worker.h"

/* ---- Options ---- */

static enum kind kind_named(const char *name)
{
#define NAME(K) #K,
    static const char *const names[] = {HEIST_QUEUE_KINDS(NAME)};
#undef NAME
    unsigned kind = 0;
    while (kind < KINDS && strcmp(names[kind], name))
        kind++;
    return kind;
}

static unsigned budget(void)
{
    unsigned n = heist_budget_read_("").workers;
    return n < WORKERS_MAX ? n : WORKERS_MAX;
}

/* What the caller was compiled with, the rest zero. False: it makes no sense. */
static bool read_opts(heist_pool_opts *out, const heist_pool_opts *given)
{
    const size_t least = offsetof(heist_pool_opts, workers) + sizeof given->workers;
    memset(out, 0, sizeof *out);
    if (!given)
        return true;
    size_t size = given->size ? given->size : sizeof *given;
    if (size < least)
        return false;
    memcpy(out, given, size < sizeof *out ? size : sizeof *out);
    return out->workers <= WORKERS_MAX && out->stats <= HEIST_STATS_FORKS;
}

static int configure(heist_pool *pool, const heist_pool_opts *opts)
{
    const struct heist_environment_ *env = heist_environment_();
    struct heist_queue_choice_ queue = env->queue;
    if (opts->queue && heist_parse_queue_(opts->queue, &queue))
        return -EINVAL;
    unsigned workers = opts->workers ? opts->workers : env->workers;
    pool->adapts = !workers;
    heist_store(&pool->workers, workers ? workers : budget(), __ATOMIC_RELAXED);
    pool->counts_forks = (opts->stats ? opts->stats : env->stats) == HEIST_STATS_FORKS;
    pool->prints_stats = env->stats;
    pool->has_heavy_fence = heist_has_heavy_fence();
    pool->kind = queue.kind ? kind_named(queue.kind) : KIND_heist;
    pool->queue_opts =
        (heist_queue_opts){.size = sizeof pool->queue_opts,
                           .block = queue.block,
                           .mode = queue.split_mode > 0 ? (unsigned)queue.split_mode : 0};
    /* As the paper's schedulers, but for the first. */
    if (pool->kind == KIND_split && pool->queue_opts.mode != HEIST_SPLIT_USER)
        pool->queue_opts.signal = SIGURG;
    return heist_choice_begin_(pool, opts);
}

/* ---- New and free ---- */

static int new_pool(heist_pool **out, const heist_pool_opts *given, const char *name)
{
    heist_pool_opts opts;
    void *memory;
    const size_t size = sizeof(heist_pool) + SEATS * sizeof(struct parker *);
    if (!out || !read_opts(&opts, given))
        return -EINVAL;
    if (posix_memalign(&memory, HEIST_LINE, size))
        return -ENOMEM;
    heist_pool *pool = memset(memory, 0, size);
    pool->jobs.pool = pool;
    pool->born = heist_stats_now_();
    snprintf(pool->name, sizeof pool->name, "%s", name);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->inbox.lock, NULL);
    heist_inbox_init_(&pool->inbox);
    int error = configure(pool, &opts);
    if (!error) {
        heist_pool_trace_begin_(pool);
        error = heist_seats_init_(pool);
    }
    if (error) {
        heist_pool_trace_end_(pool);
        heist_choice_end_(pool);
        free(pool);
        return error;
    }
    heist_process_add_(pool);
    *out = pool;
    return 0;
}

int heist_pool_new(heist_pool **out, const heist_pool_opts *given)
{
    static heist_au32 pools;
    char name[sizeof((heist_pool *)NULL)->name];
    snprintf(name, sizeof name, "%u", heist_add(&pools, 1, __ATOMIC_RELAXED) + 1);
    return new_pool(out, given, name);
}

static int revive(heist_pool *pool)
{
    bool is_alive = heist_load(&pool->generation, HEIST_RT_ALIVE) ==
                    heist_load(&heist_process_generation_, __ATOMIC_RELAXED);
    return HEIST_LIKELY(is_alive) ? 0 : heist_seats_revive_(pool);
}

int heist_pool_free(heist_pool *pool)
{
    if (!pool)
        return 0;
    if (heist_worker_here_in_(pool))
        return -EDEADLK;
    int error = revive(pool);
    if (error)
        return error;
    error = heist_group_wait(&pool->jobs);
    if (error)
        return error;
    heist_process_remove_(pool);
    heist_seats_end_threads_(pool);
    heist_stats_print_(pool);
    heist_pool_trace_end_(pool);
    heist_seats_fini_(pool);
    heist_choice_end_(pool);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->inbox.lock);
    free(pool);
    return 0;
}

/* ---- The default pool ---- */

static heist_pool *default_pool;
static int default_error;

static void make_default(void) { default_error = new_pool(&default_pool, NULL, "default"); }

/* When the program ends, or unloads the library: no thread is left behind. A pool that somebody
   still runs in goes with the process, and so do those that the program has not freed. */
__attribute__((destructor)) static void at_exit(void)
{
    heist_pool *pool = default_pool;
    if (pool &&
        heist_load(&pool->generation, __ATOMIC_RELAXED) ==
            heist_load(&heist_process_generation_, __ATOMIC_RELAXED) &&
        !heist_load(&pool->lenders, __ATOMIC_RELAXED) && !heist_worker_here_in_(pool))
        heist_pool_free(pool);
    heist_process_each_(heist_stats_print_);
}

int heist_pool_or_default_(heist_pool **pool)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!*pool) {
        pthread_once(&once, make_default);
        *pool = default_pool;
        if (default_error)
            return default_error;
    }
    return revive(*pool);
}

/* ---- Looking at it, and changing it ---- */

int heist_pool_cancel(heist_pool *pool)
{
    int error = heist_pool_or_default_(&pool);
    if (!error)
        heist_store(&pool->cancelled, 1, __ATOMIC_RELAXED);
    return error;
}

int heist_pool_refresh(heist_pool *pool)
{
    int error = heist_pool_or_default_(&pool);
    if (error || !pool->adapts)
        return error;
    heist_store(&pool->workers, budget(), __ATOMIC_RELAXED);
    return heist_seats_fill_(pool);
}

int heist_pool_inspect(heist_pool *pool, heist_pool_info *info)
{
    const size_t least = offsetof(heist_pool_info, workers) + sizeof info->workers;
    if (!info || info->size < least)
        return -EINVAL;
    int error = heist_pool_or_default_(&pool);
    if (error)
        return error;
    const struct heist_budget_ cpus = heist_budget_read_("");
    pthread_mutex_lock(&pool->lock);
    const heist_pool_info all = {
        .size = info->size,
        .workers = heist_load(&pool->workers, __ATOMIC_RELAXED),
        .threads = heist_load(&pool->threads, __ATOMIC_RELAXED),
        .error = pool->error,
        .affinity = cpus.affinity,
        .quota = cpus.quota,
        .queue = heist_queue_kinds()[pool->kind],
        .jobs = (uint32_t)heist_load(&pool->jobs.pending, __ATOMIC_RELAXED),
        .victim = heist_victim_name(&pool->policy),
        .batch = heist_batch_name(pool->batch),
        .pin = heist_pin_name(pool->places ? heist_places_pin_(pool->places) : HEIST_PIN_NONE),
        .pinned = heist_load(&pool->pinned, __ATOMIC_RELAXED),
    };
    pthread_mutex_unlock(&pool->lock);
    memcpy(info, &all, info->size < sizeof all ? info->size : sizeof all);
    return 0;
}

unsigned heist_pool_workers(heist_pool *pool)
{
    if (heist_pool_or_default_(&pool))
        return 0;
    return heist_load(&pool->workers, __ATOMIC_RELAXED);
}

unsigned heist_pool_numbers(const heist_pool *pool)
{
    (void)pool;
    return SEATS;
}

unsigned heist_worker_number(const heist_worker *w) { return ((const struct worker *)w)->number; }
heist_pool *heist_worker_pool(const heist_worker *w) { return ((const struct worker *)w)->pool; }
heist_worker *heist_worker_current(void)
{
    struct worker *w = heist_worker_here_();
    if (w)
        heist_worker_head_(w);
    return w ? &w->w : NULL;
}

/* ---- Running ---- */

static void run_job(heist_worker *w, void *slot)
{
    heist_worker_call_(w, heist_slots_head_(&w->slots), slot);
}

/* Too many threads lend already: this one waits for a worker. */
static int run_elsewhere(heist_pool *pool, heist_slot *slot)
{
    heist_job job;
    int error = heist_submit(pool, &job, run_job, slot);
    return error ? error : heist_wait(&job);
}

static int run_here(struct worker *w, heist_slot *slot)
{
    uintptr_t context = heist_load(&w->w.slots.context, __ATOMIC_RELAXED);
    return heist_worker_run_(w, heist_worker_head_(w), slot, context, HEIST_TRACE_RUN_) ? 0
                                                                                        : -ENOMEM;
}

int heist_run_slot_(heist_pool *pool, uintptr_t run, void *data, size_t arguments, size_t result)
{
    int error = heist_pool_or_default_(&pool);
    if (error)
        return error;
    heist_slot slot = {.run = {run}};
    memcpy(slot.data, data, arguments);
    struct worker *inside = heist_worker_here_in_(pool);
    struct worker *w = inside ? inside : heist_seats_enter_(pool);
    error = w ? run_here(w, &slot) : run_elsewhere(pool, &slot);
    if (w && !inside)
        heist_seats_leave_(w);
    if (!error)
        memcpy(data, slot.data, result);
    return error;
}

int heist_run(heist_pool *pool, heist_fn *fn, void *arg)
{
    return fn ? heist_run_slot_(pool, (uintptr_t)fn | HEIST_SLOT_PLAIN, &arg, sizeof arg, 0)
              : -EINVAL;
}
