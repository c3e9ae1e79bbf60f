/* SPDX-License-Identifier: MIT */
/* A file of rows: CSV with a header, and lines "# key: value" anywhere. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table_fact {
    const char *key, *value;
};

struct table {
    size_t columns, n; /* n: rows */
    const char **names;
    const char **cells; /* n times columns */
    struct table_fact *facts;
    size_t facts_number;
    char *text; /* that all of them point into */
};

/* Takes the text over. False, and what is wrong in `trouble`: then the table is empty. */
bool table_parse(struct table *t, char *text, char *trouble, size_t size);
/* The same with a file. A file that is not there is no table and no trouble: then that is "". */
bool table_read(struct table *t, const char *path, char *trouble, size_t size);
void table_free(struct table *t);

const char *table_fact(const struct table *t, const char *key); /* the last; "": there is none */
int table_column(const struct table *t, const char *name, size_t length); /* -1: there is none */

/*
 * Whether a row is as `where` says: "column=value,column=value", with numbers compared as numbers
 * and {cpus} for their number. NULL: any row. A column that is not there has no value.
 */
bool table_matches(const struct table *t, size_t row, const char *where);
/* What `where` says, with that number in it. */
const char *table_filled(const char *where, char *text, size_t size);
/*
 * An expression: columns and numbers with + between them, and perhaps one / with the same behind
 * it. NAN if a column is not there, empty or no number, or what is behind the / is 0.
 */
double table_value(const struct table *t, size_t row, const char *expression);
/* The values of the rows that match, without those that are NAN; to be freed. */
double *table_values(const struct table *t, const char *where, const char *expression, size_t *n);

/* Whether two rows are equal in these columns, with commas. NULL: all rows are. */
bool table_alike(const struct table *t, size_t a, size_t b, const char *columns);

/* Of the rows that match, the first of each group of rows that are alike; to be freed. */
size_t *table_groups(const struct table *t, const char *where, const char *columns, size_t *n);

#endif
