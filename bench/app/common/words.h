/* SPDX-License-Identifier: MIT */
/*
 * The words of a text, and the buckets in which the same words are together: what the two programs
 * on texts begin with.
 */
#ifndef APP_WORDS_H
#define APP_WORDS_H

#include "blocks.h"
#include "inputs.h"

enum { WORDS_PER_BUCKET = 2048, WORD_BUCKETS_MOST = 1024 };

struct word {
    uint64_t hash;
    uint32_t at; /* in the text; it ends before what is no letter */
    uint32_t line;
};

struct words {
    const struct text *text;
    size_t number, buckets;
    uint32_t *line_ends; /* places in the text; NULL: lines do not matter */
    size_t lines;
    struct word *all; /* in buckets */
    uint32_t *starts; /* of the buckets, one more at the end */
    struct word *unsorted;
};

static inline bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

static inline bool same_word(const struct text *t, const struct word *a, const struct word *b)
{
    const char *x = t->at + a->at, *y = t->at + b->at;
    if (a->hash != b->hash)
        return false;
    while (*x == *y && is_letter(*x))
        x++, y++;
    return !is_letter(*x) && !is_letter(*y);
}

static inline bool begins_word(const struct text *t, size_t i)
{
    return is_letter(t->at[i]) && (!i || !is_letter(t->at[i - 1]));
}

static size_t count_words(size_t from, size_t to, void *context)
{
    const struct words *w = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += begins_word(w->text, i);
    return number;
}

static uint32_t line_at(const struct words *w, size_t place)
{
    size_t low = 0, high = w->lines;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (w->line_ends[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static size_t write_words(size_t from, size_t to, size_t at, void *context)
{
    const struct words *w = context;
    const char *text = w->text->at;
    size_t next = at;
    uint32_t line = w->line_ends ? line_at(w, from) : 0;
    for (size_t i = from; i < to; i++) {
        if (begins_word(w->text, i)) {
            uint64_t hash = 0xcbf29ce484222325; /* FNV-1a, and then the upper bits too */
            for (size_t j = i; j < w->text->length && is_letter(text[j]); j++)
                hash = (hash ^ (unsigned char)text[j]) * 0x100000001b3;
            hash ^= hash >> 32;
            w->unsorted[next++] = (struct word){hash * 0x9e3779b97f4a7c15, (uint32_t)i, line};
        } else {
            line += text[i] == '\n';
        }
    }
    return next - at;
}

static size_t count_lines(size_t from, size_t to, void *context)
{
    const struct words *w = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += w->text->at[i] == '\n';
    return number;
}

static size_t write_lines(size_t from, size_t to, size_t at, void *context)
{
    const struct words *w = context;
    size_t next = at;
    for (size_t i = from; i < to; i++)
        if (w->text->at[i] == '\n')
            w->line_ends[next++] = (uint32_t)i;
    return next - at;
}

static inline size_t bucket_of(const struct words *w, const struct word *word)
{
    return (word->hash >> 32) * w->buckets >> 32;
}

static void count_buckets(size_t from, size_t to, uint32_t *counts, void *context)
{
    const struct words *w = context;
    for (size_t i = from; i < to; i++)
        counts[bucket_of(w, &w->unsorted[i])]++;
}

static void move_to_buckets(size_t from, size_t to, uint32_t *place, void *context)
{
    const struct words *w = context;
    for (size_t i = from; i < to; i++)
        w->all[place[bucket_of(w, &w->unsorted[i])]++] = w->unsorted[i];
}

/* Words of a bucket are in the order of the text. */
static inline struct words words_of(par *p, const struct text *text, bool with_lines)
{
    struct words w = {.text = text};
    const struct filter lines = {count_lines, write_lines, &w},
                        words = {count_words, write_words, &w};
    if (with_lines) {
        w.line_ends = allocate(text->length, sizeof *w.line_ends);
        w.lines = par_filter(p, text->length, &lines);
    }
    w.unsorted = allocate(text->length / 2 + 1, sizeof *w.unsorted);
    w.number = par_filter(p, text->length, &words);
    w.buckets = w.number / WORDS_PER_BUCKET + 1;
    if (w.buckets > WORD_BUCKETS_MOST)
        w.buckets = WORD_BUCKETS_MOST;
    w.all = allocate(w.number, sizeof *w.all);
    w.starts = allocate(w.buckets + 1, sizeof *w.starts);
    const struct partition by_hash = {w.buckets, count_buckets, move_to_buckets, &w};
    par_partition(p, w.number, &by_hash, w.starts);
    free(w.unsorted);
    free(w.line_ends);
    return w;
}

static inline void drop_words(struct words *w)
{
    free(w->all);
    free(w->starts);
}

/*
 * Numbers the different words of a bucket as they come: number[i] is that of its i-th word,
 * first[n] the first word with number n. Returns how many there are.
 */
static inline size_t number_words(const struct words *w, size_t bucket, uint32_t *number,
                                  uint32_t *first)
{
    const struct word *all = w->all + w->starts[bucket];
    size_t n = w->starts[bucket + 1] - w->starts[bucket], mask = 1, different = 0;
    while (mask < 2 * n)
        mask = 2 * mask + 1;
    uint32_t *table = allocate_zeroed(mask + 1, sizeof *table); /* a number plus 1; 0: free */
    for (size_t i = 0; i < n; i++) {
        size_t at = all[i].hash & mask;
        while (table[at] && !same_word(w->text, &all[i], &all[first[table[at] - 1]]))
            at = (at + 1) & mask;
        if (!table[at]) {
            first[different] = (uint32_t)i;
            table[at] = (uint32_t)++different;
        }
        number[i] = table[at] - 1;
    }
    free(table);
    return different;
}

#endif
