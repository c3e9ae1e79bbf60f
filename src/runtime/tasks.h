/* SPDX-License-Identifier: MIT */
/*
 * A worker's queue, of any kind, chosen when the pool is made. Comparisons and direct calls, no
 * pointers to functions: each kind's code is compiled into the worker's.
 *
 * What lies in it: jobs; and, unless the kind is `heist`, whose forks stay in the slots, forks.
 */
#ifndef HEIST_RUNTIME_TASKS_H
#define HEIST_RUNTIME_TASKS_H

#include <heist/abp.h>
#include <heist/bulk.h>
#include <heist/bwos_fifo.h>
#include <heist/bwos_lifo.h>
#include <heist/chaselev.h>
#include <heist/default.h>
#include <heist/global.h>
#include <heist/jobs.h>
#include <heist/kinds.h>
#include <heist/locked.h>
#include <heist/split.h>

#define TASKS_KIND_(K) KIND_##K,
enum kind { HEIST_QUEUE_KINDS(TASKS_KIND_) KINDS };
#undef TASKS_KIND_

/* The model checker has everything happen between any two looks. */
enum { TASKS_PATIENCE = HEIST_MODEL ? 1 : 1024 };

#define TASKS_FIELD_(K) heist_##K K;
struct tasks {
    enum kind kind;
    union {
        HEIST_QUEUE_KINDS(TASKS_FIELD_)
    } queue;
    heist_au32 looks HEIST_ALIGNED; /* thieves' in vain, where a signal would follow */
};
#undef TASKS_FIELD_

/* Whether a get gives the newest, and thieves take the older ones first. */
static inline bool tasks_are_ordered(enum kind kind)
{
    return kind != KIND_global && kind != KIND_bwos_fifo;
}

static inline int tasks_init(struct tasks *t, enum kind kind, const heist_queue_opts *opts)
{
    t->kind = kind;
    heist_store(&t->looks, 0, __ATOMIC_RELAXED);
#define TASKS_INIT_(K)    \
    if (kind == KIND_##K) \
        return heist_##K##_init(&t->queue.K, opts);
    HEIST_QUEUE_KINDS(TASKS_INIT_)
#undef TASKS_INIT_
    __builtin_unreachable();
}

static inline void tasks_fini(struct tasks *t)
{
#define TASKS_FINI_(K)       \
    if (t->kind == KIND_##K) \
        heist_##K##_fini(&t->queue.K);
    HEIST_QUEUE_KINDS(TASKS_FINI_)
#undef TASKS_FINI_
}

static inline bool tasks_put(struct tasks *t, void *item)
{
#define TASKS_PUT_(K)        \
    if (t->kind == KIND_##K) \
        return heist_##K##_put(&t->queue.K, item);
    HEIST_QUEUE_KINDS(TASKS_PUT_)
#undef TASKS_PUT_
    __builtin_unreachable();
}

static inline void *tasks_get(struct tasks *t)
{
#define TASKS_GET_(K)        \
    if (t->kind == KIND_##K) \
        return heist_##K##_get(&t->queue.K);
    HEIST_QUEUE_KINDS(TASKS_GET_)
#undef TASKS_GET_
    __builtin_unreachable();
}

/*
 * `split` with signals. One costs both sides many microseconds; a request in the owner's limits
 * costs next to nothing, and is seen at its next put or get. So the signal is for an owner that has
 * done neither for a while, or has overlooked the request.
 */
static inline enum heist_steal tasks_steal_patiently_(struct tasks *t, void **item)
{
    size_t n;
    enum heist_steal result = heist_split_claim_ahead_(&t->queue.split, item, 1, &n);
    uint32_t looks = heist_load(&t->looks, __ATOMIC_RELAXED) + 1; /* some may go uncounted */
    if (result == HEIST_STEAL_EMPTY && looks >= TASKS_PATIENCE) {
        heist_split_ask_(&t->queue.split);
        looks = 0;
    } else if (result == HEIST_STEAL_EMPTY && looks == 1) {
        heist_split_ask_for_next_(&t->queue.split);
    }
    heist_store(&t->looks, result == HEIST_STEAL_OK ? 0 : looks, __ATOMIC_RELAXED);
    return result;
}

static inline enum heist_steal tasks_steal(struct tasks *t, void **item)
{
    if (t->kind == KIND_split && t->queue.split.signal)
        return tasks_steal_patiently_(t, item);
#define TASKS_STEAL_(K)      \
    if (t->kind == KIND_##K) \
        return heist_##K##_steal(&t->queue.K, item);
    HEIST_QUEUE_KINDS(TASKS_STEAL_)
#undef TASKS_STEAL_
    __builtin_unreachable();
}

static inline size_t tasks_size(const struct tasks *t)
{
#define TASKS_SIZE_(K)       \
    if (t->kind == KIND_##K) \
        return heist_##K##_size(&t->queue.K);
    HEIST_QUEUE_KINDS(TASKS_SIZE_)
#undef TASKS_SIZE_
    __builtin_unreachable();
}

static inline size_t tasks_steal_many(struct tasks *t, void **items, size_t max)
{
#define TASKS_STEAL_MANY_(K) \
    if (t->kind == KIND_##K) \
        return heist_##K##_steal_many(&t->queue.K, items, max);
    HEIST_QUEUE_KINDS(TASKS_STEAL_MANY_)
#undef TASKS_STEAL_MANY_
    __builtin_unreachable();
}

/* After a sample with the same number has said yes: from what it looked at, if the kind can. */
static inline size_t tasks_steal_from(struct tasks *t, uint64_t random, void **items, size_t max)
{
    return t->kind == KIND_bwos_fifo
               ? heist_bwos_fifo_steal_many_from(&t->queue.bwos_fifo, random, items, max)
               : tasks_steal_many(t, items, max);
}

static inline bool tasks_sample(const struct tasks *t, uint64_t random)
{
#define TASKS_SAMPLE_(K)     \
    if (t->kind == KIND_##K) \
        return heist_##K##_sample(&t->queue.K, random);
    HEIST_QUEUE_KINDS(TASKS_SAMPLE_)
#undef TASKS_SAMPLE_
    __builtin_unreachable();
}

/* Items in a block; 0: the kind has none. */
static inline size_t tasks_block(const struct tasks *t)
{
    return t->kind == KIND_bwos_fifo   ? t->queue.bwos_fifo.blocks.entries
           : t->kind == KIND_bwos_lifo ? t->queue.bwos_lifo.blocks.entries
                                       : 0;
}

/* The owner: thieves see all of it. */
static inline void tasks_show(struct tasks *t)
{
    if (t->kind == KIND_bwos_fifo)
        heist_bwos_fifo_grant(&t->queue.bwos_fifo);
    else if (t->kind == KIND_bwos_lifo)
        heist_bwos_lifo_grant(&t->queue.bwos_lifo);
}

/* How often the owner went on to another block; 0 for a kind without blocks. For any thread. */
static inline uint64_t tasks_block_changes(const struct tasks *t)
{
    if (t->kind == KIND_bwos_lifo)
        return heist_load(&t->queue.bwos_lifo.changes, __ATOMIC_RELAXED);
    if (t->kind == KIND_bwos_fifo)
        return heist_load(&t->queue.bwos_fifo.changes, __ATOMIC_RELAXED);
    return 0;
}

/* How many tasks the queue has made public; 0 for a kind that does not count. For any thread. */
static inline uint64_t tasks_exposures(const struct tasks *t)
{
    return t->kind == KIND_split ? heist_load(&t->queue.split.exposures, __ATOMIC_RELAXED) : 0;
}

/* The owner, which was asked, lets thieves see something; false: it has nothing for them. */
static inline bool tasks_expose(struct tasks *t)
{
    return t->kind != KIND_split || heist_split_expose(&t->queue.split);
}

/* There is something that thieves can't see, and its owner does not know that they want it. */
static inline bool tasks_are_unasked(const struct tasks *t)
{
    return t->kind == KIND_split && heist_split_is_unasked_(&t->queue.split);
}

/* Forks and jobs in one queue: a job is marked. */
static inline void *tasks_item_of_job(heist_job *job) { return (void *)((uintptr_t)job | 1); }

static inline heist_job *tasks_job_in(void *item)
{
    return (uintptr_t)item & 1 ? (heist_job *)((uintptr_t)item - 1) : NULL;
}

#endif
