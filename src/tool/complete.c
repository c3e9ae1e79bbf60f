/* SPDX-License-Identifier: MIT */
/*
 * heist --complete WORD...: what the last word may become, a line each, perhaps with a tab and what
 * it means behind; ":files" and ":directories" stand for those. Not for people: the scripts of
 * completion/ call it, with what stands behind `heist` on the line, up to the cursor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "tool.h"

struct completion {
    const char *help;
    const char *word;      /* what is to be completed */
    const char *before;    /* what stands in it before that, and stays: "--bench=nosteal," */
    const char *begin;     /* of the list that `word` is the last of */
    struct span wanted;    /* an option's name */
    struct help_entry got; /* that option; its name is empty if there is none */
    bool is_command;
};

static void offer(const struct completion *c, struct span word, const char *end, struct span about)
{
    size_t n = strlen(c->word);
    if (word.n < n || memcmp(word.at, c->word, n) != 0)
        return;
    printf("%.*s%.*s%s", (int)(c->word - c->before), c->before, (int)word.n, word.at, end);
    if (about.n)
        printf("\t%.*s", (int)about.n, about.at);
    putchar('\n');
}

/* ---- Commands and options ---- */

static void offer_entry(void *context, const struct help_entry *e)
{
    offer(context, e->name, "", e->about);
}

static void find_command(void *context, const struct help_entry *e)
{
    struct completion *c = context;
    c->is_command |= span_is(e->name, c->word) && *c->word != '-';
}

static void find_option(void *context, const struct help_entry *e)
{
    struct completion *c = context;
    if (e->name.n == c->wanted.n && memcmp(e->name.at, c->wanted.at, e->name.n) == 0)
        c->got = *e;
}

/* Whether this is the name of an option that takes a value, which may be left out if `may`. */
static bool takes_value(struct completion *c, const char *name, size_t n, bool may)
{
    c->wanted = (struct span){name, n};
    c->got = (struct help_entry){.name = {name, 0}};
    help_options(c->help, find_option, c);
    return c->got.argument.n && (may || *c->got.argument.at != '[');
}

/* ---- Values ---- */

static const struct span nothing = {"", 0};

/* Not what the list has already. */
static void offer_word(void *context, struct span word)
{
    const struct completion *c = context;
    for (const char *at = c->begin; at < c->word; at += strcspn(at, ",") + 1)
        if (strcspn(at, ",") == word.n && memcmp(at, word.at, word.n) == 0)
            return;
    offer(c, word, span_has(c->got.argument, "NAME=") ? "=" : "", nothing);
}

/* "benchmarks, of those below", "papers and experiments, of those below": words may be titles. */
static void offer_below(struct completion *c, struct span about)
{
    const char *end = strstr(about.at, ", of those below");
    for (const char *at = about.at; at < end;) {
        size_t n = strcspn(at, " ,");
        help_words(c->help, (struct span){at, n}, offer_word, c);
        at += n + 1;
    }
}

/* "how it is: this, that or another; ...": what stands behind the colon, if there is a choice. */
static void offer_choice(struct completion *c, struct span about)
{
    const char *end = memchr(about.at, ';', about.n), *colon = memchr(about.at, ':', about.n);
    if (!end)
        end = about.at + about.n;
    if (!colon || colon > end)
        return;
    struct span choice = {colon + 1, (size_t)(end - colon - 1)};
    if (!span_has(choice, ", ") && !span_has(choice, " or "))
        return;
    for (const char *at = choice.at; at < end;) {
        size_t n = strcspn(at, " ,;\n");
        struct span word = {at, n};
        if (n && *at != '(' && !span_is(word, "or"))
            offer_word(c, word);
        at += n + 1;
    }
}

static void offer_values(struct completion *c)
{
    struct span argument = c->got.argument, about = c->got.about;
    c->begin = c->word;
    if (span_is(argument, "LIST") || span_has(argument, ",")) {
        const char *comma = strrchr(c->word, ',');
        c->word = comma ? comma + 1 : c->word;
    }
    if (span_has(about, ", of those below"))
        offer_below(c, about);
    else if (span_has(argument, "DIR"))
        puts(":directories");
    else if (span_has(argument, "FILE") || span_has(argument, "DESC"))
        puts(":files");
    else
        offer_choice(c, about);
}

/* ---- The command ---- */

/* The word that is typed, behind those that name the command. */
static void complete(struct completion *c, char **words, size_t n)
{
    c->word = c->before = words[n - 1];
    const char *equals = strchr(c->word, '=');
    if (n > 1 && takes_value(c, words[n - 2], strlen(words[n - 2]), false)) {
        offer_values(c);
    } else if (equals && takes_value(c, c->word, (size_t)(equals - c->word), true)) {
        c->word = equals + 1;
        offer_values(c);
    } else if (*c->word == '-') {
        help_commands(c->help, offer_entry, c);
        help_options(c->help, offer_entry, c);
    } else {
        if (n == 1)
            help_commands(c->help, offer_entry, c);
        c->begin = c->word;
        if (help_usage_has(c->help, "[KIND]"))
            help_words(c->help, (struct span){"Kinds", 5}, offer_word, c);
        if (n > 1 && takes_value(c, words[n - 2], strlen(words[n - 2]), true))
            puts(":files"); /* --csv [FILE] */
        if (!*c->word)
            help_options(c->help, offer_entry, c);
    }
}

int tool_complete(int argc, char **argv)
{
    char **words = argv + 1, *help = NULL;
    size_t n = (size_t)argc - 1, used = 0;
    if (!n)
        return tool_usage_error("heist", "a word to complete is missing after", argv[0]);
    for (;;) {
        struct completion c = {.word = words[used]};
        free(help);
        help = help_read(words, used);
        if (!help)
            return TOOL_FAILED;
        c.help = help;
        if (used + 1 < n)
            help_commands(help, find_command, &c);
        if (!c.is_command) {
            complete(&c, words + used, n - used);
            free(help);
            return tool_flush("heist");
        }
        used++;
    }
}
