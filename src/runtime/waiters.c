/* SPDX-License-Identifier: MIT */
#include "waiters.h"

#include <stddef.h>

bool heist_waiters_join_(heist_aptr *list, struct waiter *me)
{
    void *first = heist_load(list, HEIST_WT_OVER);
    heist_store(&me->place, NODE_LISTED, __ATOMIC_RELAXED);
    do {
        if (first == WAITERS_OVER)
            return false;
        me->next = (struct waiter *)first;
    } while (!heist_cas(list, &first, me, HEIST_WT_JOIN));
    return true;
}

bool heist_waiters_over_(const heist_aptr *list)
{
    return heist_load(list, HEIST_WT_OVER) == WAITERS_OVER;
}

void heist_waiters_leave_(struct waiter *me)
{
    heist_await(heist_load(&me->place, HEIST_WT_FREE) == NODE_LEFT);
}

/* Either we see that it was taken, or the waker sees that we are about to sleep: see park.h. */
bool heist_waiters_is_listed_(struct waiter *me)
{
    if (heist_load(&me->place, __ATOMIC_RELAXED) == NODE_LISTED)
        return true;
    heist_waiters_leave_(me);
    return false;
}

void heist_waiters_wake_(heist_aptr *list, void *end)
{
    struct waiter *next, *w = (struct waiter *)heist_exchange(list, end, HEIST_WT_TAKE);
    for (; w; w = next) {
        next = w->next;
        heist_store(&w->place, NODE_TAKEN, __ATOMIC_RELAXED);
        heist_park_wake_(w->parking, w->parker);
        heist_store(&w->place, NODE_LEFT, HEIST_WT_LEAVE);
    }
}
