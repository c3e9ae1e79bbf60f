/* SPDX-License-Identifier: MIT */
/*
 * Jobs that are waited for together: how the last of them ends, and how threads wait for that. A
 * group may be forgotten, its memory too, as soon as a wait for it is over; so whoever ends its
 * last job says when it is done with the group. Meanwhile more jobs may begin, and end.
 *
 * Encoding of pending: ending:32 | jobs:32, the workers that are not done with the group though
 * they have ended its last job, and the jobs that have not ended. The group is over when both are
 * 0.
 *
 * The last job is counted out before the list of waiters is taken; a waiter joins the list before
 * it looks at the count. Both change the list, so one of them comes first: the waiter is on the
 * list that is taken, or sees the count.
 */
#ifndef HEIST_RUNTIME_GROUPS_H
#define HEIST_RUNTIME_GROUPS_H

#include <heist/jobs.h>

#include "waiters.h"

/* The ledger of orders. */
/* a job has ended: what it did before the count; pairs with OVER;
   else who waits sees an old result */
#ifndef HEIST_GR_END
#define HEIST_GR_END __ATOMIC_RELEASE
#endif
/* the last job's worker is done with the group; pairs with OVER; else
   it uses memory that was freed */
#ifndef HEIST_GR_DONE
#define HEIST_GR_DONE __ATOMIC_RELEASE
#endif
/* who waits sees that all have ended before what they did; pairs with END, DONE */
#ifndef HEIST_GR_OVER
#define HEIST_GR_OVER __ATOMIC_ACQUIRE
#endif
/* a waiter has joined the list before it looks at the count; pairs with HEIST_WT_TAKE, before which
   the last job was counted out; else it joins a list that was taken, and sleeps for ever */
#ifndef HEIST_GR_LATE
#define HEIST_GR_LATE __ATOMIC_ACQUIRE
#endif

/* a job of a batch has ended: what was done with it before the batch is freed; pairs with BATCH */
#ifndef HEIST_GR_BATCH
#define HEIST_GR_BATCH __ATOMIC_ACQ_REL
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

/* One of the jobs that share their memory has ended. True: it was the
   last, and the memory can go. */
bool heist_batch_end_(heist_au64 *left);

#endif
