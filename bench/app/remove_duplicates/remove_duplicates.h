/* SPDX-License-Identifier: MIT */
#ifndef APP_REMOVE_DUPLICATES_H
#define APP_REMOVE_DUPLICATES_H

#include "inputs.h"

struct remove_duplicates {
    size_t n;
    uint32_t *keys;
    uint32_t
        *distinct; /* the result: each key once, in an order that only depends on the set of keys */
    size_t number;
};

#endif
