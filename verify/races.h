/* SPDX-License-Identifier: MIT */
/*
 * Plain accesses of the program under check, as the compiler's -fsanitize=thread reports them: two
 * of different threads, one of them a write, with nothing that orders them, are a race. So are a
 * plain and an atomic one, and any access to memory that was freed.
 */
#ifndef HEIST_VERIFY_RACES_H
#define HEIST_VERIFY_RACES_H

#include "graph.h"

void races_start(int threads); /* a new run; nothing is checked before the first epoch */
void races_ignore(void *from, size_t size); /* a stack */

/* From now on `thread` runs, which has gone through `events` of its events. */
void races_epoch(int thread, const struct graph *g, int events);
void races_stop(void);  /* what runs now is alone */
bool races_pause(void); /* for a while; whether it was on */
void races_resume(bool on);

void races_atomic(const void *word, size_t size, bool writes);
void races_free(const void *memory, size_t size);

void check_race(const char *what) __attribute__((noreturn)); /* the checker's */

#endif
