/* SPDX-License-Identifier: MIT */
#ifndef APP_WORD_COUNTS_H
#define APP_WORD_COUNTS_H

#include "inputs.h"

struct word_count {
    uint32_t at; /* where the word is first in the text */
    uint32_t count;
};

struct word_counts {
    struct text text;
    struct word_count *counts; /* the result: for each word */
    size_t number;
};

#endif
