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
    uint64_t most;  /* executions to explore; 0: all */
    double seconds; /* to spend; 0: as many as it takes */
    bool whole;     /* a failure tells accesses to words that only one thread uses, too */
    bool buffering; /* rc11: what load buffering could break is a failure too */
    bool bounded;   /* only executions with at most so many preemptions, and some with more */
    unsigned preemptions;
    uint64_t random; /* so many executions drawn at random, with the seeds `seed` and up; 0: all */
    uint64_t seed;
    uint64_t replay; /* the run to stop after (check_replayed is called before); 0: none */
    void (*progress)(uint64_t executions, void *context); /* may be NULL; called now and then */
    void *context;
};

enum check_verdict { CHECK_OK, CHECK_FAILED, CHECK_UNFINISHED };

struct check_result {
    enum check_verdict verdict;
    uint64_t executions; /* complete and consistent */
    uint64_t blocked;    /* a loop waits for what another execution has */
    uint64_t runs;       /* of the program, replays and dead ends included */
    double seconds;
    uint64_t replay; /* of a failure: its run's number, or its seed */
    char *failure;   /* what went wrong, and the execution step by step; the caller frees it */
};

struct check_result check(const struct check_program *program, const struct check_options *options);

/* For programs under check. */
void check_fail(const char *what, const char *file, int line) __attribute__((noreturn));
#define check_assert(condition) \
    ((condition) ? (void)0 : check_fail("assertion failed: " #condition, __FILE__, __LINE__))
void *check_alloc(void *context, size_t size, size_t align); /* as in heist_memory */
void check_free(void *context, void *memory, size_t size);

/* A number below n; each of them is explored. */
unsigned check_choose(unsigned n);

/* An event without effect: for each thread, how many of its events happen before it, itself
   included. */
void check_mark(uint16_t before[CHECK_THREADS]);

/* The running thread makes use of an address that it has read: that read, its last one of this
   value, must happen before whatever overwrites it (struct check_options, buffering). */
void check_used(const void *value);

/* How a failure's text shows addresses: as "name i" for objects of size `each` (0: as "name", and
   the offset if there is one). The newest name wins. */
void check_name(const void *from, size_t size, size_t each, const char *name);

void check_replayed(void); /* nothing: for a breakpoint */

#endif
