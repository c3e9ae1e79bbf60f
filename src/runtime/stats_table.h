/* SPDX-License-Identifier: MIT */
/* The statistics of a pool as text, for HEIST_STATS=1. */
#ifndef HEIST_RUNTIME_STATS_TABLE_H
#define HEIST_RUNTIME_STATS_TABLE_H

#include <heist/stats.h>
#include <stdbool.h>
#include <stdio.h>

struct heist_stats_of_ {
    const char *pool, *kind;
    unsigned workers;     /* that may work at the same time */
    uint64_t nanoseconds; /* that the pool lived */
    bool counts_forks;    /* else a dash is in their place */
};

/* One row per worker, of which there may be more than work at the same time, and
   their sum. The text goes out in one piece, so that nothing comes between its lines.
   0, -ENOMEM, or what writing gave. */
int heist_stats_table_(FILE *out, const struct heist_stats_of_ *of, const heist_stats *each,
                       unsigned rows);

#endif
