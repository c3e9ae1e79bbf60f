/* SPDX-License-Identifier: MIT */
/*
 * Histories as text, for the tests of history.c. Words, in the order of time:
 *
 *   0P1   thread 0 puts item 1; 0P1! it was full     0(P1 ... 0)   the same, begun and ended apart
 *   0G1   thread 0 gets item 1; 0G- it got NULL      m             instead of a number: main
 *   1S1   thread 1 steals item 1; 1S- it was EMPTY; 1S? it was BUSY
 *   1M4=1,2   thread 1 steals many, up to 4, and has items 1 and 2; 1M4= it has none
 *
 * What has ended happens before what begins later. In a text that begins with ~ threads know
 * nothing of each other, but for 0>1: thread 1 knows from here on what thread 0 knows.
 */
#ifndef HEIST_VERIFY_NOTATION_H
#define HEIST_VERIFY_NOTATION_H

#include "history.h"

/* Plays a history, and returns what history_check says. A text that is wrong ends the program. */
const char *play(const char *kind, const heist_queue_opts *opts, const char *text);

#endif
