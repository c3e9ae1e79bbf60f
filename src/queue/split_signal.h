/* SPDX-License-Identifier: MIT */
/* How a thief's signal reaches the owner of a split deque. */
#ifndef HEIST_QUEUE_SPLIT_SIGNAL_H
#define HEIST_QUEUE_SPLIT_SIGNAL_H

#include <heist/split.h>

/* Gives q->signal a handler and q a listing: 0, -EINVAL (no signal that can be used so), -ENOMEM. */
int split_signal_attach(heist_split *q);
void split_signal_detach(heist_split *q);

bool split_signal_has_owner(const heist_split *q);
void split_signal_own(heist_split *q);  /* the calling thread is the owner from now on */
bool split_signal_send(heist_split *q); /* false: there is no owner yet, or no more */

/* Called in the owner's handler. */
void split_handle(heist_split *q);

#endif
