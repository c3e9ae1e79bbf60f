/* SPDX-License-Identifier: MIT */
/*
 * What a command says for --help, taken to pieces again: its commands, options and lists of words.
 * So what completion offers is what the command takes, and there is no second list.
 */
#ifndef TOOL_HELP_H
#define TOOL_HELP_H

#include <stdbool.h>
#include <stddef.h>

/* A part of the text. */
struct span {
    const char *at;
    size_t n;
};

struct help_entry {
    struct span name;
    struct span argument; /* of an option, as in "LIST"; none: n is 0 */
    struct span about;
};

/* What `heist WORDS... --help` prints, to be freed. NULL if that fails. */
char *help_read(char *const *words, size_t n);

bool span_is(struct span s, const char *word);
bool span_has(struct span s, const char *part);

/* Calls `each` for the commands, and for the options. */
typedef void help_entry_fn(void *context, const struct help_entry *entry);
void help_commands(const char *help, help_entry_fn *each, void *context);
void help_options(const char *help, help_entry_fn *each, void *context);

/* Whether its line of usage has this. */
bool help_usage_has(const char *help, const char *part);

/* Calls `each` for the words that a list is of: "Kinds: a b c", "Policies: a, b", or lines below a
   title that begin with them. Those in brackets are left out. */
typedef void help_word_fn(void *context, struct span word);
void help_words(const char *help, struct span title, help_word_fn *each, void *context);

#endif
