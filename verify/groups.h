/* SPDX-License-Identifier: MIT */
/*
 * Groups of jobs (src/runtime/groups.h) as programs for the checker: threads that begin and end
 * jobs, and threads that wait for the group, each with its node and its parker. Who waits sees what
 * the jobs did; nobody sleeps for ever; the group, freed by the last who waits for it, is not used
 * after that.
 */
#ifndef HEIST_VERIFY_GROUPS_H
#define HEIST_VERIFY_GROUPS_H

#include "../src/runtime/groups.h"

#include "script.h"

enum { THREADS = 4 };

static heist_group *group;
static struct {
    heist_au64 left;
    int job; /* not atomic: each that ends a job uses it */
} * batch;
static const char *scripts[THREADS];
static int done[THREADS];  /* jobs; not atomic: a waiter that does not see them is a race */
static heist_au32 waiting; /* threads that have not waited yet */

static int times(const char *script, char what)
{
    int n = 0;
    for (; script && *script; script++)
        n += *script == what;
    return n;
}

/* Of the jobs that a thread ends, those that have begun before all threads do. */
static int begun(int who) { return times(scripts[who], 'E') - times(scripts[who], 'B'); }

/* A thread's node and its parker. */
static struct sleeper {
    struct waiter node;
    struct parker parker;
} * sleepers[THREADS];

static void make_sleeper(int who)
{
    struct sleeper *me = check_alloc(NULL, sizeof *me, _Alignof(struct sleeper));
    me->node = (struct waiter){.parker = &me->parker};
    sleepers[who] = me;
}

static bool may_sleep(struct sleeper *me)
{
    heist_park_prepare_(NULL, &me->parker, WAITING);
    return heist_group_will_wake_(group, &me->node) && !heist_group_is_over_(group);
}

static void wait_for_group(int who, bool is_asleep)
{
    struct sleeper *me = sleepers[who];
    while (is_asleep || !heist_group_is_over_(group)) {
        if (is_asleep || may_sleep(me)) {
            heist_park_sleep_(&me->parker);
        } else {
            heist_park_cancel_(NULL, &me->parker);
            /* The runtime looks again and again, until the last job's
               worker is done or more begin. */
            heist_await(heist_group_is_over_(group) ||
                        (uint32_t)heist_load(&group->pending, __ATOMIC_RELAXED));
        }
        is_asleep = false;
    }
    heist_group_leave_(group, &me->node);
    check_free(NULL, me, sizeof *me);
}

/* Whether all jobs of a thread come before the end of a wait: those that begin after it has ended
   all that had begun may come later. */
static bool is_waited_for(int who)
{
    const char *end = scripts[who] ? strchr(scripts[who], 'E') : NULL;
    return end && begun(who) && !strchr(end, 'B');
}

static void check_jobs(void)
{
    for (int i = 0; i < THREADS; i++)
        check_assert(!is_waited_for(i) || done[i] == times(scripts[i], 'E'));
}

static void script_setup(const struct client *client)
{
    group = check_alloc(NULL, sizeof *group, _Alignof(heist_group));
    *group = (heist_group){.pool = NULL};
    batch = memset(check_alloc(NULL, sizeof *batch, 8), 0, sizeof *batch);
    check_name(group, sizeof *group, 0, "group");
    scripts[0] = client->owner;
    for (int i = 1; i < THREADS; i++)
        scripts[i] = client->thief[i - 1];
    for (int i = 0; i < THREADS; i++) {
        heist_group_begin_(group, (uint64_t)begun(i));
        heist_add(&batch->left, (uint64_t)times(scripts[i], 'R'), __ATOMIC_RELAXED);
        heist_add(&waiting, (uint32_t)times(scripts[i], 'F'), __ATOMIC_RELAXED);
    }
    for (int i = 0; i < THREADS; i++)
        if (times(scripts[i], 'S')) {
            make_sleeper(i);
            check_assert(may_sleep(sleepers[i]));
        }
}

/* "R": a job of a batch ends; "E": a job ends, "B": another begins; "W": waits; "S": the same, from
   when it was asleep; "F": waits, and the last one who does frees the group. */
static void play(int who)
{
    for (const char *what = scripts[who]; *what; what++) {
        if (*what == 'B') {
            heist_group_begin_(group, 1);
        } else if (*what == 'E') {
            if (is_waited_for(who))
                done[who]++;
            heist_group_end_(group, 0);
        } else if (*what == 'R') {
            check_assert(!batch->job);
            if (heist_batch_end_(&batch->left))
                check_free(NULL, batch, sizeof *batch);
        } else if (*what == 'S') {
            wait_for_group(who, true);
            check_jobs();
        } else {
            make_sleeper(who);
            wait_for_group(who, false);
            check_jobs();
            if (*what == 'F' && heist_add(&waiting, -1u, __ATOMIC_ACQ_REL) == 1)
                check_free(NULL, group, sizeof *group);
        }
    }
}

static void script_owner(const struct client *client)
{
    (void)client;
    play(0);
}

static void script_thief(const struct client *client, int who)
{
    (void)client;
    play(who);
}

static void script_finish(void)
{
    for (int i = 0; i < THREADS; i++)
        if (times(scripts[i], 'F'))
            return;
    check_assert(heist_group_is_over_(group));
}

static const struct client clients[] = {
    {.name = "batch", .owner = "R", .thief = {"R"}},
    {.name = "one", .owner = "E", .thief = {"F"}},
    {.name = "jobs", .owner = "E", .thief = {"E", "F"}},
    {.name = "waiters", .owner = "E", .thief = {"F", "F"}, .random = 20000},
    {.name = "inside", .owner = "BEE", .thief = {"F"}},
    {.name = "again", .owner = "E", .thief = {"WBEF"}},
    {.name = "more", .owner = "EBE", .thief = {"W"}},
    {.name = "outside", .owner = "E", .thief = {"BE", "S"}},
    {.name = "asleep", .owner = "E", .thief = {"S", "S"}, .full = true},
    {.name = "outside-awake", .owner = "E", .thief = {"BE", "W"}, .random = 20000},
    {.name = "again-two", .owner = "E", .thief = {"WBEW", "W"}, .random = 20000},
    {.name = NULL},
};

#endif
