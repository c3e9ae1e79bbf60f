/* SPDX-License-Identifier: MIT */
/* What came out of the executions of a program under check, as its end told. */
#ifndef HEIST_VERIFY_LITMUS_RECORDED_H
#define HEIST_VERIFY_LITMUS_RECORDED_H

#include "program.h"

extern struct outcomes recorded; /* of the last check */

/* Called by a program's end. */
void outcome(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs the program, and records its outcomes alone. */
struct check_result check_recorded(const struct check_program *program,
                                   const struct check_options *options);

bool recorded_just(const char *words); /* those, and no more */
void recorded_print(void);

#endif
