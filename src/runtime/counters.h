/* SPDX-License-Identifier: MIT */
/*
 * The counters of one worker, which alone writes them; whoever wants reads them. A load and a
 * store, not a read-modify-write: as cheap as counting in a plain word, and no data race. Not all
 * are counted here: block_changes, and the exposures of `split`, are the queue's (tasks.h).
 */
#ifndef HEIST_RUNTIME_COUNTERS_H
#define HEIST_RUNTIME_COUNTERS_H

#include <heist/atomic.h>
#include <heist/stats.h>

#define HEIST_COUNTER_FIELD_(name, text) heist_au64 name;
struct heist_counters_ {
    HEIST_STATS_FIELDS(HEIST_COUNTER_FIELD_)
} HEIST_ALIGNED;
#undef HEIST_COUNTER_FIELD_

/* 1: nothing is counted, for heist bench runtime to show what counting costs; and under the model
   checker, to which two turns of a loop would never be the same. */
#ifndef HEIST_NO_COUNTERS
#define HEIST_NO_COUNTERS HEIST_MODEL
#endif

/* For the worker whose counters these are. */
#if HEIST_NO_COUNTERS
#define heist_count_by_(c, field, n) ((void)&(c)->field, (void)(n))
#else
#define heist_count_by_(c, field, n) \
    heist_store(&(c)->field, heist_load(&(c)->field, __ATOMIC_RELAXED) + (n), __ATOMIC_RELAXED)
#endif
#define heist_count_(c, field) heist_count_by_(c, field, 1)

/* What the thread has executed since the last call becomes this worker's. */
#if HEIST_COUNT
void heist_counters_take_atomics_(struct heist_counters_ *c);
#else
static inline void heist_counters_take_atomics_(struct heist_counters_ *c) { (void)c; }
#endif

heist_stats heist_counters_read_(const struct heist_counters_ *c);

/*
 * The body of heist_pool_stats_sized: `of(pool, i)` gives the statistics of worker i. 0 or -EINVAL,
 * as that function's.
 */
typedef heist_stats heist_stats_of_worker_(const void *pool, unsigned worker);
int heist_stats_collect_(heist_stats_of_worker_ *of, const void *pool, unsigned workers,
                         heist_stats *sum, heist_stats *each, unsigned number, size_t size);

/* Adds to every field. */
void heist_stats_add_(heist_stats *sum, const heist_stats *more);

#endif
