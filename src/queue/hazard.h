/* SPDX-License-Identifier: MIT */
#ifndef HEIST_QUEUE_HAZARD_H
#define HEIST_QUEUE_HAZARD_H

#include <stdbool.h>

/* Whether some thread's hazard slot names `memory`; call it after a full fence. */
bool heist_hazard_names_(const void *memory);

#endif
