/* SPDX-License-Identifier: MIT */
/* The events of one worker, in memory. trace.c writes them, trace_json.c reads them. */
#ifndef HEIST_RUNTIME_TRACE_BUFFER_H
#define HEIST_RUNTIME_TRACE_BUFFER_H

#include "trace.h"

enum { HEIST_TRACE_CHUNK_ = 1024 }; /* events that are allocated at once */

struct heist_trace_record_ {
    uint64_t when; /* nanoseconds since the file's beginning, times 256, plus the kind */
    uint64_t a, b;
};

static inline uint64_t heist_trace_when_(const struct heist_trace_record_ *r)
{
    return r->when >> 8;
}

static inline enum heist_trace_kind_ heist_trace_kind_(const struct heist_trace_record_ *r)
{
    return (enum heist_trace_kind_)(r->when & 0xff);
}

struct heist_trace_chunk_ {
    struct heist_trace_chunk_ *next; /* set before the count says that there is something in it */
    struct heist_trace_record_ record[HEIST_TRACE_CHUNK_];
};

struct heist_trace_buffer_ {
    heist_au64 recorded;
    heist_au64 dropped;      /* events that came after the bound, or when there was no memory */
    heist_au64 dropped_when; /* the first of these */
    uint64_t bound;
    uint64_t origin; /* the file's beginning */
    struct heist_trace_chunk_ *first, *last;
} HEIST_ALIGNED;

#endif
