/* SPDX-License-Identifier: MIT */
/*
 * What workloads are made of: workers with their queues, and the events that take them on. A worker
 * has at most one event ahead; `state` says which. Between events nothing happens.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "deque.h"
#include "heap.h"
#include "sim.h"
#include "tree.h"

struct task {
    struct tree_node node;
    struct task *parent; /* or the next one that is free */
    unsigned pending;    /* children that are not done */
    sim_time put;
};

enum worker_state {
    ACTING,   /* the workload's: a step of its own ends */
    STEALING, /* at the victim */
    LOOKING,  /* once more at all queues, before it sleeps */
    ASLEEP    /* no event: somebody wakes it */
};

struct worker {
    unsigned number;
    enum worker_state state;
    struct deque queue;
    heist_victim victim;
    sim_time disturbed; /* what thieves have added to the owner's next operation */
    sim_time stolen_at; /* the last success of a thief here */
    /* As a thief. */
    unsigned target;
    sim_time arrived;    /* there; whoever steals from the target since makes this attempt fail */
    unsigned samples;    /* that +prob took to choose it */
    unsigned tries;      /* in vain since the last success */
    sim_time idle_since; /* if is_idle */
    bool is_idle;
    /* The workload's. */
    struct task *current; /* NULL: it has none */
    unsigned phase;
    uint64_t left;
    uint64_t wants;   /* items, at most; unless the workload says otherwise as many as it gets */
    uint64_t in_vain; /* looks, since the last success */
};

struct sim {
    const struct sim_setup *setup;
    struct tree tree;
    struct worker *workers;
    struct worker *thief; /* whose policy is looking around, and what that costs it */
    sim_time looking;
    uint8_t *levels, *nears; /* of each two workers */
    struct heap heap;
    sim_time now;
    uint64_t random;
    uint64_t queued; /* items in all queues */
    uint8_t *seen;   /* a bit for each task that has begun */
    struct task *free, **loot;
    struct slab *slabs;
    unsigned sleepers;
    bool is_over;
    /* The workload's. */
    uint64_t made, ended; /* tasks */
    uint64_t rounds;      /* of the pool, that nobody has begun */
    uint64_t *shares;     /* of arrivals, summed up */
    struct sim_result result;
};

/* The actor that is no worker, but the outside world. */
static inline unsigned sim_outside(const struct sim *s) { return s->setup->workers; }

static inline sim_time sim_cost(const struct sim *s, enum sim_cost which)
{
    return s->setup->costs.of[which];
}

/* Items in a block; 0: the kind has none. */
static inline size_t sim_block(const struct sim_setup *o)
{
    return o->queue == SIM_BLOCKS ? o->block : 0;
}

/* Time after this delay. The run ends, and fails, where that can't be counted. */
sim_time sim_after(struct sim *s, sim_time delay);
void sim_schedule(struct sim *s, unsigned actor, sim_time delay);

struct task *sim_new_task(struct sim *s, struct tree_node node, struct task *parent);
void sim_free_task(struct sim *s, struct task *task);
/* The task begins: notes that, and how long it was in a queue. */
void sim_begin(struct sim *s, const struct task *task);

/* What it costs the owner that thieves were there since its last operation. */
sim_time sim_disturbance(struct worker *w);
/* Into the worker's queue; wakes a sleeper. What that costs. */
sim_time sim_put(struct sim *s, struct worker *w, struct task *task);
struct task *sim_get(struct sim *s, struct worker *w); /* NULL: empty */

/* Tries to steal once, beginning now; then the workload's `tried` is called. */
void sim_steal(struct sim *s, struct worker *w);
/* After an attempt in vain: the workload acts again soon; or, after many, when it was woken. */
void sim_try_again(struct sim *s, struct worker *w);
void sim_set_idle(struct sim *s, struct worker *w, bool idle);
void sim_wake(struct sim *s, struct worker *w); /* if it sleeps: its own queue has something */

#endif
