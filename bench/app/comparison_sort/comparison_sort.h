/* SPDX-License-Identifier: MIT */
#ifndef APP_COMPARISON_SORT_H
#define APP_COMPARISON_SORT_H

#include "inputs.h"

struct comparison_sort {
    size_t n;
    double *numbers;
    double *sorted; /* the result */
};

#endif
