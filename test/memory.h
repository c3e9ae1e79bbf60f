/* SPDX-License-Identifier: MIT */
/*
 * Memory hooks that know what they gave: bytes held, calls, alignment and the size at free; and
 * that fail at the call they are told to, once or from then on. The counters are atomic: a queue
 * may free while thieves run.
 */
#ifndef HEIST_TEST_MEMORY_H
#define HEIST_TEST_MEMORY_H

#include <heist/atomic.h>

#include <stdlib.h>
#include <string.h>

struct purse {
    heist_memory hooks; /* for opts.memory */
    heist_au64 held;    /* bytes */
    heist_au64 peak;
    heist_au64 allocs, frees;
    uint64_t fail_at; /* the number of the call that fails, from 1; 0: none */
    bool forever;     /* and all after it */
    size_t largest;   /* a single piece may not be larger; 0: no limit */
};

struct purse_tag {
    size_t size;
    void *start;
};

/* The beginning is enough, and large pieces stay cheap. */
static inline void purse_spoil(void *memory, size_t size)
{
    memset(memory, 0xa5, size < 4096 ? size : 4096);
}

static inline void *purse_alloc(void *context, size_t size, size_t align)
{
    struct purse *p = (struct purse *)context;
    uint64_t call = __atomic_add_fetch(&p->allocs.v_, 1, __ATOMIC_RELAXED);
    if (p->fail_at && (call == p->fail_at || (p->forever && call > p->fail_at)))
        return NULL;
    if (p->largest && size > p->largest)
        return NULL;
    size_t whole;
    if (!size || !align || (align & (align - 1)))
        abort();
    if (__builtin_add_overflow(size, align + sizeof(struct purse_tag), &whole))
        return NULL;
    char *start = (char *)malloc(whole);
    if (!start)
        return NULL;
    uintptr_t from = (uintptr_t)start + sizeof(struct purse_tag);
    char *given = start + sizeof(struct purse_tag) + (-from & (align - 1));
    struct purse_tag tag = {size, start};
    memcpy(given - sizeof tag, &tag, sizeof tag);
    purse_spoil(given, size); /* nobody may count on zeros */
    uint64_t held = __atomic_add_fetch(&p->held.v_, size, __ATOMIC_RELAXED);
    uint64_t peak = heist_load(&p->peak, __ATOMIC_RELAXED);
    while (held > peak && !heist_cas(&p->peak, &peak, held, __ATOMIC_RELAXED))
        ;
    return given;
}

static inline void purse_free(void *context, void *memory, size_t size)
{
    struct purse *p = (struct purse *)context;
    struct purse_tag tag;
    memcpy(&tag, (char *)memory - sizeof tag, sizeof tag);
    if (tag.size != size)
        abort();
    purse_spoil(memory, size); /* nor on what was there before */
    __atomic_add_fetch(&p->frees.v_, 1, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&p->held.v_, size, __ATOMIC_RELAXED);
    free(tag.start);
}

static inline void purse_open(struct purse *p)
{
    memset(p, 0, sizeof *p);
    p->hooks.alloc = purse_alloc;
    p->hooks.free = purse_free;
    p->hooks.context = p;
}

static inline uint64_t purse_held(const struct purse *p)
{
    return heist_load(&p->held, __ATOMIC_RELAXED);
}

#endif
