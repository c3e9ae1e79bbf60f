/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target: one file per parser, with the function that libFuzzer calls with any bytes. What
 * is wrong besides a crash it says by FUZZ_REQUIRE. Without libFuzzer replay.c calls it, with the
 * seeds.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_REQUIRE(condition)                                                     \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

/* The bytes alone, so that a look behind them is seen; to be freed. */
static inline char *fuzz_bytes(const uint8_t *data, size_t size)
{
    char *bytes = calloc(size ? size : 1, 1);
    FUZZ_REQUIRE(bytes);
    if (size)
        memcpy(bytes, data, size);
    return bytes;
}

/* The bytes as a string, up to a 0 if there is one; to be freed. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* The next line of a text, which is cut there; NULL: there is no more. */
static inline char *fuzz_line(char **rest)
{
    char *line = *rest;
    if (!line || !*line)
        return NULL;
    *rest = strchr(line, '\n');
    if (*rest)
        *(*rest)++ = '\0';
    return line;
}

#endif
