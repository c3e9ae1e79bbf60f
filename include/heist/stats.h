/* SPDX-License-Identifier: MIT */
/*
 * What the workers of a pool have done so far. Counting is always on, but for forks: one that no
 * thief sees is a store and a comparison. They are counted in a pool whose options say
 * HEIST_STATS_FORKS, and with HEIST_STATS=forks: then every fork takes the slow path, and fib four
 * times as long.
 *
 *   heist_stats sum;
 *   if (!heist_pool_stats(pool, &sum, NULL, 0))
 *       printf("%llu steals\n", (unsigned long long)sum.steals);
 *
 * Each worker counts for itself, and its counters are read one after the other while it works: a
 * number is never wrong, but two of them may be from different moments. Numbers only grow, until
 * the pool ends.
 */
#ifndef HEIST_STATS_H
#define HEIST_STATS_H

#include <heist/base.h>

HEIST_BEGIN_DECLS

typedef struct heist_pool heist_pool;

/* The only list. New ones come at the end: X(name, what it counts). */
#define HEIST_STATS_FIELDS(X)                                                          \
    X(tasks, "tasks begun: stolen ones, jobs, and what heist_run was given")           \
    X(forks, "tasks forked; 0 unless asked for, see above")                            \
    X(steals, "tasks stolen from others")                                              \
    X(empty, "attempts to steal that found nothing")                                   \
    X(lost, "attempts to steal that lost a race")                                      \
    X(asks, "requests to others to make work public")                                  \
    X(exposures, "own tasks made public")                                              \
    X(grants, "tasks of a busy worker made public in its place")                       \
    X(parks, "times asleep")                                                           \
    X(wakes, "wake-ups given to others")                                               \
    X(join_waits, "joins whose task was stolen")                                       \
    X(helps, "tasks run while waiting at a join")                                      \
    X(jobs, "submitted jobs run")                                                      \
    X(block_changes,                                                                   \
      "moves of a worker to another block of its queue; 0 unless the kind has blocks") \
    X(fences, "fences executed; 0 unless built with HEIST_COUNT (heist bench lcws)")   \
    X(cas, "compare-and-swap and other read-modify-writes executed; as fences")

#define HEIST_STATS_FIELD_(name, text) uint64_t name;
/* What one worker, or all of them, have done. */
typedef struct heist_stats {
    HEIST_STATS_FIELDS(HEIST_STATS_FIELD_)
} heist_stats;
#undef HEIST_STATS_FIELD_

/*
 * `sum`, if not NULL, gets the sum over all workers; `each`, if not NULL, has room for `number`
 * workers, and gets those of workers 0 to number - 1, zeros where there are fewer; the numbers are
 * those of heist_worker_number. From any thread, at any time, also from a task. NULL is the default
 * pool. 0; -EINVAL: nothing to fill, or `each` without room; -ENOMEM: there is no default pool.
 *
 * `size` is sizeof(heist_stats) as the caller was compiled, so that fields can be added: one that
 * the library does not know yet is 0.
 */
HEIST_API HEIST_MUST_CHECK int heist_pool_stats_sized(heist_pool *pool, heist_stats *sum,
                                                      heist_stats *each, unsigned number,
                                                      size_t size);

/* The same, with the size that the caller was compiled with: what programs call. */
HEIST_MUST_CHECK static inline int heist_pool_stats(heist_pool *pool, heist_stats *sum,
                                                    heist_stats *each, unsigned number)
{
    return heist_pool_stats_sized(pool, sum, each, number, sizeof(heist_stats));
}

HEIST_END_DECLS

#endif
