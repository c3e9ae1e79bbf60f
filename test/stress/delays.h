/* SPDX-License-Identifier: MIT */
/* Random delays in the windows of the queues, and the account of them. */
#ifndef HEIST_TEST_DELAYS_H
#define HEIST_TEST_DELAYS_H

#include "window.h"

#include <stdbool.h>
#include <stdint.h>

/* LIGHT: short ones, most often in thieves. TORTURE: any length, in
   every window of every thread. */
enum delays { DELAYS_LIGHT, DELAYS_TORTURE };

/* Before the threads start. */
void delays_choose(enum delays which);

/* The calling thread's delays follow from `seed`. Before this call it has none. */
void delays_begin(uint64_t seed, bool thief);

/* For test_window(): maybe waits. */
void delays_in(struct window *w);

/* A short pause, or none. */
void delays_idle(uint64_t *seed);

/* A window that never delayed a thread; NULL: all did. */
const struct window *delays_missing(void);

/* A line for each window. */
void delays_print(void);

#endif
