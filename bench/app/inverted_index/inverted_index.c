/* SPDX-License-Identifier: MIT */
/*
 * Words go into buckets by their hash, in the order of the text; each bucket makes its own part of
 * the index, side by side with the others, and then the parts are put one behind the other.
 */
#include "inverted_index.h"

#include "words.h"

struct indexing {
    struct words words;
    /* The parts of a bucket begin where its words do. */
    struct index_entry *sparse_entries;
    uint32_t *sparse_lines;
    /* By bucket: how many; then: where they go. */
    uint32_t *entries, *lines;
    const struct inverted_index *job;
};

#define NO_LINE UINT32_MAX

/* Lines do not go back, so a line that a word had already is the last one that it had. */
static void index_bucket(struct indexing *x, size_t bucket)
{
    const struct words *w = &x->words;
    const struct word *all = w->all + w->starts[bucket];
    struct index_entry *entries = x->sparse_entries + w->starts[bucket];
    uint32_t *lines = x->sparse_lines + w->starts[bucket];
    size_t n = w->starts[bucket + 1] - w->starts[bucket];
    uint32_t *number = allocate(n, sizeof *number), *first = allocate(n, sizeof *first);
    uint32_t *last = allocate(n, sizeof *last), sum = 0;
    size_t different = number_words(w, bucket, number, first);
    for (size_t i = 0; i < different; i++) {
        entries[i] = (struct index_entry){all[first[i]].at, 0};
        last[i] = NO_LINE;
    }
    /* How many lines each has, and so where they begin. */
    for (size_t i = 0; i < n; i++) {
        entries[number[i]].begin += last[number[i]] != all[i].line;
        last[number[i]] = all[i].line;
    }
    for (size_t i = 0; i < different; i++) {
        uint32_t own = entries[i].begin;
        entries[i].begin = sum;
        first[i] = sum; /* the place of the next one */
        sum += own;
        last[i] = NO_LINE;
    }
    for (size_t i = 0; i < n; i++) {
        if (last[number[i]] != all[i].line)
            lines[first[number[i]]++] = all[i].line;
        last[number[i]] = all[i].line;
    }
    x->entries[bucket] = (uint32_t)different;
    x->lines[bucket] = sum;
    free(number);
    free(first);
    free(last);
}

static void index_all(par *p, size_t from, size_t to, void *context)
{
    (void)p;
    for (size_t i = from; i < to; i++)
        index_bucket(context, i);
}

static void gather(par *p, size_t from, size_t to, void *context)
{
    struct indexing *x = context;
    (void)p;
    for (size_t b = from; b < to; b++) {
        const struct index_entry *entries = x->sparse_entries + x->words.starts[b];
        struct index_entry *out = x->job->entries + x->entries[b];
        for (size_t i = 0; i < x->entries[b + 1] - x->entries[b]; i++)
            out[i] = (struct index_entry){entries[i].at, entries[i].begin + x->lines[b]};
        memcpy(x->job->lines + x->lines[b], x->sparse_lines + x->words.starts[b],
               (x->lines[b + 1] - x->lines[b]) * sizeof *x->lines);
    }
}

static void solve(par *p, void *arg)
{
    struct inverted_index *job = arg;
    struct indexing x = {.words = words_of(p, &job->text, true), .job = job};
    size_t buckets = x.words.buckets;
    x.sparse_entries = allocate(x.words.number, sizeof *x.sparse_entries);
    x.sparse_lines = allocate(x.words.number, sizeof *x.sparse_lines);
    x.entries = allocate(buckets + 1, sizeof *x.entries);
    x.lines = allocate(buckets + 1, sizeof *x.lines);
    par_for(p, buckets, 1, index_all, &x);
    job->number = x.entries[buckets] = par_scan(p, x.entries, buckets);
    job->lines_number = x.lines[buckets] = par_scan(p, x.lines, buckets);
    job->entries = allocate(job->number, sizeof *job->entries);
    job->lines = allocate(job->lines_number, sizeof *job->lines);
    par_for(p, buckets, 16, gather, &x);
    free(x.sparse_entries);
    free(x.sparse_lines);
    free(x.entries);
    free(x.lines);
    drop_words(&x.words);
}

PROGRAM_SOLVED_BY(solve);
