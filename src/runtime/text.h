/* SPDX-License-Identifier: MIT */
/*
 * Text for a file descriptor, through a buffer that the caller gives. Nothing here takes a lock,
 * allocates or uses stdio: it may be used in a handler of a signal, and a child after fork has
 * nothing of it left to write.
 */
#ifndef HEIST_RUNTIME_TEXT_H
#define HEIST_RUNTIME_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct heist_text_ {
    int fd;    /* -1: there is only the buffer, and what does not fit is left out */
    int error; /* the first, as -errno; after it nothing more is written */
    size_t used, size;
    char *buffer;
};

void heist_text_begin_(struct heist_text_ *t, int fd, char *buffer, size_t size);
void heist_text_bytes_(struct heist_text_ *t, const char *bytes, size_t n);
void heist_text_string_(struct heist_text_ *t, const char *string);
void heist_text_decimal_(struct heist_text_ *t, uint64_t number);
void heist_text_hex_(struct heist_text_ *t, uint64_t number); /* with 0x */

/* Writes what is in the buffer. 0, or the first error, as -errno. */
int heist_text_flush_(struct heist_text_ *t);

#endif
