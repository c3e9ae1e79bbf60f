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

static bool read_now(struct heist_affinity_ *out)
{
    *out = (struct heist_affinity_){NULL, 0};
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

bool heist_affinity_read_(struct heist_affinity_ *out)
{
    *out = (struct heist_affinity_){NULL, 0};
    return before ? copy(out, before) : read_now(out);
}

void heist_affinity_free_(struct heist_affinity_ *affinity)
{
    if (affinity->set)
        CPU_FREE(affinity->set);
    *affinity = (struct heist_affinity_){NULL, 0};
}

static bool go_to(unsigned os, const struct heist_affinity_ *like)
{
    struct heist_affinity_ one;
    if (os >= like->bytes * 8 || !copy(&one, like))
        return false;
    CPU_ZERO_S(one.bytes, one.set);
    CPU_SET_S(os, one.bytes, one.set);
    bool ok = !sched_setaffinity(0, one.bytes, one.set);
    heist_affinity_free_(&one);
    return ok;
}

bool heist_affinity_pin_(unsigned os, const struct heist_affinity_ *was)
{
    bool ok = go_to(os, was);
    if (ok)
        before = was;
    return ok;
}

void heist_affinity_visit_(unsigned os, struct heist_affinity_ *home)
{
    if (read_now(home) && !go_to(os, home))
        heist_affinity_free_(home);
}

void heist_affinity_return_(struct heist_affinity_ *home)
{
    if (home->set)
        sched_setaffinity(0, home->bytes, home->set);
    heist_affinity_free_(home);
}

const struct heist_affinity_ *heist_affinity_before_(void) { return before; }
