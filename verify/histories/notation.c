/* SPDX-License-Identifier: MIT */
#include "notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In place of the checker: marks, and what each thread knows of the others'. */
static struct {
    int running;
    bool apart;
    uint16_t knows[CHECK_THREADS][CHECK_THREADS], marks[CHECK_THREADS];
} clock;

void check_mark(uint16_t before[CHECK_THREADS])
{
    uint16_t *knows = clock.knows[clock.running];
    knows[clock.running] = ++clock.marks[clock.running];
    if (!clock.apart)
        memcpy(knows, clock.marks, sizeof clock.marks);
    memcpy(before, knows, sizeof clock.marks);
}

static void tell(int from, int to)
{
    for (int i = 0; i < CHECK_THREADS; i++)
        if (clock.knows[to][i] < clock.knows[from][i])
            clock.knows[to][i] = clock.knows[from][i];
}

enum { MANY = 16 };

struct operation {
    enum history_op op;
    int argument, result, items[MANY], n;
};

static void bad(const char *word)
{
    fprintf(stderr, "'%s' is no history: see notation.h\n", word);
    exit(2);
}

/* "P1!", "S-", "M4=1,2"; the end of it, or NULL. */
static const char *read_operation(const char *word, struct operation *o)
{
    static const char letters[] = "PGSM";
    const char *letter = *word ? strchr(letters, *word++) : NULL;
    if (!letter)
        return NULL;
    memset(o, 0, sizeof *o);
    o->op = (enum history_op)(letter - letters);
    bool special = *word == '-' || *word == '?';
    char *end;
    long number = strtol(word, &end, 10);
    if (special ? o->op != HISTORY_GET && o->op != HISTORY_STEAL : *word < '0' || *word > '9')
        return NULL;
    if (special) {
        o->result = *word == '-' ? HISTORY_NONE : HISTORY_BUSY;
        return word + 1;
    }
    word = end;
    if (o->op == HISTORY_GET || o->op == HISTORY_STEAL) {
        o->result = (int)number;
        return word;
    }
    o->argument = (int)number;
    if (o->op == HISTORY_PUT) {
        o->result = *word != '!';
        return word + !o->result;
    }
    if (*word++ != '=')
        return NULL;
    while (*word >= '0' && *word <= '9' && o->n < MANY) {
        o->items[o->n++] = (int)strtol(word, &end, 10);
        word = end + (*end == ',');
    }
    return word;
}

static void end_operation(int thread, const struct operation *o)
{
    if (o->op == HISTORY_STEAL_MANY)
        history_end_many(thread, o->items, o->n);
    else
        history_end(thread, o->result);
}

static void play_word(const char *word, struct operation *open)
{
    int thread = *word == 'm' ? HISTORY_MAIN : *word - '0';
    if (thread < 0 || thread > HISTORY_MAIN || (thread == HISTORY_MAIN && *word != 'm'))
        bad(word);
    clock.running = thread;
    const char *rest = word + 1;
    if (*rest == '>' && rest[1] >= '0' && rest[1] < '0' + CHECK_THREADS && !rest[2]) {
        tell(thread, rest[1] - '0');
        return;
    }
    if (!strcmp(rest, ")")) {
        end_operation(thread, &open[thread]);
        return;
    }
    bool ends = *rest != '(';
    rest = read_operation(rest + !ends, &open[thread]);
    if (!rest || *rest)
        bad(word);
    history_begin(thread, open[thread].op, open[thread].argument);
    if (ends)
        end_operation(thread, &open[thread]);
}

const char *play(const char *kind, const heist_queue_opts *opts, const char *text)
{
    struct operation open[HISTORY_MAIN + 1] = {0};
    memset(&clock, 0, sizeof clock);
    clock.apart = *text == '~';
    if (!history_start(kind, opts))
        bad(kind);
    for (text += clock.apart; *text;) {
        char word[64];
        size_t n = strcspn(text, " ");
        if (n >= sizeof word)
            bad(text);
        memcpy(word, text, n);
        word[n] = 0;
        if (n)
            play_word(word, open);
        text += n + (text[n] == ' ');
    }
    return history_check();
}
