/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "cpus.h"

/* ---- Reading ---- */

static size_t count(const char *text, char c)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

/* Takes a line to pieces, of which there are as many as commas and one more. */
static void split(char *line, const char **cells)
{
    for (char *next; line; line = next) {
        next = strchr(line, ',');
        if (next)
            *next++ = '\0';
        *cells++ = line;
    }
}

static void *get_room(size_t n, size_t size)
{
    void *room = calloc(n ? n : 1, size);
    if (!room)
        bench_fail("out of memory");
    return room;
}

/* "# key: value"; other remarks are passed over. */
static void add_fact(struct table *t, char *line)
{
    char *key = line + 1 + strspn(line + 1, " "), *colon = strstr(key, ": ");
    if (!colon)
        return;
    *colon = '\0';
    t->facts = bench_grow(t->facts, t->facts_number, sizeof *t->facts);
    t->facts[t->facts_number++] = (struct table_fact){key, colon + 2};
}

/* The header, or a row. */
static bool add_line(struct table *t, char *line, size_t number, char *trouble, size_t size)
{
    size_t columns = count(line, ',') + 1;
    if (!t->names) {
        t->columns = columns;
        t->names = get_room(columns, sizeof *t->names);
        split(line, t->names);
        return true;
    }
    if (columns != t->columns) {
        snprintf(trouble, size, "line %zu has %zu columns instead of %zu", number, columns,
                 t->columns);
        return false;
    }
    split(line, t->cells + t->n++ * columns);
    return true;
}

bool table_parse(struct table *t, char *text, char *trouble, size_t size)
{
    size_t number = 0;
    bool right = true;
    *trouble = '\0';
    *t = (struct table){.text = text};
    /* As many cells as there are commas and line ends will do, whatever the lines are. */
    t->cells = get_room(count(text, ',') + count(text, '\n') + 1, sizeof *t->cells);
    for (char *line = text, *next; line && right; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (*line == '#')
            add_fact(t, line);
        else if (*line)
            right = add_line(t, line, number, trouble, size);
    }
    if (right && !t->n) {
        snprintf(trouble, size, "there are no rows");
        right = false;
    }
    if (!right)
        table_free(t);
    return right;
}

static char *read_all(FILE *f)
{
    char *text = NULL;
    size_t n = 0, more;
    do {
        text = realloc(text, n + 65536 + 1);
        if (!text)
            bench_fail("out of memory");
        more = fread(text + n, 1, 65536, f);
        n += more;
    } while (more);
    text[n] = '\0';
    return text;
}

bool table_read(struct table *t, const char *path, char *trouble, size_t size)
{
    *t = (struct table){.text = NULL};
    *trouble = '\0';
    FILE *f = fopen(path, "r");
    if (!f && errno == ENOENT)
        return false;
    if (!f) {
        snprintf(trouble, size, "%s", strerror(errno));
        return false;
    }
    char *text = read_all(f);
    bool failed = ferror(f);
    fclose(f);
    if (failed) {
        snprintf(trouble, size, "it can't be read");
        free(text);
        return false;
    }
    return table_parse(t, text, trouble, size);
}

void table_free(struct table *t)
{
    free(t->text);
    free(t->names);
    free(t->cells);
    free(t->facts);
    *t = (struct table){.text = NULL};
}

const char *table_fact(const struct table *t, const char *key)
{
    for (size_t i = t->facts_number; i-- > 0;)
        if (strcmp(t->facts[i].key, key) == 0)
            return t->facts[i].value;
    return "";
}

/* ---- Rows and values ---- */

int table_column(const struct table *t, const char *name, size_t length)
{
    for (size_t i = 0; i < t->columns; i++)
        if (strncmp(t->names[i], name, length) == 0 && !t->names[i][length])
            return (int)i;
    return -1;
}

static const char *cell(const struct table *t, size_t row, const char *name, size_t length)
{
    int column = table_column(t, name, length);
    return column < 0 ? "" : t->cells[row * t->columns + (size_t)column];
}

/* The number that a whole text is; NAN if it is none. */
static double read_number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    return *text && !*end ? value : (double)NAN;
}

static bool is_value(const char *text, const char *wanted)
{
    double a = read_number(text), b = read_number(wanted);
    return isnan(a) || isnan(b) ? strcmp(text, wanted) == 0 : a == b;
}

const char *table_filled(const char *where, char *text, size_t size)
{
    static const char cpus[] = "{cpus}";
    char number[16];
    size_t n = 0;
    while (*where && n + 1 < size) {
        if (*where != '{' || strncmp(where, cpus, sizeof cpus - 1) != 0) {
            text[n++] = *where++;
            continue;
        }
        snprintf(number, sizeof number, "%u", report_cpus());
        for (const char *digit = number; *digit && n + 1 < size; digit++)
            text[n++] = *digit;
        where += sizeof cpus - 1;
    }
    text[n] = '\0';
    return text;
}

bool table_matches(const struct table *t, size_t row, const char *where)
{
    char text[256], wanted[96];
    if (where && strchr(where, '{'))
        where = table_filled(where, text, sizeof text);
    while (where && *where) {
        size_t name = strcspn(where, "="), all = strcspn(where, ",");
        size_t length = all - name - 1 < sizeof wanted ? all - name - 1 : sizeof wanted - 1;
        memcpy(wanted, where + name + 1, length);
        wanted[length] = '\0';
        if (!is_value(cell(t, row, where, name), wanted))
            return false;
        where += all + (where[all] == ',');
    }
    return true;
}

/* Columns and numbers with + between them. */
static double sum(const struct table *t, size_t row, const char *at, size_t length)
{
    double value = 0;
    for (const char *end = at + length; at < end;) {
        size_t n = strcspn(at, "+/");
        char number[32];
        snprintf(number, sizeof number, "%.*s", (int)n, at);
        double constant = read_number(number);
        value += isnan(constant) ? read_number(cell(t, row, at, n)) : constant;
        at += n + (at[n] == '+');
        if (*at == '/')
            break;
    }
    return value;
}

double table_value(const struct table *t, size_t row, const char *expression)
{
    size_t length = strcspn(expression, "/");
    double value = sum(t, row, expression, length);
    if (!expression[length])
        return value;
    double under = sum(t, row, expression + length + 1, strlen(expression + length + 1));
    return under == 0 ? (double)NAN : value / under;
}

double *table_values(const struct table *t, const char *where, const char *expression, size_t *n)
{
    double *values = NULL;
    *n = 0;
    for (size_t row = 0; row < t->n; row++) {
        double value = table_matches(t, row, where) ? table_value(t, row, expression) : (double)NAN;
        if (!isfinite(value))
            continue;
        values = bench_grow(values, *n, sizeof *values);
        values[(*n)++] = value;
    }
    return values;
}

bool table_alike(const struct table *t, size_t a, size_t b, const char *columns)
{
    while (columns && *columns) {
        size_t n = strcspn(columns, ",");
        if (strcmp(cell(t, a, columns, n), cell(t, b, columns, n)) != 0)
            return false;
        columns += n + (columns[n] == ',');
    }
    return true;
}

size_t *table_groups(const struct table *t, const char *where, const char *columns, size_t *n)
{
    size_t *groups = NULL;
    *n = 0;
    for (size_t row = 0; row < t->n; row++) {
        bool is_new = table_matches(t, row, where);
        for (size_t i = *n; i-- > 0 && is_new;)
            is_new = !table_alike(t, row, groups[i], columns);
        if (!is_new)
            continue;
        groups = bench_grow(groups, *n, sizeof *groups);
        groups[(*n)++] = row;
    }
    return groups;
}
