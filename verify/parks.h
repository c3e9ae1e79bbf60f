/* SPDX-License-Identifier: MIT */
/*
 * Where idle workers sleep (src/runtime/park.h) as programs for the checker: one who makes work and
 * wakes, and sleepers each of whom needs some of it. A wake-up that is lost is a deadlock.
 */
#ifndef HEIST_VERIFY_PARKS_H
#define HEIST_VERIFY_PARKS_H

#include "../src/runtime/park.h"

#include "script.h"

enum { SLEEPERS = 2 };

static struct {
    struct parking parking;
    struct parker *parker[SLEEPERS];
} lot;
static struct parker parkers[SLEEPERS];
static struct parking *const parking = &lot.parking;
static heist_au32 work;
static uint32_t made, done[SLEEPERS];

static void script_setup(const struct client *client)
{
    check_name(&lot, sizeof lot, 4, "parking");
    check_name(parkers, sizeof parkers, 4, "parker");
    for (int i = 0; i < SLEEPERS; i++)
        if (!client->thief[i] || *client->thief[i] != 'A')
            heist_park_add_(parking, &parkers[i]);
    check_name(&work, sizeof work, 4, "work");
}

/* "W2": makes two pieces of work, and wakes one sleeper for each; "N1": wakes the first
   by name. */
static void script_owner(const struct client *client)
{
    for (const char *script = client->owner; *script;) {
        char what = *script++;
        for (int n = script_number(&script); n > 0; n--) {
            made++;
            heist_add(&work, 1, __ATOMIC_RELEASE);
            if (what == 'W')
                heist_park_wake_one_(parking, JOBS);
            else
                heist_park_wake_(parking, &parkers[0]);
        }
    }
}

static bool take(void)
{
    uint32_t n = heist_load(&work, __ATOMIC_RELAXED);
    while (n && !heist_cas(&work, &n, n - 1, __ATOMIC_ACQUIRE))
        continue;
    return n;
}

/* "T1": takes one piece, and sleeps until there is one; "S1": the same, to be woken by name only;
   "A1": the same as T1, its parker new. */
static void script_thief(const struct client *client, int who)
{
    const char *script = client->thief[who - 1] + 1;
    uint32_t state = script[-1] == 'S' ? WAITING : ASLEEP;
    struct parker *me = &parkers[who - 1];
    if (script[-1] == 'A')
        heist_park_add_(parking, me);
    for (int n = script_number(&script); n > 0; n--) {
        while (!take()) {
            heist_park_prepare_(parking, me, state);
            if (heist_load(&work, __ATOMIC_RELAXED))
                heist_park_cancel_(parking, me);
            else
                heist_park_sleep_(me);
        }
        done[who - 1]++;
        /* A worker that was woken twice has used up another's
           wake-up: so who leaves work wakes one. */
        if (heist_load(&work, __ATOMIC_RELAXED))
            heist_park_wake_one_(parking, JOBS);
    }
}

static void script_finish(void)
{
    check_assert(done[0] + done[1] == made);
    check_assert(!heist_load(&parking->sleepers, __ATOMIC_RELAXED));
}

static const struct client clients[] = {
    {.name = "one", .owner = "W1", .thief = {"T1"}},
    {.name = "added", .owner = "W1", .thief = {"A1"}},
    {.name = "twice", .owner = "W2", .thief = {"T2"}},
    {.name = "two", .owner = "W2", .thief = {"T1", "T1"}, .random = 20000},
    {.name = "by-name", .owner = "N2", .thief = {"S2"}},
    {.name = "either", .owner = "N1W1", .thief = {"T2"}},
    {.name = NULL},
};

#endif
