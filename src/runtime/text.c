/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 1000 }; /* milliseconds, for a descriptor that takes nothing at the moment */

void heist_text_begin_(struct heist_text_ *t, int fd, char *buffer, size_t size)
{
    *t = (struct heist_text_){.fd = fd, .size = size, .buffer = buffer};
}

static int write_all(int fd, const char *bytes, size_t n)
{
    while (n) {
        ssize_t written = write(fd, bytes, n);
        if (written < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            if (poll(&ready, 1, PATIENCE) == 0)
                return -EAGAIN;
        } else if (written < 0 && errno != EINTR) {
            return -errno;
        } else if (written > 0) {
            bytes += written;
            n -= (size_t)written;
        }
    }
    return 0;
}

int heist_text_flush_(struct heist_text_ *t)
{
    if (t->fd < 0) { /* what is there stays */
        t->error = -ENOSPC;
        return t->error;
    }
    if (!t->error)
        t->error = write_all(t->fd, t->buffer, t->used);
    t->used = 0;
    return t->error;
}

void heist_text_bytes_(struct heist_text_ *t, const char *bytes, size_t n)
{
    while (n && !t->error) {
        size_t room = t->size - t->used, part = n < room ? n : room;
        memcpy(t->buffer + t->used, bytes, part);
        t->used += part;
        bytes += part;
        n -= part;
        if (n)
            heist_text_flush_(t);
    }
}

void heist_text_string_(struct heist_text_ *t, const char *string)
{
    heist_text_bytes_(t, string, strlen(string));
}

static void number(struct heist_text_ *t, uint64_t value, unsigned base)
{
    char digits[20], *first = digits + sizeof digits;
    do {
        *--first = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    heist_text_bytes_(t, first, (size_t)(digits + sizeof digits - first));
}

void heist_text_decimal_(struct heist_text_ *t, uint64_t value) { number(t, value, 10); }

void heist_text_hex_(struct heist_text_ *t, uint64_t value)
{
    heist_text_string_(t, "0x");
    number(t, value, 16);
}
