/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include <stdlib.h>

#include "common.h"
#include "random.h"
#include "workload.h"

enum {
    LOOT_MOST = 256, /* items of a batch from a queue without blocks, as in the runtime */
    SLAB = 1024      /* tasks that are allocated at once */
};

const char *const sim_queue_names[] = {"heist", "blocks", "deque", NULL};

static void *allocate(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        bench_fail("out of memory");
    return memory;
}

sim_time sim_after(struct sim *s, sim_time delay)
{
    if (delay <= UINT64_MAX - s->now)
        return s->now + delay;
    s->is_over = s->result.is_too_long = true;
    return UINT64_MAX;
}

void sim_schedule(struct sim *s, unsigned actor, sim_time delay)
{
    heap_add(&s->heap, actor, sim_after(s, delay));
}

/* ---- Tasks ---- */

struct slab {
    struct slab *next;
    struct task tasks[SLAB];
};

static void add_slab(struct sim *s)
{
    struct slab *slab = allocate(1, sizeof *slab);
    slab->next = s->slabs;
    s->slabs = slab;
    for (int i = SLAB; i-- > 0;)
        sim_free_task(s, &slab->tasks[i]);
}

struct task *sim_new_task(struct sim *s, struct tree_node node, struct task *parent)
{
    if (!s->free)
        add_slab(s);
    struct task *t = s->free;
    s->free = t->parent;
    *t = (struct task){.node = node, .parent = parent, .put = s->now};
    return t;
}

void sim_free_task(struct sim *s, struct task *task)
{
    task->parent = s->free;
    s->free = task;
}

void sim_begin(struct sim *s, const struct task *task)
{
    uint64_t number = task->node.first;
    uint8_t bit = (uint8_t)(1u << number % 8);
    if (s->seen[number / 8] & bit)
        s->result.is_conserved = false;
    s->seen[number / 8] |= bit;
    s->result.waited += (double)(s->now - task->put);
    s->result.tasks++;
}

/* ---- Distance, and its price ---- */

bool sim_is_near(const heist_topology *topology, unsigned a, unsigned b)
{
    const heist_cpu *x = heist_topology_cpu(topology, a), *y = heist_topology_cpu(topology, b);
    return x->node == y->node && x->package == y->package;
}

static size_t pair(const struct sim *s, unsigned a, unsigned b)
{
    return (size_t)a * s->setup->workers + b;
}

static void measure_distances(struct sim *s)
{
    const struct sim_setup *o = s->setup;
    for (unsigned a = 0; a < o->workers; a++)
        for (unsigned b = 0; b < o->workers; b++) {
            unsigned level = heist_topology_level(o->topology, o->cpus[a], o->cpus[b]);
            s->levels[pair(s, a, b)] = (uint8_t)(level < SIM_LEVELS ? level : SIM_LEVELS - 1);
            s->nears[pair(s, a, b)] = sim_is_near(o->topology, o->cpus[a], o->cpus[b]);
        }
}

/* What the thief pays for a look at the queue; if it disturbs the owner, so does that one, once,
   however many thieves came between two of its operations: its cache line is away once. */
static sim_time look(struct sim *s, unsigned thief, unsigned i, bool disturbs)
{
    struct worker *owner = &s->workers[i];
    bool near = s->nears[pair(s, thief, i)];
    sim_time more = sim_cost(s, near ? SIM_INTERFERE_NEAR : SIM_INTERFERE_FAR);
    if (disturbs && owner->disturbed < more)
        owner->disturbed = more;
    return sim_cost(s, near ? SIM_NEAR : SIM_FAR);
}

sim_time sim_disturbance(struct worker *w)
{
    sim_time more = w->disturbed;
    w->disturbed = 0;
    return more;
}

/* ---- What policies see ---- */

static size_t size_of(void *context, unsigned i)
{
    struct sim *s = context;
    s->result.looks++;
    s->looking += look(s, s->thief->number, i, true);
    return deque_size(&s->workers[i].queue);
}

static bool holds(const struct sim_setup *o, const struct deque *d, uint64_t random)
{
    switch (o->queue) {
    case SIM_HEIST:
        return deque_size(d) > 0;
    case SIM_BLOCKS:
        return deque_sample(d, random, o->capacity, o->block);
    default:
        return random % o->capacity < deque_size(d);
    }
}

static bool sample(void *context, unsigned i, uint64_t random)
{
    struct sim *s = context;
    s->result.looks++;
    s->looking += look(s, s->thief->number, i, s->setup->queue == SIM_DEQUE);
    s->thief->samples++;
    return holds(s->setup, &s->workers[i].queue, random);
}

static unsigned level_of(void *context, unsigned thief, unsigned i)
{
    struct sim *s = context;
    s->looking += sim_cost(s, SIM_LEVEL);
    return s->levels[pair(s, thief, i)];
}

/* ---- Own queues ---- */

void sim_set_idle(struct sim *s, struct worker *w, bool idle)
{
    if (w->is_idle && !idle)
        s->result.idle += (double)(s->now - w->idle_since);
    if (!w->is_idle && idle)
        w->idle_since = s->now;
    w->is_idle = idle;
}

void sim_wake(struct sim *s, struct worker *w)
{
    if (w->state != ASLEEP)
        return;
    s->sleepers--;
    w->state = ACTING;
    sim_schedule(s, w->number, sim_cost(s, SIM_AWAKE));
}

/* The first in the numbering, as the runtime does. */
static sim_time wake_one(struct sim *s)
{
    if (!s->sleepers)
        return 0;
    struct worker *w = s->workers;
    while (w->state != ASLEEP)
        w++;
    sim_wake(s, w);
    return sim_cost(s, SIM_WAKE);
}

sim_time sim_put(struct sim *s, struct worker *w, struct task *task)
{
    deque_put(&w->queue, task);
    s->queued++;
    return sim_cost(s, SIM_PUT) + wake_one(s);
}

struct task *sim_get(struct sim *s, struct worker *w)
{
    struct task *task = deque_get(&w->queue);
    s->queued -= task != NULL;
    return task;
}

/* ---- Stealing ---- */

static bool disturbs_by_stealing(const struct sim_setup *o, const struct worker *victim)
{
    return o->queue == SIM_DEQUE ||
           deque_is_in_owners_block(&victim->queue, sim_block(o) ? sim_block(o) : 1);
}

void sim_steal(struct sim *s, struct worker *w)
{
    s->thief = w;
    s->looking = 0;
    w->samples = 0;
    unsigned i = heist_victim_next(&w->victim);
    if (i == HEIST_VICTIM_NONE && s->setup->workload->insists)
        i = heist_victim_any(&w->victim);
    w->target = i;
    w->state = STEALING;
    w->arrived = s->now + s->looking;
    if (i != HEIST_VICTIM_NONE)
        s->looking += look(s, w->number, i, disturbs_by_stealing(s->setup, &s->workers[i]));
    sim_schedule(s, w->number, s->looking);
}

static size_t loot_most(const struct sim_setup *o)
{
    return sim_block(o) ? sim_block(o) : LOOT_MOST;
}

static size_t how_many_wanted(const struct sim_setup *o, const struct worker *w,
                              const struct deque *d)
{
    size_t most = loot_most(o), wanted = heist_batch_items(o->batch, deque_size(d), sim_block(o));
    most = w->wants < most ? w->wants : most;
    return wanted < most ? wanted : most;
}

static size_t how_many_there(const struct sim_setup *o, const struct deque *d)
{
    return sim_block(o) ? deque_in_oldest_block(d, sim_block(o)) : deque_size(d);
}

/* The end of an attempt: a compare-and-swap that fails if another thief's has succeeded since this
   one read the word. */
static void end_steal(struct sim *s, struct worker *w)
{
    struct worker *victim = w->target == HEIST_VICTIM_NONE ? NULL : &s->workers[w->target];
    size_t n = 0, wanted = 0;
    if (!victim || !deque_size(&victim->queue)) {
        s->result.empty++;
    } else if (victim->stolen_at > w->arrived) {
        s->result.lost++;
    } else {
        size_t there = how_many_there(s->setup, &victim->queue);
        wanted = how_many_wanted(s->setup, w, &victim->queue);
        n = wanted < there ? wanted : there;
    }
    for (size_t i = 0; i < n; i++)
        s->loot[i] = deque_take(&victim->queue);
    if (n) {
        victim->stolen_at = s->now;
        s->queued -= n;
        s->result.steals++;
        s->result.moved += n;
        s->result.by_level[s->levels[pair(s, w->number, w->target)]]++;
        w->tries = 0;
    }
    if (victim)
        heist_victim_result_of(&w->victim, w->target, n, wanted);
    w->state = ACTING;
    s->setup->workload->tried(s, w, s->loot, n);
}

void sim_try_again(struct sim *s, struct worker *w)
{
    if (++w->tries < s->setup->tries) {
        w->state = ACTING;
        sim_schedule(s, w->number, sim_cost(s, SIM_PAUSE));
        return;
    }
    sim_time cost = 0;
    for (unsigned i = 0; i < s->setup->workers; i++)
        if (i != w->number)
            cost += look(s, w->number, i, true);
    w->tries = 0;
    w->state = LOOKING;
    sim_schedule(s, w->number, cost);
}

/* Whatever is put from now on wakes somebody: nothing is missed. */
static void end_look(struct sim *s, struct worker *w)
{
    if (s->queued) {
        w->state = ACTING;
        s->setup->workload->act(s, w);
        return;
    }
    w->state = ASLEEP;
    s->sleepers++;
    s->result.sleeps++;
}

/* ---- Running ---- */

static void step(struct sim *s, struct worker *w)
{
    switch (w->state) {
    case ACTING:
        s->setup->workload->act(s, w);
        break;
    case STEALING:
        end_steal(s, w);
        break;
    case LOOKING:
        end_look(s, w);
        break;
    case ASLEEP: /* has no event */
        break;
    }
}

static void set_up(struct sim *s, const heist_victim_set *set)
{
    const struct sim_setup *o = s->setup;
    size_t n = o->workers;
    s->workers = allocate(n, sizeof *s->workers);
    s->levels = allocate(n * n, 1);
    s->nears = allocate(n * n, 1);
    s->heap.at = allocate(n + 1, sizeof *s->heap.at);
    s->loot = allocate(loot_most(o), sizeof *s->loot);
    s->seen = allocate(o->workload->tasks(o) / 8 + 1, 1);
    measure_distances(s);
    for (unsigned i = 0; i < n; i++) {
        struct worker *w = &s->workers[i];
        w->number = i;
        w->wants = UINT64_MAX;
        if (heist_victim_init(&w->victim, set, &o->policy, i, sim_hash(o->seed) + i))
            bench_fail("out of memory");
    }
}

static void tear_down(struct sim *s)
{
    for (unsigned i = 0; i < s->setup->workers; i++) {
        heist_victim_fini(&s->workers[i].victim);
        free(s->workers[i].queue.items);
    }
    for (struct slab *slab; (slab = s->slabs);) {
        s->slabs = slab->next;
        free(slab);
    }
    free(s->workers);
    free(s->levels);
    free(s->nears);
    free(s->heap.at);
    free(s->loot);
    free(s->shares);
    free(s->seen);
}

struct sim_result sim_run(const struct sim_setup *setup)
{
    struct sim s = {.setup = setup,
                    .tree = {setup->workload->shape, setup->seed},
                    .random = setup->seed,
                    .result = {.is_conserved = true}};
    const heist_victim_set set = {
        .number = setup->workers,
        .context = &s,
        .sample = sample,
        .size = size_of,
        .level = level_of,
        .keep = setup->workload->keep,
        .keep_batch = setup->workload->keep && !sim_block(setup) ? HEIST_VICTIM_KEEP_BATCH : 0};
    set_up(&s, &set);
    setup->workload->start(&s);
    while (!s.is_over && s.heap.n) {
        struct heap_entry next = heap_take(&s.heap);
        s.now = next.time;
        s.result.events++;
        if (next.actor == sim_outside(&s))
            setup->workload->arrive(&s);
        else
            step(&s, &s.workers[next.actor]);
    }
    for (unsigned i = 0; i < setup->workers; i++)
        sim_set_idle(&s, &s.workers[i], false);
    s.result.time = s.now;
    s.result.is_conserved &= s.is_over && !s.result.is_too_long && !s.queued &&
                             s.result.tasks == setup->workload->tasks(setup);
    tear_down(&s);
    return s.result;
}
