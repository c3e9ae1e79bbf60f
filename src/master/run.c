/* SPDX-License-Identifier: MIT */
/* A crew on the threads of a pool: the caller leads, jobs help. */
#define _GNU_SOURCE
#include <errno.h>
#include <heist/fork.h>
#include <heist/jobs.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"

enum { WORKERS_MOST = 1024, PERCENT = 50, KEEP = 4 };

struct run {
    heist_pool *pool;
    heist_group helpers;
    heist_au64 came;
    struct crew crew; /* last: its members follow */
};

static struct run *run_of(struct crew *c)
{
    return (struct run *)(void *)((char *)c - offsetof(struct run, crew));
}

/* ---- Threads ---- */

struct activation {
    struct crew *crew;
    member *member;
};

static void activate(heist_worker *w, void *arg)
{
    struct activation *a = arg;
    (void)w;
    heist_crew_work_(a->crew, a->member);
}

/* Inside of a heist_run, so that forks that give up come back here. Then all is to stop, and the
   second call only drops what is left; a drop that forks so deeply loses it. */
static void run_member(struct crew *c, member *m)
{
    struct activation a = {c, m};
    int error = heist_run(run_of(c)->pool, activate, &a);
    while (error) {
        heist_crew_fail_(c, error);
        error = heist_run(run_of(c)->pool, activate, &a);
    }
}

static void help(heist_worker *w, void *arg)
{
    struct run *r = arg;
    (void)w;
    heist_add(&r->came, 1, __ATOMIC_RELAXED);
    heist_crew_help_(&r->crew, run_member);
}

static bool call_helper(struct crew *c)
{
    struct run *r = run_of(c);
    const heist_job_opts opts = {.size = sizeof opts, .group = &r->helpers, .priority = HEIST_HIGH};
    return !heist_submit_with(r->pool, NULL, help, r, &opts);
}

static void lead(heist_worker *w, void *arg)
{
    struct run *r = arg;
    (void)w;
    heist_crew_lead_(&r->crew, run_member);
}

/* ---- Options ---- */

static bool all_zero(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* What was given, with defaults. A newer caller may ask for what this library does not know:
   refused. */
static int read_options(heist_master_opts *out, const heist_master_opts *given)
{
    memset(out, 0, sizeof *out);
    if (!given || given->size < offsetof(heist_master_opts, drop) ||
        (given->size > sizeof *out &&
         !all_zero((const char *)given + sizeof *out, given->size - sizeof *out)))
        return -EINVAL;
    memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
    out->size = sizeof *out;
    out->percent = out->percent ? out->percent : PERCENT;
    out->keep = out->keep ? out->keep : KEEP;
    if (!out->expand || out->percent > 100 || out->workers > WORKERS_MOST ||
        out->keep > SIZE_MAX / 2 || (out->stats && out->stats->size < sizeof *out->stats))
        return -EINVAL;
    return 0;
}

static bool is_chain(const heist_bulk_chain *chain)
{
    return chain && (chain->count ? chain->first && chain->last : !chain->first);
}

/* ---- Results ---- */

static void read_stats(const struct run *r, heist_master_stats *stats)
{
    const struct crew *c = &r->crew;
    stats->workers = c->opts.workers;
    stats->redistributions = c->redistributions;
    stats->moved = c->moved;
    stats->in_vain = c->in_vain;
    stats->threads = heist_load(&r->came, __ATOMIC_RELAXED);
    stats->expanded = stats->dropped = 0;
    for (unsigned i = 0; i < c->opts.workers; i++) {
        stats->expanded += c->members[i].count.expanded;
        stats->dropped += c->members[i].dropped;
        if (stats->each && i < stats->number)
            stats->each[i] = c->members[i].count;
    }
}

static int run_crew(struct run *r, heist_bulk_chain *roots)
{
    int error = heist_run(r->pool, lead, r);
    if (!error)
        memset(roots, 0, sizeof *roots);
    /* Also those who come too late, and find nothing to do. */
    while (heist_group_wait(&r->helpers) == -EAGAIN)
        sched_yield();
    return error ? error : -(int)heist_load(&r->crew.failed, __ATOMIC_RELAXED);
}

int heist_master_run(heist_pool *pool, const heist_master_opts *opts, heist_bulk_chain *roots)
{
    heist_master_opts o;
    struct run *r;
    const heist_worker *here = heist_worker_current();
    int error = is_chain(roots) ? read_options(&o, opts) : -EINVAL;
    if (error)
        return error;
    /* Where a worker can't wait any more, helpers could not be waited for. */
    unsigned threads = heist_pool_workers(pool);
    if (!threads || (here && heist_slots_stack_is_low_(&here->slots)))
        return -ENOMEM;
    o.workers = o.workers ? o.workers : threads;
    size_t size = offsetof(struct run, crew) + heist_crew_size_(o.workers);
    if (posix_memalign((void **)&r, HEIST_LINE, size))
        return -ENOMEM;
    memset(r, 0, size);
    r->pool = pool;
    r->crew.helpers_most = threads - 1;
    r->crew.call = call_helper;
    error = heist_group_init(&r->helpers, pool);
    if (!error)
        error = heist_crew_init_(&r->crew, &o, roots);
    if (!error) {
        error = run_crew(r, roots);
        if (o.stats)
            read_stats(r, o.stats);
        heist_crew_fini_(&r->crew);
    }
    free(r);
    return error;
}
