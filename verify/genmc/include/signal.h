/* SPDX-License-Identifier: MIT */
/* GenMC has no signals, and the system's header does not go with its pthread.h: only the name that
   split.c needs. */
#ifndef HEIST_GENMC_SIGNAL_H
#define HEIST_GENMC_SIGNAL_H

#define SIGURG 23

#endif
