/* SPDX-License-Identifier: MIT */
/* Threads that wait for one thing, each with a node on its own stack. */
#ifndef HEIST_RUNTIME_WAITERS_H
#define HEIST_RUNTIME_WAITERS_H

#include "park.h"

/* The ledger of orders. */
/* a waiter joins the list: its node before the list; pairs with TAKE; else junk is woken */
#ifndef HEIST_WT_JOIN
#define HEIST_WT_JOIN __ATOMIC_RELEASE
#endif
/* the thing has happened: what led to it before the list's end, the nodes before
   they are read; pairs with JOIN, OVER */
#ifndef HEIST_WT_TAKE
#define HEIST_WT_TAKE __ATOMIC_ACQ_REL
#endif
/* a waiter sees the end before what led to it; pairs with TAKE; else it reads an old result */
#ifndef HEIST_WT_OVER
#define HEIST_WT_OVER __ATOMIC_ACQUIRE
#endif
/* the waker is done with a node, before the waiter's stack is used again; pairs with FREE */
#ifndef HEIST_WT_LEAVE
#define HEIST_WT_LEAVE __ATOMIC_RELEASE
#endif
/* a waiter leaves: its node is its own again; pairs with LEAVE */
#ifndef HEIST_WT_FREE
#define HEIST_WT_FREE __ATOMIC_ACQUIRE
#endif

struct waiter {
    struct parking *parking; /* NULL: of a thread that is no worker, and always WAITING */
    struct parker *parker;
    struct waiter *next;
    bool has_joined;  /* a list */
    heist_au32 place; /* then; the waker changes it */
};

enum {
    ON_LIST,
    TAKEN, /* from it, to be woken: by that its waiter is not to sleep again */
    LEFT   /* by the waker, who is done with it */
};

#define WAITERS_OVER ((void *)UINTPTR_MAX)

/* Unless it is on the list still; if it was taken from it, its waker is waited for. False: it is
   over already, and nothing was done. */
bool heist_waiters_join_(heist_aptr *list, struct waiter *me);
bool heist_waiters_is_on_(const struct waiter *me);
bool heist_waiters_over_(const heist_aptr *list);
/* Before the node goes: its waker is done with it. */
void heist_waiters_leave_(struct waiter *me);
/* Takes all from the list and wakes them; the list becomes `end`, NULL or WAITERS_OVER, and is not
   touched any more after that. */
void heist_waiters_wake_(heist_aptr *list, void *end);

#endif
