/* SPDX-License-Identifier: MIT */
/*
 * locks-KIND [--race]: for helgrind, which knows locks and not the orders of atomics. So here
 * threads meet in the queue, at pthread_create and at pthread_join, and nowhere else: what helgrind
 * reports is a lock that the queue does not take. With --race the owner touches items that it has
 * put, and helgrind must say so.
 */
#define _GNU_SOURCE
#include "../kind.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { THIEVES = 3, ITEMS = 3000, CAPACITY = 16 /* to begin with */ };

struct item {
    size_t number;
};

struct taker {
    bool has[ITEMS];
    size_t n;
    pthread_t thread;
};

static queue q;
static struct item items[ITEMS], the_end;
static struct taker takers[THIEVES + 1]; /* the last is the owner */

static void fail(const char *what)
{
    fprintf(stderr, "locks: " KIND_NAME ": %s\n", what);
    exit(1);
}

static void take(struct taker *t, const struct item *item)
{
    if (item->number >= ITEMS || item != &items[item->number])
        fail("an item is not what was put");
    if (t->has[item->number])
        fail("an item came twice");
    t->has[item->number] = true;
    t->n++;
}

static void *thief(void *self)
{
    void *got = NULL;
    for (;;) {
        if (Q(steal)(&q, &got) != HEIST_STEAL_OK)
            sched_yield();
        else if (got == &the_end)
            return NULL;
        else
            take(self, got);
    }
}

static void put(struct item *item)
{
    if (!Q(put)(&q, item))
        fail("it is full, and should have grown");
}

static void work(struct taker *owner, bool race)
{
    for (size_t i = 0; i < ITEMS; i++) {
        items[i].number = i;
        put(&items[i]);
        if (race)
            items[i].number = i;
        if (i % 8 == 0)
            sched_yield();
        void *got = i % 4 ? NULL : Q(get)(&q);
        if (got)
            take(owner, got);
    }
    /* Thieves take the oldest: each finds an end only when no item is left. */
    for (int i = 0; i < THIEVES; i++)
        put(&the_end);
}

int main(int argc, char **argv)
{
    bool race = argc == 2 && strcmp(argv[1], "--race") == 0;
    if (argc > 1 && !race) {
        fprintf(stderr, "%s: argument '%s': only --race is known\n", argv[0], argv[1]);
        return 2;
    }
    heist_queue_opts opts = {.capacity = CAPACITY, .bound = HEIST_BOUND_GROWS};
    if (Q(init)(&q, &opts))
        fail("init failed");
    for (int i = 0; i < THIEVES; i++)
        if (pthread_create(&takers[i].thread, NULL, thief, &takers[i]))
            fail("cannot make a thread");
    work(&takers[THIEVES], race);
    size_t n = takers[THIEVES].n;
    for (int i = 0; i < THIEVES; i++) {
        pthread_join(takers[i].thread, NULL);
        n += takers[i].n;
    }
    for (size_t i = 0; i < ITEMS; i++) {
        int times = 0;
        for (int t = 0; t <= THIEVES; t++)
            times += takers[t].has[i];
        if (times != 1)
            fail("an item was not taken exactly once");
    }
    if (takers[THIEVES].n == 0 || takers[THIEVES].n == n)
        fail("only one side took items: this proves nothing");
    Q(fini)(&q);
    printf("%s: %zu items, %zu to the owner\n", KIND_NAME, n, takers[THIEVES].n);
    return 0;
}
