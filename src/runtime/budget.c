/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "budget.h"

#include <limits.h>
#include <unistd.h>

#include "../policy/affinity.h"
#include "cgroups.h"

/* ---- Affinity ---- */

static unsigned read_affinity(void)
{
    struct heist_affinity_ may;
    int count = heist_affinity_read_(&may) ? CPU_COUNT_S(may.bytes, may.set) : 0;
    heist_affinity_free_(&may);
    if (count > 0)
        return (unsigned)count;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

/* ---- The quota that one cgroup states ---- */

static unsigned limit_of(uint64_t quota, uint64_t period)
{
    if (!period)
        return 0;
    uint64_t cpus = quota / period + (quota % period != 0);
    return cpus > UINT_MAX ? UINT_MAX : (unsigned)cpus;
}

/* "max 100000" or "150000 100000" */
static unsigned limit_v2(const char *directory)
{
    char line[HEIST_CGROUP_LINE_];
    const char *text = line;
    uint64_t quota, period;
    return heist_cgroup_line_(directory, "cpu.max", line) &&
                   heist_cgroup_number_(&text, ' ', &quota) &&
                   heist_cgroup_number_(&text, '\0', &period)
               ? limit_of(quota, period)
               : 0;
}

/* A quota of -1 is none. */
static unsigned limit_v1(const char *directory)
{
    uint64_t quota, period;
    return heist_cgroup_read_(directory, "cpu.cfs_quota_us", &quota) &&
                   heist_cgroup_read_(directory, "cpu.cfs_period_us", &period)
               ? limit_of(quota, period)
               : 0;
}

struct heist_budget_ heist_budget_read_(const char *root)
{
    static const struct heist_cgroup_limits_ quotas = {"cpu", limit_v1, limit_v2};
    struct heist_budget_ b = {.affinity = read_affinity(),
                              .quota = heist_cgroup_least_(root, &quotas)};
    b.workers = heist_cgroup_lesser_(b.affinity, b.quota);
    return b;
}
