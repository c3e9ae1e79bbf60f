/* SPDX-License-Identifier: MIT */
/* The commands of experiments, as words and as text. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "report.h"

static char *copy(const char *text, size_t n)
{
    char *c = strndup(text, n);
    if (!c)
        bench_fail("out of memory");
    return c;
}

static void add_word(struct words *w, char *word)
{
    w->at = realloc(w->at, (w->n + 2) * sizeof *w->at);
    if (!w->at)
        bench_fail("out of memory");
    w->at[w->n++] = word;
    w->at[w->n] = NULL;
}

/* A word, with what stands for {...} in it; to be freed. */
static char *fill_in(const char *word, size_t n, unsigned workers, const char *rows)
{
    char text[4096], number[16];
    size_t used = 0;
    for (const char *end = word + n; word < end && used < sizeof text - 1;) {
        const char *is = NULL;
        if (strncmp(word, "{cpus}", 6) == 0) {
            snprintf(number, sizeof number, "%u", report_cpus());
            is = number;
        } else if (strncmp(word, "{workers}", 9) == 0) {
            snprintf(number, sizeof number, "%u", workers);
            is = number;
        } else if (strncmp(word, "{rows}", 6) == 0) {
            is = rows;
        }
        if (!is) {
            text[used++] = *word++;
            continue;
        }
        int length = snprintf(text + used, sizeof text - used, "%s", is);
        used += (size_t)length < sizeof text - used ? (size_t)length : sizeof text - used - 1;
        word += strcspn(word, "}") + 1;
    }
    return copy(text, used);
}

static void add_words(struct words *w, const char *text, unsigned workers, const char *rows)
{
    while (text && *(text += strspn(text, " "))) {
        bool is_quoted = *text == '\'';
        text += is_quoted;
        size_t n = strcspn(text, is_quoted ? "'" : " ");
        add_word(w, fill_in(text, n, workers, rows));
        text += n + (is_quoted && text[n]);
    }
}

struct words report_words(const struct experiment *e, enum report_length length, unsigned workers,
                          const char *rows)
{
    struct words w = {NULL, 0};
    add_words(&w, e->arguments, workers, rows);
    add_words(&w, e->more[length], workers, rows);
    return w;
}

struct words report_queues(const struct experiment *e)
{
    struct words w = {NULL, 0};
    for (const char *list = e->queues; list && *list;) {
        size_t n = strcspn(list, ",");
        add_word(&w, copy(list, n));
        list += n + (list[n] == ',');
    }
    return w;
}

void report_free_words(struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->at[i]);
    free(w->at);
    *w = (struct words){NULL, 0};
}

/* ---- For the reader ---- */

static void add(char *text, size_t size, const char *format, const char *what)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, format, what);
}

/* The text, with what a reader can fill in instead of {...}. */
static void add_shown(char *text, size_t size, const char *arguments, bool anywhere)
{
    static const struct {
        const char *what, *with;
    } names[] = {{"{workers}", "N"}, {"{rows}", "rows.csv"}, {"{cpus}", "$(nproc)"}};
    char cpus[16];
    snprintf(cpus, sizeof cpus, "%u", report_cpus());
    while (*arguments) {
        const char *with = NULL;
        size_t n = 1;
        for (size_t i = 0; i < sizeof names / sizeof *names && !with; i++)
            if (strncmp(arguments, names[i].what, strlen(names[i].what)) == 0) {
                with = !anywhere && names[i].with[0] == '$' ? cpus : names[i].with;
                n = strlen(names[i].what);
            }
        const char letter[] = {*arguments, '\0'};
        add(text, size, "%s", with ? with : letter);
        arguments += n;
    }
}

char *report_shown(const struct experiment *e, enum report_length length, bool anywhere)
{
    char text[2048] = "", number[16];
    const char *begin = " # ";
    if (e->queues)
        add(text, sizeof text, "%s", "HEIST_QUEUE=KIND ");
    add(text, sizeof text, "%s ", e->shown ? e->shown : "heist");
    add_shown(text, sizeof text, e->arguments, anywhere);
    if (e->more[length] && *e->more[length]) {
        add(text, sizeof text, "%s", " ");
        add_shown(text, sizeof text, e->more[length], anywhere);
    }
    if (e->queues) {
        add(text, sizeof text, "%sKIND: ", begin);
        add(text, sizeof text, "%s", e->queues);
        begin = "; ";
    }
    if (strstr(e->arguments, "{workers}")) {
        snprintf(number, sizeof number, "%u", report_cpus());
        add(text, sizeof text, "%sN: 1, 2, 4 and so on, up to ", begin);
        add(text, sizeof text, "%s", anywhere ? "$(nproc)" : number);
        begin = "; ";
    }
    if (e->turns[length] > 1) {
        snprintf(number, sizeof number, "%u", e->turns[length]);
        add(text, sizeof text, "%s", begin);
        add(text, sizeof text, "%s times in turn", number);
    }
    return copy(text, strlen(text));
}
