/* SPDX-License-Identifier: MIT */
/* A pool's victim policy: its workers' queues as heist/victim.h wants to see them. */
#ifndef HEIST_RUNTIME_CHOICE_H
#define HEIST_RUNTIME_CHOICE_H

#include "worker.h"

/* From the options, or else the environment. 0; -EINVAL; -ENOMEM. What it makes, end frees. */
int heist_choice_begin_(heist_pool *pool, const heist_pool_opts *opts);
void heist_choice_end_(heist_pool *pool);

/* A seat's: its thief's state, if the policy needs any, and room for a batch. False: no memory;
   then there is nothing to free. */
bool heist_choice_sit_(struct worker *w);
void heist_choice_leave_(struct worker *w);

/* The thread may be on another CPU than before. */
void heist_choice_moved_(struct worker *w);

/* Whom to steal from next, of so many seats; NULL: nobody. For pools whose policy is not random. */
struct worker *heist_choice_next_(struct worker *w, unsigned seats);

#endif
