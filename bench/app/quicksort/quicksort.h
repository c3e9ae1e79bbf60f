/* SPDX-License-Identifier: MIT */
#ifndef APP_QUICKSORT_H
#define APP_QUICKSORT_H

#include "inputs.h"

struct quicksort {
    size_t n;
    int64_t *numbers;
    int64_t *sorted; /* the result */
};

#endif
