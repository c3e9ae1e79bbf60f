/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "affinity.h"

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && !strcmp(text + length - n, end);
}

/* hwloc would take all memory for a machine with a billion CPUs: the product of the numbers of a
   synthetic description, without what stands in parentheses and brackets. */
static bool is_too_large(const char *description)
{
    uint64_t cpus = 1;
    for (const char *p = description; *p;) {
        if (*p == '(' || *p == '[')
            p += strcspn(p, ")]");
        else if (*p >= '0' && *p <= '9' && (p == description || p[-1] == ' ' || p[-1] == ':')) {
            char *end;
            unsigned long n = strtoul(p, &end, 10);
            if (n > HEIST_MACHINE_CPUS_ || (cpus *= n) > HEIST_MACHINE_CPUS_)
                return true;
            p = end;
        } else
            p++;
    }
    return false;
}

static int describe(hwloc_topology_t t, const char *description)
{
    if (ends_in(description, ".xml"))
        return hwloc_topology_set_xml(t, description);
    return is_too_large(description) ? -1 : hwloc_topology_set_synthetic(t, description);
}

static int load(hwloc_topology_t t, const char *description)
{
    if (description && (describe(t, description) || hwloc_topology_load(t)))
        return -EINVAL;
    return !description && hwloc_topology_load(t) ? -ENOMEM : 0;
}

/* ---- CPUs ---- */

static unsigned number_of(hwloc_topology_t t, hwloc_obj_t pu, hwloc_obj_type_t type)
{
    hwloc_obj_t obj = hwloc_get_ancestor_obj_by_type(t, type, pu);
    return obj ? obj->logical_index : HEIST_TOPOLOGY_NONE;
}

/* The first that it is near to: others, of slow or small memory, come behind. */
static unsigned node_of(hwloc_topology_t t, hwloc_obj_t pu)
{
    hwloc_obj_t node = NULL;
    while ((node = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_NUMANODE, node)))
        if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
            return node->logical_index;
    return 0;
}

static heist_cpu cpu_of(hwloc_topology_t t, hwloc_obj_t pu)
{
    heist_cpu cpu = {.os = pu->os_index,
                     .core = number_of(t, pu, HWLOC_OBJ_CORE),
                     .node = node_of(t, pu),
                     .package = number_of(t, pu, HWLOC_OBJ_PACKAGE)};
    for (unsigned k = 0; k < HEIST_CACHES; k++)
        cpu.cache[k] = number_of(t, pu, (hwloc_obj_type_t)(HWLOC_OBJ_L1CACHE + k));
    return cpu;
}

/* Of this machine only those that the calling thread may use. */
static unsigned read_cpus(hwloc_topology_t t, heist_cpu *cpu, bool is_here)
{
    unsigned n = 0;
    hwloc_obj_t pu = NULL;
    struct heist_affinity_ may = {NULL, 0};
    bool all = !is_here || !heist_affinity_read_(&may);
    while ((pu = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_PU, pu)))
        if (all || CPU_ISSET_S(pu->os_index, may.bytes, may.set))
            cpu[n++] = cpu_of(t, pu);
    heist_affinity_free_(&may);
    return n;
}

/* ---- How fast ---- */

/* hwloc ranks kinds of CPUs, but how much they differ only these say. */
static const char *const speeds[] = {"LinuxCapacity", "FrequencyMaxMHz", "FrequencyBaseMHz"};

static unsigned speed_of_kind(hwloc_topology_t t, unsigned kind, const char *name)
{
    unsigned infos;
    struct hwloc_info_s *info;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    int efficiency;
    unsigned long speed = 0;
    if (set && !hwloc_cpukinds_get_info(t, kind, set, &efficiency, &infos, &info, 0))
        for (unsigned i = 0; i < infos; i++)
            if (!strcmp(info[i].name, name))
                speed = strtoul(info[i].value, NULL, 10);
    hwloc_bitmap_free(set);
    return speed < UINT_MAX / HEIST_CAPACITY_FASTEST ? (unsigned)speed : 0;
}

/* 0: some CPU's is not known, so that nothing can be compared. */
static bool read_speeds(hwloc_topology_t t, struct heist_machine_ *m, const char *name)
{
    hwloc_bitmap_t one = hwloc_bitmap_alloc();
    bool known = one != NULL;
    for (unsigned i = 0; known && i < m->cpus; i++) {
        hwloc_bitmap_only(one, m->cpu[i].os);
        int kind = hwloc_cpukinds_get_by_cpuset(t, one, 0);
        m->cpu[i].capacity = kind < 0 ? 0 : speed_of_kind(t, (unsigned)kind, name);
        known = m->cpu[i].capacity;
    }
    hwloc_bitmap_free(one);
    return known;
}

static void read_capacities(hwloc_topology_t t, struct heist_machine_ *m)
{
    bool known = false;
    for (unsigned k = 0; !known && k < sizeof speeds / sizeof *speeds; k++)
        known = read_speeds(t, m, speeds[k]);
    for (unsigned i = 0; !known && i < m->cpus; i++)
        m->cpu[i].capacity = 0;
}

/* ---- How far ---- */

static int read_distances(hwloc_topology_t t, struct heist_machine_ *m)
{
    struct hwloc_distances_s *d = NULL;
    unsigned matrices = 1;
    int nodes = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_NUMANODE);
    m->nodes = nodes > 0 ? (unsigned)nodes : 1;
    if (hwloc_distances_get_by_type(t, HWLOC_OBJ_NUMANODE, &matrices, &d,
                                    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) ||
        !matrices)
        return 0;
    bool all = d->nbobjs == m->nodes;
    if (all && (m->distance = malloc(sizeof *m->distance * m->nodes * m->nodes)))
        for (unsigned a = 0; a < m->nodes; a++)
            for (unsigned b = 0; b < m->nodes; b++)
                m->distance[d->objs[a]->logical_index * m->nodes + d->objs[b]->logical_index] =
                    d->values[a * m->nodes + b];
    hwloc_distances_release(t, d);
    return all && !m->distance ? -ENOMEM : 0;
}

/* ---- All of it ---- */

static int read_all(hwloc_topology_t t, struct heist_machine_ *m)
{
    int pus = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU);
    if (pus < 1 || pus > HEIST_MACHINE_CPUS_)
        return -EINVAL;
    m->is_here = hwloc_topology_is_thissystem(t);
    m->cpu = malloc((size_t)pus * sizeof *m->cpu);
    if (!m->cpu)
        return -ENOMEM;
    m->cpus = read_cpus(t, m->cpu, m->is_here);
    if (!m->cpus)
        return -EINVAL;
    read_capacities(t, m);
    return read_distances(t, m);
}

int heist_machine_hwloc_(struct heist_machine_ *out, const char *description)
{
    hwloc_topology_t t;
    struct heist_machine_ m = {0};
    if (hwloc_topology_init(&t))
        return -ENOMEM;
    int error = load(t, description);
    if (!error)
        error = read_all(t, &m);
    hwloc_topology_destroy(t);
    if (error) {
        free(m.cpu);
        free(m.distance);
        return error;
    }
    *out = m;
    return 0;
}
