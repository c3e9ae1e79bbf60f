/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "affinity.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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

/* The kernel keeps to what it is told: so a thread that may use all CPUs is told no list of them,
   but all, also those that are added later. */
static void allow(cpu_set_t *set)
{
    if (CPU_COUNT(set) == sysconf(_SC_NPROCESSORS_ONLN))
        memset(set, 0xff, sizeof *set);
    sched_setaffinity(0, sizeof *set, set);
}

static void go_from(unsigned os, cpu_set_t *may)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(os, &one);
    if (!sched_setaffinity(0, sizeof one, &one))
        allow(may);
}

void heist_affinity_go_(unsigned os)
{
    cpu_set_t may;
    if (os < CPU_SETSIZE && !sched_getaffinity(0, sizeof may, &may))
        go_from(os, &may);
}

/* The n-th other of a set with `others` of them. */
static unsigned other_cpu(const cpu_set_t *set, unsigned os, unsigned others, unsigned n)
{
    unsigned cpu = os;
    for (unsigned left = n % others + 1; left;) {
        cpu = (cpu + 1) % CPU_SETSIZE;
        left -= cpu != os && CPU_ISSET(cpu, set);
    }
    return cpu;
}

bool heist_affinity_step_aside_(int os, unsigned n)
{
    cpu_set_t may;
    if (os < 0 || os >= CPU_SETSIZE || sched_getcpu() != os)
        return false;
    if (sched_getaffinity(0, sizeof may, &may))
        return true;
    unsigned others = (unsigned)(CPU_COUNT(&may) - !!CPU_ISSET(os, &may));
    if (others)
        go_from(other_cpu(&may, (unsigned)os, others, n), &may);
    return true;
}

const struct heist_affinity_ *heist_affinity_before_(void) { return before; }
