/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int decimals;
} columns[COLUMNS] = {
    [C_THIEVES] = {"thieves", 0},
    [C_STOLEN] = {"stolen_pct", 2},
    [C_PARAM] = {"param", 0},
    [C_REP] = {"rep", 0},
    [C_NS] = {"ns_per_op", 4},
    [C_OPS] = {"ops", 0},
    [C_STEALS] = {"steals", 0},
    [C_EMPTY] = {"empty", 0},
    [C_BUSY] = {"busy", 0},
    [C_OK] = {"ok", 0},
    [C_TARGET] = {"target_pct", 0},
    [C_CAPACITY] = {"capacity", 0},
    [C_BLOCK] = {"block", 0},
    [C_SIZES] = {"sizes", 0},
    [C_P50] = {"p50_ns", 1},
    [C_P90] = {"p90_ns", 1},
    [C_P99] = {"p99_ns", 1},
    [C_P999] = {"p99.9_ns", 1},
    [C_OWNER_FENCES] = {"owner_fences", 6},
    [C_OWNER_CAS] = {"owner_cas", 6},
    [C_OWNER_RMW] = {"owner_rmw", 6},
    [C_THIEF_FENCES] = {"thief_fences", 6},
    [C_THIEF_CAS] = {"thief_cas", 6},
    [C_THIEF_RMW] = {"thief_rmw", 6},
};

/* The first columns, which a program must print that prints no header. */
enum { POSITIONAL = C_OK + 1 };

struct row bench_row(const struct point *p, const struct entrant *e, unsigned rep)
{
    struct row r = {.point = p, .entrant = e};
    for (int i = 0; i < COLUMNS; i++)
        r.value[i] = NAN;
    r.value[C_THIEVES] = p->thieves;
    r.value[C_PARAM] = (double)p->param;
    r.value[C_REP] = rep;
    r.value[C_TARGET] = p->stolen;
    r.value[C_CAPACITY] = (double)p->capacity;
    if (p->block)
        r.value[C_BLOCK] = (double)p->block;
    return r;
}

void bench_write_csv_header(FILE *f)
{
    fprintf(f, "bench,kind");
    for (int i = 0; i < COLUMNS; i++)
        fprintf(f, ",%s", columns[i].name);
    fprintf(f, ",commit,host\n");
}

void bench_write_csv_row(FILE *f, const struct row *r)
{
    fprintf(f, "%s,%s", r->point->benchmark->name, r->entrant->name);
    for (int i = 0; i < COLUMNS; i++) {
        fputc(',', f);
        if (!isnan(r->value[i]))
            fprintf(f, "%.*f", columns[i].decimals, r->value[i]);
    }
    fprintf(f, ",%s,%s\n", bench_fact("commit"), bench_fact("host"));
}

static void write_json_string(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        if ((unsigned char)*text < ' ')
            fprintf(f, "\\u%04x", *text);
        else
            fputc(*text, f);
    }
    fputc('"', f);
}

static void write_json_pair(FILE *f, const char *key, const char *value)
{
    write_json_string(f, key);
    fprintf(f, ": ");
    write_json_string(f, value);
}

void bench_write_json(FILE *f, const struct rows *rows)
{
    fprintf(f, "{\"machine\": {");
    for (const struct fact *m = bench_machine(); m->key; m++) {
        fprintf(f, m == bench_machine() ? "\n  " : ",\n  ");
        write_json_pair(f, m->key, m->value);
    }
    fprintf(f, "\n}, \"rows\": [");
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->at[i];
        fprintf(f, i ? ",\n  {" : "\n  {");
        write_json_pair(f, "bench", r->point->benchmark->name);
        fprintf(f, ", ");
        write_json_pair(f, "kind", r->entrant->name);
        for (int c = 0; c < COLUMNS; c++)
            if (!isnan(r->value[c]))
                fprintf(f, ", \"%s\": %.*f", columns[c].name, columns[c].decimals, r->value[c]);
        fprintf(f, "}");
    }
    fprintf(f, "\n]}\n");
}

enum { FIELDS_MAX = 64 };

static int split_fields(char *line, char **field)
{
    int n = 0;
    do {
        field[n++] = line;
        line = strchr(line, ',');
        if (line)
            *line++ = '\0';
    } while (line && n < FIELDS_MAX);
    return n;
}

/* Where the columns are, by a header's names; -1: it is another column. */
static void read_header(char **field, int n, int *column)
{
    for (int i = 0; i < n; i++) {
        column[i] = -1;
        for (int c = 0; c < COLUMNS; c++)
            if (strcmp(field[i], columns[c].name) == 0)
                column[i] = c;
    }
}

static bool read_row(char **field, int n, const int *column, struct row *r)
{
    for (int i = 2; i < n; i++) {
        if (column[i] < 0 || !*field[i])
            continue;
        char *end;
        double value = strtod(field[i], &end);
        if (end == field[i] || *end || !isfinite(value))
            return false;
        /* Who it is and where in the plan it belongs is known better here. */
        if (column[i] != C_PARAM && column[i] != C_REP && column[i] != C_TARGET)
            r->value[column[i]] = value;
    }
    return !isnan(r->value[C_NS]) && !isnan(r->value[C_OPS]) && !isnan(r->value[C_OK]);
}

const char *bench_read_csv(char *text, struct row *r)
{
    int column[FIELDS_MAX], rows = 0;
    for (int i = 0; i < FIELDS_MAX; i++)
        column[i] = i >= 2 && i < 2 + POSITIONAL ? i - 2 : -1;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        if (!*line || *line == '#')
            continue;
        char *field[FIELDS_MAX];
        int n = split_fields(line, field);
        if (strcmp(field[0], "bench") == 0)
            read_header(field, n, column);
        else if (strcmp(field[0], r->point->benchmark->name) != 0)
            return "a row of another benchmark, or no row";
        else if (n < 2 + POSITIONAL || !read_row(field, n, column, r))
            return "a row that lacks a number";
        else
            rows++;
    }
    return rows == 1 ? NULL : rows ? "more than one row" : "no row";
}
