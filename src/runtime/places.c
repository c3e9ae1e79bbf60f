/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "places.h"

#include <errno.h>
#include <stdlib.h>

struct places {
    heist_topology *topology;
    enum heist_pin pin; /* NONE if it is not this machine */
    bool differ;
    struct heist_affinity_ before; /* of whoever has made the pool: what threads may use unpinned */
    unsigned workers;
    unsigned cpu[]; /* of each rank */
};

static int prepare(struct places *p, enum heist_pin pin)
{
    int error = heist_topology_new(&p->topology, NULL);
    if (error)
        return error;
    p->pin = heist_topology_is_here(p->topology) && heist_affinity_read_(&p->before)
                 ? pin
                 : HEIST_PIN_NONE;
    for (unsigned i = 0; i < heist_topology_cpus(p->topology); i++)
        p->differ |= heist_topology_cpu(p->topology, i)->capacity < HEIST_CAPACITY_FASTEST;
    return heist_topology_place(p->topology, p->pin, p->workers, p->cpu);
}

int heist_places_new_(struct places **out, enum heist_pin pin, unsigned workers)
{
    struct places *p = calloc(1, sizeof *p + workers * sizeof *p->cpu);
    if (!p)
        return -ENOMEM;
    p->workers = workers;
    int error = prepare(p, pin);
    if (error) {
        heist_places_free_(p);
        return error;
    }
    *out = p;
    return 0;
}

void heist_places_free_(struct places *p)
{
    if (!p)
        return;
    heist_topology_free(p->topology);
    heist_affinity_free_(&p->before);
    free(p);
}

const heist_topology *heist_places_topology_(const struct places *p) { return p->topology; }
enum heist_pin heist_places_pin_(const struct places *p) { return p->pin; }
bool heist_places_differ_(const struct places *p) { return p->differ; }

unsigned heist_places_here_(const struct places *p)
{
    int os = sched_getcpu();
    unsigned cpu = os < 0 ? HEIST_TOPOLOGY_NONE : heist_topology_find(p->topology, (unsigned)os);
    return cpu == HEIST_TOPOLOGY_NONE ? 0 : cpu;
}

static bool is_pinned(const struct places *p, unsigned rank)
{
    return p && p->pin > HEIST_PIN_NONE && rank < p->workers;
}

static unsigned os_of(const struct places *p, unsigned rank)
{
    return heist_topology_cpu(p->topology, p->cpu[rank])->os;
}

unsigned heist_places_cpu_(const struct places *p, unsigned rank)
{
    return is_pinned(p, rank) ? p->cpu[rank] : heist_places_here_(p);
}

bool heist_places_take_(const struct places *p, unsigned rank)
{
    return is_pinned(p, rank) && heist_affinity_pin_(os_of(p, rank), &p->before);
}

void heist_places_lend_(const struct places *p, unsigned rank)
{
    if (!is_pinned(p, rank))
        return;
    unsigned here = heist_places_here_(p);
    for (unsigned i = 0; i < rank; i++)
        if (p->cpu[i] == here && p->cpu[rank] != here) {
            heist_affinity_go_(os_of(p, rank));
            return;
        }
}

void heist_places_visit_(const struct places *p, unsigned rank, struct heist_affinity_ *home)
{
    *home = (struct heist_affinity_){NULL, 0};
    if (is_pinned(p, rank))
        heist_affinity_visit_(os_of(p, rank), home);
}

void heist_places_return_(struct heist_affinity_ *home) { heist_affinity_return_(home); }
