/* SPDX-License-Identifier: MIT */
#include <heist/chaselev.h>

#include <errno.h>

#include "hazard.h"
#include "memory.h"

typedef heist_chaselev queue;
typedef heist_chaselev_array array;

enum { DEFAULT_START = 1024, LEAST_WORTH_SHRINKING = 8192 };

static array *new_array(const heist_memory *memory, size_t slots)
{
    array *a = (array *)heist_hazard_alloc_(memory, offsetof(array, slots), slots);
    if (a)
        a->mask = slots - 1;
    return a;
}

/* Shrinking begins when an eighth is left: then as many puts as gets go by before it grows
   again. */
static void set_low(queue *q, size_t slots)
{
    bool may_shrink = q->grows && slots >= LEAST_WORTH_SHRINKING && slots > q->least;
    q->low = may_shrink ? (int64_t)(slots / 8) : 0;
}

int heist_chaselev_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (error)
        return error;
    bool grows = o.bound != HEIST_BOUND_FIXED;
    size_t start = grows ? (size_t)DEFAULT_START : HEIST_CAPACITY_DEFAULT;
    size_t slots = power_of_two(o.capacity ? o.capacity : start);
    array *a = new_array(o.memory, slots);
    if (!a)
        return -ENOMEM;
    copy_struct(&q->memory, o.memory);
    q->grows = grows;
    q->least = slots;
    q->retired = NULL;
    q->seen = o.origin;
    set_low(q, slots);
    heist_store(&q->array, a, __ATOMIC_RELAXED);
    heist_store(&q->top, o.origin, __ATOMIC_RELAXED);
    heist_store(&q->bottom, o.origin, __ATOMIC_RELAXED);
    return 0;
}

void heist_chaselev_fini(queue *q)
{
    heist_hazard_retire_(&q->retired, &heist_chaselev_array_(q)->head);
    heist_hazard_free_(&q->memory, q->retired);
}

static bool resize(queue *q, size_t slots)
{
    array *old = heist_chaselev_array_(q);
    array *a = new_array(&q->memory, slots);
    if (!a)
        return false;
    HEIST_WINDOW("copy");
    uint64_t bottom = heist_load(&q->bottom, __ATOMIC_RELAXED);
    for (uint64_t i = q->seen; i != bottom; i++)
        heist_store(&a->slots[i & a->mask],
                    heist_load(&old->slots[i & old->mask], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    HEIST_WINDOW("swap");
    heist_store(&q->array, a, HEIST_CL_SWAP);
    HEIST_WINDOW("swapped");
    heist_hazard_retire_(&q->retired, &old->head);
    set_low(q, slots);
    heist_fence(HEIST_CL_RETIRE);
    heist_hazard_collect_(&q->memory, &q->retired);
    return true;
}

HEIST_COLD bool heist_chaselev_room_(queue *q)
{
    size_t slots = heist_chaselev_array_(q)->mask + 1;
    q->seen = heist_load(&q->top, HEIST_CL_REFRESH);
    if ((int64_t)(heist_load(&q->bottom, __ATOMIC_RELAXED) - q->seen) < (int64_t)slots)
        return true;
    return q->grows && slots <= HEIST_CAPACITY_MAX && resize(q, 2 * slots);
}

HEIST_COLD void heist_chaselev_shrink_(queue *q)
{
    q->seen = heist_load(&q->top, HEIST_CL_REFRESH);
    if (!resize(q, (heist_chaselev_array_(q)->mask + 1) / 2))
        q->low = 0; /* no memory to shrink into: not again before the next growth */
}
