/* SPDX-License-Identifier: MIT */
/* Expectations of a test program that goes on after one that is not met. */
#ifndef HEIST_VERIFY_LITMUS_EXPECT_H
#define HEIST_VERIFY_LITMUS_EXPECT_H

#include <stdbool.h>
#include <stdio.h>

#include "recorded.h"
#include "state.h"

/* Kept from run to run, as what is under check resets the program's data. */
static int expectations CHECK_STATE = 0, unmet CHECK_STATE = 0;

static bool expect_(bool met, const char *text, const char *name, const char *file, int line)
{
    expectations++;
    if (!met) {
        unmet++;
        printf("FAILED  %s: %s, %s:%d; outcomes", name, text, file, line);
        recorded_print();
        printf("\n");
    }
    return met;
}

#define expect(condition, name) expect_(condition, #condition, name, __FILE__, __LINE__)

/* The exit status. */
static int expect_summary(void)
{
    printf("%d expectations, %d failures\n", expectations, unmet);
    return unmet > 0;
}

#endif
