/* SPDX-License-Identifier: MIT */
/* Where the workers of a pool run: the machine, and who is pinned to which CPU. */
#ifndef HEIST_RUNTIME_PLACES_H
#define HEIST_RUNTIME_PLACES_H

#include <heist/topology.h>

#include "../policy/affinity.h"

struct places;

/* For as many workers as a pool can have. 0; -ENOMEM. */
int heist_places_new_(struct places **out, enum heist_pin pin, unsigned workers);
void heist_places_free_(struct places *places);

const heist_topology *heist_places_topology_(const struct places *places);
enum heist_pin heist_places_pin_(const struct places *places);
/* Whether some CPUs are faster than others. */
bool heist_places_differ_(const struct places *places);

/* The CPU of the thread with this rank, if threads are pinned; else that of the calling thread. */
unsigned heist_places_cpu_(const struct places *places, unsigned rank);
/* The calling thread's; if that is none of the machine's, 0. */
unsigned heist_places_here_(const struct places *places);

/* Pins the calling thread; false: threads are not pinned, or the system refuses. */
bool heist_places_take_(const struct places *places, unsigned rank);

/* The calling thread, which is not pinned, joins threads of lower rank. If it is on the CPU of one
   of these, it goes to that of its own rank. */
void heist_places_lend_(const struct places *places, unsigned rank);

/* Between the two, what the calling thread touches first is where the thread of this rank will be.
 */
void heist_places_visit_(const struct places *places, unsigned rank, struct heist_affinity_ *home);
void heist_places_return_(struct heist_affinity_ *home);

#endif
