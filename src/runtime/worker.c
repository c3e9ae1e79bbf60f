/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "worker.h"

#include <sched.h>

enum {
    TRIES = 2000,    /* of an idle worker before it sleeps */
    YIELD_EVERY = 64 /* tries */
};
enum { HELPING_MAX = 64 }; /* joins on one stack that run work which is not their thief's */

static unsigned draw(struct worker *w, unsigned n)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (unsigned)((w->random >> 32) * n >> 32);
}

static bool has_public(const heist_slots *q)
{
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    return HEIST_SLOTS_NEXT_(s) < HEIST_SLOTS_END_(s);
}

/* Runs one task of the victim's, with the slots from `head` on; or asks for one. */
static bool steal_from(struct worker *w, struct worker *victim, heist_slot *head)
{
    bool lost;
    heist_slot *slot = heist_slots_claim_(&victim->w.slots, &lost);
    if (!slot) {
        if (!lost)
            heist_slots_ask_(&victim->w.slots);
        return false;
    }
    heist_slots_mark_(slot, w->number);
    if (has_public(&victim->w.slots)) /* more than one sleeper could use */
        heist_park_wake_one_(&w->pool->parking);
    heist_slots_finish_(slot, heist_worker_run_(w, head, slot));
    return true;
}

static bool steal_from_any(struct worker *w, heist_slot *head)
{
    unsigned n = w->pool->workers;
    if (n < 2)
        return false;
    unsigned i = draw(w, n - 1);
    return steal_from(w, w->pool->worker[i + (i >= w->number)], head);
}

static bool anything_public(struct worker *w)
{
    for (unsigned i = 0; i < w->pool->workers; i++)
        if (i != w->number && has_public(&w->pool->worker[i]->w.slots))
            return true;
    return false;
}

static bool stopping(const heist_pool *pool)
{
    return heist_load(&pool->stopping, __ATOMIC_RELAXED);
}

/* Whoever forks next sees the request, and wakes us. */
static void sleep_until_work(struct worker *w)
{
    uint32_t epoch = heist_park_prepare_(&w->pool->parking);
    for (unsigned i = 0; i < w->pool->workers; i++)
        if (i != w->number)
            heist_slots_ask_(&w->pool->worker[i]->w.slots);
    if (anything_public(w) || stopping(w->pool))
        heist_park_cancel_(&w->pool->parking);
    else
        heist_park_sleep_(&w->pool->parking, epoch);
}

void heist_worker_idle_(struct worker *w)
{
    for (unsigned tries = 0; !stopping(w->pool);) {
        if (steal_from_any(w, w->w.slots.first)) {
            tries = 0;
        } else if (++tries < TRIES) {
            heist_pause();
            if (tries % YIELD_EVERY == 0)
                sched_yield();
        } else {
            sleep_until_work(w);
            tries = 0;
        }
    }
}

/* The task was stolen: its thief's work first, then anybody's, as deep as the stack may become. */
static void wait_for(struct worker *w, heist_slot *slot)
{
    unsigned thief;
    for (unsigned tries = 1; !heist_slots_is_done_(slot); tries++) {
        bool helped = false;
        if (heist_slots_thief_(slot, &thief))
            helped = steal_from(w, w->pool->worker[thief], slot + 1);
        if (!helped && w->helping < HELPING_MAX) {
            w->helping++;
            helped = steal_from_any(w, slot + 1);
            w->helping--;
        }
        if (!helped) {
            heist_pause();
            if (tries % YIELD_EVERY == 0)
                sched_yield();
        }
    }
}

bool heist_worker_run_(struct worker *w, heist_slot *head, heist_slot *self)
{
    struct frame frame = {.head = head, .outer = w->frame};
    unsigned helping = w->helping;
    bool ok = !_setjmp(frame.back);
    if (ok) {
        w->frame = &frame;
        self->run(&w->w, head, self);
    }
    w->frame = frame.outer;
    w->helping = helping;
    return ok;
}

/*
 * The task that this worker was given ends here, without its result: there is no room for its forks.
 * What it has forked, below `end`, is not needed any more; but thieves may be at work on the stack that
 * goes away.
 */
static _Noreturn void give_up(struct worker *w, heist_slot *end)
{
    struct frame *frame = w->frame;
    while (end-- > frame->head)
        if (!heist_slots_is_private_(&w->w.slots, end) && !heist_slots_take_(&w->w.slots, end))
            wait_for(w, end);
    heist_slots_set_floor_(&w->w.slots, frame->head);
    heist_park_wake_all_(&w->pool->parking); /* requests were answered by what is gone again */
    _longjmp(frame->back, 1);
}

HEIST_COLD void heist_fork_slow_(heist_worker *public, heist_slot *filled)
{
    struct worker *w = worker_of(public);
    heist_slots *q = &public->slots;
    if ((uintptr_t)filled >= q->last)
        give_up(w, filled);
    if (heist_slots_answer_(q, filled))
        heist_park_wake_one_(&w->pool->parking);
}

HEIST_COLD bool heist_join_slow_(heist_worker *public, heist_slot *newest)
{
    struct worker *w = worker_of(public);
    heist_slots *q = &public->slots;
    bool ours = heist_slots_take_(q, newest);
    if (has_public(q)) /* it has answered a request, of one who may be asleep by now */
        heist_park_wake_one_(&w->pool->parking);
    if (ours)
        return true;
    wait_for(w, newest);
    heist_slots_set_floor_(q, newest);
    public->head = newest;
    if (heist_slots_failed_(newest))
        give_up(w, newest);
    return false;
}

void heist_run_plain_(heist_worker *w, heist_slot *head, heist_slot *self)
{
    struct heist_plain_call_ call;
    __builtin_memcpy(&call, self->data, sizeof call);
    w->head = head;
    call.fn(w, call.arg);
}
