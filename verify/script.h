/* SPDX-License-Identifier: MIT */
/* A client of the checker, and what all scripts have in common. */
#ifndef HEIST_VERIFY_SCRIPT_H
#define HEIST_VERIFY_SCRIPT_H

#include <heist/base.h>

#define SCRIPT_TEXT_(x) #x
#define SCRIPT_TEXT(x) SCRIPT_TEXT_(x)

struct client {
    const char *name;
    heist_queue_opts opts;
    const char *before; /* the owner's script before thieves start; may be NULL */
    const char *owner;  /* its script */
    const char *thief[3];
    const struct check_program *program; /* instead of all that */
    bool history;    /* whether some order of the operations explains the results (history.h) */
    bool full;       /* takes minutes: only in the full run */
    uint64_t random; /* too many executions for all of them: so many, drawn at random */
};

/* The number in a script: "P3G2". */
static inline int script_number(const char **script)
{
    int n = 0;
    for (; **script >= '0' && **script <= '9'; ++*script)
        n = 10 * n + (**script - '0');
    return n;
}

#endif
