/* SPDX-License-Identifier: MIT */
/*
 * Two workers on one CPU though another is idle. Some kernels begin and wake a thread on the CPU of
 * whoever does that, and take 10 to 20 ms to see it: longer than many programs compute. So a thread
 * of the pool that begins or wakes where its maker or waker is goes to another CPU, and from there
 * wherever the system wants. It gets to do so only when it runs: where that has happened of late,
 * the waker lets others run once. On kernels that look for an idle CPU themselves all this is a
 * comparison.
 *
 * The threads of the program, which lend themselves, are left where they are; so are those that are
 * pinned.
 */
#ifndef HEIST_RUNTIME_CROWD_H
#define HEIST_RUNTIME_CROWD_H

#include <heist/atomic.h>

/* Of a pool. Hints: nothing depends on their order. */
struct crowd {
    heist_au32 waker;  /* the CPU, + 1, of the worker that woke another last; 0: was looked at */
    heist_au32 recent; /* how often the next wakers let others run */
};

/* The CPU that the calling thread is on; negative: not known. */
int heist_crowd_here_(void);
/* A thread of this rank begins; whoever has made it was on the CPU `maker` then. */
void heist_crowd_begin_(int maker, unsigned rank);

/* A worker that goes on is about to wake another; it has, or has not. */
void heist_crowd_before_wake_(struct crowd *c);
void heist_crowd_after_wake_(struct crowd *c, bool woken);
/* A thread of this rank was woken. */
void heist_crowd_woken_(struct crowd *c, unsigned rank);

#endif
