/* SPDX-License-Identifier: MIT */
/* An execution as text: what a reader of a failure needs, the same in every process. */
#ifndef HEIST_VERIFY_TRACE_H
#define HEIST_VERIFY_TRACE_H

#include <stdio.h>

#include "graph.h"

void trace_forget_names(void);

/* The events, as an interleaving of the threads as far as there is one; `word` has the address of
   each location. */
void trace_write(FILE *out, const struct graph *g, void *const *word);

#endif
