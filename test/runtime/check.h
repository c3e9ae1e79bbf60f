/* SPDX-License-Identifier: MIT */
/* A check that says where it failed, and lets the others go on. */
#ifndef HEIST_TEST_RUNTIME_CHECK_H
#define HEIST_TEST_RUNTIME_CHECK_H

#include <stdbool.h>
#include <stdio.h>

static unsigned checks_failed;

static inline bool checked(bool holds, const char *text, const char *file, int line)
{
    if (!holds) {
        printf("%s:%d: not so: %s\n", file, line, text);
        checks_failed++;
    }
    return holds;
}
#define check(condition) checked(condition, #condition, __FILE__, __LINE__)

/* For main to return. */
static inline int check_status(void)
{
    if (checks_failed)
        printf("%u checks failed\n", checks_failed);
    return checks_failed != 0;
}

#endif
