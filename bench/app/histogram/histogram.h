/* SPDX-License-Identifier: MIT */
#ifndef APP_HISTOGRAM_H
#define APP_HISTOGRAM_H

#include "inputs.h"

struct histogram {
    size_t n, buckets;
    uint32_t *keys;
    uint32_t *counts; /* the result */
};

#endif
