/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stats_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"

enum { LEFT = 6 }; /* width of the first column: "worker" */

/* A column is as wide as its name or as the sum, which is the largest number in it. */
static int width(const char *name, uint64_t sum)
{
    int digits = snprintf(NULL, 0, "%" PRIu64, sum), letters = (int)strlen(name);
    return digits > letters ? digits : letters;
}

static bool is_counted(const char *name, const struct heist_stats_of_ *of)
{
    return (of->counts_forks || strcmp(name, "forks")) &&
           (HEIST_COUNT || (strcmp(name, "fences") && strcmp(name, "cas")));
}

static void number(FILE *text, int columns, uint64_t n, bool counted)
{
    if (counted)
        fprintf(text, "  %*" PRIu64, columns, n);
    else
        fprintf(text, "  %*s", columns, "-");
}

static void row(FILE *text, const struct heist_stats_of_ *of, const heist_stats *numbers,
                const heist_stats *sum)
{
#define NUMBER(name, what) \
    number(text, width(#name, sum->name), numbers->name, is_counted(#name, of));
    HEIST_STATS_FIELDS(NUMBER)
#undef NUMBER
    fputc('\n', text);
}

static void table(FILE *text, const struct heist_stats_of_ *of, const heist_stats *each,
                  unsigned rows)
{
    heist_stats sum = {0};
    for (unsigned i = 0; i < rows; i++)
        heist_stats_add_(&sum, &each[i]);
    fprintf(text, "%*s", LEFT, "worker");
#define NAME(name, what) fprintf(text, "  %*s", width(#name, sum.name), #name);
    HEIST_STATS_FIELDS(NAME)
#undef NAME
    fputc('\n', text);
    for (unsigned i = 0; i < rows; i++) {
        fprintf(text, "%*u", LEFT, i);
        row(text, of, &each[i], &sum);
    }
    fprintf(text, "%*s", LEFT, "sum");
    row(text, of, &sum, &sum);
}

int heist_stats_table_(FILE *out, const struct heist_stats_of_ *of, const heist_stats *each,
                       unsigned rows)
{
    char *memory = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&memory, &size);
    if (!text)
        return -ENOMEM;
    fprintf(text, "heist: pool %s, kind %s, %u worker%s, %.3f s\n", of->pool, of->kind, of->workers,
            of->workers == 1 ? "" : "s", (double)of->nanoseconds / 1e9);
    table(text, of, each, rows);
    int error = ferror(text) ? -ENOMEM : 0;
    if (fclose(text) && !error)
        error = -ENOMEM;
    errno = 0;
    if (!error && (fwrite(memory, 1, size, out) != size || fflush(out)))
        error = errno ? -errno : -EIO;
    free(memory);
    return error;
}
