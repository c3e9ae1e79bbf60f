/* SPDX-License-Identifier: MIT */
/*
 * Hazard slots: one per thread, in a list that only grows; a thread that ends leaves its slot to
 * the next one. There are as many as there were threads stealing at the same time.
 */
#include "hazard.h"

#include <pthread.h>
#include <stdlib.h>

#include "memory.h"

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

static struct slot *first(void) { return (struct slot *)heist_load(&all, HEIST_HZ_LIST); }

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
    struct slot *s = (struct slot *)memory;
    heist_store(&s->named, NULL, __ATOMIC_RELAXED);
    heist_store(&s->taken, 1, __ATOMIC_RELAXED);
    void *next = first();
    HEIST_WINDOW("slot-new");
    do
        s->next = (struct slot *)next;
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
    struct slot *s = (struct slot *)*mine();
    return HEIST_LIKELY(s) ? &s->named : enroll();
}

static bool is_named(const heist_retirable_ *array)
{
    for (struct slot *s = first(); s; s = s->next) {
        if (heist_load(&s->named, HEIST_HZ_SCAN) == array)
            return true;
        HEIST_WINDOW("scan");
    }
    return false;
}

void *heist_hazard_alloc_(const heist_memory *memory, size_t head, size_t n)
{
    heist_retirable_ *a = (heist_retirable_ *)alloc_array(memory, head, n, sizeof(heist_aptr));
    if (a)
        a->bytes = head + n * sizeof(heist_aptr);
    return a;
}

void heist_hazard_collect_(const heist_memory *memory, heist_retirable_ **retired)
{
    HEIST_WINDOW("retired");
    while (*retired) {
        heist_retirable_ *a = *retired;
        if (is_named(a)) {
            retired = &a->older;
        } else {
            HEIST_WINDOW("free");
            *retired = a->older;
            free_bytes(memory, a, a->bytes);
        }
    }
}

void heist_hazard_free_(const heist_memory *memory, heist_retirable_ *retired)
{
    for (heist_retirable_ *older; retired; retired = older) {
        older = retired->older;
        free_bytes(memory, retired, retired->bytes);
    }
}
