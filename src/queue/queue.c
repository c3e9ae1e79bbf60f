/* SPDX-License-Identifier: MIT */
#include <heist/queue.h>

#include <heist/abp.h>
#include <heist/bulk.h>
#include <heist/bwos_fifo.h>
#include <heist/bwos_lifo.h>
#include <heist/chaselev.h>
#include <heist/default.h>
#include <heist/global.h>
#include <heist/kinds.h>
#include <heist/locked.h>
#include <heist/split.h>

#include <errno.h>
#include <string.h>

#include "memory.h"

/* What any kind can do, seen without its type. */
struct kind {
    const char *name;
    size_t size;
    int (*init)(void *, const heist_queue_opts *);
    void (*fini)(void *);
    bool (*put)(void *, void *);
    size_t (*put_many)(void *, void *const *, size_t);
    void *(*get)(void *);
    enum heist_steal (*steal)(void *, void **);
    size_t (*steal_many)(void *, void **, size_t);
    bool (*sample)(const void *, uint64_t);
    size_t (*queue_size)(const void *);
};

#define FUNCTIONS(K)                                                                           \
    static int K##_init(void *q, const heist_queue_opts *o)                                    \
    {                                                                                          \
        return heist_##K##_init((heist_##K *)q, o);                                            \
    }                                                                                          \
    static void K##_fini(void *q) { heist_##K##_fini((heist_##K *)q); }                        \
    static bool K##_put(void *q, void *item) { return heist_##K##_put((heist_##K *)q, item); } \
    static size_t K##_put_many(void *q, void *const *items, size_t n)                          \
    {                                                                                          \
        return heist_##K##_put_many((heist_##K *)q, items, n);                                 \
    }                                                                                          \
    static void *K##_get(void *q) { return heist_##K##_get((heist_##K *)q); }                  \
    static enum heist_steal K##_steal(void *q, void **item)                                    \
    {                                                                                          \
        return heist_##K##_steal((heist_##K *)q, item);                                        \
    }                                                                                          \
    static size_t K##_steal_many(void *q, void **items, size_t max)                            \
    {                                                                                          \
        return heist_##K##_steal_many((heist_##K *)q, items, max);                             \
    }                                                                                          \
    static bool K##_sample(const void *q, uint64_t random)                                     \
    {                                                                                          \
        return heist_##K##_sample((const heist_##K *)q, random);                               \
    }                                                                                          \
    static size_t K##_size(const void *q) { return heist_##K##_size((const heist_##K *)q); }
HEIST_QUEUE_KINDS(FUNCTIONS)

#define ROW(K)                                                                      \
    {#K,      sizeof(heist_##K), K##_init,       K##_fini,   K##_put, K##_put_many, \
     K##_get, K##_steal,         K##_steal_many, K##_sample, K##_size},
static const struct kind kinds[] = {HEIST_QUEUE_KINDS(ROW)};

#define NAME(K) #K,
static const char *const names[] = {HEIST_QUEUE_KINDS(NAME) NULL};

struct heist_queue {
    const struct kind *kind;
    heist_memory memory;
    char queue[] HEIST_ALIGNED;
};

static const struct kind *kind_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

int heist_queue_new(heist_queue **out, const char *name, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    const struct kind *kind = kind_of(name);
    if (!kind || heist_queue_opts_read_(&o, opts))
        return -EINVAL;
    heist_queue *q = (heist_queue *)alloc_bytes(o.memory, sizeof *q + kind->size);
    if (!q)
        return -ENOMEM;
    int error = kind->init(q->queue, opts);
    if (error) {
        free_bytes(o.memory, q, sizeof *q + kind->size);
        return error;
    }
    q->kind = kind;
    q->memory = *o.memory;
    *out = q;
    return 0;
}

void heist_queue_free(heist_queue *q)
{
    if (!q)
        return;
    heist_memory memory = q->memory;
    q->kind->fini(q->queue);
    free_bytes(&memory, q, sizeof *q + q->kind->size);
}

bool heist_queue_put(heist_queue *q, void *item) { return q->kind->put(q->queue, item); }

size_t heist_queue_put_many(heist_queue *q, void *const *items, size_t n)
{
    return q->kind->put_many(q->queue, items, n);
}

void *heist_queue_get(heist_queue *q) { return q->kind->get(q->queue); }

enum heist_steal heist_queue_steal(heist_queue *q, void **item)
{
    return q->kind->steal(q->queue, item);
}

size_t heist_queue_steal_many(heist_queue *q, void **items, size_t max)
{
    return q->kind->steal_many(q->queue, items, max);
}

size_t heist_queue_steal_from(heist_queue *q, uint64_t random, void **items, size_t max)
{
    if (q->kind->init == bwos_fifo_init)
        return heist_bwos_fifo_steal_many_from((heist_bwos_fifo *)q->queue, random, items, max);
    return heist_queue_steal_many(q, items, max);
}

bool heist_queue_sample(const heist_queue *q, uint64_t random)
{
    return q->kind->sample(q->queue, random);
}

size_t heist_queue_size(const heist_queue *q) { return q->kind->queue_size(q->queue); }

size_t heist_queue_block(const heist_queue *q)
{
    if (q->kind->init == bwos_fifo_init)
        return ((const heist_bwos_fifo *)q->queue)->blocks.entries;
    if (q->kind->init == bwos_lifo_init)
        return ((const heist_bwos_lifo *)q->queue)->blocks.entries;
    return 0;
}

void heist_queue_adopt(heist_queue *q)
{
    if (q->kind->init == split_init)
        heist_split_adopt((heist_split *)q->queue);
}

const char *heist_queue_kind(const heist_queue *q) { return q->kind->name; }

const char *const *heist_queue_kinds(void) { return names; }
