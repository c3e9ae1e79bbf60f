/* SPDX-License-Identifier: MIT */
/* Fork and join where they leave the fast path, and tasks that begin and end. */
#define _GNU_SOURCE
#include "worker.h"

#include <sched.h>

enum { YIELD_EVERY = 64 };             /* looks at a lock */
enum { KEPT = HEIST_SLOT_WAITED - 1 }; /* `done` of a fork that found the queue full */
enum { STALE_MAX = 64 };

/* As the user knows it. */
static uintptr_t function_in(const heist_slot *slot)
{
    return heist_load(&slot->run, __ATOMIC_RELAXED) & HEIST_SLOT_FUNCTION;
}

/* ---- A task ---- */

static void begin(struct worker *w, struct frame *frame, const heist_slot *self,
                  enum heist_trace_kind_ as)
{
    uintptr_t function = function_in(self);
    frame->outer_function = heist_load(&w->function, __ATOMIC_RELAXED);
    frame->outer_waits_for = heist_load(&w->waits_for, __ATOMIC_RELAXED);
    heist_store(&w->function, function, __ATOMIC_RELAXED);
    heist_store(&w->waits_for, 0, __ATOMIC_RELAXED);
    heist_store(&w->depth, heist_load(&w->depth, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    heist_count_(&w->counters, tasks);
    if (w->is_idle) {
        heist_worker_trace_(w, HEIST_TRACE_END_, 0, 0);
        w->is_idle = false;
    }
    heist_worker_trace_(w, as, function, 0);
}

static void end(struct worker *w, const struct frame *frame)
{
    heist_worker_trace_(w, HEIST_TRACE_END_, 0, 0);
    heist_counters_take_atomics_(&w->counters);
    heist_store(&w->depth, heist_load(&w->depth, __ATOMIC_RELAXED) - 1, __ATOMIC_RELAXED);
    heist_store(&w->function, frame->outer_function, __ATOMIC_RELAXED);
    heist_store(&w->waits_for, frame->outer_waits_for, __ATOMIC_RELAXED);
}

void heist_worker_call_(heist_worker *w, heist_slot *head, heist_slot *self)
{
    uintptr_t function = function_in(self);
    void *arg;
    if (heist_load(&self->run, __ATOMIC_RELAXED) & HEIST_SLOT_PLAIN) {
        __builtin_memcpy(&arg, self->data, sizeof arg);
        ((heist_fn *)function)(w, arg);
    } else {
        ((heist_slot_run *)function)(w, head, self);
    }
}

/* After tasks that began at `inner`. What a typed task has left in head may be above the slots of
   plain forks that were joined meanwhile. */
static void set_head_back(heist_slots *q, uintptr_t before, uintptr_t inner)
{
    heist_store(&q->head, before < inner ? before : inner, HEIST_SL_HEAD);
}

bool heist_worker_run_(struct worker *w, heist_slot *head, heist_slot *self, uintptr_t context,
                       enum heist_trace_kind_ as)
{
    struct frame frame = {.head = head, .outer = w->frame};
    heist_slots *q = &w->w.slots;
    uintptr_t head_before = heist_load(&q->head, __ATOMIC_RELAXED);
    uintptr_t context_before = heist_load(&q->context, __ATOMIC_RELAXED);
    begin(w, &frame, self, as);
    heist_store(&q->head, (uintptr_t)head, HEIST_SL_HEAD);
    heist_store(&q->context, context, __ATOMIC_RELAXED);
    bool ok = !_setjmp(frame.back);
    if (ok) {
        w->frame = &frame;
        heist_worker_call_(&w->w, head, self);
    }
    w->frame = frame.outer;
    end(w, &frame);
    heist_store(&q->context, context_before, __ATOMIC_RELAXED);
    set_head_back(q, head_before, (uintptr_t)head);
    return ok;
}

heist_slot *heist_worker_head_(struct worker *w)
{
    heist_slots *q = &w->w.slots;
    heist_slot *head = heist_slots_open_(q, w->frame ? w->frame->head : q->first, q->first + SLOTS);
    heist_store(&q->head, (uintptr_t)head, HEIST_SL_HEAD);
    return head;
}

/* ---- The slots' lock ---- */

static bool is_unlocked(const heist_slots *q, unsigned *looks)
{
    if (++*looks % YIELD_EVERY == 0)
        sched_yield();
    return heist_load(&q->asked, __ATOMIC_RELAXED) != 2;
}

/* Whether somebody has asked. Waits for a thief that publishes in our place: microseconds. */
static bool lock(heist_slots *q)
{
    uint32_t asked;
    unsigned looks = 0;
    while ((asked = heist_slots_lock_(q)) == 2)
        heist_await(is_unlocked(q, &looks));
    return asked;
}

/* After tasks have become public: whoever is about to sleep, with a heavy fence before its last
   look, is seen here, or sees them. */
static bool may_sleep(const heist_pool *pool)
{
    heist_fence_light();
    return !pool->has_heavy_fence || heist_load(&pool->parking.sleepers, __ATOMIC_RELAXED);
}

bool heist_worker_wake_one_(struct worker *w, enum work work)
{
    heist_crowd_before_wake_(&w->pool->crowd);
    bool woken = heist_park_wake_one_(&w->pool->parking, work);
    if (woken)
        heist_worker_woke_(w, HEIST_TRACE_UNKNOWN_);
    heist_crowd_after_wake_(&w->pool->crowd, woken);
    return woken;
}

/* After tasks have become public. While others sleep, the next fork is for them. */
static void wake_for(struct worker *w, size_t exposed)
{
    if (!exposed)
        return;
    heist_count_by_(&w->counters, exposures, exposed);
    if (may_sleep(w->pool) && heist_worker_wake_one_(w, FORKS)) {
        if (heist_load(&w->pool->parking.sleepers, __ATOMIC_RELAXED))
            heist_slots_ask_(&w->w.slots);
    } else {
        heist_seats_call_deputy_(w->pool);
    }
}

/* ---- The default kind: forks in slots ---- */

/* A request that could not be answered stays: whoever has asked may be asleep by now. */
static void unlock(heist_slots *q, bool asked, size_t exposed)
{
    asked && !exposed ? heist_slots_unlock_asked_(q) : heist_slots_unlock_(q);
}

/* With private slots below `end`; there may be none any more: a thief was faster. */
static void answer(struct worker *w, heist_slot *end)
{
    heist_slots *q = &w->w.slots;
    bool asked = lock(q);
    size_t exposed = asked ? heist_slots_answer_(q, end) : 0;
    unlock(q, asked, exposed);
    wake_for(w, exposed);
}

static bool take_from_slots(struct worker *w, heist_slot *newest)
{
    heist_slots *q = &w->w.slots;
    bool asked = lock(q);
    size_t exposed = asked && newest > q->floor ? heist_slots_answer_(q, newest) : 0;
    bool ours = heist_slots_take_(q, newest);
    unlock(q, asked, exposed);
    wake_for(w, exposed);
    return ours;
}

void heist_worker_answer_(struct worker *w)
{
    heist_slots *q = &w->w.slots;
    if (w->pool->kind == KIND_heist && heist_slots_is_asked_(q) && heist_slots_has_private_(q))
        answer(w, heist_worker_head_(w));
}

static void give_back(heist_slots *q, heist_slot *floor)
{
    bool asked = lock(q);
    heist_slots_set_floor_(q, floor);
    unlock(q, asked, 0);
}

/* ---- The other kinds: forks in the queue ---- */

/* `done` of a fork that waits in a queue: 0, or its context. */
static bool is_claimable(uintptr_t done) { return !done || done >= HEIST_SLOT_CONTEXTS; }

bool heist_worker_claim_(heist_slot *slot, uintptr_t mark, uintptr_t *context)
{
    *context = heist_load(&slot->done, __ATOMIC_RELAXED);
    return is_claimable(*context) && heist_cas(&slot->done, context, mark, HEIST_RT_CLAIM);
}

struct worker *heist_worker_owner_(heist_pool *pool, const heist_slot *slot)
{
    for (unsigned i = heist_load(&pool->seats, HEIST_RT_SEATS); i-- > 0;) {
        const heist_slot *first = pool->worker[i]->w.slots.first;
        if (slot >= first && slot <= first + SLOTS)
            return pool->worker[i];
    }
    __builtin_unreachable();
}

void heist_worker_run_claimed_(struct worker *w, heist_slot *head, heist_slot *slot,
                               uintptr_t context)
{
    bool ok = heist_worker_run_(w, head, slot, context, HEIST_TRACE_FORK_);
    if (!heist_slots_finish_(slot, ok))
        return;
    struct worker *owner = heist_worker_owner_(w->pool, slot);
    if (heist_park_wake_(&w->pool->parking, &owner->parker))
        heist_worker_woke_(w, owner->number);
}

void heist_worker_move_to_inbox_(struct worker *w, heist_job *job)
{
    heist_inbox_put_(&w->pool->inbox, job, job, 1, HEIST_NORMAL);
    heist_worker_wake_one_(w, JOBS);
}

/* A FIFO queue still holds what was joined out of its order; some of it goes here. */
static void drop_stale(struct worker *w)
{
    void *item = tasks_get(w->tasks);
    heist_job *job = item ? tasks_job_in(item) : NULL;
    if (job)
        heist_worker_move_to_inbox_(w, job);
    else if (item && is_claimable(heist_load(&((heist_slot *)item)->done, __ATOMIC_RELAXED)) &&
             tasks_put(w->tasks, item))
        return;
    w->stale--;
}

static void put_in_queue(struct worker *w, heist_slot *filled)
{
    if (w->stale > STALE_MAX)
        drop_stale(w);
    heist_store(&filled->done, heist_load(&w->w.slots.context, __ATOMIC_RELAXED), HEIST_RT_PUT);
    if (!tasks_put(w->tasks, filled)) {
        heist_store(&filled->done, KEPT, __ATOMIC_RELAXED);
        return;
    }
    heist_fence_light(); /* a thief that asks before it sleeps is seen, or sees the fork */
    if (!w->pool->has_heavy_fence)
        heist_fence(HEIST_RT_PUT_FENCE);
    if (heist_load(&w->w.slots.asked, __ATOMIC_RELAXED) && tasks_expose(w->tasks)) {
        heist_store(&w->w.slots.asked, 0, __ATOMIC_RELAXED);
        wake_for(w, 1);
    }
}

/* Jobs that lie above our fork go to the inbox; a fork below it goes back: ours was stolen. */
static bool take_from_queue(struct worker *w, heist_slot *newest)
{
    uintptr_t context;
    if (heist_load(&newest->done, __ATOMIC_RELAXED) == KEPT)
        return true;
    if (!tasks_are_ordered(w->tasks->kind)) {
        bool ours = heist_worker_claim_(newest, HEIST_SLOT_RUN, &context);
        w->stale += ours;
        return ours;
    }
    void *item;
    while ((item = tasks_get(w->tasks)) && tasks_job_in(item))
        heist_worker_move_to_inbox_(w, tasks_job_in(item));
    if (item == newest)
        return true;
    if (item && !tasks_put(w->tasks, item) &&
        heist_worker_claim_(item, w->number + HEIST_SLOT_THIEF, &context))
        heist_worker_run_claimed_(w, newest + 1, item, context);
    return false;
}

/* ---- A stolen task ---- */

static bool is_done(struct wait *wait) { return heist_slots_is_done_(wait->slot); }
static bool thief_will_wake(struct wait *wait) { return heist_slots_sleep_(wait->slot); }

/* A `bulk` queue says empty while its stealer walks: what was not stolen comes back. */
static bool is_done_or_back(struct wait *wait)
{
    if (wait->is_back || is_done(wait))
        return true;
    wait->is_back = is_claimable(heist_load(&wait->slot->done, __ATOMIC_RELAXED)) &&
                    take_from_queue(wait->w, wait->slot);
    return wait->is_back;
}

/* True: it is the worker's after all. */
static bool wait_for(struct worker *w, heist_slot *slot, enum help help)
{
    struct wait wait = {.is_over = w->pool->kind == KIND_heist ? is_done : is_done_or_back,
                        .will_wake = thief_will_wake,
                        .slot = slot,
                        .w = w};
    heist_count_(&w->counters, join_waits);
    heist_worker_wait_(w, &wait, slot + 1, help);
    return wait.is_back;
}

/* True if the fork is the worker's to run. */
static bool take(struct worker *w, heist_slot *newest, enum help help)
{
    if (w->pool->kind != KIND_heist)
        return take_from_queue(w, newest) || wait_for(w, newest, help);
    if (take_from_slots(w, newest))
        return true;
    wait_for(w, newest, help);
    give_back(&w->w.slots, newest);
    return false;
}

/* ---- What the inline functions call ---- */

/* As its join would, typed or plain. */
static void close_slot(struct worker *w, heist_slot *slot)
{
    uintptr_t run = heist_load(&slot->run, __ATOMIC_RELAXED);
    heist_store(&slot->run, run | HEIST_SLOT_JOINED, __ATOMIC_RELAXED);
    heist_store(&w->w.slots.head, (uintptr_t)slot, HEIST_SL_HEAD);
}

/*
 * The task that this worker was given ends here, without its result: there is no room for its
 * forks. What it has forked, below `end`, is not needed any more; but thieves may be at work on the
 * stack that goes away.
 */
static _Noreturn void give_up(struct worker *w, heist_slot *end)
{
    struct frame *frame = w->frame;
    while (end-- > frame->head) {
        close_slot(w, end);
        take(w, end, HELP_NOT);
    }
    _longjmp(frame->back, 1);
}

HEIST_COLD void heist_fork_slow_(heist_worker *public, heist_slot *filled)
{
    struct worker *w = worker_of(public);
    heist_slots *q = &public->slots;
    bool in_slots = w->pool->kind == KIND_heist;
    if (filled >= q->first + SLOTS || heist_slots_stack_is_low_(q)) {
        /* A thief that grants may have seen the new fork already; in a queue it is not yet. */
        if (!in_slots)
            close_slot(w, filled);
        give_up(w, filled + in_slots);
    }
    if (w->pool->counts_forks)
        heist_count_(&w->counters, forks);
    if (!in_slots)
        put_in_queue(w, filled);
    else if (heist_load(&q->asked, __ATOMIC_RELAXED))
        answer(w, filled + 1);
}

static void join(heist_worker *public, heist_slot *newest, enum help help)
{
    struct worker *w = worker_of(public);
    if (take(w, newest, help))
        heist_worker_call_(public, newest, newest);
    else if (heist_slots_failed_(newest))
        give_up(w, newest);
}

HEIST_COLD void heist_join_slow_(heist_worker *w, heist_slot *newest)
{
    join(w, newest, HELP_FORKS);
}

HEIST_COLD void heist_join_only_slow_(heist_worker *w, heist_slot *newest)
{
    join(w, newest, HELP_NOT);
}
