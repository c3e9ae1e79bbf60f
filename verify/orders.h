/* SPDX-License-Identifier: MIT */
/* The ledger's orders, of which a check may weaken one. The table is generated from the headers. */
#ifndef HEIST_VERIFY_ORDERS_H
#define HEIST_VERIFY_ORDERS_H

#include <stdbool.h>

struct order {
    const char *name;
    int value;
};

extern const struct order check_orders[]; /* a NULL name ends it */

bool check_weaken(const char *name); /* NULL: none; false: there is no such order */

/* What the names of the ledger stand for in programs under check. */
int check_order(const char *name, int value);

#endif
