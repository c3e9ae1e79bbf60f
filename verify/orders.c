/* SPDX-License-Identifier: MIT */
#include "orders.h"

#include <stddef.h>
#include <string.h>

#include "state.h"

static const char *weakened CHECK_STATE = NULL;

bool check_weaken(const char *name)
{
    const struct order *o = check_orders;
    weakened = name;
    while (name && o->name && strcmp(o->name, name))
        o++;
    return !name || o->name;
}

int check_order(const char *name, int value)
{
    return weakened && !strcmp(weakened, name) ? __ATOMIC_RELAXED : value;
}
