/* SPDX-License-Identifier: MIT */
/*
 * The slots of fork and join (heist/slots.h) as programs for the checker: an owner that follows a
 * script of forks, typed and plain, and joins; thieves that claim and run, or ask. Every task is
 * run exactly once, and its join sees what it did.
 */
#ifndef HEIST_VERIFY_FORKS_H
#define HEIST_VERIFY_FORKS_H

#include HEADER

#include "script.h"

enum { DEPTH = 4, TASKS = 16 };

static heist_slots slots;
static heist_slot stack[DEPTH + 1];
static heist_slot *head;
static int forked;
static int runs[TASKS]; /* not atomic: a join that does not see them is a race */

static int task_in(const heist_slot *slot) { return slot->data[0]; }

static void run_task(heist_slot *slot) { runs[task_in(slot)]++; }

/* A thief that grants holds the lock. Whether somebody had asked. */
static bool lock(void)
{
    uint32_t asked;
    while ((asked = heist_slots_lock_(&slots)) == 2)
        heist_await(heist_load(&slots.asked, __ATOMIC_RELAXED) != 2);
    return asked;
}

static void run_typed(struct heist_worker *w, heist_slot *next, heist_slot *self)
{
    (void)w, (void)next, (void)self; /* only its address is needed */
}

static void fork_one(bool is_plain)
{
    heist_slot *slot = head++;
    slot->data[0] = (unsigned char)forked++;
    if (is_plain)
        heist_store(&slots.head, (uintptr_t)slot, HEIST_SL_HEAD); /* as HEIST_WORKER() does */
    if (is_plain ? heist_slots_fork_plain_(&slots, slot, (uintptr_t)run_typed)
                 : heist_slots_fork_(&slots, slot, run_typed, false)) {
        if (lock())
            heist_slots_answer_(&slots, slot + 1);
        heist_slots_unlock_(&slots);
    }
}

static bool join_fast(heist_slot *slot)
{
    if (heist_load(&slot->run, __ATOMIC_RELAXED) & HEIST_SLOT_PLAIN)
        return heist_slots_join_plain_(&slots, slot);
    return heist_slots_join_(&slots, slot, run_typed);
}

static bool take(heist_slot *slot)
{
    bool asked = lock();
    size_t exposed = asked && slot > slots.floor ? heist_slots_answer_(&slots, slot) : 0;
    bool ours = heist_slots_take_(&slots, slot);
    asked && !exposed ? heist_slots_unlock_asked_(&slots) : heist_slots_unlock_(&slots);
    return ours;
}

static void join_one(void)
{
    heist_slot *slot = --head;
    if (join_fast(slot) || take(slot)) {
        run_task(slot);
    } else {
        heist_await(heist_slots_is_done_(slot));
        bool asked = lock();
        heist_slots_set_floor_(&slots, slot);
        asked ? heist_slots_unlock_asked_(&slots) : heist_slots_unlock_(&slots);
    }
    check_assert(runs[task_in(slot)] == 1);
}

static void script_setup(const struct client *client)
{
    (void)client;
    check_name(&slots, sizeof slots, 0, "slots");
    check_name(stack, sizeof stack, sizeof *stack, "slot");
    memset(stack, 0, sizeof stack);
    heist_slots_init_(&slots, head = stack, DEPTH);
}

/* "F2P1J1": two typed forks, a plain one, a join. */
static void script_owner(const struct client *client)
{
    for (const char *script = client->owner; *script;) {
        char what = *script++;
        for (int n = script_number(&script); n > 0; n--)
            what == 'J' ? join_one() : fork_one(what == 'P');
    }
    check_assert(head == stack);
}

/* "C2": two attempts to claim something; "G1": makes something public in the owner's place. */
static void script_thief(const struct client *client, int who)
{
    for (const char *script = client->thief[who - 1]; *script;) {
        char what = *script++;
        for (int n = script_number(&script); n > 0; n--) {
            bool lost = false;
            heist_slot *slot = what == 'C' ? heist_slots_claim_(&slots, &lost) : NULL;
            if (slot) {
                heist_slots_mark_(slot, (unsigned)who);
                run_task(slot);
                heist_slots_finish_(slot, true);
            } else if (what == 'G') {
                heist_slots_grant_(&slots);
            } else if (!lost) {
                heist_slots_ask_(&slots);
            }
        }
    }
}

/* A request that the owner will not see any more: it would be the last one. */
static bool request_forgotten(void)
{
    return heist_load(&slots.asked, __ATOMIC_RELAXED) &&
           heist_load(&slots.limit, __ATOMIC_RELAXED) != 0;
}

static void script_finish(void)
{
    for (int i = 0; i < forked; i++)
        check_assert(runs[i] == 1);
    check_assert(!request_forgotten());
}

static const struct client clients[] = {
    {.name = "one", .owner = "F1J1F1J1", .thief = {"C2"}},
    {.name = "two", .owner = "F2J2", .thief = {"C1", "C2"}},
    {.name = "again", .owner = "F2J1F1J2", .thief = {"C2"}},
    {.name = "again-two", .owner = "F2J1F1J2", .thief = {"C2", "C1"}, .full = true},
    {.name = "grant", .owner = "F1J1F1J1", .thief = {"C1G1C1"}},
    {.name = "grants", .owner = "F2J2", .thief = {"C1G1C1"}},
    {.name = "granted", .owner = "F1J1", .thief = {"C1G1", "C1"}},
    {.name = "plain", .owner = "P1J1P1J1", .thief = {"C1G1C1"}},
    {.name = "plain-grants", .owner = "P2J2", .thief = {"C1G1C1"}},
    {.name = "mixed", .owner = "F1P1J2F1J1", .thief = {"C1G1C1"}},
    {.name = "mixed-again", .owner = "P1F1J2P1J1", .thief = {"C1G1C1"}},
    {.name = "reuse", .owner = "F2J2F1J1", .thief = {"C2", "C1"}, .full = true},
    {.name = "deep", .owner = "F3J1F1J3", .thief = {"C3"}, .full = true},
    {.name = "regrant", .owner = "F2J1F1J2", .thief = {"C1G1C1"}, .full = true},
    {.name = "large", .owner = "F3J2F3J2F1J3", .thief = {"C3", "C1G1C2", "C3"}, .random = 20000},
    {.name = NULL},
};

#endif
