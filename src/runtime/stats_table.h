/* SPDX-License-Identifier: MIT */
/* The statistics of a pool as text, for HEIST_STATS=1. */
#ifndef HEIST_RUNTIME_STATS_TABLE_H
#define HEIST_RUNTIME_STATS_TABLE_H

#include <heist/stats.h>
#include <stdio.h>

/* One row per worker and their sum. The text goes out in one piece, so that nothing comes between
   its lines. 0, -ENOMEM, or what writing gave. */
int heist_stats_table_(FILE *out, const char *pool, const char *kind, uint64_t nanoseconds,
                       const heist_stats *each, unsigned workers);

#endif
