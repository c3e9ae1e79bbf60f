/* SPDX-License-Identifier: MIT */
/* All pools of the process, and what fork() does to them. */
#ifndef HEIST_RUNTIME_PROCESS_H
#define HEIST_RUNTIME_PROCESS_H

#include <heist/pool.h>

/* The ledger of orders. The list is changed under a lock; a handler
   of a signal walks it without. */
/* a pool joins or leaves the list: all of it before the list; leaving: before the look whether a
   handler is under way; pairs with WALK; else a dump reads a pool that is freed */
#ifndef HEIST_PR_LINK
#define HEIST_PR_LINK __ATOMIC_SEQ_CST
#endif
/* a handler, which has said that it is under way: the list before the pool; pairs with LINK */
#ifndef HEIST_PR_WALK
#define HEIST_PR_WALK __ATOMIC_SEQ_CST
#endif

/* The pool's `generation` is this when its threads are this process's own. */
extern heist_au32 heist_process_generation_;

/* With the first pool comes the handler of HEIST_DUMP_SIGNAL, with the last it goes. */
void heist_process_add_(heist_pool *pool);
/* Returns when no handler looks at the pool any more. */
void heist_process_remove_(heist_pool *pool);

/* All pools, newest first: in that handler, or locked. NULL is the end. */
heist_pool *heist_process_first_(void);
heist_pool *heist_process_next_(const heist_pool *pool);
/* Whether the pool's threads are this process's, and not the parent's. */
bool heist_process_has_(const heist_pool *pool);
/* Calls it for all that this process has, locked: it must not make or free pools. */
void heist_process_each_(void (*visit)(const heist_pool *));

#endif
