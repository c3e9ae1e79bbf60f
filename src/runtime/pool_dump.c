/* SPDX-License-Identifier: MIT */
/*
 * What a dump says of a pool: all of it is read in a handler of a signal, while the workers go on.
 * A worker's memory and its slots stay as long as the pool, and the pool stays while a handler
 * looks at it (heist_process_remove_); nothing here follows a pointer into a stack.
 */
#include <heist/queue.h>

#include "../queue/blocks.h"
#include "dump.h"
#include "process.h"
#include "worker.h"

static size_t public_slots(const heist_slots *q)
{
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    uint32_t next = HEIST_SLOTS_NEXT_(s), end = HEIST_SLOTS_END_(s);
    return end > next ? end - next : 0;
}

static size_t private_slots(const heist_slots *q)
{
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    heist_slot *end = q->first + HEIST_SLOTS_END_(s);
    return (size_t)(heist_slots_open_(q, end, q->first + SLOTS) - end);
}

/* In most kinds thieves reach all. */
static size_t public_in_queue(const struct tasks *t)
{
    switch (t->kind) {
    case KIND_heist:
        return HEIST_HEIST_COUNT_(heist_load(&t->queue.heist.word, __ATOMIC_RELAXED));
    case KIND_split:
        return HEIST_SPLIT_COUNT_(heist_load(&t->queue.split.word, __ATOMIC_RELAXED));
    case KIND_bwos_lifo:
        return heist_blocks_available_(&t->queue.bwos_lifo.blocks);
    case KIND_bwos_fifo:
        return heist_blocks_available_(&t->queue.bwos_fifo.blocks);
    default:
        return tasks_size(t);
    }
}

static enum heist_dump_state_ state_of(const struct worker *w)
{
    uint32_t parker = heist_load(&w->parker.state, __ATOMIC_RELAXED);
    if (!heist_load(&w->is_here, __ATOMIC_RELAXED))
        return w->is_lender ? HEIST_DUMP_LENDER_ : HEIST_DUMP_NO_THREAD_;
    if (heist_load(&w->waits_for, __ATOMIC_RELAXED))
        return HEIST_DUMP_WAITING_;
    if (heist_load(&w->depth, __ATOMIC_RELAXED))
        return HEIST_DUMP_RUNNING_;
    return parker == ASLEEP    ? HEIST_DUMP_PARKED_
           : parker == WAITING ? HEIST_DUMP_BENCHED_
                               : HEIST_DUMP_IDLE_;
}

/* The thief who has what the worker waits for; -1: it waits for a job,
   or the thief has not said so yet. */
static int thief_of(const struct worker *w)
{
    uintptr_t slot = heist_load(&w->waits_for, __ATOMIC_RELAXED);
    unsigned thief;
    bool is_known =
        slot && slot != WAITS_FOR_JOB && heist_slots_thief_((const heist_slot *)slot, &thief);
    return is_known ? (int)thief : -1;
}

static struct heist_dump_worker_ describe(const void *pool, unsigned number)
{
    const struct worker *w = ((const heist_pool *)pool)->worker[number];
    bool has_slots = w->pool->kind == KIND_heist; /* else all forks are in the queue */
    bool has_queue = w->tasks == &w->own;
    return (struct heist_dump_worker_){
        .state = state_of(w),
        .function = heist_load(&w->function, __ATOMIC_RELAXED),
        .depth = heist_load(&w->depth, __ATOMIC_RELAXED),
        .public_tasks = (has_slots ? public_slots(&w->w.slots) : 0) +
                        (has_queue ? public_in_queue(w->tasks) : 0),
        .queued = (has_slots ? public_slots(&w->w.slots) + private_slots(&w->w.slots) : 0) +
                  (has_queue ? tasks_size(w->tasks) : 0),
        .waits_for = thief_of(w),
    };
}

static void dump(int fd, const heist_pool *pool)
{
    unsigned seats = heist_load(&pool->seats, HEIST_RT_SEATS);
    uint64_t jobs = (uint32_t)heist_load(&pool->jobs.pending, __ATOMIC_RELAXED), running = 0;
    for (unsigned i = 0; i < seats; i++)
        running += heist_load(&pool->worker[i]->jobs, __ATOMIC_RELAXED);
    const struct heist_dump_pool_ d = {
        .name = pool->name,
        .kind = heist_queue_kinds()[pool->kind],
        .workers = heist_load(&pool->workers, __ATOMIC_RELAXED),
        .seats = seats,
        .jobs_queued = jobs > running ? jobs - running : 0,
        .jobs_running = running,
        .worker = describe,
        .context = pool,
    };
    heist_dump_print_(fd, &d);
}

void heist_pool_dump_all_(int fd)
{
    for (const heist_pool *p = heist_process_first_(); p; p = heist_process_next_(p))
        if (heist_process_has_(p)) /* else its threads are the parent's */
            dump(fd, p);
}
