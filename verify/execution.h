/* SPDX-License-Identifier: MIT */
/*
 * What the two halves of the checker share: the exploration (checker.c), and what the program calls
 * (calls.c). A call is a request; the program's thread leaves with it, and goes on when the
 * exploration has answered.
 */
#ifndef HEIST_VERIFY_EXECUTION_H
#define HEIST_VERIFY_EXECUTION_H

#include <string.h>

#include "checker.h"
#include "graph.h"

enum { ARENA = 1 << 20, MAIN = CHECK_THREADS };
enum { LOCALS = 2 }; /* pointers per thread that a program has */

/* What a thread wants to do next. */
struct request {
    enum { NOTHING, LOAD, STORE, EXCHANGE, ADD, CAS, WEAK_CAS, FENCE_, CHOICE, WAIT, ENDED } what;
    void *word;
    unsigned size;
    int order;
    uint64_t value, expected; /* to write or to add, choices; what a CAS expects */
    const char *file;
    int line;
    uint64_t result;
    bool wrote;         /* a CAS did */
    enum weight weight; /* of a fence */
};

struct thread {
    void *stack, *context;
    struct request request;
    char *arena;
    size_t used;
    void *local[LOCALS];
    int turns[2]; /* of a loop that waits: how many events there were before the last two; or -1 */
    int own_steps;
    int replayed;   /* events of the graph that it has gone through in this run */
    int waits_from; /* how many there were when it last began to look at what it waits for */
};

/* Words, by address: the same in every run, since memory comes from arenas. */
struct word {
    void *address;
    int thread; /* the only one that uses it; MAIN: several do */
    int location;
    unsigned size;
};

enum { WORDS = 4096 };

/* All of the state that is kept between runs of the program. */
struct checker {
    const struct check_program *program;
    struct check_options options;
    struct check_result result;
    int shortest;         /* events of the failure that is told */
    uint64_t seed, state; /* of the random run that runs; of its numbers */
    unsigned keenness;    /* of 256 steps, how many change the thread, in a random run */
    unsigned preemptions; /* so far, in a random run */
    int last;             /* the thread that went on last; NONE: none yet */
    struct thread threads[CHECK_THREADS + 1];
    const char *local_names[LOCALS];
    int n, running; /* threads; the one that runs, or MAIN */
    void *scheduler;
    bool failed, again;
    struct graph graph, **work;
    size_t works, work_size;
    struct word words[WORDS];
    struct word *locations[LOCATIONS];
    int number_of_locations;
    char *saved;
    size_t saved_size;
};

extern struct checker checker;

static inline uint64_t peek(const void *word, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, word, size);
    return value;
}

static inline void poke(void *word, unsigned size, uint64_t value) { memcpy(word, &value, size); }

static inline uint64_t cut(uint64_t value, unsigned size)
{
    return size == 8 ? value : (uint32_t)value;
}

static inline uint64_t written(const struct request *r, uint64_t old)
{
    return cut(r->what == ADD ? old + r->value : r->value, r->size);
}

static inline bool is_cas(const struct request *r) { return r->what == CAS || r->what == WEAK_CAS; }

static inline bool writes(const struct request *r, uint64_t old)
{
    return r->what == STORE || r->what == EXCHANGE || r->what == ADD ||
           (is_cas(r) && old == r->expected);
}

/* The word's entry, a new one if need be. */
struct word *checker_word_at(void *address, unsigned size);

/* The run has failed; of all failures the shortest is told. */
void checker_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void checker_fail_endless(int steps);

/* From the thread that runs to the scheduler. */
void checker_leave(void);

/* From here on wild accesses are failures of the program. */
void checker_catch_faults(void);

#endif
