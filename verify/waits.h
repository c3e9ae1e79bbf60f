/* SPDX-License-Identifier: MIT */
/*
 * Threads that wait for one thing (src/runtime/waiters.h) as programs for the checker: one who does
 * it, and waiters, each with its node and its parker. Who waits sees what was done; nobody sleeps
 * for ever; no node is touched after its waiter has left.
 */
#ifndef HEIST_VERIFY_WAITS_H
#define HEIST_VERIFY_WAITS_H

#include "../src/runtime/waiters.h"

#include "script.h"

enum { WAITERS = 2 };

static heist_aptr list;
static int result; /* not atomic: a waiter that does not see it is a race */

static void script_setup(const struct client *client)
{
    (void)client;
    check_name(&list, sizeof list, 8, "list");
}

/* "D1": does it. */
static void script_owner(const struct client *client)
{
    (void)client;
    result = 1;
    heist_waiters_wake_(&list, WAITERS_OVER);
}

struct sleeper {
    struct waiter node;
    struct parker parker;
};

/* "W1": waits, its node in memory that is freed afterwards. */
static void script_thief(const struct client *client, int who)
{
    struct sleeper *me = check_alloc(NULL, sizeof *me, _Alignof(struct sleeper));
    (void)client, (void)who;
    me->node = (struct waiter){.parker = &me->parker};
    while (!heist_waiters_over_(&list)) {
        heist_park_prepare_(NULL, &me->parker, WAITING);
        if (heist_waiters_join_(&list, &me->node) &&
            !heist_waiters_over_(&list)) /* who was woken may not see yet what for */
            heist_park_sleep_(&me->parker);
        else
            heist_park_cancel_(NULL, &me->parker);
    }
    check_assert(result == 1);
    heist_waiters_leave_(&me->node);
    check_free(NULL, me, sizeof *me);
}

static void script_finish(void) { check_assert(heist_waiters_over_(&list)); }

static const struct client clients[] = {
    {.name = "one", .owner = "D1", .thief = {"W1"}},
    {.name = "two", .owner = "D1", .thief = {"W1", "W1"}},
    {.name = NULL},
};

#endif
