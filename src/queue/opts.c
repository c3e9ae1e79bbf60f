/* SPDX-License-Identifier: MIT */
#include <heist/base.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void *default_alloc(void *context, size_t size, size_t align)
{
    (void)context;
    void *p;
    return posix_memalign(&p, align, size) ? NULL : p;
}

static void default_free(void *context, void *p, size_t size)
{
    (void)context;
    (void)size;
    free(p);
}

static const heist_memory default_memory = {default_alloc, default_free, NULL};

/* The layout of version 0.1, which a size of 0 stands for, whatever is added later. */
#define FIRST_SIZE (offsetof(heist_queue_opts, unused) + sizeof(unsigned))

static bool all_zero(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

int heist_queue_opts_read_(heist_queue_opts *out, const heist_queue_opts *given)
{
    heist_queue_opts o;
    memset(&o, 0, sizeof o);
    if (given) {
        size_t size = given->size ? given->size : FIRST_SIZE;
        if (size < sizeof given->size)
            return -EINVAL;
        /* A newer caller may ask for what this library does not know: refused, not ignored. */
        if (size > sizeof o && !all_zero((const char *)given + sizeof o, size - sizeof o))
            return -EINVAL;
        memcpy(&o, given, size < sizeof o ? size : sizeof o);
    }
    o.size = sizeof o;
    if (o.capacity > HEIST_CAPACITY_MAX || o.block > HEIST_CAPACITY_MAX)
        return -EINVAL;
    if (o.capacity && o.block > o.capacity)
        return -EINVAL;
    if (o.bound > HEIST_BOUND_GROWS || o.form > HEIST_FORM_COUNTED || o.mode > HEIST_SPLIT_HALF)
        return -EINVAL;
    if (o.early > HEIST_EARLY_ON || o.unused)
        return -EINVAL;
    if (o.memory && (!o.memory->alloc || !o.memory->free))
        return -EINVAL;
    if (!o.memory)
        o.memory = &default_memory;
    copy_struct(out, &o);
    return 0;
}
