/* SPDX-License-Identifier: MIT */
#include "recorded.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

struct outcomes recorded CHECK_STATE = {.n = 0};

void outcome(const char *format, ...)
{
    char text[OUTCOME];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    outcomes_add(&recorded, text);
}

struct check_result check_recorded(const struct check_program *program,
                                   const struct check_options *options)
{
    recorded.n = 0;
    return check(program, options);
}

bool recorded_just(const char *words)
{
    static struct outcomes expected CHECK_STATE;
    char text[512], *rest = text;
    expected.n = 0;
    snprintf(text, sizeof text, "%s", words);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        outcomes_add(&expected, word);
    return outcomes_equal(&recorded, &expected);
}

void recorded_print(void)
{
    for (int i = 0; i < recorded.n; i++)
        printf(" %s", recorded.text[i]);
}
