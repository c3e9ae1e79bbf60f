/* SPDX-License-Identifier: MIT */
#include "counters.h"

#include <errno.h>
#include <string.h>

#if HEIST_COUNT
void heist_counters_take_atomics_(struct heist_counters_ *c)
{
    static __thread heist_counts taken;
    heist_count_by_(c, fences, heist_counts_.fences - taken.fences);
    heist_count_by_(c, cas, heist_counts_.cas + heist_counts_.rmw - taken.cas - taken.rmw);
    taken = heist_counts_;
}
#endif

heist_stats heist_counters_read_(const struct heist_counters_ *c)
{
#define READ(name, text) .name = heist_load(&c->name, __ATOMIC_RELAXED),
    return (heist_stats){HEIST_STATS_FIELDS(READ)};
#undef READ
}

void heist_stats_add_(heist_stats *sum, const heist_stats *more)
{
#define ADD(name, text) sum->name += more->name;
    HEIST_STATS_FIELDS(ADD)
#undef ADD
}

/* To the caller's struct number `i`, which may have more or fewer fields than ours. */
static void give(void *to, unsigned i, size_t size, const heist_stats *from)
{
    size_t common = size < sizeof *from ? size : sizeof *from;
    char *place = (char *)to + i * size;
    memcpy(place, from, common);
    memset(place + common, 0, size - common);
}

int heist_stats_collect_(heist_stats_of_worker_ *of, const void *pool, unsigned workers,
                         heist_stats *sum, heist_stats *each, unsigned number, size_t size)
{
    if ((!sum && !each) || !each != !number || !size || size % sizeof(uint64_t))
        return -EINVAL;
    heist_stats all = {0};
    const heist_stats none = {0};
    for (unsigned i = 0; i < workers; i++) {
        heist_stats one = of(pool, i);
        heist_stats_add_(&all, &one);
        if (i < number)
            give(each, i, size, &one);
    }
    for (unsigned i = workers; i < number; i++)
        give(each, i, size, &none);
    if (sum)
        give(sum, 0, size, &all);
    return 0;
}
