/* SPDX-License-Identifier: MIT */
/*
 * The published errors as programs for the model checker: a small queue of test/known_bugs that has
 * the error, an owner and thieves that run at the same time, and what must go wrong.
 *
 * Scripts have the letters of test/known_bugs/script.h: p put, r put again what the owner got last,
 * g get, s steal, x expose; capitals must succeed. Nothing is inserted into an operation: that is
 * what the checker does.
 */
#ifndef HEIST_VERIFY_PUBLISHED_ERRORS_H
#define HEIST_VERIFY_PUBLISHED_ERRORS_H

#include "checker.h"
#include "wrong.h"

/* Beside the faults of script.h: an item is read without what makes it visible. */
enum { UNPUBLISHED = 32, ANY_FAULT = 63 };

struct published {
    const char *name, *source;
    const char *says; /* a sentence */
    const struct subject *small;
    unsigned error;
    unsigned faults;        /* one of these it must be */
    enum check_model model; /* the strongest that shows it: stronger ones must not */
    struct {
        const char *before, *owner, *thief, *after; /* before and after: nobody else runs */
        bool handler; /* once, the owner exposes between any two of its steps */
        bool frees;   /* who takes an item frees it */
    } client;
};

extern const struct published errors[]; /* a NULL name ends it */

/* The error, or the same small queue without it, under a model. */
struct check_result published_check(const struct published *error, bool repaired,
                                    enum check_model model);

/* The faults, of those above, that the failure of a result is. */
unsigned published_fault(const struct check_result *result);

#endif
