/* SPDX-License-Identifier: MIT */
/*
 * A stateless model checker for small concurrent programs under weak memory. It runs a program's
 * threads as coroutines and explores every execution once, as a graph of events: reads-from for
 * each read, a coherence order for each location (the TruSt algorithm, Kokologiannakis et al., POPL
 * 2022).
 *
 * The program is compiled with -DHEIST_MODEL=1, which turns every access of <heist/atomic.h> into a
 * call here, and with -fsanitize=thread, whose calls for plain accesses come here too and are
 * checked for races.
 */
#ifndef HEIST_VERIFY_CHECKER_H
#define HEIST_VERIFY_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECK_THREADS = 5 };

/* A program: set-up, threads that run at the same time, and what must hold when all have ended. */
struct check_program {
    void (*setup)(void);
    void (*thread[CHECK_THREADS])(void);
    void (*finish)(void);
};

enum check_model { CHECK_RC11, CHECK_TSO, CHECK_SC };

struct check_options {
    enum check_model model;
    uint64_t most;                                        /* executions to explore; 0: all */
    double seconds;                                       /* to spend; 0: as many as it takes */
    void (*progress)(uint64_t executions, void *context); /* may be NULL; called now and then */
    void *context;
};

enum check_verdict { CHECK_OK, CHECK_FAILED, CHECK_UNFINISHED };

struct check_result {
    enum check_verdict verdict;
    uint64_t executions; /* complete and consistent */
    uint64_t blocked;    /* given up: a bound was reached, or a loop waits for what does not come */
    uint64_t runs;       /* of the program, replays and dead ends included */
    double seconds;
    char *failure; /* what went wrong, and the execution step by step; the caller frees it */
};

struct check_result check(const struct check_program *program, const struct check_options *options);

/* For programs under check. */
void check_fail(const char *what, const char *file, int line) __attribute__((noreturn));
#define check_assert(condition) \
    ((condition) ? (void)0 : check_fail("assertion failed: " #condition, __FILE__, __LINE__))
void *check_alloc(void *context, size_t size, size_t align); /* as in heist_memory */
void check_free(void *context, void *memory, size_t size);

#endif
