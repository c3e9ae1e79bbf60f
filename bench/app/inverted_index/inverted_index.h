/* SPDX-License-Identifier: MIT */
#ifndef APP_INVERTED_INDEX_H
#define APP_INVERTED_INDEX_H

#include "inputs.h"

struct index_entry {
    uint32_t at;    /* where the word is first in the text */
    uint32_t begin; /* of its lines in `lines`; they end where the next entry's begin */
};

struct inverted_index {
    struct text text;
    struct index_entry *entries; /* the result: for each word */
    uint32_t *lines;             /* in which it is, each line once, in order */
    size_t number, lines_number;
};

#endif
