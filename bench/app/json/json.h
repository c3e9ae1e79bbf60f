/* SPDX-License-Identifier: MIT */
#ifndef APP_JSON_H
#define APP_JSON_H

#include "program.h"

struct totals {
    uint64_t records, broken; /* lines */
    uint64_t sum; /* over records that are active: amount, and price by count of all items */
};

struct json {
    const char *text; /* a file, mapped */
    size_t length;
    size_t lines; /* what it was made of, for the check */
    unsigned shape;
    uint64_t seed;
    struct totals totals; /* the result */
};

enum { JSON_BLOCK = 16 << 10 }; /* bytes of the text */

/* Adds the lines that begin in a block; those that are no record are counted. */
void json_sum_block(const struct json *job, size_t block, struct totals *totals);

#endif
