/* SPDX-License-Identifier: MIT */
/* The types of parallel.h, for the layers that have none of their own. */
#ifndef APP_LAYER_TYPES_H
#define APP_LAYER_TYPES_H

#include <stddef.h>

typedef struct par par; /* there is none: NULL */

typedef void par_fn(par *p, void *arg);
typedef void par_range_fn(par *p, size_t from, size_t to, void *context);

/* As heist_reduction. */
typedef struct par_reduction {
    size_t size;
    const void *identity; /* NULL: all bytes 0 */
    void (*body)(par *p, size_t from, size_t to, void *partial, void *context);
    void (*combine)(par *p, void *left, void *right, void *context);
    void *context;
} par_reduction;

#endif
