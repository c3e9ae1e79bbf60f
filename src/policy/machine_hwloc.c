/* SPDX-License-Identifier: MIT */
/*
 * The machine as hwloc sees it. hwloc is loaded when it is needed, and only then: a program that
 * links Heist need not link it, nor have it, nor pay for it when it starts.
 */
#define _GNU_SOURCE
#include "machine.h"

#include <dlfcn.h>
#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "affinity.h"

#define LIBRARY "libhwloc.so.15" /* of all versions 2.x */

/* What is called here. hwloc's inline functions would call by themselves. */
#define FUNCTIONS(X)          \
    X(topology_init)          \
    X(topology_set_xml)       \
    X(topology_set_synthetic) \
    X(topology_load)          \
    X(topology_is_thissystem) \
    X(topology_destroy)       \
    X(get_type_depth)         \
    X(get_nbobjs_by_depth)    \
    X(get_obj_by_depth)       \
    X(bitmap_alloc)           \
    X(bitmap_free)            \
    X(bitmap_only)            \
    X(bitmap_isset)           \
    X(cpukinds_get_info)      \
    X(cpukinds_get_by_cpuset) \
    X(distances_get_by_type)  \
    X(distances_release)

#define FIELD(name) __typeof__(hwloc_##name) *name;
struct hwloc {
    void *library;
    FUNCTIONS(FIELD)
};

struct reader {
    struct hwloc h;
    hwloc_topology_t t;
};

static bool open_hwloc(struct hwloc *h)
{
    h->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!h->library)
        return false;
    bool all = true;
#define FIND(name) all &= !!(*(void **)&h->name = dlsym(h->library, "hwloc_" #name));
    FUNCTIONS(FIND)
    if (!all)
        dlclose(h->library);
    return all;
}

/* ---- Objects ---- */

static unsigned number_of_all(const struct reader *r, hwloc_obj_type_t type)
{
    int depth = r->h.get_type_depth(r->t, type);
    return depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE
               ? 0
               : r->h.get_nbobjs_by_depth(r->t, depth);
}

static hwloc_obj_t object(const struct reader *r, hwloc_obj_type_t type, unsigned i)
{
    return r->h.get_obj_by_depth(r->t, r->h.get_type_depth(r->t, type), i);
}

/* ---- What to read ---- */

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && !strcmp(text + length - n, end);
}

/* What is behind the first such character; NULL: there is none. */
static const char *behind(const char *text, char c)
{
    text = strchr(text, c);
    return text ? text + 1 : NULL;
}

/* "core:8(memory=1)" or "8": what is behind it. NULL: no level, or one that is too wide. */
static const char *read_level(const char *text, uint64_t *cpus)
{
    char *end;
    if (*text < '0' || *text > '9')
        text = behind(text, ':');
    if (!text)
        return NULL;
    unsigned long n = strtoul(text, &end, 0);
    if (end == text || !n || n > HEIST_MACHINE_CPUS_)
        return NULL;
    *cpus *= n;
    return *end == '(' ? behind(end, ')') : end;
}

/* hwloc would take all memory for a machine with a billion CPUs, or with many nodes "[numa]" at
   each of some thousands. So the numbers are read here first, as hwloc reads them: by strtoul in
   any base, behind a level's colon or where a digit begins one. What else is wrong it finds. */
static bool is_small(const char *text)
{
    uint64_t cpus = 1, nodes = 0;
    if (*text == '(')
        text = behind(text, ')');
    while (text && *(text += strspn(text, " \n"))) {
        if (*text == '[') {
            nodes += cpus;
            text = behind(text, ']');
        } else
            text = read_level(text, &cpus);
        if (cpus > HEIST_MACHINE_CPUS_ || nodes > HEIST_MACHINE_CPUS_)
            return false;
    }
    return text;
}

static int describe(const struct reader *r, const char *description)
{
    if (ends_in(description, ".xml"))
        return r->h.topology_set_xml(r->t, description);
    return is_small(description) ? r->h.topology_set_synthetic(r->t, description) : -1;
}

static int load(const struct reader *r, const char *description)
{
    if (description && (describe(r, description) || r->h.topology_load(r->t)))
        return -EINVAL;
    return !description && r->h.topology_load(r->t) ? -ENOMEM : 0;
}

/* ---- CPUs ---- */

static unsigned number_of(hwloc_obj_t pu, hwloc_obj_type_t type)
{
    hwloc_obj_t obj = pu->parent;
    while (obj && obj->type != type)
        obj = obj->parent;
    return obj ? obj->logical_index : HEIST_TOPOLOGY_NONE;
}

/* The first that it is near to: others, of slow or small memory, come behind. */
static unsigned node_of(const struct reader *r, hwloc_obj_t pu)
{
    for (unsigned i = 0; i < number_of_all(r, HWLOC_OBJ_NUMANODE); i++) {
        hwloc_obj_t node = object(r, HWLOC_OBJ_NUMANODE, i);
        if (r->h.bitmap_isset(node->cpuset, pu->os_index))
            return node->logical_index;
    }
    return 0;
}

static heist_cpu cpu_of(const struct reader *r, hwloc_obj_t pu)
{
    heist_cpu cpu = {.os = pu->os_index,
                     .core = number_of(pu, HWLOC_OBJ_CORE),
                     .node = node_of(r, pu),
                     .package = number_of(pu, HWLOC_OBJ_PACKAGE)};
    for (unsigned k = 0; k < HEIST_CACHES; k++)
        cpu.cache[k] = number_of(pu, (hwloc_obj_type_t)(HWLOC_OBJ_L1CACHE + k));
    return cpu;
}

/* Of this machine only those that the calling thread may use. */
static unsigned read_cpus(const struct reader *r, heist_cpu *cpu, bool is_here)
{
    unsigned n = 0;
    struct heist_affinity_ may = {NULL, 0};
    bool all = !is_here || !heist_affinity_read_(&may);
    for (unsigned i = 0; i < number_of_all(r, HWLOC_OBJ_PU); i++) {
        hwloc_obj_t pu = object(r, HWLOC_OBJ_PU, i);
        if (all || CPU_ISSET_S(pu->os_index, may.bytes, may.set))
            cpu[n++] = cpu_of(r, pu);
    }
    heist_affinity_free_(&may);
    return n;
}

/* ---- How fast ---- */

/* hwloc ranks kinds of CPUs, but how much they differ only these say. */
static const char *const speeds[] = {"LinuxCapacity", "FrequencyMaxMHz", "FrequencyBaseMHz"};

static unsigned speed_of_kind(const struct reader *r, unsigned kind, const char *name)
{
    unsigned infos;
    struct hwloc_info_s *info;
    hwloc_bitmap_t set = r->h.bitmap_alloc();
    int efficiency;
    unsigned long speed = 0;
    if (set && !r->h.cpukinds_get_info(r->t, kind, set, &efficiency, &infos, &info, 0))
        for (unsigned i = 0; i < infos; i++)
            if (!strcmp(info[i].name, name))
                speed = strtoul(info[i].value, NULL, 10);
    r->h.bitmap_free(set);
    return speed < UINT_MAX / HEIST_CAPACITY_FASTEST ? (unsigned)speed : 0;
}

/* 0: some CPU's is not known, so that nothing can be compared. */
static bool read_speeds(const struct reader *r, struct heist_machine_ *m, const char *name)
{
    hwloc_bitmap_t one = r->h.bitmap_alloc();
    bool known = one != NULL;
    for (unsigned i = 0; known && i < m->cpus; i++) {
        r->h.bitmap_only(one, m->cpu[i].os);
        int kind = r->h.cpukinds_get_by_cpuset(r->t, one, 0);
        m->cpu[i].capacity = kind < 0 ? 0 : speed_of_kind(r, (unsigned)kind, name);
        known = m->cpu[i].capacity;
    }
    r->h.bitmap_free(one);
    return known;
}

static void read_capacities(const struct reader *r, struct heist_machine_ *m)
{
    bool known = false;
    for (unsigned k = 0; !known && k < sizeof speeds / sizeof *speeds; k++)
        known = read_speeds(r, m, speeds[k]);
    for (unsigned i = 0; !known && i < m->cpus; i++)
        m->cpu[i].capacity = 0;
}

/* ---- How far ---- */

static int read_distances(const struct reader *r, struct heist_machine_ *m)
{
    struct hwloc_distances_s *d = NULL;
    unsigned matrices = 1;
    unsigned nodes = number_of_all(r, HWLOC_OBJ_NUMANODE);
    m->nodes = nodes ? nodes : 1;
    if (r->h.distances_get_by_type(r->t, HWLOC_OBJ_NUMANODE, &matrices, &d,
                                   HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) ||
        !matrices)
        return 0;
    bool all = d->nbobjs == m->nodes;
    if (all && (m->distance = malloc(sizeof *m->distance * m->nodes * m->nodes)))
        for (unsigned a = 0; a < m->nodes; a++)
            for (unsigned b = 0; b < m->nodes; b++)
                m->distance[d->objs[a]->logical_index * m->nodes + d->objs[b]->logical_index] =
                    d->values[a * m->nodes + b];
    r->h.distances_release(r->t, d);
    return all && !m->distance ? -ENOMEM : 0;
}

/* ---- All of it ---- */

static int read_all(const struct reader *r, struct heist_machine_ *m)
{
    unsigned pus = number_of_all(r, HWLOC_OBJ_PU);
    if (!pus || pus > HEIST_MACHINE_CPUS_)
        return -EINVAL;
    m->is_here = r->h.topology_is_thissystem(r->t);
    m->cpu = malloc(pus * sizeof *m->cpu);
    if (!m->cpu)
        return -ENOMEM;
    m->cpus = read_cpus(r, m->cpu, m->is_here);
    if (!m->cpus)
        return -EINVAL;
    read_capacities(r, m);
    return read_distances(r, m);
}

int heist_machine_hwloc_(struct heist_machine_ *out, const char *description)
{
    struct reader r;
    struct heist_machine_ m = {0};
    if (!open_hwloc(&r.h))
        return -ENOSYS;
    int error = r.h.topology_init(&r.t) ? -ENOMEM : 0;
    if (!error) {
        error = load(&r, description);
        if (!error)
            error = read_all(&r, &m);
        r.h.topology_destroy(r.t);
    }
    dlclose(r.h.library);
    if (error) {
        free(m.cpu);
        free(m.distance);
        return error;
    }
    *out = m;
    return 0;
}
