/* SPDX-License-Identifier: MIT */
#include "program.h"

static void *found(void *memory)
{
    if (!memory)
        bench_fail("out of memory");
    return memory;
}

void *allocate(size_t n, size_t size)
{
    if (n > SIZE_MAX / size)
        bench_fail("out of memory");
    return found(malloc(n ? n * size : 1));
}

void *allocate_zeroed(size_t n, size_t size) { return found(calloc(n ? n : 1, size)); }
