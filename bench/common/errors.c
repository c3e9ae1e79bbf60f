/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdlib.h>

#include "common.h"

const char *bench_tool = "heist bench";

static void complain(const char *format, va_list args)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", bench_tool);
    vfprintf(stderr, format, args);
}

void bench_usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
    fprintf(stderr, "; see %s --help\n", bench_tool);
    exit(EXIT_USAGE);
}

void bench_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(EXIT_FAILED);
}

void *bench_grow(void *array, size_t n, size_t size)
{
    /* Powers of two, and so rarely. */
    if (n & (n - 1))
        return array;
    array = realloc(array, (n ? 2 * n : 1) * size);
    if (!array)
        bench_fail("out of memory");
    return array;
}
