/* SPDX-License-Identifier: MIT */
/* The ledger of orders of worker.c, idle.c, seats.c, jobs.c and pool.c. */
#ifndef HEIST_RUNTIME_WORKER_ORDERS_H
#define HEIST_RUNTIME_WORKER_ORDERS_H

#include <heist/atomic.h>

/* a seat was made: all that is in it before the number of seats; pairs with SEATS; else a thief
   looks into one that is not there yet */
#ifndef HEIST_RT_SEAT
#define HEIST_RT_SEAT __ATOMIC_RELEASE
#endif
/* the number of seats before the seats; pairs with SEAT */
#ifndef HEIST_RT_SEATS
#define HEIST_RT_SEATS __ATOMIC_ACQUIRE
#endif
/* a lender takes a seat before it uses it; pairs with LEAVE; else two use it */
#ifndef HEIST_RT_SIT
#define HEIST_RT_SIT __ATOMIC_ACQUIRE
#endif
/* the deputy was made: its seat before its name; pairs with CALL;
   else it is called where it is not */
#ifndef HEIST_RT_DEPUTY
#define HEIST_RT_DEPUTY __ATOMIC_RELEASE
#endif
/* the deputy's name before its seat; pairs with DEPUTY */
#ifndef HEIST_RT_CALL
#define HEIST_RT_CALL __ATOMIC_ACQUIRE
#endif
/* a lender has left, before it looks whether there are jobs; pairs with HEIST_PK_WAKE_FENCE of who
   submits one, and with HEIST_PK_SLEEP_FENCE of the deputy; else nobody calls the deputy */
#ifndef HEIST_RT_LEAVE
#define HEIST_RT_LEAVE __ATOMIC_SEQ_CST
#endif
/* a fork that goes into a queue: the slot before `done`; pairs with CLAIM; else a thief that comes
   by an older item of the same slot runs junk */
#ifndef HEIST_RT_PUT
#define HEIST_RT_PUT __ATOMIC_RELEASE
#endif
/* `done` of a fork that came out of a queue before its slot; pairs with PUT */
#ifndef HEIST_RT_CLAIM
#define HEIST_RT_CLAIM __ATOMIC_ACQUIRE
#endif
/* without a heavy fence: a fork is in the queue before the owner looks for requests; pairs with
   ASK_FENCE; else a thief sleeps beside it */
#ifndef HEIST_RT_PUT_FENCE
#define HEIST_RT_PUT_FENCE __ATOMIC_SEQ_CST
#endif
/* without a heavy fence: a thief has asked before its last look; pairs with PUT_FENCE */
#ifndef HEIST_RT_ASK_FENCE
#define HEIST_RT_ASK_FENCE __ATOMIC_SEQ_CST
#endif
/* in the child of a fork the pool is usable again, before who needs no lock sees that; pairs with
   ALIVE; else it uses what is being cleared */
#ifndef HEIST_RT_REVIVE
#define HEIST_RT_REVIVE __ATOMIC_RELEASE
#endif
/* the pool is this process's own, before what is in it; pairs with REVIVE */
#ifndef HEIST_RT_ALIVE
#define HEIST_RT_ALIVE __ATOMIC_ACQUIRE
#endif

#endif
