/* SPDX-License-Identifier: MIT */
#include "dictionary.h"

#include "random.h"

static bool is_letter(const struct text *t, size_t i)
{
    return i < t->length && t->at[i] >= 'a' && t->at[i] <= 'z';
}

struct dictionary dictionary_of(const struct text *text)
{
    return (struct dictionary){.text = text,
                               .chain = allocate_zeroed(text->words, sizeof(uint32_t)),
                               .next = allocate(text->words, sizeof(uint32_t)),
                               .first = allocate(text->words, sizeof(uint32_t))};
}

/* The chain that the word is in, if it is in any. */
static uint32_t *chain_of(const struct dictionary *d, size_t at)
{
    uint64_t sum = 0;
    for (; is_letter(d->text, at); at++)
        sum = 31 * sum + (uint64_t)d->text->at[at];
    return &d->chain[random_at(0, sum) % d->text->words];
}

static bool same_word(const struct text *t, size_t a, size_t b)
{
    for (; is_letter(t, a) && is_letter(t, b); a++, b++)
        if (t->at[a] != t->at[b])
            return false;
    return is_letter(t, a) == is_letter(t, b);
}

static uint32_t find_in(const struct dictionary *d, const uint32_t *chain, size_t at)
{
    for (uint32_t i = *chain; i; i = d->next[i - 1])
        if (same_word(d->text, d->first[i - 1], at))
            return i - 1;
    return UINT32_MAX;
}

bool dictionary_next(struct dictionary *d, size_t *at, uint32_t *word)
{
    for (; d->place < d->text->length && !is_letter(d->text, d->place); d->place++)
        d->line += d->text->at[d->place] == '\n';
    if (d->place == d->text->length)
        return false;
    *at = d->place;
    uint32_t *chain = chain_of(d, *at);
    *word = find_in(d, chain, *at);
    if (*word == UINT32_MAX) {
        *word = (uint32_t)d->words++;
        d->first[*word] = (uint32_t)*at;
        d->next[*word] = *chain;
        *chain = *word + 1;
    }
    while (is_letter(d->text, d->place))
        d->place++;
    return true;
}

uint32_t dictionary_find(const struct dictionary *d, size_t at)
{
    if (!is_letter(d->text, at) || (at && is_letter(d->text, at - 1)))
        return UINT32_MAX;
    return find_in(d, chain_of(d, at), at);
}

void dictionary_drop(struct dictionary *d)
{
    free(d->chain);
    free(d->next);
    free(d->first);
}
