/* SPDX-License-Identifier: MIT */
/*
 * Events as JSON, in the Trace Event Format: one object per line, each with a comma behind it.
 * Beginnings and ends are paired in what comes out, whatever was recorded.
 */
#ifndef HEIST_RUNTIME_TRACE_JSON_H
#define HEIST_RUNTIME_TRACE_JSON_H

#include "text.h"
#include "trace_buffer.h"

struct heist_trace_names_; /* of functions, so that each is looked up once */

struct heist_trace_names_ *heist_trace_names_new_(void); /* NULL: no memory */
void heist_trace_names_free_(struct heist_trace_names_ *names);

/* What all lines of one pool have in common. */
struct heist_trace_rows_ {
    uint64_t process;
    const char *pool;
    unsigned first_row; /* of worker 0; worker n has this plus n */
    unsigned workers;
    uint64_t now;    /* what has not ended yet ends then */
    uint64_t *flows; /* a number for each arrow in the file */
    struct heist_trace_names_ *names;
};

void heist_trace_json_worker_(struct heist_text_ *out, const struct heist_trace_rows_ *rows,
                              unsigned worker, const struct heist_trace_buffer_ *buffer);

/* As a JSON string, with its quotes. Bytes that are no UTF-8 become question marks. */
void heist_trace_json_string_(struct heist_text_ *out, const char *string);

#endif
