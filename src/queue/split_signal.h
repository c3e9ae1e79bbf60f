/* SPDX-License-Identifier: MIT */
/* How a thief's signal reaches the owner of a split deque. */
#ifndef HEIST_QUEUE_SPLIT_SIGNAL_H
#define HEIST_QUEUE_SPLIT_SIGNAL_H

#include <heist/split.h>

/* The ledger of orders between a handler and those who change a listing. */
/* a new listing: what is in it before the list's head; pairs with WALK; else a handler walks into
   junk */
#ifndef HEIST_SS_ENLIST
#define HEIST_SS_ENLIST __ATOMIC_RELEASE
#endif
/* a handler: the list's head before the listings; pairs with ENLIST */
#ifndef HEIST_SS_WALK
#define HEIST_SS_WALK __ATOMIC_ACQUIRE
#endif
/* a handler: `busy` before its look at the queue and the owner; pairs with CHANGE_FENCE; else it
   works on a queue that is gone */
#ifndef HEIST_SS_SERVE_FENCE
#define HEIST_SS_SERVE_FENCE __ATOMIC_SEQ_CST
#endif
/* detach and own: their change before the look at `busy`; pairs with SERVE_FENCE */
#ifndef HEIST_SS_CHANGE_FENCE
#define HEIST_SS_CHANGE_FENCE __ATOMIC_SEQ_CST
#endif
/* a handler: what it did before `busy` is 0; pairs with WAIT; else the queue is freed under it */
#ifndef HEIST_SS_LEAVE
#define HEIST_SS_LEAVE __ATOMIC_RELEASE
#endif
/* detach and own: `busy` is 0 before what comes next; pairs with LEAVE */
#ifndef HEIST_SS_WAIT
#define HEIST_SS_WAIT __ATOMIC_ACQUIRE
#endif
/* attach: the listing has no owner before it has a queue; pairs with SEEN; else the last owner's
   handler takes the new queue for its own */
#ifndef HEIST_SS_ATTACH
#define HEIST_SS_ATTACH __ATOMIC_RELEASE
#endif
/* a handler: the queue before its owner; pairs with ATTACH */
#ifndef HEIST_SS_SEEN
#define HEIST_SS_SEEN __ATOMIC_ACQUIRE
#endif

/* Gives q->signal a handler and q a listing: 0, -EINVAL (no signal that can be used so),
   -ENOMEM. */
int heist_split_signal_attach_(heist_split *q);
void heist_split_signal_detach_(heist_split *q);

bool heist_split_signal_has_owner_(const heist_split *q);
void heist_split_signal_own_(heist_split *q);  /* the calling thread is the owner from now on */
bool heist_split_signal_send_(heist_split *q); /* false: there is no owner yet, or no more */

/* Called in the owner's handler. */
void heist_split_handle_(heist_split *q);

#endif
