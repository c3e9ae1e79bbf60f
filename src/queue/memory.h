/* SPDX-License-Identifier: MIT */
/* Memory through a queue's hooks, cache-line aligned; sizes are checked here, once. */
#ifndef HEIST_QUEUE_MEMORY_H
#define HEIST_QUEUE_MEMORY_H

#include <heist/base.h>

#include <string.h>

/* A copy of a struct, written so that a tool can replace it: what the compiler makes of an
   assignment GenMC does not understand (verify/genmc/). */
#define copy_struct(to, from) ((void)memcpy(to, from, sizeof *(to)))

static inline void *alloc_bytes(const heist_memory *memory, size_t size)
{
    return memory->alloc(memory->context, size, HEIST_LINE);
}

static inline void free_bytes(const heist_memory *memory, void *p, size_t size)
{
    if (p)
        memory->free(memory->context, p, size);
}

/* NULL also when head + n * each overflows. */
static inline void *alloc_array(const heist_memory *memory, size_t head, size_t n, size_t each)
{
    size_t size;
    if (__builtin_mul_overflow(n, each, &size) || __builtin_add_overflow(size, head, &size))
        return NULL;
    return alloc_bytes(memory, size);
}

static inline size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/* The least power of two that is not below n, which is at most SIZE_MAX / 2. */
static inline size_t power_of_two(size_t n)
{
    size_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

#endif
