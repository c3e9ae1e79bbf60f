/* SPDX-License-Identifier: MIT */
/*
 * Hazard slots: before a thief reads an array that the owner may free, it names it in the slot of
 * its thread; the owner frees what no slot names. For `chaselev` and `heist`.
 */
#ifndef HEIST_HAZARD_H
#define HEIST_HAZARD_H

#include <heist/atomic.h>
#include <stddef.h>

/* The ledger of orders. */
/* steal: reading the array of the steal before, before naming another; pairs with SCAN; else an
   owner that sees the new name, and not the clearing in between, frees the old one too early */
#ifndef HEIST_HZ_NAME
#define HEIST_HZ_NAME __ATOMIC_RELEASE
#endif
/* steal: reading the array before clearing the hazard; pairs with SCAN */
#ifndef HEIST_HZ_LEAVE
#define HEIST_HZ_LEAVE __ATOMIC_RELEASE
#endif
/* another size: the hazards before the free; pairs with NAME and LEAVE */
#ifndef HEIST_HZ_SCAN
#define HEIST_HZ_SCAN __ATOMIC_ACQUIRE
#endif

HEIST_BEGIN_DECLS

/* What such an array begins with. */
typedef struct heist_retirable_ {
    struct heist_retirable_ *older; /* of those that wait to be freed */
    size_t bytes;
} heist_retirable_;

HEIST_API heist_aptr *heist_hazard_(void); /* the calling thread's slot; NULL: no memory for one */

HEIST_END_DECLS

#endif
