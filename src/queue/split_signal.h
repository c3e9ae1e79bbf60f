/* SPDX-License-Identifier: MIT */
/* How a thief's signal reaches the owner of a split deque. */
#ifndef HEIST_QUEUE_SPLIT_SIGNAL_H
#define HEIST_QUEUE_SPLIT_SIGNAL_H

#include <heist/split.h>

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
