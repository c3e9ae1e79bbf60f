/* SPDX-License-Identifier: MIT */
/* Files that are there as a whole or not at all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "report.h"

static char *new_name(const char *path)
{
    size_t size = strlen(path) + sizeof ".new";
    char *name = malloc(size);
    if (!name)
        bench_fail("out of memory");
    snprintf(name, size, "%s.new", path);
    return name;
}

FILE *report_begin_file(const char *path)
{
    char *name = new_name(path);
    FILE *f = fopen(name, "w");
    if (!f)
        bench_fail("'%s' can't be written: %s", name, strerror(errno));
    free(name);
    return f;
}

void report_end_file(FILE *f, const char *path)
{
    char *name = new_name(path);
    bool failed = fflush(f) || ferror(f);
    failed |= fclose(f) != 0;
    if (failed || rename(name, path)) {
        int error = errno;
        remove(name);
        bench_fail("'%s': not all could be written: %s", path, strerror(error));
    }
    free(name);
}
