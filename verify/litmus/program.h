/* SPDX-License-Identifier: MIT */
/*
 * Litmus programs as text, one line each: threads separated by |, the steps of a thread by blanks.
 *
 *   x=1      store            x        load                 of an atomic word: x y z w
 *   x+1      add              x~1      exchange             x:0>1  compare and swap, 0 by 1
 *   f        fence            l h      a light and a heavy one (heist/fences.h), with .sc
 *                             ?1       goes on if the thread's last read gave 1, else ends
 *   p=1 p    the same, plain, on an int: p q                a b    plain bytes, next to each other
 *   m=1 m    the same, plain, on a word of allocated memory          n  the same word, atomic
 *   m!       frees that memory
 *
 * with the order behind it: .acq .rel .ar .sc, or none for relaxed. Everything is 0 at first.
 *
 * An outcome is what all reads gave, from left to right ('-': not reached), and what is left in
 * the words: "10 x=1 y=2 z=0 w=0".
 */
#ifndef HEIST_VERIFY_LITMUS_PROGRAM_H
#define HEIST_VERIFY_LITMUS_PROGRAM_H

#include "checker.h"

enum { STEPS = 16, WORDS = 4, OUTCOME = STEPS + WORDS * 4 + 1, OUTCOMES = 4096 };

enum verb { LOAD, STORE, ADD, EXCHANGE, SWAP, FENCE, TEST, FREE };

struct step {
    enum verb verb;
    int thread, order;
    char where;
    unsigned value, expected;
};

struct litmus {
    int steps, threads;
    struct step step[STEPS];
};

/* A set of outcomes. */
struct outcomes {
    int n;
    char text[OUTCOMES][OUTCOME];
};

static inline bool step_reads(const struct step *s) { return s->verb <= SWAP && s->verb != STORE; }

/* Ends the process, with a message, if the text is no program. */
struct litmus litmus_parse(const char *text);
void outcomes_add(struct outcomes *set, const char *outcome);
bool outcomes_have(const struct outcomes *set, const char *outcome);
bool outcomes_equal(const struct outcomes *a, const struct outcomes *b);

/* Writes an outcome; `read` has what each step read, -1 for those not reached. */
void outcome_write(char *text, const struct litmus *litmus, const int64_t *read,
                   const uint64_t *left);

/* Whether an outcome is one of the form "1.0 x=2": a dot is any value, words not named are free. */
bool outcome_is(const char *outcome, const char *form);

/* Through the checker. `seen` has at least the outcomes of the complete executions. */
struct check_result litmus_run(const struct litmus *litmus, enum check_model model,
                               struct outcomes *seen);

/* By trying out every reads-from and every coherence order against the axioms of the model: the
   number of executions. No TEST, no FREE, no plain words. */
uint64_t litmus_enumerate(const struct litmus *litmus, enum check_model model,
                          struct outcomes *seen);

#endif
