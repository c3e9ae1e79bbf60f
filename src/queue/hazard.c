/* SPDX-License-Identifier: MIT */
/*
 * Hazard slots: one per thread, in a list that only grows; a thread that ends leaves its slot to
 * the next one. There are as many as there were threads stealing at the same time.
 */
#include "hazard.h"

#include <heist/hazard.h>

#include <pthread.h>
#include <stdlib.h>

struct slot {
    heist_aptr named;
    heist_au32 taken;
    struct slot *next;
} HEIST_ALIGNED;

static heist_aptr all; /* of struct slot; a new one is published by a release */
HEIST_THREAD_POINTER(mine)
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key;

static void give_back(void *slot)
{
    *mine() = NULL;
    heist_store(&((struct slot *)slot)->taken, 0, HEIST_HZ_GIVE);
}

static void make_key(void) { have_key = !pthread_key_create(&key, give_back); }

static struct slot *first(void) { return heist_load(&all, HEIST_HZ_LIST); }

static struct slot *take_free(void)
{
    for (struct slot *s = first(); s; s = s->next) {
        uint32_t no = 0;
        if (heist_load(&s->taken, __ATOMIC_RELAXED))
            continue;
        HEIST_WINDOW("slot");
        if (heist_cas(&s->taken, &no, 1, HEIST_HZ_TAKE))
            return s;
    }
    return NULL;
}

static struct slot *make(void)
{
    void *memory;
    if (posix_memalign(&memory, HEIST_LINE, sizeof(struct slot)))
        return NULL;
    struct slot *s = memory;
    heist_store(&s->named, NULL, __ATOMIC_RELAXED);
    heist_store(&s->taken, 1, __ATOMIC_RELAXED);
    void *next = first();
    HEIST_WINDOW("slot-new");
    do
        s->next = next;
    while (!heist_cas(&all, &next, (void *)s, HEIST_HZ_ENLIST));
    return s;
}

static HEIST_COLD heist_aptr *enroll(void)
{
    pthread_once(&once, make_key);
    if (!have_key)
        return NULL;
    struct slot *s = take_free();
    if (!s)
        s = make();
    if (!s)
        return NULL;
    if (pthread_setspecific(key, s)) {
        give_back(s);
        return NULL;
    }
    *mine() = s;
    return &s->named;
}

heist_aptr *heist_hazard_(void)
{
    struct slot *s = *mine();
    return HEIST_LIKELY(s) ? &s->named : enroll();
}

bool heist_hazard_names_(const void *memory)
{
    for (struct slot *s = first(); s; s = s->next) {
        if (heist_load(&s->named, HEIST_HZ_SCAN) == memory)
            return true;
        HEIST_WINDOW("scan");
    }
    return false;
}
