/* SPDX-License-Identifier: MIT */
#ifndef HEIST_QUEUE_HAZARD_H
#define HEIST_QUEUE_HAZARD_H

#include <heist/base.h>
#include <heist/hazard.h>

/* The ledger of orders of the list of slots; for those of a slot itself see <heist/hazard.h>. */
/* a new slot: what is in it before the list's head; pairs with LIST;
   else a thread walks into junk */
#ifndef HEIST_HZ_ENLIST
#define HEIST_HZ_ENLIST __ATOMIC_RELEASE
#endif
/* the list's head before the slots; pairs with ENLIST */
#ifndef HEIST_HZ_LIST
#define HEIST_HZ_LIST __ATOMIC_ACQUIRE
#endif
/* a thread ends: its last clearing of the slot before the slot is free; pairs with TAKE; else that
   clearing may come behind what the next thread names */
#ifndef HEIST_HZ_GIVE
#define HEIST_HZ_GIVE __ATOMIC_RELEASE
#endif
/* a thread takes a free slot before it uses it; pairs with GIVE */
#ifndef HEIST_HZ_TAKE
#define HEIST_HZ_TAKE __ATOMIC_ACQUIRE
#endif

/* Memory for an array of n pointers behind `head` bytes, of which the first are a heist_retirable_;
   NULL: there is none. */
void *heist_hazard_alloc_(const heist_memory *memory, size_t head, size_t n);

static inline void heist_hazard_retire_(heist_retirable_ **retired, heist_retirable_ *array)
{
    array->older = *retired;
    *retired = array;
}

/* Frees those that no hazard slot names; call it after a full fence. */
void heist_hazard_collect_(const heist_memory *memory, heist_retirable_ **retired);
/* Frees all, when nobody steals any more. */
void heist_hazard_free_(const heist_memory *memory, heist_retirable_ *retired);

#endif
