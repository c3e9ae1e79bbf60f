/* SPDX-License-Identifier: MIT */
#include <heist/abp.h>

#include <errno.h>

#include "memory.h"

#define CAPACITY_MAX ((size_t)1 << 31)

int heist_abp_init(heist_abp *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (error)
        return error;
    size_t capacity = o.capacity ? o.capacity : HEIST_CAPACITY_DEFAULT;
    if (o.bound == HEIST_BOUND_GROWS || capacity > CAPACITY_MAX)
        return -EINVAL;
    heist_aptr *items = (heist_aptr *)alloc_array(o.memory, 0, capacity, sizeof *items);
    if (!items)
        return -ENOMEM;
    q->items = items;
    q->capacity = capacity;
    copy_struct(&q->memory, o.memory);
    heist_store(&q->bottom, 0, __ATOMIC_RELAXED);
    heist_store(&q->age, o.origin << 32, __ATOMIC_RELAXED);
    return 0;
}

void heist_abp_fini(heist_abp *q)
{
    free_bytes(&q->memory, q->items, q->capacity * sizeof *q->items);
}
