/* SPDX-License-Identifier: MIT */
/* What a program prints: its shapes, its rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcws.h"

#define LCWS_NAME_(name) #name,
const char *const lcws_stats[STATS] = {LCWS_STATS(LCWS_NAME_)};

enum { COLUMNS_MOST = 128 };

/* Takes a line of CSV to pieces. */
static size_t split(char *line, char **columns)
{
    size_t n = 0;
    for (char *next; line && n < COLUMNS_MOST; line = next) {
        next = strchr(line, ',');
        if (next)
            *next++ = '\0';
        columns[n++] = line;
    }
    return n;
}

/* The column of that name, or NULL. */
static const char *column(char **names, char **row, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return row[i];
    return NULL;
}

/* A row; whether it has what it should have. */
static bool read_row(char **names, size_t n, char *row, struct lcws_sample *s)
{
    char *values[COLUMNS_MOST], *end;
    if (split(row, values) != n)
        return false;
    const char *seconds = column(names, values, n, "seconds");
    const char *checksum = column(names, values, n, "checksum");
    if (!seconds || !checksum)
        return false;
    s->seconds = strtod(seconds, &end);
    if (*end || !isfinite(s->seconds) || s->seconds <= 0)
        return false;
    s->checksum = strtoull(checksum, &end, 16);
    if (*end)
        return false;
    for (int i = 0; i < STATS; i++) {
        const char *value = column(names, values, n, lcws_stats[i]);
        if (!value || !bench_is_number(value, 0, UINT64_MAX, &s->stats[i]))
            return false;
    }
    return true;
}

bool lcws_read_shape(char *line, uint64_t *size)
{
    char *blank = strchr(line, ' ');
    if (!blank || !bench_is_number(blank + 1, 1, INT64_MAX, size))
        return false;
    *blank = '\0';
    return true;
}

bool lcws_read_rows(char *text, struct lcws_sample *samples, unsigned rows)
{
    char *names[COLUMNS_MOST];
    char *next = strchr(text, '\n');
    if (!next)
        return false;
    *next++ = '\0';
    size_t n = split(text, names);
    for (unsigned i = 0; i < rows; i++) {
        char *row = next;
        next = strchr(row, '\n');
        if (!next)
            return false;
        *next++ = '\0';
        samples[i] = samples[0];
        samples[i].repetition = i + 1;
        if (!read_row(names, n, row, &samples[i]))
            return false;
    }
    return !*next;
}
