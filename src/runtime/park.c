/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "park.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void futex(heist_au32 *word, int operation, uint32_t value)
{
    syscall(SYS_futex, &word->v_, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

uint32_t heist_park_prepare_(struct parking *p)
{
    uint32_t epoch = heist_load(&p->epoch, __ATOMIC_RELAXED);
    heist_add(&p->sleepers, 1, __ATOMIC_RELAXED);
    heist_fence(HEIST_PK_SLEEP_FENCE);
    return epoch;
}

void heist_park_cancel_(struct parking *p) { heist_add(&p->sleepers, -1u, __ATOMIC_RELAXED); }

void heist_park_sleep_(struct parking *p, uint32_t epoch)
{
    futex(&p->epoch, FUTEX_WAIT, epoch);
    heist_park_cancel_(p);
}

static void wake(struct parking *p, int most)
{
    heist_fence(HEIST_PK_WAKE_FENCE);
    if (!heist_load(&p->sleepers, __ATOMIC_RELAXED))
        return;
    heist_add(&p->epoch, 1, __ATOMIC_RELAXED);
    futex(&p->epoch, FUTEX_WAKE, (uint32_t)most);
}

void heist_park_wake_one_(struct parking *p) { wake(p, 1); }
void heist_park_wake_all_(struct parking *p) { wake(p, INT_MAX); }
