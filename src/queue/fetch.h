/* SPDX-License-Identifier: MIT */
/*
 * Lines that thieves have read, and that the owner is about to write. Each is in a thief's cache
 * too, so that the owner would wait for one after the other: fetch asks for all at once. Call it
 * where a steal from each of these lines has come before; then it costs little beside those.
 */
#ifndef HEIST_QUEUE_FETCH_H
#define HEIST_QUEUE_FETCH_H

#include <heist/base.h>

enum { FETCH_MOST = 8192 }; /* bytes: a part of any first-level cache */

#if HEIST_MODEL || HEIST_PORTABLE
static inline void fetch(const void *from, size_t bytes) { (void)from, (void)bytes; }
#else
static inline void fetch(const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes && i < FETCH_MOST; i += HEIST_LINE) {
        const char *line = (const char *)from + i;
#ifdef __x86_64__ /* gcc has it only if told so; a processor without it does nothing */
        __asm__ volatile("prefetchw %0" : : "m"(*line));
#else
        __builtin_prefetch(line, 1);
        __asm__ volatile("" : : "r"(line)); /* or gcc takes the whole function for nothing */
#endif
    }
}
#endif

#endif
