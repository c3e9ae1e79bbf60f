/* SPDX-License-Identifier: MIT */
#include "choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "places.h"

enum { LOOT_MOST = 256 }; /* items of a batch, from a queue without blocks */

/* ---- The queues ---- */

static struct worker *worker_at(void *pool, unsigned i) { return ((heist_pool *)pool)->worker[i]; }

/* What is public of the slots is as a block that thieves were given: the owner's line is not
 * touched. */
static bool sample(void *pool, unsigned i, uint64_t random)
{
    const struct worker *w = worker_at(pool, i);
    return (w->pool->kind == KIND_heist && heist_slots_has_public_(&w->w.slots)) ||
           tasks_sample(w->tasks, random);
}

static size_t size_of(void *pool, unsigned i)
{
    const struct worker *w = worker_at(pool, i);
    size_t forks = 0;
    if (w->pool->kind == KIND_heist) {
        const heist_slots *q = &w->w.slots;
        uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
        uintptr_t head = heist_load(&q->head, __ATOMIC_RELAXED);
        uintptr_t next = (uintptr_t)(q->first + HEIST_SLOTS_NEXT_(s));
        forks = head > next ? (head - next) / sizeof(heist_slot) : 0;
    }
    return forks + tasks_size(w->tasks);
}

/* Also of seats that are not made yet: heist_victim_init asks for all that there can be. */
static unsigned cpu_of(void *pool, unsigned i)
{
    const struct worker *w = worker_at(pool, i);
    return w ? heist_load(&w->cpu, __ATOMIC_RELAXED) : 0;
}

static unsigned level(void *pool, unsigned thief, unsigned i)
{
    return heist_topology_level(heist_places_topology_(((heist_pool *)pool)->places),
                                cpu_of(pool, thief), cpu_of(pool, i));
}

static unsigned weight(void *pool, unsigned i)
{
    return heist_topology_weight(heist_places_topology_(((heist_pool *)pool)->places),
                                 cpu_of(pool, i));
}

/* ---- The options ---- */

static int read_policy(heist_victim_policy *out, const heist_pool_opts *opts,
                       const struct heist_environment_ *env)
{
    if (opts->victim_fn) {
        heist_victim_policy own = {HEIST_VICTIM_OWN, false, opts->victim_fn, opts->victim_context};
        own.prob = opts->victim && !strcmp(opts->victim, "own+prob");
        if (opts->victim && !own.prob && strcmp(opts->victim, "own"))
            return -EINVAL;
        *out = own;
        return 0;
    }
    *out = env->victim;
    return opts->victim ? heist_victim_parse(opts->victim, out) : 0;
}

/*
 * A batch goes into the thief's own queue, where everybody must be able to reach it as well as
 * before: also while the thief is in a long task, or waits. Not so in queues that are private until
 * their owner comes by; and there is no own one if all share one.
 */
static bool can_batch(const heist_pool *pool)
{
    return pool->kind != KIND_global && pool->kind != KIND_split && pool->kind != KIND_bulk &&
           (pool->kind != KIND_heist || pool->has_heavy_fence);
}

int heist_choice_begin_(heist_pool *pool, const heist_pool_opts *opts)
{
    const struct heist_environment_ *env = heist_environment_();
    enum heist_batch batch = env->batch;
    enum heist_pin pin = env->pin ? env->pin : HEIST_PIN_NONE;
    if (read_policy(&pool->policy, opts, env) ||
        (opts->batch && heist_batch_parse(opts->batch, &batch)) ||
        (opts->pin && heist_pin_parse(opts->pin, &pin)))
        return -EINVAL;
    pool->batch = can_batch(pool) ? batch : HEIST_BATCH_ONE;
    pool->set =
        (heist_victim_set){.number = SEATS, .context = pool, .sample = sample, .size = size_of};
    if (pool->policy.rule != HEIST_VICTIM_NUMA && pin == HEIST_PIN_NONE)
        return 0;
    int error = heist_places_new_(&pool->places, pin, WORKERS_MAX);
    if (error)
        return error;
    pool->set.level = level;
    pool->set.weight = heist_places_differ_(pool->places) ? weight : NULL;
    return 0;
}

void heist_choice_end_(heist_pool *pool) { heist_places_free_(pool->places); }

/* ---- Seats ---- */

static bool is_random(const heist_victim_policy *policy)
{
    return policy->rule == HEIST_VICTIM_RANDOM && !policy->prob;
}

bool heist_choice_sit_(struct worker *w)
{
    heist_pool *pool = w->pool;
    bool ok = true;
    if (pool->places)
        heist_store(&w->cpu,
                    w->is_lender ? heist_places_here_(pool->places)
                                 : heist_places_cpu_(pool->places, w->rank),
                    __ATOMIC_RELAXED);
    if (pool->batch != HEIST_BATCH_ONE) {
        size_t block = tasks_block(w->tasks);
        w->loot_most = block > LOOT_MOST ? block : LOOT_MOST;
        w->loot = malloc(w->loot_most * sizeof *w->loot);
        ok = w->loot;
    }
    if (ok && !is_random(&pool->policy)) {
        w->victim = malloc(sizeof *w->victim);
        ok = w->victim &&
             !heist_victim_init(w->victim, &pool->set, &pool->policy, w->number, w->random);
    }
    if (!ok) {
        free(w->victim);
        free(w->loot);
    }
    return ok;
}

void heist_choice_leave_(struct worker *w)
{
    if (w->victim)
        heist_victim_fini(w->victim);
    free(w->victim);
    free(w->loot);
}

void heist_choice_moved_(struct worker *w)
{
    const struct places *places = w->pool->places;
    if (HEIST_UNLIKELY(places != NULL) && !w->is_pinned)
        heist_store(&w->cpu, heist_places_here_(places), __ATOMIC_RELAXED);
}

struct worker *heist_choice_next_(struct worker *w, unsigned seats)
{
    heist_victim *v = w->victim;
    if (HEIST_UNLIKELY(v->number != seats))
        heist_victim_resize(v, seats);
    unsigned i = heist_victim_next(v);
    /* All are nearly empty: one is tried all the same, and asked for more. */
    if (i == HEIST_VICTIM_NONE && v->policy.prob)
        i = heist_victim_any(v);
    return i == HEIST_VICTIM_NONE ? NULL : w->pool->worker[i];
}
