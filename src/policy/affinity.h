/* SPDX-License-Identifier: MIT */
/*
 * Which CPUs the calling thread may use. One that Heist has pinned counts as if it were not: what
 * it makes, pools and threads, is not for its CPU alone.
 */
#ifndef HEIST_POLICY_AFFINITY_H
#define HEIST_POLICY_AFFINITY_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

struct heist_affinity_ {
    cpu_set_t *set; /* allocated; NULL: not known */
    size_t bytes;
};

/* False: it is not known. */
bool heist_affinity_read_(struct heist_affinity_ *out);
void heist_affinity_free_(struct heist_affinity_ *affinity);

/* The calling thread: on this CPU only, by the operating system's number; false: that was refused.
   `before`, what it had been allowed, must stay. */
bool heist_affinity_pin_(unsigned os, const struct heist_affinity_ *before);
/* For a while: as if the calling thread were on this CPU, so that memory which it touches first is
   there; `home` is what it goes back to. */
void heist_affinity_visit_(unsigned os, struct heist_affinity_ *home);
void heist_affinity_return_(struct heist_affinity_ *home);
/* The calling thread goes to this CPU, and is as free to go on from there as it was. */
void heist_affinity_go_(unsigned os);
/* The same, if it is on the CPU `os`, to another one, the n-th in turn. Returns whether it was
   there. */
bool heist_affinity_step_aside_(int os, unsigned n);
/* What a pinned thread was allowed before; NULL: it is not pinned. */
const struct heist_affinity_ *heist_affinity_before_(void);

#endif
