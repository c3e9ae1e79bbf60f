/* SPDX-License-Identifier: MIT */
/*
 * The one list of queue kinds. Tables, tests and benchmarks are generated from it. The header of a
 * kind is <heist/NAME.h>; but that of `heist`, the default, is <heist/default.h>.
 */
#ifndef HEIST_KINDS_H
#define HEIST_KINDS_H

/* Calls the macro X with each name. */
#define HEIST_QUEUE_KINDS(X) \
    X(global)                \
    X(locked)                \
    X(abp)                   \
    X(chaselev)              \
    X(bwos_lifo)             \
    X(bwos_fifo)             \
    X(split)                 \
    X(bulk)                  \
    X(heist)

#endif
