/* SPDX-License-Identifier: MIT */
#ifndef HEIST_VERIFY_PREEMPTIONS_H
#define HEIST_VERIFY_PREEMPTIONS_H

#include "graph.h"

/*
 * Whether the events can come one after another, every read behind the write it takes, with at most
 * `most` changes of thread before the thread left has come to its end.
 */
bool preemptions_within(const struct graph *g, unsigned most);

#endif
