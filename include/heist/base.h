/* SPDX-License-Identifier: MIT */
/*
 * What every queue header needs: the options, the result of a steal, the memory hooks.
 */
#ifndef HEIST_BASE_H
#define HEIST_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* Around declarations of C. */
#define HEIST_BEGIN_DECLS extern "C" {
#define HEIST_END_DECLS }
#else
#define HEIST_BEGIN_DECLS
#define HEIST_END_DECLS
#endif

/* Of declarations, and of conditions. */
#define HEIST_API __attribute__((visibility("default")))
#define HEIST_MUST_CHECK __attribute__((warn_unused_result))
#define HEIST_LIKELY(x) __builtin_expect(!!(x), 1)
#define HEIST_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HEIST_COLD __attribute__((noinline, cold))
#define HEIST_FORCED __attribute__((always_inline)) static inline
#ifdef __clang__
/* A label that is seldom reached. */
#define HEIST_COLD_LABEL(name) \
    name:
#else
#define HEIST_COLD_LABEL(name) \
    name:                      \
    __attribute__((cold));
#endif

/* The distance that keeps two words from disturbing each other. */
#define HEIST_LINE 64
#define HEIST_ALIGNED __attribute__((aligned(HEIST_LINE)))

HEIST_BEGIN_DECLS

/*
 * What a thief brought home. The item is written only on HEIST_STEAL_OK. (steal_many returns how
 * many items it took, and may have written to the places behind those.)
 */
enum heist_steal {
    HEIST_STEAL_OK = 0,
    HEIST_STEAL_EMPTY, /* nothing that a thief may take now */
    HEIST_STEAL_BUSY   /* lost a race: the same victim may have more */
};

/*
 * Where queues get their memory. `alloc` returns `size` bytes aligned to `align` (a power of two)
 * or NULL; `free` gets back what `alloc` gave, with the same size. The struct is copied by init.
 */
typedef struct heist_memory {
    void *(*alloc)(void *context, size_t size, size_t align); /* or NULL */
    void (*free)(void *context, void *memory, size_t size);   /* takes it back */
    void *context;                                            /* for both */
} heist_memory;

/* Whether a queue grows. */
enum heist_bound {
    HEIST_BOUND_DEFAULT = 0, /* as the kind's header says */
    HEIST_BOUND_FIXED,       /* `capacity` is all there is: put says full */
    HEIST_BOUND_GROWS        /* `capacity` is where it starts */
};

/* How a BWoS block knows that its thieves are gone; see bwos_lifo.h. */
enum heist_form {
    HEIST_FORM_TAGGED = 0, /* read, then claim by a CAS on a tagged word; nobody waits */
    HEIST_FORM_COUNTED     /* the paper's: claim, copy, count; reuse waits for the count */
};

/* Whether a thief that finds nothing asks the owner for a part of what only the owner sees
   (bwos_lifo, bwos_fifo). */
enum heist_early {
    HEIST_EARLY_DEFAULT = 0, /* on */
    HEIST_EARLY_OFF,         /* the owner's block is hidden until the owner leaves it */
    HEIST_EARLY_ON
};

/* How a split deque exposes private work; see split.h. */
enum heist_split_mode {
    HEIST_SPLIT_USER = 0,     /* one item, at the owner's next operation */
    HEIST_SPLIT_SIGNAL,       /* one item, by a signal to the owner */
    HEIST_SPLIT_CONSERVATIVE, /* one item, and only if the owner keeps another */
    HEIST_SPLIT_HALF          /* half of the private items */
};

/*
 * The options of every kind. Zero means the kind's default, and a NULL pointer to options means all
 * defaults; an option that a kind has no use for is ignored. Fields are only ever added at the end.
 */
typedef struct heist_queue_opts {
    size_t size;     /* sizeof(heist_queue_opts), as the caller was compiled; 0: version 0.1's */
    size_t capacity; /* items; where a growing kind starts. Rounded up as the kind documents */
    size_t block;    /* items in a block (bwos_lifo, bwos_fifo); at most the capacity */
    unsigned bound;  /* enum heist_bound */
    unsigned form;   /* enum heist_form (bwos_lifo, bwos_fifo) */
    unsigned mode;   /* enum heist_split_mode (split) */
    int signal;      /* signal number for the modes of split that use one; 0: SIGURG in mode signal,
                        none in modes conservative and half */
    const heist_memory *memory; /* NULL: posix_memalign and free */
    uint64_t origin;            /* where internal counters and tags start: to test wrap-around */
    unsigned early;             /* enum heist_early (bwos_lifo, bwos_fifo) */
    unsigned unused;            /* 0 */
} heist_queue_opts;

#define HEIST_CAPACITY_DEFAULT ((size_t)8192)                      /* items */
#define HEIST_CAPACITY_MAX ((size_t)1 << (sizeof(size_t) * 4 + 4)) /* above it: -EINVAL */

/*
 * For init functions: checks what the caller gave and fills `out` with it, memory never NULL. 0, or
 * -EINVAL with `out` unchanged.
 */
HEIST_API HEIST_MUST_CHECK int heist_queue_opts_read_(heist_queue_opts *out,
                                                      const heist_queue_opts *given);

/* put_many takes items up to the first NULL: how many those are. */
static inline size_t heist_leading_items_(void *const *items, size_t n)
{
    size_t i = 0;
    while (i < n && items[i])
        i++;
    return i;
}

HEIST_END_DECLS

#endif
