/* SPDX-License-Identifier: MIT */
/* Programs under check, and what the checker must say of them. */
#ifndef HEIST_VERIFY_LITMUS_FEATURE_H
#define HEIST_VERIFY_LITMUS_FEATURE_H

#include <heist/atomic.h>

#include "recorded.h"

/* What is expected, in the order of enum check_model; EVERY: the same of all three. */
#define EVERY(expected)              \
    {                                \
        expected, expected, expected \
    }

struct feature {
    const char *name;
    struct check_program program;
    struct check_options options; /* but for the model */
    const char *failure[3];       /* what its text begins with; NULL: the program is right */
    uint64_t executions[3];       /* if it is */
    bool blocks;                  /* some executions wait for what others have */
    const char *outcomes;         /* all of them, separated by blanks; NULL: any */
};

/* Tables; a NULL name ends one. */
extern const struct feature choice_features[], wait_features[], posix_features[], memory_features[];

static inline void nothing(void) {}

#endif
