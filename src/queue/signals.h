/* SPDX-License-Identifier: MIT */
/* Which signals the library may have a handler for. */
#ifndef HEIST_QUEUE_SIGNALS_H
#define HEIST_QUEUE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Not those that mean a fault of the thread itself, nor those that can't be handled. */
static inline bool heist_signal_usable_(int signal)
{
    static const int no[] = {SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE,
                             SIGILL,  SIGTRAP, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (signal == no[i])
            return false;
    return signal >= 1 && signal <= SIGRTMAX;
}

#endif
