/* SPDX-License-Identifier: MIT */
/*
 * A clock that is cheap to read. ticks_after() is not read before the operations ahead of it are
 * done: for the latency of one operation.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#if defined(__x86_64__)
#define CLOCK_NAME "rdtsc"
static inline uint64_t ticks(void) { return __builtin_ia32_rdtsc(); }
static inline uint64_t ticks_after(void)
{
    __asm__ volatile("lfence" ::: "memory");
    return ticks();
}
#elif defined(__aarch64__)
#define CLOCK_NAME "cntvct"
static inline uint64_t ticks(void)
{
    uint64_t t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
}
static inline uint64_t ticks_after(void)
{
    __asm__ volatile("isb" ::: "memory");
    return ticks();
}
#else
#define CLOCK_NAME "clock_gettime"
static inline uint64_t ticks(void) { return clock_ns(); }
static inline uint64_t ticks_after(void) { return ticks(); }
#endif

double bench_ticks_per_ns(void); /* measured once */

#endif
