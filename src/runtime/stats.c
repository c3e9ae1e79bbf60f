/* SPDX-License-Identifier: MIT */
/* What the workers of a pool have counted. */
#include <heist/queue.h>
#include <heist/stats.h>

#include <stdlib.h>
#include <time.h>

#include "stats_table.h"
#include "worker.h"

uint64_t heist_stats_now_(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static heist_stats stats_of(const void *pool, unsigned number)
{
    const struct worker *w = ((const heist_pool *)pool)->worker[number];
    heist_stats stats = heist_counters_read_(&w->counters);
    stats.block_changes = tasks_block_changes(w->tasks);
    if (w->tasks->kind == KIND_split)
        stats.exposures = tasks_exposures(w->tasks);
    return stats;
}

static unsigned seats_of(const heist_pool *pool)
{
    return heist_load(&pool->seats, HEIST_RT_SEATS);
}

int heist_pool_stats_sized(heist_pool *pool, heist_stats *sum, heist_stats *each, unsigned number,
                           size_t size)
{
    int error = heist_pool_or_default_(&pool);
    return error ? error
                 : heist_stats_collect_(stats_of, pool, seats_of(pool), sum, each, number, size);
}

/* Where there is no memory for it, or stderr can't be written, nobody is left to be told. */
void heist_stats_print_(const heist_pool *pool)
{
    unsigned seats = seats_of(pool);
    heist_stats *each = pool->prints_stats ? calloc(seats, sizeof *each) : NULL;
    if (!each)
        return;
    const struct heist_stats_of_ of = {
        .pool = pool->name,
        .kind = heist_queue_kinds()[pool->kind],
        .workers = heist_load(&pool->workers, __ATOMIC_RELAXED),
        .nanoseconds = heist_stats_now_() - pool->born,
        .counts_forks = pool->counts_forks,
    };
    heist_stats_collect_(stats_of, pool, seats, NULL, each, seats, sizeof *each);
    heist_stats_table_(stderr, &of, each, seats);
    free(each);
}
