/* SPDX-License-Identifier: MIT */
/*
 * Where idle workers sleep. A worker that finds nothing says that it is about to sleep, looks once more,
 * and sleeps; one that has published work looks whether somebody sleeps. A full fence on each side
 * between the two sees to it that one of them sees the other.
 */
#ifndef HEIST_RUNTIME_PARK_H
#define HEIST_RUNTIME_PARK_H

#include <heist/atomic.h>

/* The ledger of orders. */
/* about to sleep: sleepers before the last look for work; pairs with WAKE_FENCE; else a worker sleeps
   beside work that nobody will wake it for */
#ifndef HEIST_PK_SLEEP_FENCE
#define HEIST_PK_SLEEP_FENCE __ATOMIC_SEQ_CST
#endif
/* waking: the work before the look at sleepers; pairs with SLEEP_FENCE */
#ifndef HEIST_PK_WAKE_FENCE
#define HEIST_PK_WAKE_FENCE __ATOMIC_SEQ_CST
#endif

struct parking {
    heist_au32 epoch; /* moves with every wake-up: what sleepers wait on */
    heist_au32 sleepers;
} HEIST_ALIGNED;

/* Between the two the caller looks whether there is work after all; if so, it cancels. */
uint32_t heist_park_prepare_(struct parking *p);
void heist_park_cancel_(struct parking *p);
void heist_park_sleep_(struct parking *p, uint32_t epoch);

/* After work has become public. */
void heist_park_wake_one_(struct parking *p);
void heist_park_wake_all_(struct parking *p);

#endif
