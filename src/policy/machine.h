/* SPDX-License-Identifier: MIT */
/* What hwloc, or nobody, tells about a machine; topology.c makes the levels of it. */
#ifndef HEIST_POLICY_MACHINE_H
#define HEIST_POLICY_MACHINE_H

#include <heist/topology.h>

enum {
    HEIST_MACHINE_CPUS_ = 8192
}; /* as many as Linux can have; with more, levels take too long */

struct heist_machine_ {
    unsigned cpus;      /* at least 1 */
    heist_cpu *cpu;     /* allocated; capacities in any unit, all 0: not known */
    unsigned nodes;     /* of the matrix; a CPU's node is below it */
    uint64_t *distance; /* [from * nodes + to], allocated; NULL: not known */
    bool is_here;
};

/* machine_hwloc.c: 0, -EINVAL, -ENOMEM as heist_topology_new; then there is nothing to free.
   -ENOSYS: hwloc is not installed. Only in builds with hwloc. */
int heist_machine_hwloc_(struct heist_machine_ *out, const char *description);
/* machine_flat.c: this machine, without hwloc. 0, -ENOMEM. */
int heist_machine_flat_(struct heist_machine_ *out);

#endif
