/* SPDX-License-Identifier: MIT */
/* However a test ends that fails: how it is run again is said. */
#ifndef HEIST_TEST_FAILURE_H
#define HEIST_TEST_FAILURE_H

#include <stddef.h>

/* From now on a crash, an abort, a sanitizer's report prints this line (it is copied). */
void failure_line(const char *line);

/* And so does a run that is not over, or has not called this again, after so many seconds. */
void failure_after(unsigned seconds);

#endif
