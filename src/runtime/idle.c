/* SPDX-License-Identifier: MIT */
/* Looking for work: of a worker that has none, and of one that waits. */
#define _GNU_SOURCE
#include <sched.h>

#include "choice.h"
#include "worker.h"

/* The model checker has everything happen between any two steps: there two tries are as good as
   all. */
enum {
    TRIES = HEIST_MODEL ? 2 : 2000, /* of a worker without work before it sleeps */
    YIELD_EVERY = 64,               /* tries */
    INBOX_EVERY = 61,               /* tasks: a job from outside comes before the worker's own */
    GRANT_EVERY = HEIST_MODEL ? 1 : 128 /* tries: requests that were not answered for so long are
                                           granted by the thief */
};

static unsigned draw(struct worker *w, unsigned n)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (unsigned)((w->random >> 32) * n >> 32);
}

/* Somebody else could use what is left. */
static void wake_one(struct worker *w, enum work work)
{
    if (heist_load(&w->pool->parking.sleepers, __ATOMIC_RELAXED))
        heist_worker_wake_one_(w, work);
}

/* ---- Taking ---- */

/* What came out of a queue. False: it was only the trace of a fork that is joined already; or a
   job, and this worker helps with forks alone: it is for somebody else. */
static bool run_item(struct worker *w, heist_slot *head, void *item, enum help help)
{
    heist_job *job = tasks_job_in(item);
    uintptr_t context;
    if (job && help != HELP_ALL) {
        heist_worker_move_to_inbox_(w, job);
        return false;
    }
    if (job)
        heist_job_run_(w, head, job);
    else if (heist_worker_claim_(item, w->number + HEIST_SLOT_THIEF, &context))
        heist_worker_run_claimed_(w, head, item, context);
    else
        return false;
    return true;
}

static bool run_from_inbox(struct worker *w, heist_slot *head, enum heist_priority priority)
{
    struct inbox *inbox = &w->pool->inbox;
    heist_job *job =
        heist_inbox_is_empty_(inbox, priority) ? NULL : heist_inbox_take_(inbox, priority);
    if (!job)
        return false;
    if (!heist_inbox_is_empty_(inbox, priority))
        wake_one(w, JOBS);
    heist_job_run_(w, head, job);
    return true;
}

static void has_stolen(struct worker *w, const struct worker *victim, size_t number)
{
    heist_count_by_(&w->counters, steals, number);
    heist_worker_trace_(w, HEIST_TRACE_STEAL_, victim->number, 0);
    if (w->victim)
        heist_victim_result(w->victim, victim->number, number);
}

/* The one queue of `global` has everybody's forks. */
static bool run_own(struct worker *w, heist_slot *head)
{
    void *item = tasks_get(w->tasks);
    if (item && w->pool->kind == KIND_global && !tasks_job_in(item)) {
        const struct worker *owner = heist_worker_owner_(w->pool, item);
        if (owner != w)
            has_stolen(w, owner, 1);
    }
    return item && run_item(w, head, item, HELP_ALL);
}

static void *steal_item(struct worker *w, struct worker *victim)
{
    void *item;
    enum heist_steal result = tasks_steal(victim->tasks, &item);
    if (result == HEIST_STEAL_OK) {
        has_stolen(w, victim, 1);
        return item;
    }
    result == HEIST_STEAL_BUSY ? heist_count_(&w->counters, lost)
                               : heist_count_(&w->counters, empty);
    return NULL;
}

static void ask(struct worker *w, struct worker *victim)
{
    if (heist_load(&victim->w.slots.asked, __ATOMIC_RELAXED))
        return;
    heist_count_(&w->counters, asks);
    heist_worker_trace_(w, HEIST_TRACE_ASK_, victim->number, 0);
    heist_slots_ask_(&victim->w.slots);
}

static bool steal_slot(struct worker *w, struct worker *victim, heist_slot *head)
{
    bool lost;
    heist_slot *slot = heist_slots_claim_(&victim->w.slots, &lost);
    if (!slot) {
        lost ? heist_count_(&w->counters, lost) : heist_count_(&w->counters, empty);
        if (!lost)
            ask(w, victim);
        return false;
    }
    uintptr_t context = heist_slots_mark_(slot, w->number);
    has_stolen(w, victim, 1);
    if (heist_slots_has_public_(&victim->w.slots))
        wake_one(w, FORKS);
    heist_worker_run_claimed_(w, head, slot, context);
    return true;
}

/* ---- Batches, and blocks that were sampled ---- */

/* Only of a thread that is in no task: nothing may come to lie above own forks, which are joined in
   their order; and a lender leaves its queue to nobody. */
static bool takes_batches(const struct worker *w)
{
    return w->pool->batch != HEIST_BATCH_ONE && !w->frame && !w->is_lender;
}

/* All but the first go into the thief's own queue, and are as public there as they were. Somebody
   who looked for work meanwhile, and saw them in neither queue, is about to sleep: hence the fence
   in heist_park_wake_one_, in any case. */
static void keep(struct worker *w, heist_slot *head, size_t n)
{
    size_t kept = 1;
    while (kept < n && tasks_put(w->tasks, w->loot[kept]))
        kept++;
    tasks_show(w->tasks);
    if (kept > 1)
        heist_worker_wake_one_(w, w->pool->kind == KIND_heist ? JOBS : FORKS);
    for (; kept < n; kept++) /* there was no room; none of these takes a batch */
        run_item(w, head, w->loot[kept], HELP_ALL);
}

/* What the policy has chosen may have been sampled, and then it is that which is stolen from. */
static void *steal_items(struct worker *w, struct worker *victim, heist_slot *head, bool is_sampled)
{
    void *one, **items = &one;
    size_t most = 1;
    if (takes_batches(w)) {
        size_t size = w->pool->batch == HEIST_BATCH_HALF ? tasks_size(victim->tasks) : 0;
        most = heist_batch_items(w->pool->batch, size, tasks_block(victim->tasks));
        most = most < w->loot_most ? most : w->loot_most;
        items = w->loot;
    } else if (!is_sampled) {
        return steal_item(w, victim);
    }
    size_t n = is_sampled ? tasks_steal_from(victim->tasks, w->victim->sampled, items, most)
                          : tasks_steal_many(victim->tasks, items, most);
    if (!n) {
        heist_count_(&w->counters, empty);
        return NULL;
    }
    has_stolen(w, victim, n);
    if (n > 1)
        keep(w, head, n);
    return items[0];
}

/* Before a worker goes to the bench: there it answers nobody who asks for what it has. */
static void empty_queue(struct worker *w, heist_slot *head)
{
    void *item;
    while (w->tasks == &w->own && (item = tasks_get(w->tasks))) {
        heist_job *job = tasks_job_in(item);
        if (job)
            heist_worker_move_to_inbox_(w, job);
        else
            run_item(w, head, item, HELP_ALL);
    }
}

/* ---- Stealing ---- */

/* Runs one task of the victim's; or asks for one. */
static bool steal_from(struct worker *w, struct worker *victim, heist_slot *head, enum help help,
                       bool is_sampled)
{
    bool in_slots = w->pool->kind == KIND_heist;
    if (in_slots && steal_slot(w, victim, head))
        return true;
    if (in_slots && help != HELP_ALL)
        return false;
    void *item = steal_items(w, victim, head, is_sampled);
    if (!item) {
        if (!in_slots)
            ask(w, victim);
        return false;
    }
    if (heist_load(&w->pool->parking.sleepers, __ATOMIC_RELAXED) && tasks_size(victim->tasks))
        wake_one(w, in_slots ? JOBS : FORKS);
    return run_item(w, head, item, help);
}

static bool steal_by_policy(struct worker *w, unsigned n, heist_slot *head, enum help help)
{
    struct worker *victim = heist_choice_next_(w, n);
    bool got = victim && steal_from(w, victim, head, help, w->victim->is_sampled);
    if (victim && !got)
        heist_victim_result(w->victim, victim->number, 0);
    return got;
}

static bool steal_from_any(struct worker *w, heist_slot *head, enum help help)
{
    unsigned n = heist_load(&w->pool->seats, HEIST_RT_SEATS);
    if (n < 2)
        return false;
    if (HEIST_UNLIKELY(w->victim != NULL))
        return steal_by_policy(w, n, head, help);
    unsigned i = draw(w, n - 1);
    return steal_from(w, w->pool->worker[i + (i >= w->number)], head, help, false);
}

static bool find_work(struct worker *w, heist_slot *head, enum help help)
{
    bool inbox_first = heist_load(&w->counters.tasks, __ATOMIC_RELAXED) % INBOX_EVERY == 0;
    if (help == HELP_ALL && (run_from_inbox(w, head, HEIST_HIGH) ||
                             (inbox_first && run_from_inbox(w, head, HEIST_NORMAL)) ||
                             run_own(w, head) || run_from_inbox(w, head, HEIST_NORMAL)))
        return true;
    return steal_from_any(w, head, help);
}

/* ---- Owners that do not answer ---- */

/* True if something has become public. */
static bool grant(struct worker *w)
{
    heist_pool *pool = w->pool;
    unsigned n = heist_load(&pool->seats, HEIST_RT_SEATS), first = draw(w, n);
    if (pool->kind != KIND_heist || !pool->has_heavy_fence)
        return false;
    for (unsigned i = 0; i < n; i++) {
        struct worker *victim = pool->worker[(first + i) % n];
        if (victim == w || !heist_slots_has_private_(&victim->w.slots))
            continue;
        ask(w, victim);
        size_t granted = heist_slots_grant_(&victim->w.slots);
        if (granted) {
            heist_count_by_(&w->counters, grants, granted);
            if (heist_load(&pool->parking.sleepers, __ATOMIC_RELAXED))
                ask(w, victim); /* the others' request, which this has answered, stays */
            heist_worker_trace_(w, HEIST_TRACE_GRANT_, victim->number, granted);
            return true;
        }
    }
    return false;
}

/* ---- Sleeping ---- */

static bool stopping(const heist_pool *pool)
{
    return heist_load(&pool->stopping, __ATOMIC_RELAXED);
}

/*
 * The last look before sleep. Whoever forks next sees the request, and wakes us. What was forked or
 * put before that shows behind the heavy fence, also if its owner is in a long task by now. A
 * request that is not there, since the owner is just at it, or has answered it, may have been
 * missed.
 */
static bool anything_to_do(struct worker *w, enum help help, void **item)
{
    heist_pool *pool = w->pool;
    unsigned n = heist_load(&pool->seats, HEIST_RT_SEATS);
    bool in_slots = pool->kind == KIND_heist;
    for (unsigned i = 0; i < n; i++)
        if (i != w->number)
            ask(w, pool->worker[i]);
    bool fenced = pool->has_heavy_fence && heist_fence_heavy();
    if (!fenced)
        heist_fence(HEIST_RT_ASK_FENCE);
    if (help == HELP_ALL && (!heist_inbox_is_empty_(&pool->inbox, HEIST_HIGH) ||
                             !heist_inbox_is_empty_(&pool->inbox, HEIST_NORMAL)))
        return true;
    for (unsigned i = 0; i < n; i++) {
        struct worker *victim = pool->worker[i];
        const heist_slots *q = &victim->w.slots;
        if (victim == w)
            continue;
        if (!heist_slots_is_asked_(q))
            return true;
        if (in_slots && (heist_slots_has_public_(q) || (fenced && heist_slots_has_private_(q))))
            return true;
        if ((help == HELP_ALL || !in_slots) && (*item = steal_item(w, victim)))
            return true;
        if (tasks_are_unasked(victim->tasks)) /* the answer came at once, or a race was lost */
            return true;
        /* Private still: the owner is given some microseconds, then it becomes public. */
        if (help == HELP_ALL && in_slots && fenced && tasks_size(victim->tasks))
            return true;
    }
    return n != heist_load(&pool->seats, __ATOMIC_RELAXED); /* nobody has asked the new ones */
}

static void sleep_now(struct worker *w)
{
    heist_count_(&w->counters, parks);
    heist_counters_take_atomics_(&w->counters);
    heist_worker_trace_(w, HEIST_TRACE_PARK_, 0, 0);
    heist_park_sleep_(&w->parker);
    if (!w->is_lender && !w->is_pinned)
        heist_crowd_woken_(&w->pool->crowd, w->rank);
    heist_choice_moved_(w);
    heist_worker_trace_(w, HEIST_TRACE_END_, 0, 0);
}

static void sleep_until_work(struct worker *w, struct wait *wait, heist_slot *head, enum help help)
{
    struct parking *parking = &w->pool->parking;
    void *item = NULL;
    heist_park_prepare_(parking, &w->parker,
                        help == HELP_NOT     ? WAITING
                        : help == HELP_FORKS ? HELPING
                                             : ASLEEP);
    if (wait ? wait->is_over(wait) || !wait->will_wake(wait) : stopping(w->pool)) {
        heist_park_cancel_(parking, &w->parker);
    } else if (help != HELP_NOT && anything_to_do(w, help, &item)) {
        heist_park_cancel_(parking, &w->parker);
        if (item)
            run_item(w, head, item, help);
    } else {
        sleep_now(w);
    }
}

/* ---- The two loops ---- */

/* Not until a lender is gone. */
static void sit_on_the_bench(struct worker *w)
{
    struct parking *parking = &w->pool->parking;
    heist_park_prepare_(parking, &w->parker, WAITING);
    if (!stopping(w->pool) && heist_seats_is_benched_(w)) {
        /* Whatever this one was woken for, somebody else should do. */
        if (heist_park_wake_one_(parking, JOBS) || heist_park_wake_one_(parking, FORKS))
            heist_worker_woke_(w, HEIST_TRACE_UNKNOWN_);
        sleep_now(w);
    } else {
        heist_park_cancel_(parking, &w->parker);
    }
}

static void pause_between(struct worker *w, unsigned tries, enum help help)
{
    heist_pause();
    if (help != HELP_NOT && tries % GRANT_EVERY == 0)
        grant(w);
    else if (tries % YIELD_EVERY == 0)
        sched_yield();
}

/* Until the next task begins. */
static void trace_idle(struct worker *w)
{
    if (HEIST_UNLIKELY(w->trace && !w->is_idle)) {
        heist_worker_trace_(w, HEIST_TRACE_IDLE_, 0, 0);
        w->is_idle = true;
    }
}

void heist_worker_idle_(struct worker *w)
{
    heist_slot *head = w->w.slots.first;
    for (unsigned tries = 0; !stopping(w->pool);) {
        trace_idle(w);
        if (heist_seats_is_benched_(w)) {
            empty_queue(w, head);
            sit_on_the_bench(w);
            tries = 0;
        } else if (find_work(w, head, HELP_ALL)) {
            tries = 0;
        } else if (++tries < TRIES) {
            pause_between(w, tries, HELP_ALL);
        } else {
            sleep_until_work(w, NULL, head, HELP_ALL);
            tries = 0;
        }
    }
}

static bool help_thief(struct worker *w, const struct wait *wait, heist_slot *head)
{
    unsigned thief;
    return wait->slot && heist_slots_thief_(wait->slot, &thief) && thief != w->number &&
           thief < heist_load(&w->pool->seats, HEIST_RT_SEATS) && /* its seat can be seen */
           steal_from(w, w->pool->worker[thief], head, HELP_FORKS, false);
}

/* For dumps, and for the trace. */
static void begin_wait(struct worker *w, const struct wait *wait)
{
    unsigned thief;
    bool is_known = wait->slot && heist_slots_thief_(wait->slot, &thief);
    heist_store(&w->waits_for, wait->slot ? (uintptr_t)wait->slot : WAITS_FOR_JOB,
                __ATOMIC_RELAXED);
    heist_worker_trace_(w, HEIST_TRACE_WAIT_, is_known ? thief : HEIST_TRACE_UNKNOWN_, 0);
}

static void end_wait(struct worker *w)
{
    heist_worker_trace_(w, HEIST_TRACE_END_, 0, 0);
    heist_store(&w->waits_for, 0, __ATOMIC_RELAXED);
}

bool heist_worker_wait_(struct worker *w, struct wait *wait, heist_slot *head, enum help help)
{
    if (help == HELP_ALL && heist_slots_stack_is_low_(&w->w.slots))
        return wait->is_over(wait);
    if (help == HELP_FORKS && (uintptr_t)__builtin_frame_address(0) < w->stack_help)
        help = HELP_NOT;
    begin_wait(w, wait);
    for (unsigned tries = 0; !wait->is_over(wait);) {
        heist_worker_answer_(w);
        if (help != HELP_NOT && (help_thief(w, wait, head) || find_work(w, head, help))) {
            heist_count_(&w->counters, helps);
            tries = 0;
        } else if (++tries < TRIES) {
            pause_between(w, tries, help);
        } else {
            sleep_until_work(w, wait, head, help);
            tries = 0;
        }
    }
    end_wait(w);
    return true;
}
