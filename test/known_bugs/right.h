/* SPDX-License-Identifier: MIT */
/* The library's own queues as subjects of scripts, in every form, small. */
#ifndef HEIST_TEST_RIGHT_H
#define HEIST_TEST_RIGHT_H

#include "script.h"

/* The subjects of one kind, or all (kind NULL): calls `each` for them. How many there were. */
unsigned right_subjects(const char *kind, void (*each)(const struct subject *, void *),
                        void *context);

/* The subject of that name; aborts when there is none. */
struct subject right_subject(const char *name);

#endif
