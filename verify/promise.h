/* SPDX-License-Identifier: MIT */
/*
 * What each kind of queue promises, as a sequential queue that answers one operation at a time: may
 * the operation have this result here, and what does it leave behind. history.c asks it.
 *
 * Items are numbers: the i-th item that was put. One thread puts, so the items present, in the
 * order in which they were put, are the bits of a word.
 */
#ifndef HEIST_VERIFY_PROMISE_H
#define HEIST_VERIFY_PROMISE_H

#include <heist/base.h>

enum { PROMISE_ITEMS = 64, PROMISE_MANY = 8 };

enum full {
    FULL_NEVER,
    FULL_AT_CAPACITY, /* so many items are in it */
    FULL_AS_SEEN,     /* the same, but the owner may not have seen the last steals */
    FULL_AT_THE_END,  /* the end of an array; room comes back when the owner finds it empty */
    FULL_BY_BLOCKS    /* the next block is not free */
};

/* What a thief can take, and so what EMPTY says. */
enum reach {
    REACH_ALL,       /* EMPTY: there was a moment without any item */
    REACH_PUBLISHED, /* only the owner knows what is public: EMPTY says nothing */
    REACH_BLOCKS     /* all blocks but the owner's: for each there was a moment without an item;
                        with `early` they may take from the owner's block too */
};

/* What a steal that says BUSY may have lost to; without one of these at the same time it is wrong.
   0: it never says BUSY. */
enum rival {
    RIVAL_PUT = 1,
    RIVAL_GET = 2,
    RIVAL_TOOK = 4, /* a steal that took something */
    RIVAL_STEAL = 8 /* any steal that was not BUSY itself */
};

enum many {
    MANY_REPEATED, /* one steal after the other, until one fails */
    MANY_SOME,     /* the oldest that are public, at one moment */
    MANY_ALL       /* all that it can reach (of one block), at one moment */
};

struct promise {
    const char *kind;
    bool fifo; /* the owner's order; else LIFO. Thieves take the oldest that they can reach */
    enum full full;
    enum reach reach;
    enum many many;
    unsigned rivals;
    bool keeps_newest; /* the item put last is the owner's until its next operation */
    bool lends;        /* a stealer may hold items that it gives back: get may miss those */
    unsigned bound;    /* by default */
    bool power_of_two; /* capacity is rounded up to one */
    /* From the options of a queue: */
    bool grows, counted, early;
    int capacity;
    int entries, blocks; /* FULL_BY_BLOCKS: of a block; at first */
};

/* False: there is no such kind. */
bool promise_of(struct promise *p, const char *kind, const heist_queue_opts *opts);

/* The sequential queue. No padding: two of them are compared as bytes. */
struct contents {
    uint64_t present;
    int64_t number;       /* of items put so far */
    int32_t back, filled; /* the block being filled, and how far; FULL_AT_THE_END: the array */
    int32_t front;        /* FIFO blocks: the block the owner gets from */
    int32_t ring;         /* blocks there are; block i and block i + ring are one place */
    int32_t newest_kept;
    int32_t known; /* the owner knows who has the items before this one */
};

struct contents contents_of(const struct promise *p);

enum step_kind { STEP_PUT, STEP_FULL, STEP_GET, STEP_NULL, STEP_TAKE, STEP_EMPTY };

struct step {
    enum step_kind kind;
    int n, max; /* STEP_TAKE: took n of at most max */
    uint8_t items[PROMISE_MANY];
    bool during_take; /* STEP_NULL: a steal that took something was at the same time */
};

/*
 * Takes a step, other than STEP_EMPTY; false: the queue does not answer so here (*c is spoilt).
 * `loose` are stolen items of which the owner need not know yet, since no put has to look at what
 * thieves did last. With `late` it does not know one of them, or in form counted that the thief has
 * left, and that makes a difference: false if it can't.
 */
bool contents_step(const struct promise *p, struct contents *c, const struct step *s,
                   uint64_t loose, bool late);

/* The places in which a thief would find something, as bits. */
uint64_t contents_reachable(const struct promise *p, const struct contents *c);

#endif
