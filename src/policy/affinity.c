/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "affinity.h"

#include <errno.h>
#include <string.h>

enum {
    FIRST_SET = 1024,
    LARGEST_SET = 1 << 22
}; /* CPUs; the kernel refuses a set that is too small */

static __thread const struct heist_affinity_ *before;

static bool copy(struct heist_affinity_ *out, const struct heist_affinity_ *from)
{
    cpu_set_t *set = CPU_ALLOC(from->bytes * 8);
    if (!set)
        return false;
    memcpy(set, from->set, from->bytes);
    *out = (struct heist_affinity_){set, from->bytes};
    return true;
}

bool heist_affinity_read_(struct heist_affinity_ *out)
{
    *out = (struct heist_affinity_){NULL, 0};
    if (before)
        return copy(out, before);
    for (size_t cpus = FIRST_SET; cpus <= LARGEST_SET; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        if (!set)
            return false;
        CPU_ZERO_S(CPU_ALLOC_SIZE(cpus), set);
        if (!sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), set)) {
            *out = (struct heist_affinity_){set, CPU_ALLOC_SIZE(cpus)};
            return true;
        }
        int refused = errno;
        CPU_FREE(set);
        if (refused != EINVAL)
            return false;
    }
    return false;
}

void heist_affinity_free_(struct heist_affinity_ *affinity)
{
    if (affinity->set)
        CPU_FREE(affinity->set);
    *affinity = (struct heist_affinity_){NULL, 0};
}

bool heist_affinity_pin_(unsigned os, const struct heist_affinity_ *was)
{
    struct heist_affinity_ one;
    if (os >= was->bytes * 8 || !copy(&one, was))
        return false;
    CPU_ZERO_S(one.bytes, one.set);
    CPU_SET_S(os, one.bytes, one.set);
    bool ok = !sched_setaffinity(0, one.bytes, one.set);
    heist_affinity_free_(&one);
    if (ok)
        before = was;
    return ok;
}

void heist_affinity_unpin_(void)
{
    if (before)
        sched_setaffinity(0, before->bytes, before->set);
    before = NULL;
}

const struct heist_affinity_ *heist_affinity_before_(void) { return before; }
