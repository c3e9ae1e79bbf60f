/* SPDX-License-Identifier: MIT */
/*
 * Small queues that have the errors of the papers' listings, one at a time: `variant` says which.
 * With variant RIGHT each of them is correct, which shows that a script finds the error and nothing
 * else.
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
    /* LCWS, Listing 2 and section 4 */
    SPLIT_INVERTED,
    SPLIT_UNSIGNED,
    SPLIT_STORE_ORDER,
    SPLIT_COMPARE_FIRST,
    /* Bulk list, Listings 2-4: wrong in all ways at once */
    BULK_AS_PRINTED,
    /* A public C++ LIFO BWoS; LIFO-T without its tag */
    BWOS_LIFO_CURSOR,
    BWOS_LIFO_NO_TAG,
    /* Thesis 3.2 */
    BWOS_FIFO_NO_COUNT
};

extern const struct subject small_abp, small_chaselev, small_split, small_bulk, small_bwos_lifo,
    small_bwos_fifo;

/* For make: zeros, but for the error, which is the first field of every small queue. */
void *small_queue(size_t size, unsigned error);

#define ORDER __ATOMIC_SEQ_CST /* the errors here are wrong under any order */

#endif
