/* SPDX-License-Identifier: MIT */
/* The CPUs, how many workers a pool takes of them, and what is known of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <heist/topology.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../runtime/budget.h"
#include "../runtime/environment.h"
#include "doctor.h"
#include "doctor_workers.h"

static const char *plural(unsigned n) { return n == 1 ? "" : "s"; }

static void check_affinity(struct doctor *d, const struct heist_budget_ *b)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN), configured = sysconf(_SC_NPROCESSORS_CONF);
    if (b->affinity < online)
        doctor_add(d, "cpus", DOCTOR_NOTE,
                   "start the program without taskset, or in a cpuset that has more",
                   "%u of the %ld CPUs that are online may be used here; a pool counts only those",
                   b->affinity, online);
    else if (online < configured)
        doctor_add(d, "cpus", DOCTOR_NOTE,
                   "echo 1 to /sys/devices/system/cpu/cpuN/online, if they are wanted",
                   "%ld of %ld CPUs are online; a pool counts only those", online, configured);
    else
        doctor_add(d, "cpus", DOCTOR_OK, NULL, "%u CPU%s, and this process may use all",
                   b->affinity, plural(b->affinity));
}

static void check_quota(struct doctor *d, const struct heist_budget_ *b)
{
    if (!b->quota)
        doctor_add(d, "quota", DOCTOR_OK, NULL, "no cgroup limits the CPU time");
    else if (b->quota >= b->affinity)
        doctor_add(d, "quota", DOCTOR_OK, NULL,
                   "the cgroups allow the time of %u CPU%s, no less "
                   "than there are",
                   b->quota, plural(b->quota));
    else
        doctor_add(d, "quota", DOCTOR_NOTE,
                   "raise cpu.max (docker run --cpus, CPUQuota= of systemd), if more is wanted",
                   "the cgroups allow the time of %u CPU%s, of %u: with more workers the kernel "
                   "would stop all of them now and then",
                   b->quota, plural(b->quota), b->affinity);
}

struct doctor_workers doctor_workers(const struct doctor *d)
{
    struct heist_budget_ b = heist_budget_read_(d->root);
    unsigned asked = doctor_workers_asked();
    unsigned by_cpus = b.workers < HEIST_WORKERS_MAX_ ? b.workers : HEIST_WORKERS_MAX_;
    return (struct doctor_workers){asked ? asked : by_cpus, b.workers, asked != 0};
}

static void check_workers(struct doctor *d, const struct heist_budget_ *b)
{
    struct doctor_workers w = doctor_workers(d);
    const char *why = w.by_variable                        ? "HEIST_WORKERS says so"
                      : b->workers > HEIST_WORKERS_MAX_    ? "no pool has more"
                      : b->quota && b->quota < b->affinity ? "the cgroups' quota says so"
                                                           : "one per CPU that may be used";
    if (w.number > w.cpus)
        doctor_add(d, "workers", DOCTOR_NOTE, "unset HEIST_WORKERS, unless that is meant",
                   "a pool takes %u worker%s: %s; they share %u CPU%s, and wait for each other",
                   w.number, plural(w.number), why, w.cpus, plural(w.cpus));
    else if (w.number == 1)
        doctor_add(d, "workers", DOCTOR_NOTE,
                   w.by_variable ? "unset HEIST_WORKERS, unless that is meant"
                                 : "give the process more CPUs, if more is wanted",
                   "a pool takes 1 worker: %s; nobody steals, and nothing runs in parallel", why);
    else
        doctor_add(d, "workers", DOCTOR_OK, NULL, "a pool takes %u worker%s: %s", w.number,
                   plural(w.number), why);
}

/* ---- The topology ---- */

/* How many different values a field of the CPUs has. */
static unsigned distinct(const heist_topology *t, size_t offset)
{
    unsigned n = 0;
    for (unsigned i = 0; i < heist_topology_cpus(t); i++) {
        unsigned value, earlier, j = 0;
        memcpy(&value, (const char *)heist_topology_cpu(t, i) + offset, sizeof value);
        for (; j < i; j++) {
            memcpy(&earlier, (const char *)heist_topology_cpu(t, j) + offset, sizeof earlier);
            if (earlier == value)
                break;
        }
        n += j == i && value != HEIST_TOPOLOGY_NONE;
    }
    return n;
}

static void describe(struct doctor *d, const heist_topology *t)
{
    unsigned cores = distinct(t, offsetof(heist_cpu, core));
    unsigned nodes = distinct(t, offsetof(heist_cpu, node));
    unsigned packages = distinct(t, offsetof(heist_cpu, package));
    doctor_add(d, "topology", DOCTOR_OK, NULL,
               "by hwloc: %u CPU%s, %u core%s, %u node%s, %u package%s; heist topology draws it",
               heist_topology_cpus(t), plural(heist_topology_cpus(t)), cores, plural(cores), nodes,
               plural(nodes), packages, plural(packages));
}

/* Whether hwloc is there: only it can make a machine of a description. */
static bool has_hwloc(void)
{
    heist_topology *t;
    int error = heist_topology_new(&t, "pu:1");
    if (!error)
        heist_topology_free(t);
    return error != -ENOSYS;
}

static void check_topology(struct doctor *d)
{
    heist_topology *t;
    if (!has_hwloc()) {
        doctor_add(d, "topology", DOCTOR_NOTE,
                   HEIST_WITH_HWLOC ? "apt-get install libhwloc15"
                                    : "build Heist where libhwloc-dev is installed",
                   "%s: the policy numa takes all CPUs for equally near",
                   HEIST_WITH_HWLOC ? "libhwloc.so.15 is not installed"
                                    : "this Heist was built without hwloc");
    } else if (heist_topology_new(&t, NULL)) {
        doctor_add(d, "topology", DOCTOR_PROBLEM,
                   "see whether lstopo works; unset HWLOC_ variables",
                   "hwloc can't tell what this machine is like: pools with numa or a pin fail");
    } else {
        if (heist_topology_is_here(t))
            describe(d, t);
        else
            doctor_add(d, "topology", DOCTOR_NOTE, "unset HWLOC_XMLFILE and HWLOC_SYNTHETIC",
                       "hwloc shows another machine than this one: no thread is pinned");
        heist_topology_free(t);
    }
}

/* ---- Frequencies ---- */

static void check_governor(struct doctor *d)
{
    char path[96], line[64], other[64] = "";
    unsigned seen = 0, slow = 0;
    long configured = sysconf(_SC_NPROCESSORS_CONF);
    for (long cpu = 0; cpu < configured; cpu++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_governor", cpu);
        if (!doctor_read(d, path, line, sizeof line))
            continue;
        seen++;
        if (strcmp(line, "performance") != 0) {
            slow++;
            memcpy(other, line, sizeof other);
        }
    }
    if (!seen)
        doctor_add(d, "governor", DOCTOR_OK, NULL,
                   "no governor of frequencies shows here, as in virtual machines");
    else if (slow)
        doctor_add(
            d, "governor", DOCTOR_NOTE, "cpupower frequency-set -g performance, while measuring",
            "%s on %u of %u CPUs: measurements depend on what ran before", other, slow, seen);
    else
        doctor_add(d, "governor", DOCTOR_OK, NULL, "performance on all CPUs");
}

void doctor_check_cpus(struct doctor *d)
{
    const struct heist_budget_ b = heist_budget_read_(d->root);
    check_affinity(d, &b);
    check_quota(d, &b);
    check_workers(d, &b);
    check_topology(d);
    check_governor(d);
}
