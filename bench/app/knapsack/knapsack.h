/* SPDX-License-Identifier: MIT */
#ifndef APP_KNAPSACK_H
#define APP_KNAPSACK_H

#include "branch.h"
#include "program.h"

enum { KNAPSACK_WIDTH = 20 }; /* of the diagrams */

struct knapsack {
    struct instance **instance;
    size_t instances;
    int64_t *profit; /* of each: the result */
};

#endif
