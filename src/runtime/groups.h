/* SPDX-License-Identifier: MIT */
/*
 * Jobs that are waited for together: how the last of them ends, and how threads wait for that. A
 * group may be forgotten, its memory too, as soon as a wait for it is over; so whoever ends its last job
 * says when it is done with the group.
 */
#ifndef HEIST_RUNTIME_GROUPS_H
#define HEIST_RUNTIME_GROUPS_H

#include <heist/jobs.h>

#include "waiters.h"

/* The ledger of orders. */
/* a job has ended: what it did before the count, and what the others did that have ended before;
   pairs with OVER, END; else who waits sees an old result */
#ifndef HEIST_GR_END
#define HEIST_GR_END __ATOMIC_ACQ_REL
#endif
/* the last job's worker is done with the group; pairs with OVER; else it uses memory that was freed */
#ifndef HEIST_GR_DONE
#define HEIST_GR_DONE __ATOMIC_RELEASE
#endif
/* who waits sees that all have ended before what they did; pairs with END, DONE */
#ifndef HEIST_GR_OVER
#define HEIST_GR_OVER __ATOMIC_ACQUIRE
#endif
/* the last job has ended: the count before the list of waiters; pairs with JOIN_FENCE; else a waiter
   joins the list after it was taken, sees the old count, and sleeps for ever */
#ifndef HEIST_GR_END_FENCE
#define HEIST_GR_END_FENCE __ATOMIC_SEQ_CST
#endif
/* a waiter has joined the list, before it looks at the count; pairs with END_FENCE */
#ifndef HEIST_GR_JOIN_FENCE
#define HEIST_GR_JOIN_FENCE __ATOMIC_SEQ_CST
#endif

/* More jobs; before they can end. */
void heist_group_begin_(heist_group *group, uint64_t number);
/* A job has ended; error: 0, or a negative errno. */
void heist_group_end_(heist_group *group, int error);
bool heist_group_is_over_(const heist_group *group);

/* The waiter is about to sleep: true if whoever ends the last job will wake it. False: not now. */
bool heist_group_will_wake_(heist_group *group, struct waiter *me);
/* It is over; before the node goes. */
void heist_group_leave_(heist_group *group, struct waiter *me);

#endif
