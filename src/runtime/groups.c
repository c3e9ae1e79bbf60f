/* SPDX-License-Identifier: MIT */
#include "groups.h"

#define ENDING ((uint64_t)1 << 32) /* one in the upper half of pending */

/* The jobs of a group that have not ended. */
static uint32_t jobs_in(uint64_t pending) { return (uint32_t)pending; }

void heist_group_begin_(heist_group *group, uint64_t number)
{
    heist_add(&group->pending, number, __ATOMIC_RELAXED);
}

/* The last one wakes those who wait, and must be done with that
   before they may forget the group. */
void heist_group_end_(heist_group *group, int error)
{
    uint32_t none = 0;
    if (error && !heist_load(&group->failed, __ATOMIC_RELAXED))
        heist_cas(&group->failed, &none, (uint32_t)-error, __ATOMIC_RELAXED);
    uint64_t pending = heist_load(&group->pending, __ATOMIC_RELAXED);
    bool is_last;
    do
        is_last = jobs_in(pending) == 1;
    while (
        !heist_cas(&group->pending, &pending, pending - 1 + (is_last ? ENDING : 0), HEIST_GR_END));
    if (!is_last)
        return;
    heist_waiters_wake_(&group->waiters, NULL);
    heist_add(&group->pending, -ENDING, HEIST_GR_DONE);
}

bool heist_group_is_over_(const heist_group *group)
{
    return !heist_load(&group->pending, HEIST_GR_OVER);
}

/* A group can be waited for again: whoever joins the list too late
   for the last job wakes all itself. */
bool heist_group_will_wake_(heist_group *group, struct waiter *me)
{
    if (!heist_waiters_join_(&group->waiters, me))
        return false;
    heist_fence(HEIST_GR_LATE);
    if (jobs_in(heist_load(&group->pending, __ATOMIC_RELAXED)))
        return true;
    heist_waiters_wake_(&group->waiters, NULL);
    return false;
}

void heist_group_leave_(heist_group *group, struct waiter *me)
{
    if (heist_waiters_is_on_(me))
        heist_waiters_wake_(&group->waiters, NULL);
    heist_waiters_leave_(me);
}

bool heist_batch_end_(heist_au64 *left) { return heist_add(left, -1, HEIST_GR_BATCH) == 1; }
