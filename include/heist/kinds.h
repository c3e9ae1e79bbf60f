/* SPDX-License-Identifier: MIT */
/*
 * The one list of queue kinds. Tables, tests and benchmarks are generated from it: a kind that is
 * named here, with a header <heist/NAME.h>, is available everywhere.
 */
#ifndef HEIST_KINDS_H
#define HEIST_KINDS_H

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
