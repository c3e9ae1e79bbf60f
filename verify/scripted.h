/* SPDX-License-Identifier: MIT */
/*
 * What every queue must do, as a program for a model checker: an owner that follows a script of
 * puts and gets, thieves that steal, and at the end every item was taken exactly once, with what
 * was written before it was put. The clients of a kind are in clients.h.
 *
 * KIND and HEADER name the queue. Who includes this has what is in checker.h and history.h, or
 * counterparts for another tool, and calls, all with the same client: script_setup; then at the
 * same time script_owner and script_thief for each thief; and when all have ended script_finish.
 * Nothing of the C library is needed.
 */
#ifndef HEIST_VERIFY_SCRIPTED_H
#define HEIST_VERIFY_SCRIPTED_H

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define QUEUE JOIN(heist_, KIND)
#define OP(verb) JOIN(JOIN(heist_, KIND), _##verb)

#include HEADER

#include "clients.h"
#include "script.h"

enum { ITEMS = 32, MANY = 4 };

static QUEUE queue;
static int payload[ITEMS]; /* not atomic: a missing publication is a race */
static int items;          /* put so far */
static uint64_t accepted, taken[CHECK_THREADS];
static bool recorded; /* as a history */

/* As the owner, or as HISTORY_MAIN: before and after all threads. */
static void put(int as)
{
    int *item = &payload[items];
    *item = items;
    if (recorded)
        history_begin(as, HISTORY_PUT, items);
    bool ok = OP(put)(&queue, item);
    if (recorded)
        history_end(as, ok);
    if (ok)
        accepted |= (uint64_t)1 << items;
    items++;
}

static size_t number_of_item(const void *item)
{
    size_t i = (size_t)((const int *)item - payload);
    check_assert(i < ITEMS);
    return i;
}

static void take(int who, void *item)
{
    size_t i = number_of_item(item);
    check_assert(payload[i] == (int)i);
    check_assert(!(taken[who] >> i & 1));
    taken[who] |= (uint64_t)1 << i;
}

static bool get(int as)
{
    if (recorded)
        history_begin(as, HISTORY_GET, 0);
    void *item = OP(get)(&queue);
    if (recorded)
        history_end(as, item ? (int)number_of_item(item) : HISTORY_NONE);
    if (item)
        take(0, item);
    return item;
}

/* Where thieves ask: a request as a thief would make it; the owner gives without one. */
#if defined(HEIST_BWOS_H)
static void ask(void) { OP(ask)(&queue); }
static void grant(void) { OP(grant)(&queue); }
#elif defined(HEIST_SPLIT_H) || defined(HEIST_DEFAULT_H)
static void ask(void) { OP(ask_)(&queue); }
static void grant(void) {}
#else
static void ask(void) {}
static void grant(void) {}
#endif

/* A steal by one who makes no request. */
#if defined(HEIST_SPLIT_H) || defined(HEIST_DEFAULT_H)

static size_t claim(void **got)
{
    size_t n;
    return OP(claim_)(&queue, got, 1, &n) == HEIST_STEAL_OK;
}
#elif defined(HEIST_BWOS_FIFO_H)
/* From the block that was sampled: not the first. */
static size_t claim(void **got)
{
    return OP(sample)(&queue, 1) ? OP(steal_many_from)(&queue, 1, got, MANY) : 0;
}
#else
static size_t claim(void **got) { return OP(steal)(&queue, got) == HEIST_STEAL_OK; }
#endif

/* "P3G2A1E1": three puts, two gets, a request, an early grant. */
static void follow(int as, const char *script)
{
    while (*script) {
        char what = *script++;
        int n = script_number(&script);
        while (n-- > 0)
            switch (what) {
            case 'P':
                put(as);
                break;
            case 'G':
                get(as);
                break;
            case 'E':
                grant();
                break;
            default:
                ask();
            }
    }
}

static void script_setup(const struct client *client)
{
    static const heist_memory memory = {check_alloc, check_free, NULL};
    heist_queue_opts opts = client->opts;
    check_name(&queue, sizeof queue, 0, SCRIPT_TEXT(KIND));
    check_name(payload, sizeof payload, sizeof *payload, "item");
    opts.size = sizeof opts;
    opts.memory = &memory;
    check_assert(OP(init)(&queue, &opts) == 0);
    recorded = client->history;
    if (recorded)
        check_assert(history_start(SCRIPT_TEXT(KIND), &opts));
    follow(HISTORY_MAIN, client->before ? client->before : "");
}

static void script_owner(const struct client *client) { follow(0, client->owner); }

static size_t steal_one(int who, void **got)
{
    if (recorded)
        history_begin(who, HISTORY_STEAL, 0);
    enum heist_steal result = OP(steal)(&queue, got);
    if (recorded)
        history_end(who, result == HEIST_STEAL_OK      ? (int)number_of_item(*got)
                         : result == HEIST_STEAL_EMPTY ? HISTORY_NONE
                                                       : HISTORY_BUSY);
    return result == HEIST_STEAL_OK;
}

static size_t steal_many(int who, void **got)
{
    if (recorded)
        history_begin(who, HISTORY_STEAL_MANY, MANY);
    size_t n = OP(steal_many)(&queue, got, MANY);
    if (recorded) {
        int numbers[MANY];
        for (size_t i = 0; i < n; i++)
            numbers[i] = (int)number_of_item(got[i]);
        history_end_many(who, numbers, (int)n);
    }
    return n;
}

/* "S1M2C1": one steal, two of many at once, one without a request. */
static void script_thief(const struct client *client, int who)
{
    for (const char *script = client->thief[who - 1]; *script;) {
        char what = *script++;
        int n = script_number(&script);
        for (void *got[MANY]; n-- > 0;) {
            size_t m = what == 'M'   ? steal_many(who, got)
                       : what == 'S' ? steal_one(who, got)
                                     : claim(got);
            for (size_t i = 0; i < m; i++) {
                check_used(got[i]);
                take(who, got[i]);
            }
        }
    }
}

/* A request of a thief that nobody will see any more: it would be the last one. */
static bool request_forgotten(void)
{
#ifdef HEIST_SPLIT_H
    return heist_load(&queue.asked, __ATOMIC_RELAXED) && !queue.signal &&
           heist_load(&queue.limit, __ATOMIC_RELAXED) != 0 &&
           heist_load(&queue.floor, __ATOMIC_RELAXED) != UINTPTR_MAX;
#elif defined(HEIST_DEFAULT_H)
    return heist_load(&queue.asked, __ATOMIC_RELAXED) &&
           heist_load(&queue.limit, __ATOMIC_RELAXED) != 0 &&
           heist_load(&queue.base, __ATOMIC_RELAXED) != UINTPTR_MAX;
#else
    return false;
#endif
}

static void script_finish(void)
{
    while (get(HISTORY_MAIN))
        continue;
    const char *wrong = recorded ? history_check() : NULL;
    if (wrong)
        check_fail(wrong, __FILE__, __LINE__);
    uint64_t all = 0;
    for (int i = 0; i < CHECK_THREADS; i++) {
        check_assert(!(all & taken[i])); /* nothing twice */
        all |= taken[i];
    }
    check_assert(all == accepted); /* nothing lost */
    check_assert(OP(size)(&queue) == 0);
    check_assert(!request_forgotten());
    OP(fini)(&queue);
}

#endif
