/* SPDX-License-Identifier: MIT */
/* All of the runtime, and the kind of queue that it takes by default. */
#ifndef HEIST_HEIST_H
#define HEIST_HEIST_H

#include <heist/default.h>
#include <heist/fork.h>
#include <heist/jobs.h>
#include <heist/loops.h>
#include <heist/pool.h>
#include <heist/stats.h>

#endif
