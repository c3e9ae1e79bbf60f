/* SPDX-License-Identifier: MIT */
/*
 * A pair of fences, one of which costs nothing. A store-load fence on a path that runs a hundred
 * million times a second is too much; so the thread on that path has a light fence, which only
 * the compiler sees, and the one that comes rarely pays for both, by a system call that makes every
 * running thread of the process pass a full fence (membarrier, Linux 4.14).
 *
 *   heist_has_heavy_fence()  whether the kernel lets us; false: the pair orders nothing
 *   heist_fence_light()      the frequent side
 *   heist_fence_heavy()      the rare side: some microseconds; false: nothing was ordered
 *
 * What they promise (P1202, "asymmetric fences"): a light and a heavy one, or two heavy ones, order
 * as two seq_cst fences do, and synchronise as those. Two light ones promise nothing to each other,
 * and a light one nothing to an ordinary acquire, release or fence.
 *
 * Why: the kernel runs a full fence on the light side's CPU somewhere between two of its
 * instructions, while the heavy side is inside the call. A light fence that comes before that point
 * has its stores visible to whoever comes after the call; one that comes after it has its loads see
 * what was stored before the call. So it is before or after the heavy one, as a seq_cst fence is.
 *
 * To the model checker the heavy one is a seq_cst fence, and the light one is that only towards
 * heavy ones (verify/graph.c). For GenMC both are seq_cst fences: that is too much between two
 * light ones, of which a queue's owner alone has any, and where a light one meets ordinary
 * accesses. ThreadSanitizer sees neither, so what they hand over should go through a release and an
 * acquire too.
 */
#ifndef HEIST_FENCES_H
#define HEIST_FENCES_H

#include <heist/atomic.h>

/* The ledger of orders: what the pair is to a model checker. */
/* the light fence; pairs with HEAVY; else the two sides miss each other's store */
#ifndef HEIST_FN_LIGHT
#define HEIST_FN_LIGHT __ATOMIC_SEQ_CST
#endif
/* the heavy fence; pairs with LIGHT */
#ifndef HEIST_FN_HEAVY
#define HEIST_FN_HEAVY __ATOMIC_SEQ_CST
#endif

HEIST_BEGIN_DECLS

#if HEIST_MODEL || HEIST_PORTABLE

#if !HEIST_MODEL
#define heist_light_fence_(order) heist_fence(order)
#define heist_heavy_fence_(order) heist_fence(order)
#endif
/* The frequent side of the pair. */
#define heist_fence_light() heist_light_fence_(HEIST_FN_LIGHT)
#define heist_fence_heavy() (heist_heavy_fence_(HEIST_FN_HEAVY), true)
#define heist_has_heavy_fence() true

#else

#define heist_fence_light() heist_signal_fence()
/* The rare side. False: nothing was ordered. */
HEIST_API bool heist_fence_heavy(void);
/* Whether the kernel has a heavy fence; asks it the first time. */
HEIST_API bool heist_has_heavy_fence(void);

#endif

HEIST_END_DECLS

#endif
