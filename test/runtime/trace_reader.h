/* SPDX-License-Identifier: MIT */
/* Reads a trace, and checks that it is one that viewers understand. */
#ifndef HEIST_TEST_RUNTIME_TRACE_READER_H
#define HEIST_TEST_RUNTIME_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>

struct trace_event {
    char phase, name[128], category[32];
    long process, row, id; /* -1: not given */
    double when;
};

struct trace {
    struct trace_event *event;
    size_t events;
};

/*
 * The file is JSON with events in it; on each row beginnings and ends are paired, and time does not
 * run backwards; every arrow has one beginning and one end; every row has a name. Says what is
 * wrong. The caller frees t->event.
 */
bool trace_read(struct trace *t, const char *path);

size_t trace_count(const struct trace *t, char phase, const char *name); /* NULL: any name */

#endif
