/* SPDX-License-Identifier: MIT */
#include "dictionary.h"
#include "inverted_index.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct inverted_index *job = allocate_zeroed(1, sizeof *job);
    job->text = make_text(size, shape, seed);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct inverted_index *job = arg;
    spans[0] = (struct span){job->entries, job->number * sizeof *job->entries};
    spans[1] = (struct span){job->lines, job->lines_number * sizeof *job->lines};
    return 2;
}

/* Where the words of the text are to be found in the index: NULL if each has one entry, and
   those are all. */
static const char *find_entries(const struct inverted_index *job, const struct dictionary *d,
                                uint32_t *entry)
{
    if (job->number != d->words)
        return "too many words, or too few";
    for (size_t w = 0; w < d->words; w++)
        entry[w] = UINT32_MAX;
    for (size_t i = 0; i < job->number; i++) {
        uint32_t word = dictionary_find(d, job->entries[i].at), begin = job->entries[i].begin;
        if (word == UINT32_MAX || d->first[word] != job->entries[i].at || entry[word] != UINT32_MAX)
            return "not where a word is first, or twice";
        if (i ? begin <= job->entries[i - 1].begin : begin != 0)
            return "a word without a line";
        if (begin >= job->lines_number)
            return "lines that are not there";
        entry[word] = (uint32_t)i;
    }
    return NULL;
}

/* Reads the text once more: each word takes one line after the other from its entry, until none
   is left. */
static const char *check_lines(const struct inverted_index *job, const uint32_t *entry)
{
    struct dictionary d = dictionary_of(&job->text);
    uint32_t *next = allocate(job->number, sizeof *next), word;
    const char *wrong = NULL;
    size_t at, taken = 0;
    for (size_t i = 0; i < job->number; i++)
        next[i] = job->entries[i].begin;
    while (!wrong && dictionary_next(&d, &at, &word)) {
        size_t i = entry[word],
               end = i + 1 < job->number ? job->entries[i + 1].begin : job->lines_number;
        if (next[i] > job->entries[i].begin && job->lines[next[i] - 1] == d.line)
            continue;
        if (next[i] == end || job->lines[next[i]++] != d.line)
            wrong = "a word's lines are wrong";
        taken++;
    }
    if (!wrong && taken != job->lines_number)
        wrong = "lines without their word";
    free(next);
    dictionary_drop(&d);
    return wrong;
}

static const char *check(const void *arg)
{
    const struct inverted_index *job = arg;
    struct dictionary d = dictionary_of(&job->text);
    uint32_t *entry = allocate(job->text.words, sizeof *entry), word;
    size_t at;
    while (dictionary_next(&d, &at, &word))
        ;
    const char *wrong = find_entries(job, &d, entry);
    if (!wrong)
        wrong = check_lines(job, entry);
    free(entry);
    dictionary_drop(&d);
    return wrong;
}

static void forget(void *arg)
{
    struct inverted_index *job = arg;
    free(job->entries);
    free(job->lines);
}

static void drop(void *arg)
{
    struct inverted_index *job = arg;
    free(job->text.at);
    free(job);
}

const struct program program = {
    .name = "inverted_index",
    .about = "for each word of a text the lines that it is in",
    .unit = "words",
    .sizes = (const size_t[]){2000000, 2000000, 2000000},
    .size_most = TEXT_WORDS_MOST,
    .shapes = text_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
