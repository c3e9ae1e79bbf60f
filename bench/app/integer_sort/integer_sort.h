/* SPDX-License-Identifier: MIT */
#ifndef APP_INTEGER_SORT_H
#define APP_INTEGER_SORT_H

#include "inputs.h"

struct integer_sort {
    size_t n;
    uint32_t *keys;
    uint32_t *sorted; /* the result */
};

#endif
