/* SPDX-License-Identifier: MIT */
/*
 * Whether what the operations of one execution returned can be explained: by some order of them,
 * one at a time, that respects which happened before which, and in which each result is one that
 * the kind promises (promise.h). This is linearizability, with happens-before as the order of time.
 *
 *   history_start("chaselev", &opts);                             in setup
 *   history_begin(1, HISTORY_STEAL, 0); ... history_end(1, item); around each operation
 *   const char *wrong = history_check();                          in finish, after the last one
 *
 * Items are small numbers, each put at most once. One thread puts and gets; so may the program's
 * main part (setup and finish), as thread HISTORY_MAIN: its operations are alone.
 */
#ifndef HEIST_VERIFY_HISTORY_H
#define HEIST_VERIFY_HISTORY_H

#include <heist/base.h>

#include "checker.h"

enum { HISTORY_MAIN = CHECK_THREADS, HISTORY_CALLS = 48 };

enum history_op {
    HISTORY_PUT, /* argument: the item; result: 1 or 0 */
    HISTORY_GET, /* result: the item, or HISTORY_NONE */
    HISTORY_STEAL,
    HISTORY_STEAL_MANY /* argument: at most so many */
};

enum { HISTORY_NONE = -1, HISTORY_BUSY = -2 }; /* results of get and steal besides the item */

/* Forgets all. False: it knows no such kind. */
bool history_start(const char *kind, const heist_queue_opts *opts);

/* Both are marks of the running thread (check_mark): call them right before and right after. */
void history_begin(int thread, enum history_op op, int argument);
void history_end(int thread, int result);
void history_end_many(int thread, const int *items, int n); /* of HISTORY_STEAL_MANY */

/* NULL: all is well. Else what is wrong, with the whole history; valid until the next start. */
const char *history_check(void);

#endif
