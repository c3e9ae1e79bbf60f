/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "affinity.h"

static heist_cpu flat_cpu(unsigned i, unsigned os)
{
    heist_cpu cpu = {.os = os, .core = i};
    for (unsigned k = 0; k < HEIST_CACHES; k++)
        cpu.cache[k] = HEIST_TOPOLOGY_NONE;
    return cpu;
}

int heist_machine_flat_(struct heist_machine_ *out)
{
    struct heist_affinity_ may;
    bool is_known = heist_affinity_read_(&may);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned cpus = is_known     ? (unsigned)CPU_COUNT_S(may.bytes, may.set)
                    : online > 0 ? (unsigned)online
                                 : 1;
    heist_cpu *cpu = malloc(cpus * sizeof *cpu);
    for (unsigned os = 0, i = 0; cpu && i < cpus; os++)
        if (!is_known || CPU_ISSET_S(os, may.bytes, may.set)) {
            cpu[i] = flat_cpu(i, os);
            i++;
        }
    heist_affinity_free_(&may);
    if (!cpu)
        return -ENOMEM;
    *out = (struct heist_machine_){.cpus = cpus, .cpu = cpu, .nodes = 1, .is_here = true};
    return 0;
}
