/* SPDX-License-Identifier: MIT */
/* layer.h by nobody but the caller: the same algorithm, and what it costs without a runtime. */
#include <string.h>

#include "layer.h"

void par_start(unsigned workers) { (void)workers; }
void par_stop(void) {}
void par_run(par_fn *fn, void *arg) { fn(NULL, arg); }

void par_for(par *p, size_t n, size_t grain, par_range_fn *body, void *context)
{
    (void)grain;
    if (n)
        body(p, 0, n, context);
}

void par_reduce(par *p, size_t n, size_t grain, const par_reduction *r, void *result)
{
    (void)grain;
    if (r->identity)
        memcpy(result, r->identity, r->size);
    else
        memset(result, 0, r->size);
    if (n)
        r->body(p, 0, n, result, r->context);
}

void par_both(par *p, par_fn *first, void *a, par_fn *second, void *b)
{
    first(p, a);
    second(p, b);
}
