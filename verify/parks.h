/* SPDX-License-Identifier: MIT */
/*
 * Where idle workers sleep (src/runtime/park.h) as programs for the checker: one who makes work and
 * wakes, and sleepers each of whom needs some of it. A wake-up that is lost is a deadlock.
 */
#ifndef HEIST_VERIFY_PARKS_H
#define HEIST_VERIFY_PARKS_H

#include "../src/runtime/park.h"

#include "script.h"

static struct parking parking;
static heist_au32 work;
static uint32_t made, done[3];

static void script_setup(const struct client *client)
{
    (void)client;
    check_name(&parking, sizeof parking, 4, "parking");
    check_name(&work, sizeof work, 4, "work");
}

/* "W2": makes two pieces of work, and wakes one sleeper for each; "A1": wakes all. */
static void script_owner(const struct client *client)
{
    for (const char *script = client->owner; *script;) {
        char what = *script++;
        for (int n = script_number(&script); n > 0; n--) {
            made++;
            heist_add(&work, 1, __ATOMIC_RELEASE);
            what == 'W' ? heist_park_wake_one_(&parking) : heist_park_wake_all_(&parking);
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

/* "T1": takes one piece, and sleeps until there is one. */
static void script_thief(const struct client *client, int who)
{
    const char *script = client->thief[who - 1] + 1;
    for (int n = script_number(&script); n > 0; n--) {
        while (!take()) {
            uint32_t epoch = heist_park_prepare_(&parking);
            if (heist_load(&work, __ATOMIC_RELAXED))
                heist_park_cancel_(&parking);
            else
                heist_park_sleep_(&parking, epoch);
        }
        done[who - 1]++;
    }
}

static void script_finish(void)
{
    check_assert(done[0] + done[1] + done[2] == made);
    check_assert(!heist_load(&parking.sleepers, __ATOMIC_RELAXED));
}

static const struct client clients[] = {
    {.name = "one", .owner = "W1", .thief = {"T1"}},
    {.name = "all", .owner = "A1", .thief = {"T1"}},
    {.name = "twice", .owner = "W2", .thief = {"T2"}},
    {.name = "two", .owner = "W2", .thief = {"T1", "T1"}},
    {.name = NULL},
};

#endif
