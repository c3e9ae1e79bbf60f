/* SPDX-License-Identifier: MIT */
#ifndef HEIST_QUEUE_HAZARD_H
#define HEIST_QUEUE_HAZARD_H

#include <stdbool.h>

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

/* Whether some thread's hazard slot names `memory`; call it after a full fence. */
bool heist_hazard_names_(const void *memory);

#endif
