/* SPDX-License-Identifier: MIT */
/* The least of all that is written to a place, whoever comes first. Read it after the loop. */
#ifndef APP_ATOMIC_MIN_H
#define APP_ATOMIC_MIN_H

#include <stdatomic.h>
#include <stdint.h>

#define DEFINE_ATOMIC_MIN(name, type)                                                             \
    static inline void name(_Atomic type *place, type value)                                      \
    {                                                                                             \
        type there = atomic_load_explicit(place, memory_order_relaxed);                           \
        while (value < there &&                                                                   \
               !atomic_compare_exchange_weak_explicit(place, &there, value, memory_order_relaxed, \
                                                      memory_order_relaxed))                      \
            ;                                                                                     \
    }

DEFINE_ATOMIC_MIN(atomic_min32, uint32_t)
DEFINE_ATOMIC_MIN(atomic_min64, uint64_t)

#endif
