/* SPDX-License-Identifier: MIT */
/* GenMC has no signals, and the system's header does not go with its pthread.h: only the names that
   split.c and the clients need. */
#ifndef HEIST_GENMC_SIGNAL_H
#define HEIST_GENMC_SIGNAL_H

#define SIGUSR1 10
#define SIGURG 23

#endif
