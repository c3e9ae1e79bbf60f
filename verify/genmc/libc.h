/* SPDX-License-Identifier: MIT */
/*
 * What the library takes from the compiler and the C library, in words that GenMC understands. It
 * comes before the library's sources, in the same translation unit.
 */
#ifndef HEIST_GENMC_LIBC_H
#define HEIST_GENMC_LIBC_H

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HEIST_PORTABLE 1

/*
 * GenMC can turn memset and memcpy into accesses of each field, but only whole structs, and only
 * where it sees the type: through an element of an array at an index that is not the constant 0,
 * which it would strip.
 */
#define WHOLE_(what, p, other, n)                        \
    ({                                                   \
        size_t at_ = 0;                                  \
        assert((n) == sizeof *(p));                      \
        __builtin_##what(&(p)[at_], other, sizeof *(p)); \
    })
#define memset(p, byte, n) WHOLE_(memset, p, byte, n)
#define memcpy(to, from, n) WHOLE_(memcpy, to, &(from)[at_], n)

/* C11 and GenMC want the size to be a multiple of the alignment. */
static inline void *aligned_memory(size_t align, size_t size)
{
    return aligned_alloc(align, (size + align - 1) / align * align);
}
#define posix_memalign(p, align, size) ((*(p) = aligned_memory(align, size)) ? 0 : ENOMEM)

/* Intrinsics that it does not have. */
#define __builtin_mul_overflow(a, b, product) \
    ((b) && (a) > SIZE_MAX / (b) ? 1 : (*(product) = (a) * (b), 0))
#define __builtin_add_overflow(a, b, sum) ((a) > SIZE_MAX - (b) ? 1 : (*(sum) = (a) + (b), 0))

/* It has mutexes, without attributes. */
#define pthread_mutexattr_init(attr) ((void)(attr))
#define pthread_mutexattr_settype(attr, type) ((void)(attr))
#define pthread_mutexattr_destroy(attr) ((void)(attr))
#define pthread_mutex_init(mutex, attr) pthread_mutex_init(mutex, NULL)

/* Threads keep what they have until the end, as under our checker (heist_model.h). What
   pthread_once would call, driver.c calls before there are threads. */
#define pthread_once_t int
#define pthread_key_t int
#define pthread_once(once, routine) ((void)(once), (void)(routine))
#define pthread_key_create(key, end) ((void)(key), (void)(end), 0)
#define pthread_setspecific(key, value) ((void)(key), (void)(value), 0)

#endif
