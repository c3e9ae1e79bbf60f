/* SPDX-License-Identifier: MIT */
/*
 * What a contestant of `heist bench runtime` in C or C++ consists of: its kernels, and
 * contestant.c, which reads the command line, prepares, takes the time and checks.
 */
#ifndef RUNTIME_CONTESTANT_H
#define RUNTIME_CONTESTANT_H

#include "work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: takes no part in this one. */
struct kernels {
    const char *about; /* the runtime and its version, the compiler */
    void (*start)(unsigned workers);
    void (*stop)(void);
    uint64_t (*fib)(uint64_t n);
    uint64_t (*queens)(uint64_t n);
    uint64_t (*uts)(uint64_t levels);
    void (*quicksort)(int64_t *a, size_t n);
    void (*mergesort)(int64_t *a, int64_t *scratch, size_t n);
    void (*matmul)(const struct product *p);
    void (*skewed)(uint64_t *out, size_t n);
    void (*tiny)(uint64_t *out, uint64_t loops);
    uint64_t (*sum)(uint64_t n);
    void (*submit)(void); /* one empty job; returns when a thread of the pool has run it */
};

extern const struct kernels kernels;

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifdef __clang__
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__)
#else
#define COMPILER "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__)
#endif

#ifdef __cplusplus
}
#endif

#endif
