/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "ring.h"

#include <heist/atomic.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "memory.h"

struct heist_ring_ {
    pthread_mutex_t lock;
    void **items; /* `slots` of them, a power of two */
    size_t slots;
    size_t oldest;    /* where the oldest item is, modulo slots */
    heist_au64 count; /* written under the lock, read by anyone */
    size_t bound;     /* the most items it may hold */
    size_t capacity;  /* what `sample` measures against */
    heist_memory memory;
};

int heist_ring_new_(struct heist_ring_ **out, const heist_queue_opts *opts)
{
    size_t capacity = opts->capacity ? opts->capacity : HEIST_CAPACITY_DEFAULT;
    struct heist_ring_ *r = (struct heist_ring_ *)alloc_bytes(opts->memory, sizeof *r);
    if (!r)
        return -ENOMEM;
    memset(r, 0, sizeof *r);
    copy_struct(&r->memory, opts->memory);
    r->slots = power_of_two(capacity);
    r->bound = opts->bound == HEIST_BOUND_FIXED ? capacity : SIZE_MAX;
    r->capacity = capacity;
    r->oldest = (size_t)opts->origin;
    r->items = (void **)alloc_array(&r->memory, 0, r->slots, sizeof *r->items);
    if (!r->items) {
        free_bytes(opts->memory, r, sizeof *r);
        return -ENOMEM;
    }
    /* The critical sections are a few nanoseconds: a short spin beats a system call. */
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&r->lock, &attr);
    pthread_mutexattr_destroy(&attr);
    *out = r;
    return 0;
}

void heist_ring_free_(struct heist_ring_ *r)
{
    heist_memory memory = r->memory;
    pthread_mutex_destroy(&r->lock);
    free_bytes(&memory, r->items, r->slots * sizeof *r->items);
    free_bytes(&memory, r, sizeof *r);
}

static void **slot(const struct heist_ring_ *r, size_t i) { return &r->items[i & (r->slots - 1)]; }

size_t heist_ring_count_(const struct heist_ring_ *r)
{
    return (size_t)heist_load(&r->count, __ATOMIC_RELAXED);
}

static void set_count(struct heist_ring_ *r, size_t count)
{
    heist_store(&r->count, count, __ATOMIC_RELAXED);
}

/* Without the lock. If it is not, it may be by the time the lock is there. */
static bool looks_empty(const struct heist_ring_ *r)
{
    bool empty = !heist_ring_count_(r);
    HEIST_WINDOW("look");
    return empty;
}

static void unlock(struct heist_ring_ *r)
{
    HEIST_WINDOW("steal-locked");
    pthread_mutex_unlock(&r->lock);
}

static bool make_room(struct heist_ring_ *r, size_t wanted)
{
    if (wanted <= r->slots)
        return true;
    size_t slots = r->slots;
    while (slots < wanted)
        if (__builtin_mul_overflow(slots, 2, &slots))
            return false;
    void **items = (void **)alloc_array(&r->memory, 0, slots, sizeof *items);
    if (!items)
        return false;
    size_t count = heist_ring_count_(r);
    for (size_t i = r->oldest; i != r->oldest + count; i++)
        items[i & (slots - 1)] = *slot(r, i);
    HEIST_WINDOW("grow");
    free_bytes(&r->memory, r->items, r->slots * sizeof *r->items);
    r->items = items;
    r->slots = slots;
    return true;
}

size_t heist_ring_push_(struct heist_ring_ *r, void *const *items, size_t n)
{
    pthread_mutex_lock(&r->lock);
    size_t count = heist_ring_count_(r);
    if (n > r->bound - count)
        n = r->bound - count;
    if (!make_room(r, count + n) && n > r->slots - count)
        n = r->slots - count;
    for (size_t i = 0; i < n; i++)
        *slot(r, r->oldest + count + i) = items[i];
    set_count(r, count + n);
    unlock(r);
    return n;
}

void *heist_ring_pop_newest_(struct heist_ring_ *r)
{
    if (looks_empty(r))
        return NULL;
    void *item = NULL;
    pthread_mutex_lock(&r->lock);
    size_t count = heist_ring_count_(r);
    if (count) {
        item = *slot(r, r->oldest + count - 1);
        set_count(r, count - 1);
    }
    unlock(r);
    return item;
}

static size_t take_oldest(struct heist_ring_ *r, void **items, size_t max)
{
    size_t count = heist_ring_count_(r);
    size_t n = max < count ? max : count;
    for (size_t i = 0; i < n; i++)
        items[i] = *slot(r, r->oldest + i);
    r->oldest += n;
    set_count(r, count - n);
    return n;
}

size_t heist_ring_pop_many_oldest_(struct heist_ring_ *r, void **items, size_t max)
{
    if (!max || looks_empty(r))
        return 0;
    pthread_mutex_lock(&r->lock);
    size_t n = take_oldest(r, items, max);
    unlock(r);
    return n;
}

void *heist_ring_pop_oldest_(struct heist_ring_ *r)
{
    void *item;
    return heist_ring_pop_many_oldest_(r, &item, 1) ? item : NULL;
}

enum heist_steal heist_ring_try_pop_oldest_(struct heist_ring_ *r, void **item)
{
    if (looks_empty(r))
        return HEIST_STEAL_EMPTY;
    if (pthread_mutex_trylock(&r->lock))
        return HEIST_STEAL_BUSY;
    size_t n = take_oldest(r, item, 1);
    unlock(r);
    return n ? HEIST_STEAL_OK : HEIST_STEAL_EMPTY;
}

bool heist_ring_sample_(const struct heist_ring_ *r, uint64_t random)
{
    return random % r->capacity < heist_ring_count_(r);
}
