/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <heist/topology.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum { LEVELS_MAX = 64 };

/*
 * How near two CPUs are, as one number: what they share in the upper half, the distance of their
 * nodes in the lower one, and in its last bit that they are in different packages. The levels are
 * those numbers that occur, sorted.
 */
enum { CORE, CACHE, NODE = CACHE + HEIST_CACHES, APART };
#define SHARES(what) ((uint64_t)(what) << 56)
#define DISTANCE_MAX ((uint64_t)1 << 48)

struct heist_topology {
    struct heist_machine_ m;
    unsigned levels;
    uint64_t level[LEVELS_MAX];
    unsigned slowest;
};

/* ---- Nearness ---- */

static bool same(unsigned a, unsigned b) { return a == b && a != HEIST_TOPOLOGY_NONE; }

static uint64_t nearness(const struct heist_machine_ *m, unsigned i, unsigned j)
{
    const heist_cpu *a = &m->cpu[i], *b = &m->cpu[j];
    bool other_package = a->package != b->package;
    if (i == j || same(a->core, b->core))
        return SHARES(CORE);
    for (unsigned k = 0; k < HEIST_CACHES; k++)
        if (same(a->cache[k], b->cache[k]))
            return SHARES(CACHE + k);
    if (a->node == b->node)
        return SHARES(NODE) + other_package;
    uint64_t distance = m->distance ? m->distance[a->node * m->nodes + b->node] : 0;
    return SHARES(APART) + (distance < DISTANCE_MAX ? distance : DISTANCE_MAX) * 2 + other_package;
}

/* Where `near` is among the levels, or belongs. */
static unsigned place_of(const heist_topology *t, uint64_t near)
{
    unsigned level = 0;
    while (level < t->levels && t->level[level] < near)
        level++;
    return level;
}

/* If there are too many, the farthest ones are one. */
static void add_level(heist_topology *t, uint64_t near)
{
    unsigned level = place_of(t, near);
    if (level == LEVELS_MAX || (level < t->levels && t->level[level] == near))
        return;
    t->levels += t->levels < LEVELS_MAX;
    memmove(&t->level[level + 1], &t->level[level], (t->levels - level - 1) * sizeof *t->level);
    t->level[level] = near;
}

static void find_levels(heist_topology *t)
{
    for (unsigned a = 0; a < t->m.cpus; a++)
        for (unsigned b = 0; b < t->m.cpus; b++)
            if (a != b)
                add_level(t, nearness(&t->m, a, b));
    if (!t->levels)
        add_level(t, SHARES(CORE)); /* one CPU, and itself */
}

unsigned heist_topology_level(const heist_topology *t, unsigned a, unsigned b)
{
    if (a == b)
        return 0;
    unsigned level = place_of(t, nearness(&t->m, a, b));
    return level < t->levels ? level : t->levels - 1;
}

const char *heist_topology_level_name(const heist_topology *t, unsigned level, char *name,
                                      size_t size)
{
    uint64_t near = t->level[level], what = near >> 56, distance = (near - SHARES(what)) / 2;
    const char *package = near & 1 ? ", other package" : "";
    if (what == CORE)
        snprintf(name, size, "core");
    else if (what < NODE)
        snprintf(name, size, "L%u", (unsigned)(what - CACHE + 1));
    else if (what == NODE)
        snprintf(name, size, "node%s", package);
    else if (distance)
        snprintf(name, size, "distance %llu%s", (unsigned long long)distance, package);
    else
        snprintf(name, size, "other node%s", package);
    return name;
}

/* ---- Capacities ---- */

/* In parts of the fastest. */
static void scale_capacities(heist_topology *t)
{
    unsigned fastest = 0;
    for (unsigned i = 0; i < t->m.cpus; i++)
        if (t->m.cpu[i].capacity > fastest)
            fastest = t->m.cpu[i].capacity;
    t->slowest = HEIST_CAPACITY_FASTEST;
    for (unsigned i = 0; i < t->m.cpus; i++) {
        unsigned *capacity = &t->m.cpu[i].capacity;
        *capacity = fastest ? (unsigned)((uint64_t)*capacity * HEIST_CAPACITY_FASTEST / fastest)
                            : HEIST_CAPACITY_FASTEST;
        if (!*capacity)
            *capacity = 1;
        if (*capacity < t->slowest)
            t->slowest = *capacity;
    }
}

unsigned heist_topology_weight(const heist_topology *t, unsigned cpu)
{
    return HEIST_CAPACITY_FASTEST * t->slowest / t->m.cpu[cpu].capacity;
}

/* ---- New and free ---- */

static int read_machine(struct heist_machine_ *m, const char *description)
{
    int error = -ENOSYS;
#if HEIST_WITH_HWLOC
    error = heist_machine_hwloc_(m, description);
#endif
    return error == -ENOSYS && !description ? heist_machine_flat_(m) : error;
}

int heist_topology_new(heist_topology **out, const char *description)
{
    if (!out)
        return -EINVAL;
    heist_topology *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    int error = read_machine(&t->m, description);
    if (error) {
        free(t);
        return error;
    }
    find_levels(t);
    scale_capacities(t);
    *out = t;
    return 0;
}

void heist_topology_free(heist_topology *t)
{
    if (!t)
        return;
    free(t->m.cpu);
    free(t->m.distance);
    free(t);
}

unsigned heist_topology_cpus(const heist_topology *t) { return t->m.cpus; }

const heist_cpu *heist_topology_cpu(const heist_topology *t, unsigned cpu)
{
    return &t->m.cpu[cpu];
}

unsigned heist_topology_find(const heist_topology *t, unsigned os)
{
    for (unsigned i = 0; i < t->m.cpus; i++)
        if (t->m.cpu[i].os == os)
            return i;
    return HEIST_TOPOLOGY_NONE;
}

bool heist_topology_is_here(const heist_topology *t) { return t->m.is_here; }

unsigned heist_topology_levels(const heist_topology *t) { return t->levels; }

/* ---- Pinning ---- */

static const char *const pins[] = {
    [HEIST_PIN_NONE] = "none", [HEIST_PIN_COMPACT] = "compact", [HEIST_PIN_SPREAD] = "spread"};

int heist_pin_parse(const char *name, enum heist_pin *out)
{
    for (unsigned i = HEIST_PIN_NONE; name && i <= HEIST_PIN_SPREAD; i++)
        if (!strcmp(pins[i], name)) {
            *out = (enum heist_pin)i;
            return 0;
        }
    return -EINVAL;
}

const char *heist_pin_name(enum heist_pin pin)
{
    return pins[pin == HEIST_PIN_DEFAULT ? HEIST_PIN_NONE : pin];
}

/* What a CPU is a part of, from large to small. */
enum { PACKAGE_PART, NODE_PART, CACHE_PART, PARTS = CACHE_PART + HEIST_CACHES };

static unsigned part_of(const heist_cpu *cpu, unsigned part)
{
    return part == PACKAGE_PART ? cpu->package
           : part == NODE_PART  ? cpu->node
                                : cpu->cache[HEIST_CACHES - 1 - (part - CACHE_PART)];
}

/* How many workers have come so far onto a CPU, and into what it is a part of. */
struct crowd {
    unsigned here, core, part[PARTS];
};

static void add_worker(const heist_topology *t, struct crowd *crowd, unsigned at)
{
    const heist_cpu *to = &t->m.cpu[at];
    crowd[at].here++;
    for (unsigned i = 0; i < t->m.cpus; i++) {
        const heist_cpu *cpu = &t->m.cpu[i];
        crowd[i].core += i == at || same(cpu->core, to->core);
        for (unsigned p = 0; p < PARTS; p++)
            crowd[i].part[p] += same(part_of(cpu, p), part_of(to, p));
    }
}

/* Whether `a` is the better place for the next worker. */
static bool is_lonelier(const heist_topology *t, const struct crowd *crowd, unsigned a, unsigned b)
{
    const struct crowd *x = &crowd[a], *y = &crowd[b];
    unsigned fast = t->m.cpu[a].capacity, other = t->m.cpu[b].capacity;
    if (x->here != y->here)
        return x->here < y->here;
    if (x->core != y->core)
        return x->core < y->core;
    if (fast != other)
        return fast > other;
    for (unsigned p = 0; p < PARTS; p++)
        if (x->part[p] != y->part[p])
            return x->part[p] < y->part[p];
    return false;
}

static int spread(const heist_topology *t, unsigned number, unsigned *cpus)
{
    struct crowd *crowd = calloc(t->m.cpus, sizeof *crowd);
    if (!crowd)
        return -ENOMEM;
    for (unsigned w = 0; w < number; w++) {
        unsigned best = 0;
        for (unsigned i = 1; i < t->m.cpus; i++)
            if (is_lonelier(t, crowd, i, best))
                best = i;
        cpus[w] = best;
        add_worker(t, crowd, best);
    }
    free(crowd);
    return 0;
}

/* Fast ones first; among equals, near numbers are near. */
static void compact(const heist_topology *t, unsigned number, unsigned *cpus)
{
    unsigned n = 0;
    for (unsigned capacity = HEIST_CAPACITY_FASTEST; capacity && n < number;) {
        unsigned next = 0;
        for (unsigned i = 0; i < t->m.cpus; i++) {
            unsigned c = t->m.cpu[i].capacity;
            if (c == capacity && n < number)
                cpus[n++] = i;
            if (c < capacity && c > next)
                next = c;
        }
        capacity = next;
    }
    for (; n < number; n++)
        cpus[n] = cpus[n - t->m.cpus];
}

int heist_topology_place(const heist_topology *t, enum heist_pin pin, unsigned number,
                         unsigned *cpus)
{
    if (pin == HEIST_PIN_SPREAD)
        return spread(t, number, cpus);
    compact(t, number, cpus);
    return 0;
}
