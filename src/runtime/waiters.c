/* SPDX-License-Identifier: MIT */
#include "waiters.h"

#include <stddef.h>

bool heist_waiters_is_on_(const struct waiter *me)
{
    return me->has_joined && !heist_load(&me->left, HEIST_WT_FREE);
}

bool heist_waiters_join_(heist_aptr *list, struct waiter *me)
{
    if (heist_waiters_is_on_(me))
        return true;
    void *first = heist_load(list, HEIST_WT_OVER);
    heist_store(&me->left, 0, __ATOMIC_RELAXED);
    do {
        if (first == WAITERS_OVER)
            return false;
        me->next = (struct waiter *)first;
    } while (!heist_cas(list, &first, me, HEIST_WT_JOIN));
    return me->has_joined = true;
}

bool heist_waiters_over_(const heist_aptr *list)
{
    return heist_load(list, HEIST_WT_OVER) == WAITERS_OVER;
}

void heist_waiters_leave_(struct waiter *me) { heist_await(!heist_waiters_is_on_(me)); }

void heist_waiters_wake_(heist_aptr *list, void *end)
{
    struct waiter *next, *w = (struct waiter *)heist_exchange(list, end, HEIST_WT_TAKE);
    for (; w; w = next) {
        next = w->next;
        heist_park_wake_(w->parking, w->parker);
        heist_store(&w->left, 1, HEIST_WT_LEAVE);
    }
}
