/* SPDX-License-Identifier: MIT */
/*
 * For the checks of the programs on texts: the words of a text one after the other, each with the
 * number of the different word that it is. Shares nothing with the algorithms.
 */
#ifndef APP_DICTIONARY_H
#define APP_DICTIONARY_H

#include "inputs.h"

struct dictionary {
    const struct text *text;
    size_t place;    /* in the text, behind the last word */
    uint32_t line;   /* of that word */
    uint32_t *chain; /* by hash: a word's number plus 1; 0: none */
    uint32_t *next;  /* by word: the next one in the chain, likewise */
    uint32_t *first; /* by word: where it is first */
    size_t words;
};

struct dictionary dictionary_of(const struct text *text);
bool dictionary_next(struct dictionary *d, size_t *at, uint32_t *word); /* false: that was all */
/* The number of the word that begins there; UINT32_MAX: none does, or it is not known. */
uint32_t dictionary_find(const struct dictionary *d, size_t at);
void dictionary_drop(struct dictionary *d);

#endif
