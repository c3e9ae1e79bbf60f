/* SPDX-License-Identifier: MIT */
/*
 * The machine as Heist sees it: its CPUs, how near they are to each other, how fast they are. By
 * hwloc, if the library was built with it; else a flat machine, all CPUs as near and as fast.
 *
 * Nearness is a level, 0 is nearest: the same core; then the caches that two CPUs share, small ones
 * first; then the same NUMA node (and in it the same package first); then other nodes, by the
 * distance that the system tells, and at the same distance the same package first. Only levels that
 * some two CPUs of the machine have are counted, so that there is no gap in them.
 *
 * A topology does not change once it is made: any thread may look at it.
 */
#ifndef HEIST_TOPOLOGY_H
#define HEIST_TOPOLOGY_H

#include <heist/base.h>
#include <limits.h>

HEIST_BEGIN_DECLS

/* A machine. */
typedef struct heist_topology heist_topology;

#define HEIST_TOPOLOGY_NONE UINT_MAX /* no such thing */
/* Levels of caches; the capacity of the fastest CPUs. */
enum { HEIST_CACHES = 5, HEIST_CAPACITY_FASTEST = 1024 };

/* Where a CPU is: numbers of the things that it is a part of, or HEIST_TOPOLOGY_NONE. */
typedef struct heist_cpu {
    unsigned os;                  /* its number for the operating system */
    unsigned core;                /* with the other hardware threads of the core */
    unsigned cache[HEIST_CACHES]; /* L1, L2 ... */
    unsigned node;                /* of NUMA */
    unsigned package;             /* the socket */
    unsigned capacity; /* how fast: 1 to HEIST_CAPACITY_FASTEST, which the fastest ones have */
} heist_cpu;

/*
 * NULL: this machine, and of it the CPUs that the calling thread may use. Else a synthetic
 * description as hwloc takes it ("pack:2 l3:2 core:8 pu:1"), or the name of a file of lstopo's that
 * ends in ".xml". 0; -EINVAL: hwloc rejects the description, or it has more than 8192 CPUs;
 * -ENOSYS: there is one, but the library was built without hwloc; -ENOMEM.
 */
HEIST_API HEIST_MUST_CHECK int heist_topology_new(heist_topology **out, const char *description);
/* NULL is allowed. */
HEIST_API void heist_topology_free(heist_topology *topology);

/* How many CPUs; they are numbered from 0 so that near ones have near numbers. */
HEIST_API unsigned heist_topology_cpus(const heist_topology *topology);
/* The CPU with this number. */
HEIST_API const heist_cpu *heist_topology_cpu(const heist_topology *topology, unsigned cpu);
/* The CPU with this number of the operating system's; HEIST_TOPOLOGY_NONE: there is none. */
HEIST_API unsigned heist_topology_find(const heist_topology *topology, unsigned os);
/* Whether it is the machine that the process runs on. */
HEIST_API bool heist_topology_is_here(const heist_topology *topology);

/* How many levels of nearness there are. */
HEIST_API unsigned heist_topology_levels(const heist_topology *topology);
/* How near two CPUs are; 0 also if they are the same. */
HEIST_API unsigned heist_topology_level(const heist_topology *topology, unsigned a, unsigned b);
/* What CPUs have in common that are so near: "core", "L3", "node" ...; writes up to `size` bytes,
   the last of them 0, and returns `name`. */
HEIST_API const char *heist_topology_level_name(const heist_topology *topology, unsigned level,
                                                char *name, size_t size);
/* For heist_victim_set: 1024 for the slowest CPU, less for faster ones. */
HEIST_API unsigned heist_topology_weight(const heist_topology *topology, unsigned cpu);

/* Where the threads of a pool run. */
enum heist_pin {
    HEIST_PIN_DEFAULT = 0, /* HEIST_PIN, or none */
    HEIST_PIN_NONE,        /* the operating system moves workers around */
    HEIST_PIN_COMPACT,     /* as near to each other as can be, fast CPUs first */
    HEIST_PIN_SPREAD       /* as far as can be: first on cores of their own, fast ones first, then
                              evenly over packages, nodes, caches */
};

/* "none", "compact" or "spread". -EINVAL: none of them. */
HEIST_API HEIST_MUST_CHECK int heist_pin_parse(const char *name, enum heist_pin *out);
/* Its name. */
HEIST_API const char *heist_pin_name(enum heist_pin pin);

/* The CPUs of `number` workers; if there are more workers than CPUs, some get the same. Pin NONE is
   taken for COMPACT. 0; -ENOMEM. */
HEIST_API HEIST_MUST_CHECK int heist_topology_place(const heist_topology *topology,
                                                    enum heist_pin pin, unsigned number,
                                                    unsigned *cpus);

HEIST_END_DECLS

#endif
