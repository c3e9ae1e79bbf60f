/* SPDX-License-Identifier: MIT */
/*
 * Small queues that have the errors of the papers' listings, one at a time: `variant` says which.
 * With variant RIGHT each of them is correct, which shows that a script finds the error and nothing
 * else. The model checker runs the same files (verify/published/).
 */
#ifndef HEIST_TEST_WRONG_H
#define HEIST_TEST_WRONG_H

#include "script.h"

enum { SLOTS = 4, BLOCKS = 2, ENTRIES = 2 };

enum {
    RIGHT = 0,
    /* Thesis, Fig. 2.6 */
    ABP_NO_EMPTY_TEST,
    ABP_BOTTOM_OFF_BY_ONE,
    ABP_NO_TAG,
    /* Thesis, Fig. 2.8, and unsigned counters */
    CHASELEV_ONE_TOO_MANY,
    CHASELEV_NOT_RESTORED,
    CHASELEV_UNSIGNED,
    /* A release store in put, and a relaxed one in get */
    CHASELEV_RETRACT_RELAXED,
    /* LCWS, Listing 2 and section 4 */
    SPLIT_INVERTED,
    SPLIT_UNSIGNED,
    SPLIT_STORE_ORDER,
    SPLIT_COMPARE_FIRST,
    SPLIT_EXPOSE_RELAXED,
    SPLIT_NO_FENCE,
    /* Bulk list, Listings 2-4: wrong in all ways at once */
    BULK_AS_PRINTED,
    /* A public C++ LIFO BWoS; LIFO-T without its tag */
    BWOS_LIFO_CURSOR,
    BWOS_LIFO_RELAXED,
    BWOS_LIFO_NO_TAG,
    /* Thesis 3.2 */
    BWOS_FIFO_NO_COUNT
};

extern const struct subject small_abp, small_chaselev, small_split, small_bulk, small_bwos_lifo,
    small_bwos_fifo;

/* For make: zeros, but for the error, which is the first field of every small queue. */
void *small_queue(size_t size, unsigned error);

/*
 * The orders of a small queue are those that it needs under RC11, but for the one that its error is
 * about. To scripts, which run on one thread, they are all the same.
 */
enum {
    RLX = __ATOMIC_RELAXED,
    ACQ = __ATOMIC_ACQUIRE,
    REL = __ATOMIC_RELEASE,
    SEQ = __ATOMIC_SEQ_CST
};

/* Words of a queue, for the table that its subject has: one, or those of an array. */
#define FIELD(queue, word)                                                      \
    {                                                                           \
#word, offsetof(struct queue, word), sizeof((struct queue *)0)->word, 0 \
    }
#define FIELDS(queue, words)                                                     \
    {                                                                            \
#words, offsetof(struct queue, words), sizeof((struct queue *)0)->words, \
            sizeof *((struct queue *)0)->words                                   \
    }
#define NO_FIELD      \
    {                 \
        NULL, 0, 0, 0 \
    }

#endif
