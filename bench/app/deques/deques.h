/* SPDX-License-Identifier: MIT */
#ifndef APP_DEQUES_H
#define APP_DEQUES_H

#include "program.h"

/* So many lists of so many tasks: in the report a thread begins with each. */
enum { DEQUES_LISTS = 8, DEQUES_TASKS = 100 };

struct deques {
    uint64_t first; /* of the sequence of numbers; the second is 1 more */
    unsigned which[DEQUES_LISTS * DEQUES_TASKS];  /* of its numbers a task computes */
    uint64_t number[DEQUES_LISTS * DEQUES_TASKS]; /* the result */
};

#endif
