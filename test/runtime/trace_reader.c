/* SPDX-License-Identifier: MIT */
#include "trace_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

struct parser {
    const char *path, *text, *at;
    bool failed;
    struct trace *trace;
};

static void fail(struct parser *p, const char *what)
{
    if (!p->failed)
        printf("%s: byte %ld: %s\n", p->path, (long)(p->at - p->text), what);
    p->failed = true;
}

static char peek(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
    return *p->at;
}

static bool accept(struct parser *p, char c)
{
    if (p->failed || peek(p) != c)
        return false;
    p->at++;
    return true;
}

static void expect(struct parser *p, char c)
{
    if (!accept(p, c))
        fail(p, "not what JSON has here");
}

static void string(struct parser *p, char *to, size_t size)
{
    size_t n = 0;
    expect(p, '"');
    while (!p->failed && *p->at != '"') {
        if (*p->at == '\\' && !strchr("\"\\/bfnrt", *++p->at))
            fail(p, "an escape that JSON does not have");
        if ((unsigned char)*p->at < 0x20)
            fail(p, "a control character in a string");
        else if (n + 1 < size)
            to[n++] = *p->at;
        p->at++;
    }
    to[n] = '\0';
    expect(p, '"');
}

static double number(struct parser *p)
{
    char *end;
    peek(p);
    double value = strtod(p->at, &end);
    if (end == p->at)
        fail(p, "not a value");
    p->at = end;
    return value;
}

static void value(struct parser *p);

/* One of an event's, which has what is known here or is skipped. */
static void field(struct parser *p, struct trace_event *e)
{
    char key[32], text[128];
    string(p, key, sizeof key);
    expect(p, ':');
    if (peek(p) == '"') {
        string(p, text, sizeof text);
        if (!strcmp(key, "ph"))
            e->phase = text[0];
        else if (!strcmp(key, "name"))
            strcpy(e->name, text);
        else if (!strcmp(key, "cat"))
            snprintf(e->category, sizeof e->category, "%.31s", text);
    } else if (!strcmp(key, "pid")) {
        e->process = (long)number(p);
    } else if (!strcmp(key, "tid")) {
        e->row = (long)number(p);
    } else if (!strcmp(key, "id")) {
        e->id = (long)number(p);
    } else if (!strcmp(key, "ts")) {
        e->when = number(p);
    } else {
        value(p);
    }
}

static void event(struct parser *p)
{
    struct trace *t = p->trace;
    if ((t->events & (t->events - 1)) == 0) { /* as many as were allocated */
        size_t room = t->events ? 2 * t->events : 1;
        t->event = realloc(t->event, room * sizeof *t->event);
        if (!t->event)
            abort();
    }
    struct trace_event *e = &t->event[t->events++];
    *e = (struct trace_event){.process = -1, .row = -1, .id = -1, .when = -1};
    expect(p, '{');
    do
        field(p, e);
    while (accept(p, ','));
    expect(p, '}');
}

static void list(struct parser *p, void (*element)(struct parser *))
{
    expect(p, '[');
    if (accept(p, ']'))
        return;
    do
        element(p);
    while (accept(p, ','));
    expect(p, ']');
}

static void object(struct parser *p)
{
    char key[32];
    expect(p, '{');
    if (accept(p, '}'))
        return;
    do {
        string(p, key, sizeof key);
        expect(p, ':');
        if (!strcmp(key, "traceEvents"))
            list(p, event);
        else
            value(p);
    } while (accept(p, ','));
    expect(p, '}');
}

static void value(struct parser *p)
{
    char text[256];
    switch (peek(p)) {
    case '{':
        object(p);
        break;
    case '[':
        list(p, value);
        break;
    case '"':
        string(p, text, sizeof text);
        break;
    default:
        number(p);
    }
}

static char *contents(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!in)
        return NULL;
    if (getdelim(&text, &size, '\0', in) < 0) {
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

/* ---- what the events say ---- */

static bool wrong(const struct trace_event *e, const char *what)
{
    printf("%c %s on row %ld at %.3f: %s\n", e->phase, e->name, e->row, e->when, what);
    return false;
}

static bool check_rows(const struct trace *t)
{
    long rows = 0;
    bool ok = true;
    for (size_t i = 0; i < t->events; i++)
        rows = t->event[i].row >= rows ? t->event[i].row + 1 : rows;
    struct row {
        long open;
        double when;
        bool named;
    } *row = calloc((size_t)rows + 1, sizeof *row);
    if (!row)
        abort();
    for (size_t i = 0; i < t->events; i++) {
        const struct trace_event *e = &t->event[i];
        struct row *r = &row[e->row < 0 ? rows : e->row];
        if (e->process < 0)
            ok = wrong(e, "of no process");
        if (e->phase == 'M')
            r->named |= !strcmp(e->name, "thread_name");
        if (!strchr("BEi", e->phase))
            continue;
        if (e->row < 0 || !r->named)
            ok = wrong(e, "the row has no name");
        if (e->when < r->when)
            ok = wrong(e, "before the one before it");
        r->when = e->when;
        r->open += (e->phase == 'B') - (e->phase == 'E');
        if (r->open < 0)
            ok = wrong(e, "an end without a beginning");
        if (e->phase != 'E' && !*e->name)
            ok = wrong(e, "no name");
    }
    for (long i = 0; i < rows; i++)
        if (row[i].open) {
            printf("row %ld: %ld have not ended\n", i, row[i].open);
            ok = false;
        }
    free(row);
    return ok;
}

/* Ids are numbers from 0 on. */
static bool check_arrows(const struct trace *t)
{
    bool ok = true;
    size_t arrows = trace_count(t, 's', NULL);
    const struct trace_event **from = calloc(arrows + 1, sizeof *from);
    if (!from)
        abort();
    for (size_t i = 0; i < t->events; i++) {
        const struct trace_event *e = &t->event[i];
        if (e->phase != 's' && e->phase != 'f')
            continue;
        if (e->id < 0 || (size_t)e->id >= arrows) {
            ok = wrong(e, "an arrow without its other end");
        } else if (e->phase == 's') {
            if (from[e->id])
                ok = wrong(e, "a number of two arrows");
            from[e->id] = e;
        } else {
            if (!from[e->id] || from[e->id]->when > e->when || from[e->id]->row == e->row)
                ok = wrong(e, "an arrow from nowhere, from the future or from itself");
            from[e->id] = e; /* an end: what comes next with this number finds it taken */
        }
    }
    if (trace_count(t, 'f', NULL) != arrows) {
        printf("%zu arrows have no end\n", arrows - trace_count(t, 'f', NULL));
        ok = false;
    }
    free(from);
    return ok;
}

bool trace_read(struct trace *t, const char *path)
{
    char *text = contents(path);
    struct parser p = {.path = path, .text = text, .at = text, .trace = t};
    *t = (struct trace){NULL, 0};
    if (!text) {
        printf("%s can't be read\n", path);
        return false;
    }
    value(&p);
    if (peek(&p))
        fail(&p, "more than one value");
    if (!p.failed && !t->events)
        fail(&p, "no events");
    free(text);
    return !p.failed && check_rows(t) && check_arrows(t);
}

size_t trace_count(const struct trace *t, char phase, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < t->events; i++)
        n += t->event[i].phase == phase && (!name || !strcmp(t->event[i].name, name));
    return n;
}
