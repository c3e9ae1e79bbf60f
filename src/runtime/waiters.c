/* SPDX-License-Identifier: MIT */
#include "waiters.h"

#include <stddef.h>

bool heist_waiters_is_on_(const struct waiter *me)
{
    return me->has_joined && heist_load(&me->place, __ATOMIC_RELAXED) == ON_LIST;
}

bool heist_waiters_join_(heist_aptr *list, struct waiter *me)
{
    if (heist_waiters_is_on_(me))
        return true;
    heist_waiters_leave_(me);
    void *first = heist_load(list, HEIST_WT_OVER);
    heist_store(&me->place, ON_LIST, __ATOMIC_RELAXED);
    do {
        if (first == WAITERS_OVER)
            return me->has_joined = false;
        me->next = (struct waiter *)first;
    } while (!heist_cas(list, &first, me, HEIST_WT_JOIN));
    return me->has_joined = true;
}

bool heist_waiters_over_(const heist_aptr *list)
{
    return heist_load(list, HEIST_WT_OVER) == WAITERS_OVER;
}

void heist_waiters_leave_(struct waiter *me)
{
    if (me->has_joined)
        heist_await(heist_load(&me->place, HEIST_WT_FREE) == LEFT);
}

void heist_waiters_wake_(heist_aptr *list, void *end)
{
    struct waiter *next, *w = (struct waiter *)heist_exchange(list, end, HEIST_WT_TAKE);
    for (; w; w = next) {
        next = w->next;
        heist_store(&w->place, TAKEN, __ATOMIC_RELAXED); /* before it wakes up, and looks */
        heist_park_wake_(w->parking, w->parker);
        heist_store(&w->place, LEFT, HEIST_WT_LEAVE);
    }
}
