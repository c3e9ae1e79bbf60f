/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "park.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static void futex(heist_au32 *word, int operation, uint32_t value)
{
    syscall(SYS_futex, &word->v_, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

void heist_park_add_(struct parking *p, struct parker *parker)
{
    uint32_t number = heist_load(&p->number, __ATOMIC_RELAXED);
    p->parker[number] = parker;
    heist_store(&p->number, number + 1, HEIST_PK_ADD);
}

void heist_park_prepare_(struct parking *p, struct parker *me, uint32_t state)
{
    if (state != WAITING)
        heist_add(&p->sleepers, 1, __ATOMIC_RELAXED);
    heist_store(&me->state, state, __ATOMIC_RELAXED);
    heist_fence(HEIST_PK_SLEEP_FENCE);
}

/* Whoever changes the word counts the sleeper out. */
static bool awaken(struct parking *p, struct parker *who, uint32_t state)
{
    if (state == AWAKE || !heist_cas(&who->state, &state, AWAKE, __ATOMIC_RELAXED))
        return false;
    if (state != WAITING)
        heist_add(&p->sleepers, -1u, __ATOMIC_RELAXED);
    return true;
}

void heist_park_cancel_(struct parking *p, struct parker *me)
{
    awaken(p, me, heist_load(&me->state, __ATOMIC_RELAXED));
}

void heist_park_sleep_(struct parker *me)
{
    uint32_t state;
    while ((state = heist_load(&me->state, __ATOMIC_RELAXED)) != AWAKE)
        futex(&me->state, FUTEX_WAIT, state);
}

static bool wake(struct parking *p, struct parker *who, uint32_t state)
{
    bool woken = awaken(p, who, state);
    if (woken)
        futex(&who->state, FUTEX_WAKE, 1);
    return woken;
}

bool heist_park_wake_(struct parking *p, struct parker *who)
{
    heist_fence(HEIST_PK_WAKE_FENCE);
    return wake(p, who, heist_load(&who->state, __ATOMIC_RELAXED));
}

bool heist_park_wake_one_(struct parking *p, enum work work)
{
    bool woken = false;
    heist_fence(HEIST_PK_WAKE_FENCE);
    if (!heist_load(&p->sleepers, __ATOMIC_RELAXED))
        return false;
    uint32_t number = heist_load(&p->number, HEIST_PK_PARKERS);
    for (uint32_t i = 0; i < number && !woken; i++) {
        uint32_t state = heist_load(&p->parker[i]->state, __ATOMIC_RELAXED);
        if (state == ASLEEP || (state == HELPING && work == FORKS))
            woken = wake(p, p->parker[i], state);
    }
    return woken;
}
