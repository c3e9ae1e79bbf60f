/* SPDX-License-Identifier: MIT */
/*
 * Where threads sleep. A worker that finds nothing says that it is about to sleep, looks once more,
 * and sleeps; one that has made work looks whether somebody sleeps. A full fence on each side
 * between the two sees to it that one of them sees the other.
 *
 * Each sleeper has a word of its own, so that one who waits for something can be woken by whoever
 * has done it, and all others are left alone.
 */
#ifndef HEIST_RUNTIME_PARK_H
#define HEIST_RUNTIME_PARK_H

#include <heist/atomic.h>

/* The ledger of orders. */
/* about to sleep: the own word and sleepers before the last look for work; pairs with WAKE_FENCE;
   else a worker sleeps beside work that nobody will wake it for */
#ifndef HEIST_PK_SLEEP_FENCE
#define HEIST_PK_SLEEP_FENCE __ATOMIC_SEQ_CST
#endif
/* waking: the work before the look at sleepers; pairs with SLEEP_FENCE */
#ifndef HEIST_PK_WAKE_FENCE
#define HEIST_PK_WAKE_FENCE __ATOMIC_SEQ_CST
#endif

/* a parker is added: it before their number; pairs with PARKERS; else junk is woken */
#ifndef HEIST_PK_ADD
#define HEIST_PK_ADD __ATOMIC_RELEASE
#endif
/* waking: the number of parkers before the parkers; pairs with ADD */
#ifndef HEIST_PK_PARKERS
#define HEIST_PK_PARKERS __ATOMIC_ACQUIRE
#endif

struct parker {
    heist_au32 state;
};

enum {
    AWAKE,
    ASLEEP,  /* or about to be: to be woken for any work, or by name */
    HELPING, /* the same, but for forks only: a join waits on this stack, and begins no job */
    WAITING  /* to be woken by name only */
};

/* What there is to do. */
enum work { JOBS, FORKS };

struct parking {
    heist_au32 sleepers;     /* parkers that are ASLEEP or HELPING */
    heist_au32 number;       /* of parkers */
    struct parker *parker[]; /* the first ones are woken first */
};

/* One at a time. */
void heist_park_add_(struct parking *p, struct parker *parker);

/* Between prepare and sleep the caller looks whether there is work after all; if so, it cancels.
   What it prepares for is a state; if that is WAITING, p is not needed, here or below. */
void heist_park_prepare_(struct parking *p, struct parker *me, uint32_t state);
void heist_park_cancel_(struct parking *p, struct parker *me);
void heist_park_sleep_(struct parker *me);

/* After work has become public, and by whoever takes some and leaves more: a worker may be woken
   twice for the first. True if somebody was woken. */
bool heist_park_wake_one_(struct parking *p, enum work work);

/* By name: whoever is behind this word, if it is asleep or waiting. */
bool heist_park_wake_(struct parking *p, struct parker *who);

#endif
