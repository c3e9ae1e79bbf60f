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

static void row(FILE *text, const heist_stats *numbers, const heist_stats *sum)
{
#define NUMBER(name, what) fprintf(text, "  %*" PRIu64, width(#name, sum->name), numbers->name);
    HEIST_STATS_FIELDS(NUMBER)
#undef NUMBER
    fputc('\n', text);
}

static void table(FILE *text, const heist_stats *each, unsigned workers)
{
    heist_stats sum = {0};
    for (unsigned i = 0; i < workers; i++)
        heist_stats_add_(&sum, &each[i]);
    fprintf(text, "%*s", LEFT, "worker");
#define NAME(name, what) fprintf(text, "  %*s", width(#name, sum.name), #name);
    HEIST_STATS_FIELDS(NAME)
#undef NAME
    fputc('\n', text);
    for (unsigned i = 0; i < workers; i++) {
        fprintf(text, "%*u", LEFT, i);
        row(text, &each[i], &sum);
    }
    fprintf(text, "%*s", LEFT, "sum");
    row(text, &sum, &sum);
}

int heist_stats_table_(FILE *out, const char *pool, const char *kind, uint64_t nanoseconds,
                       const heist_stats *each, unsigned workers)
{
    char *memory = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&memory, &size);
    if (!text)
        return -ENOMEM;
    fprintf(text, "heist: pool %s, kind %s, %u worker%s, %.3f s\n", pool, kind, workers,
            workers == 1 ? "" : "s", (double)nanoseconds / 1e9);
    table(text, each, workers);
    int error = ferror(text) ? -ENOMEM : 0;
    if (fclose(text) && !error)
        error = -ENOMEM;
    errno = 0;
    if (!error && (fwrite(memory, 1, size, out) != size || fflush(out)))
        error = errno ? -errno : -EIO;
    free(memory);
    return error;
}
