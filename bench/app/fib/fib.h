/* SPDX-License-Identifier: MIT */
#ifndef APP_FIB_H
#define APP_FIB_H

#include "program.h"

struct fib {
    int n;
    int cutoff;      /* smaller ones are computed without tasks */
    uint64_t first;  /* number, 0 in the usual sequence; the second is one more */
    uint64_t number; /* the result */
};

#endif
