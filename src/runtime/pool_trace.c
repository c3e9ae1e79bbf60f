/* SPDX-License-Identifier: MIT */
/* The trace of a pool, as HEIST_TRACE says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "environment.h"
#include "worker.h"

/* Once is enough: all pools have the same file. */
static void complain(int error)
{
    static heist_au32 told;
    char why[256];
    if (heist_exchange(&told, 1, __ATOMIC_RELAXED))
        return;
    snprintf(why, sizeof why, "%s; there is no trace: name a file that can be written",
             error == -EINVAL ? "it is not a regular file" : strerror(-error));
    heist_environment_complain_("HEIST_TRACE", why);
}

void heist_pool_trace_begin_(heist_pool *pool)
{
    const char *path = heist_environment_()->trace;
    int error = path ? heist_trace_open_(&pool->trace, path, SEATS, pool->name, 0) : 0;
    if (error)
        complain(error);
    for (unsigned i = 0; i < heist_load(&pool->seats, __ATOMIC_RELAXED); i++)
        pool->worker[i]->trace = heist_trace_buffer_(pool->trace, i);
}

void heist_pool_trace_end_(heist_pool *pool)
{
    int error = heist_trace_close_(pool->trace);
    if (error)
        complain(error);
    pool->trace = NULL;
}
