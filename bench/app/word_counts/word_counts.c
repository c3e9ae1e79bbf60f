/* SPDX-License-Identifier: MIT */
/* Words go into buckets by their hash, and each bucket counts its own, side by side with the
   others. */
#include "word_counts.h"

#include "words.h"

struct counting {
    struct words words;
    struct word_count *sparse; /* those of a bucket begin where its words do */
    uint32_t *different;       /* by bucket: how many; then: where they go */
    struct word_count *counts;
};

static void count_bucket(struct counting *c, size_t bucket)
{
    const struct words *w = &c->words;
    const struct word *all = w->all + w->starts[bucket];
    struct word_count *counts = c->sparse + w->starts[bucket];
    size_t n = w->starts[bucket + 1] - w->starts[bucket];
    uint32_t *number = allocate(n, sizeof *number), *first = allocate(n, sizeof *first);
    size_t different = number_words(w, bucket, number, first);
    for (size_t i = 0; i < different; i++)
        counts[i] = (struct word_count){all[first[i]].at, 0};
    for (size_t i = 0; i < n; i++)
        counts[number[i]].count++;
    c->different[bucket] = (uint32_t)different;
    free(number);
    free(first);
}

static void count_all(par *p, size_t from, size_t to, void *context)
{
    (void)p;
    for (size_t i = from; i < to; i++)
        count_bucket(context, i);
}

static void gather(par *p, size_t from, size_t to, void *context)
{
    struct counting *c = context;
    (void)p;
    for (size_t i = from; i < to; i++)
        memcpy(c->counts + c->different[i], c->sparse + c->words.starts[i],
               (c->different[i + 1] - c->different[i]) * sizeof *c->counts);
}

static void solve(par *p, void *arg)
{
    struct word_counts *job = arg;
    struct counting c = {.words = words_of(p, &job->text, false)};
    c.sparse = allocate(c.words.number, sizeof *c.sparse);
    c.different = allocate(c.words.buckets + 1, sizeof *c.different);
    par_for(p, c.words.buckets, 1, count_all, &c);
    job->number = c.different[c.words.buckets] = par_scan(p, c.different, c.words.buckets);
    job->counts = c.counts = allocate(job->number, sizeof *c.counts);
    par_for(p, c.words.buckets, 16, gather, &c);
    free(c.sparse);
    free(c.different);
    drop_words(&c.words);
}

PROGRAM_SOLVED_BY(solve);
