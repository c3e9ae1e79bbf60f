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

/* "NAME", or "NAME=acquire" for what it becomes instead of relaxed; NULL: all are as they are.
   False: there is no such order, or it is not weaker. */
bool check_weaken(const char *what);
bool check_weakened_used(void); /* whether the program came to the order that was weakened */

/* The next weaker ones of an order, as words: at most two, and NULL. */
const char *const *check_weaker(int order);

const char *check_order_name(int order);

/* What the names of the ledger stand for in programs under check. */
int check_order(const char *name, int value);

#endif
