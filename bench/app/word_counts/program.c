/* SPDX-License-Identifier: MIT */
#include "dictionary.h"
#include "word_counts.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct word_counts *job = allocate_zeroed(1, sizeof *job);
    job->text = make_text(size, shape, seed);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct word_counts *job = arg;
    spans[0] = (struct span){job->counts, job->number * sizeof *job->counts};
    return 1;
}

static const char *check(const void *arg)
{
    const struct word_counts *job = arg;
    struct dictionary d = dictionary_of(&job->text);
    uint32_t *right = allocate_zeroed(job->text.words, sizeof *right);
    const char *wrong = NULL;
    size_t at;
    uint32_t word;
    while (dictionary_next(&d, &at, &word))
        right[word]++;
    if (job->number != d.words)
        wrong = "too many words, or too few";
    for (size_t i = 0; i < job->number && !wrong; i++) {
        const struct word_count *c = &job->counts[i];
        word = dictionary_find(&d, c->at);
        if (word == UINT32_MAX || d.first[word] != c->at)
            wrong = "not where a word is first";
        else if (!c->count || right[word] != c->count)
            wrong = "a word's count is wrong, or it is there twice";
        else
            right[word] = 0;
    }
    free(right);
    dictionary_drop(&d);
    return wrong;
}

static void forget(void *arg)
{
    struct word_counts *job = arg;
    free(job->counts);
}

static void drop(void *arg)
{
    struct word_counts *job = arg;
    free(job->text.at);
    free(job);
}

const struct program program = {
    .name = "word_counts",
    .about = "how often each word is in a text",
    .unit = "words",
    .sizes = (const size_t[]){2000000, 2000000, 2500000},
    .size_most = TEXT_WORDS_MOST,
    .shapes = text_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
