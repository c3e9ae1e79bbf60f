/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "help.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "processes.h"
#include "tool.h"

char *help_read(char *const *words, size_t n)
{
    char **argv = tool_realloc(NULL, (n + 3) * sizeof *argv), why[256], *help = NULL;
    struct process p = {.argv = argv, .patience = 10};
    argv[0] = "/proc/self/exe";
    memcpy(argv + 1, words, n * sizeof *argv);
    argv[n + 1] = "--help";
    argv[n + 2] = NULL;
    if (processes_run_one(&p, why, sizeof why) == 0) {
        help = p.printed[0].at;
        p.printed[0].at = NULL;
    }
    processes_forget(&p);
    free(argv);
    return help;
}

/* ---- Parts of a text ---- */

bool span_is(struct span s, const char *word)
{
    return strlen(word) == s.n && memcmp(s.at, word, s.n) == 0;
}

bool span_has(struct span s, const char *part) { return memmem(s.at, s.n, part, strlen(part)); }

static struct span trimmed(struct span s)
{
    while (s.n && *s.at == ' ')
        s = (struct span){s.at + 1, s.n - 1};
    while (s.n && s.at[s.n - 1] == ' ')
        s.n--;
    return s;
}

/* What comes before any of these characters, or all; `rest` begins behind the one that is there. */
static struct span cut(struct span *rest, const char *at)
{
    struct span part = {rest->at, 0};
    while (part.n < rest->n && !strchr(at, part.at[part.n]))
        part.n++;
    size_t taken = part.n + (part.n < rest->n);
    *rest = (struct span){rest->at + taken, rest->n - taken};
    return part;
}

static struct span whole(const char *help) { return (struct span){help, strlen(help)}; }

static bool is_indented(struct span line) { return line.n > 2 && memcmp(line.at, "  ", 2) == 0; }

/* ---- What is in it ---- */

bool help_usage_has(const char *help, const char *part)
{
    struct span rest = whole(help);
    return span_has(cut(&rest, "\n"), part);
}

/* Whether a line is one of the list of commands, of which it may be the title: "  NAME about". */
static bool is_command(struct span line, bool *inside)
{
    *inside = span_is(line, "Commands:") || (*inside && is_indented(line));
    return *inside && is_indented(line);
}

void help_commands(const char *help, help_entry_fn *each, void *context)
{
    bool inside = false;
    for (struct span rest = whole(help); rest.n;) {
        struct span line = cut(&rest, "\n");
        if (!is_command(line, &inside))
            continue;
        struct help_entry e = {.about = trimmed(line)};
        e.name = cut(&e.about, " ");
        e.about = trimmed(e.about);
        if (e.name.n)
            each(context, &e);
    }
}

/* "  --NAME ARGUMENT  about": two blanks end what stands on the left, or one behind its column. */
void help_options(const char *help, help_entry_fn *each, void *context)
{
    bool inside = false;
    for (struct span rest = whole(help); rest.n;) {
        struct span line = cut(&rest, "\n");
        if (is_command(line, &inside) || line.n < 5 || memcmp(line.at, "  --", 4) != 0)
            continue;
        struct help_entry e = {.about = {line.at + 2, line.n - 2}};
        e.name = cut(&e.about, " ");
        if (e.about.n && *e.about.at != ' ')
            e.argument = cut(&e.about, " ");
        e.about = trimmed(e.about);
        each(context, &e);
    }
}

static void all_words(struct span text, help_word_fn *each, void *context)
{
    while (text.n) {
        struct span word = cut(&text, " ,");
        if (word.n && *word.at != '[')
            each(context, word);
    }
}

static bool begins_with(struct span line, struct span title)
{
    return line.n > title.n && strncasecmp(line.at, title.at, title.n) == 0 &&
           strchr(":, ", line.at[title.n]);
}

/* The lines below a title: one of words, or each with a word that is explained. */
static void words_below(struct span rest, help_word_fn *each, void *context)
{
    struct span ahead = rest, first = cut(&ahead, "\n");
    if (!is_indented(cut(&ahead, "\n"))) {
        all_words(first, each, context);
        return;
    }
    for (;;) {
        struct span line = cut(&rest, "\n");
        if (!is_indented(line))
            return;
        struct span word = {line.at + 2, line.n - 2};
        word = cut(&word, " ");
        if (word.n)
            each(context, word);
    }
}

void help_words(const char *help, struct span title, help_word_fn *each, void *context)
{
    for (struct span rest = whole(help); rest.n;) {
        struct span line = cut(&rest, "\n");
        if (is_indented(line) || !begins_with(line, title) || !span_has(line, ":"))
            continue;
        cut(&line, ":");
        line = trimmed(line);
        if (line.n)
            all_words(line, each, context);
        else
            words_below(rest, each, context);
    }
}
