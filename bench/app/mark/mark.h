/* SPDX-License-Identifier: MIT */
#ifndef APP_MARK_H
#define APP_MARK_H

#include <stdatomic.h>

#include "program.h"

/* A heap: objects by number, each with references to others. */
struct heap {
    size_t objects, references;
    uint32_t *first;     /* of an object's references; one more, for the end of the last */
    uint32_t *reference; /* objects that are referred to */
    size_t roots;
    uint32_t *root;
};

struct mark {
    struct heap heap;
    /* The result: a 1 for each object that a root leads to, and how many these are. */
    atomic_uchar *marks;
    uint64_t marked;
};

#endif
