/* SPDX-License-Identifier: MIT */
/*
 * Scripts: short interleavings of one owner and its thieves, the same every time.
 *
 *   p put a fresh item     r put again what the owner got last     g get     s steal
 *   a ask for work, if the queue is one that must be asked          x expose (the owner's handler)
 *   P G S: the same as the small letters, and it must succeed
 *
 * `s(gp)` runs g and p in the middle of s: before its first step, then in another run before its
 * second, and so on through all of them; `s(g)(p)` runs g before one step and p before the same or
 * a later one, in all combinations. `s[g]` begins g before a step of s, stops it before one of its
 * own, and goes on with it when s is done. At the end of each run everything is drained. An item
 * that is taken must have been put and not yet taken, and none may be left over.
 */
#ifndef HEIST_TEST_SCRIPT_H
#define HEIST_TEST_SCRIPT_H

#include "step.h"

enum fault {
    DUPLICATE = 1, /* taken twice */
    LOST = 2,      /* put, and never seen again */
    JUNK = 4,      /* taken, and never put; or a slot outside of the array */
    STUCK = 8,     /* what must succeed did not */
    FREED = 16     /* looked into an item that somebody had taken */
};

enum { MOST_STOLEN = 64 };

/* A word of a queue, or an array of them, by its name; the last one of a table has none. */
struct field {
    const char *name;
    size_t offset, size;
    size_t each; /* of an array's words; else 0 */
};

/* A queue as scripts see it. `variant` is what make gets: the error to have, or nothing. */
struct subject {
    const char *name;
    void *(*make)(unsigned variant);
    void (*drop)(void *queue);
    bool (*put)(void *queue, void *item);
    void *(*get)(void *queue);
    size_t (*steal)(void *queue, void **items); /* up to MOST_STOLEN */
    void (*ask)(void *queue);                   /* may be NULL, */
    void (*expose)(void *queue);                /* this too */
    const struct field *fields;                 /* for the model checker; and this */
    unsigned variant;
    bool one_thief; /* has state per thread: no two thieves at the same time */
    bool poison;    /* AddressSanitizer shall watch items that were taken */
};

struct verdict {
    unsigned faults; /* of all runs together */
    unsigned long runs, taken_by_thieves;
    char first[128]; /* the script that showed the first fault, empty if none */
};

/* Plays all interleavings of `script` and adds what it saw to `verdict`. */
void play(const struct subject *subject, const char *script, struct verdict *verdict);

/* For queues: something that must not be has happened. */
void fault(enum fault what);

/* For queues that reach into items: is this one in a queue now? */
bool item_is_queued(const void *item);

const char *fault_names(unsigned faults); /* overwritten by the next call */

/* Plays every script of up to `length` operations, and one more with others in its middle. */
void play_all(const struct subject *subject, unsigned length, struct verdict *verdict);

#endif
