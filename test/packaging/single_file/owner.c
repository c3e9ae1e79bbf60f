/* SPDX-License-Identifier: MIT */
/*
 * heist-queues.h in a program of two files, in C and in C++: every kind, by its own functions and
 * by its name. The owner's order is the same on both ways, and with two thieves each item is met
 * exactly once.
 */
#include "thief.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THIEVES = 2, FEW = 100, PATIENCE = 20 /* seconds until a thief must have got something */ };

struct kind {
    const char *name;
    size_t size;
    int (*init)(void *);
    void (*fini)(void *);
    bool (*put)(void *, void *);
    void *(*get)(void *);
};

#define FUNCTIONS(K)                                                                           \
    static int init_##K(void *q) { return heist_##K##_init((heist_##K *)q, NULL); }            \
    static void fini_##K(void *q) { heist_##K##_fini((heist_##K *)q); }                        \
    static bool put_##K(void *q, void *item) { return heist_##K##_put((heist_##K *)q, item); } \
    static void *get_##K(void *q) { return heist_##K##_get((heist_##K *)q); }
HEIST_QUEUE_KINDS(FUNCTIONS)

#define ROW(K) {#K, sizeof(heist_##K), init_##K, fini_##K, put_##K, get_##K},
static const struct kind kinds[] = {HEIST_QUEUE_KINDS(ROW)};

static heist_au32 seen[ITEMS];

static void fail(const char *kind, const char *what)
{
    fprintf(stderr, "%s: %s\n", kind, what);
    exit(1);
}

static void *open_queue(const struct kind *k)
{
    void *q = aligned_alloc(HEIST_LINE, (k->size + HEIST_LINE - 1) / HEIST_LINE * HEIST_LINE);
    if (!q || k->init(q))
        fail(k->name, "there is no queue");
    return q;
}

static void close_queue(const struct kind *k, void *q)
{
    k->fini(q);
    free(q);
}

static void check_order(const struct kind *k)
{
    void *q = open_queue(k);
    heist_queue *named;
    if (heist_queue_new(&named, k->name, NULL))
        fail(k->name, "there is no queue of that name");
    for (size_t i = 0; i < FEW; i++)
        if (!k->put(q, item_of(i)) || !heist_queue_put(named, item_of(i)))
            fail(k->name, "a put is refused");
    for (size_t i = 0; i < FEW; i++) {
        void *item = k->get(q);
        if (item != item_of(i) && item != item_of(FEW - 1 - i))
            fail(k->name, "neither the oldest item nor the newest");
        if (item != heist_queue_get(named))
            fail(k->name, "another order by its name");
    }
    if (k->get(q) || heist_queue_get(named))
        fail(k->name, "an item too many");
    heist_queue_free(named);
    close_queue(k, q);
}

/* Puts all items and gets what the thieves leave, keeping some for them. */
static void work(const struct kind *k, void *q)
{
    void *item;
    for (size_t i = 0; i < ITEMS; i++) {
        while (!k->put(q, item_of(i)))
            if ((item = k->get(q)))
                meet(seen, item);
        if (i % 3 == 0 && (item = k->get(q)))
            meet(seen, item);
    }
    while ((item = k->get(q)))
        meet(seen, item);
}

static uint64_t share(const struct kind *k, steal_function *steal)
{
    void *q = open_queue(k);
    pthread_t threads[THIEVES];
    struct haul hauls[THIEVES];
    uint64_t stolen = 0;
    memset(seen, 0, sizeof seen);
    memset(hauls, 0, sizeof hauls);
    for (int i = 0; i < THIEVES; i++) {
        hauls[i].queue = q;
        hauls[i].steal = steal;
        hauls[i].seen = seen;
        if (pthread_create(&threads[i], NULL, thief_main, &hauls[i]))
            fail(k->name, "there is no thread");
    }
    work(k, q);
    for (int i = 0; i < THIEVES; i++) {
        heist_store(&hauls[i].is_over, 1, __ATOMIC_RELEASE);
        pthread_join(threads[i], NULL);
        stolen += hauls[i].stolen;
    }
    /* What a thief of `bulk` gave back when the owner had found nothing is still there. */
    for (void *item; (item = k->get(q));)
        meet(seen, item);
    for (size_t i = 0; i < ITEMS; i++)
        if (heist_load(&seen[i], __ATOMIC_RELAXED) != 1)
            fail(k->name, "an item was lost or met twice");
    close_queue(k, q);
    return stolen;
}

int main(void)
{
    const size_t number = sizeof kinds / sizeof *kinds;
    for (size_t i = 0; i < number; i++) {
        time_t end = time(NULL) + PATIENCE;
        check_order(&kinds[i]);
        while (!share(&kinds[i], thief_steal[i]))
            if (time(NULL) > end)
                fail(kinds[i].name, "nothing was stolen");
    }
    printf("heist-queues.h %s: %zu kinds\n", HEIST_VERSION_STRING, number);
    return 0;
}
