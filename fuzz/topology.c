/* SPDX-License-Identifier: MIT */
/* A description of a machine, as hwloc has them. Not its files of XML: hwloc 2.9 crashes by
   itself where one is cut off, before Heist sees any of it. */
#include <errno.h>
#include <heist/topology.h>

#include "fuzz.h"

enum { CPUS_MOST = 256, WORKERS = 7 }; /* larger ones take long, and are not otherwise */

static void check(const heist_topology *t)
{
    char name[64];
    unsigned cpus = heist_topology_cpus(t), levels = heist_topology_levels(t), place[WORKERS];
    FUZZ_REQUIRE(cpus >= 1 && levels >= 1);
    if (cpus > CPUS_MOST)
        return;
    for (unsigned level = 0; level < levels; level++)
        FUZZ_REQUIRE(*heist_topology_level_name(t, level, name, sizeof name));
    for (unsigned i = 0; i < cpus; i++) {
        const heist_cpu *cpu = heist_topology_cpu(t, i);
        FUZZ_REQUIRE(cpu->capacity >= 1 && cpu->capacity <= HEIST_CAPACITY_FASTEST);
        FUZZ_REQUIRE(heist_topology_level(t, i, cpus - 1 - i) < levels);
        FUZZ_REQUIRE(heist_topology_find(t, cpu->os) < cpus);
    }
    for (enum heist_pin pin = HEIST_PIN_COMPACT; pin <= HEIST_PIN_SPREAD; pin++) {
        FUZZ_REQUIRE(!heist_topology_place(t, pin, WORKERS, place));
        for (unsigned i = 0; i < WORKERS; i++)
            FUZZ_REQUIRE(place[i] < cpus);
    }
}

/* Whether it describes more than a little machine: hwloc builds what it is told to. */
static bool is_large(const char *text)
{
    double cpus = 1;
    for (const char *at = text; (at = strpbrk(at, "0123456789")); at += strspn(at, "0123456789"))
        cpus *= strtod(at, NULL) + 1;
    return cpus > 4 * CPUS_MOST;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    heist_topology *t = NULL;
    size_t length = strlen(text);
    bool is_file = length >= 4 && strcmp(text + length - 4, ".xml") == 0;
    if (!is_file && !is_large(text)) {
        int error = heist_topology_new(&t, text);
        FUZZ_REQUIRE(!error || error == -EINVAL || error == -ENOMEM || error == -ENOSYS);
        FUZZ_REQUIRE(!error == (t != NULL));
    }
    if (t)
        check(t);
    heist_topology_free(t);
    free(text);
    return 0;
}
