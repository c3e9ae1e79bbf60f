/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "crowd.h"

#include <sched.h>

#include "../policy/affinity.h"

enum { RECENT = 16 }; /* wakers, after a crowded one */

int heist_crowd_here_(void) { return HEIST_MODEL ? -1 : sched_getcpu(); }

void heist_crowd_begin_(int maker, unsigned rank)
{
    if (!HEIST_MODEL)
        heist_affinity_step_aside_(maker, rank);
}

void heist_crowd_before_wake_(struct crowd *c)
{
    if (!HEIST_MODEL)
        heist_store(&c->waker, (uint32_t)(heist_crowd_here_() + 1), __ATOMIC_RELAXED);
}

void heist_crowd_after_wake_(struct crowd *c, bool woken)
{
    if (HEIST_MODEL)
        return;
    if (!woken)
        heist_store(&c->waker, 0, __ATOMIC_RELAXED);
    else if (heist_load(&c->recent, __ATOMIC_RELAXED))
        sched_yield();
}

void heist_crowd_woken_(struct crowd *c, unsigned rank)
{
    uint32_t waker = HEIST_MODEL ? 0 : heist_load(&c->waker, __ATOMIC_RELAXED);
    if (!waker)
        return;
    heist_store(&c->waker, 0, __ATOMIC_RELAXED);
    bool is_crowded = heist_affinity_step_aside_((int)waker - 1, rank);
    uint32_t recent = heist_load(&c->recent, __ATOMIC_RELAXED);
    if (is_crowded || recent)
        heist_store(&c->recent, is_crowded ? RECENT : recent - 1, __ATOMIC_RELAXED);
}
