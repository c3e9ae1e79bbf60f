/* SPDX-License-Identifier: MIT */
/* All pools of the process, and what fork() does to them. */
#ifndef HEIST_RUNTIME_PROCESS_H
#define HEIST_RUNTIME_PROCESS_H

#include <heist/pool.h>

/* The pool's `generation` is this when its threads are this process's own. */
extern heist_au32 heist_process_generation_;

void heist_process_add_(heist_pool *pool);
void heist_process_remove_(heist_pool *pool);

#endif
