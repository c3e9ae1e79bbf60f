/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "crew.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum {
    LOOKS = HEIST_MODEL ? 1 : 2000,    /* of a leader that has nothing to do before it sleeps */
    YIELD_EVERY = 64,                  /* looks */
    KEEP_MOST = HEIST_MODEL ? 1 : 256, /* nodes; there time has no say in what happens */
    KEPT_NS = 10000 /* what is kept back is about so much work, if that is more than asked for */
};

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- Set-up ---- */

size_t heist_crew_size_(unsigned workers)
{
    return sizeof(struct crew) + workers * (sizeof(member) + sizeof(unsigned));
}

/* Who has few nodes comes behind all who have none. */
static void add_hungry(struct crew *c, member *m, bool is_empty)
{
    uint32_t at = heist_load(&c->hungry, __ATOMIC_RELAXED);
    uint32_t empty = heist_load(&c->empty, __ATOMIC_RELAXED);
    m->is_hungry = true;
    heist_store(&c->hungry, at + 1, __ATOMIC_RELAXED);
    if (is_empty) {
        heist_store(&c->empty, empty + 1, __ATOMIC_RELAXED);
        for (; at > empty; at--)
            c->list[at] = c->list[at - 1];
    }
    c->list[at] = m->worker.number;
}

int heist_crew_init_(struct crew *c, const heist_master_opts *opts, const heist_bulk_chain *roots)
{
    uint64_t begin = now();
    memcpy(&c->opts, opts, sizeof *opts);
    c->is_watched = opts->cancel || opts->low_water;
    c->list = (unsigned *)(void *)&c->members[opts->workers];
    int error = -pthread_mutex_init(&c->lock, NULL);
    for (unsigned i = 0; i < opts->workers && !error; i++) {
        member *m = &c->members[i];
        error = heist_bulk_init(&m->queue, NULL);
        m->crew = c;
        m->worker.number = i;
        m->idle_since = begin;
        m->keep = opts->keep;
        if (i || !roots->count)
            add_hungry(c, m, true);
    }
    if (error || !roots->count)
        return error;
    heist_bulk_push(&c->members[0].queue, roots->first, roots->last, roots->count);
    c->members[0].state = MEMBER_QUEUED;
    c->busy = 1;
    c->queued = 1;
    return 0;
}

void heist_crew_fini_(struct crew *c)
{
    for (unsigned i = 0; i < c->opts.workers; i++)
        heist_bulk_fini(&c->members[i].queue);
    pthread_mutex_destroy(&c->lock);
}

/* ---- The end ---- */

void heist_crew_fail_(struct crew *c, int error)
{
    uint32_t none = 0;
    heist_cas(&c->failed, &none, (uint32_t)-error, __ATOMIC_RELAXED);
}

void heist_master_cancel(heist_master_worker *w)
{
    heist_crew_fail_(((member *)w)->crew, -ECANCELED);
}

static bool is_stopping(struct crew *c)
{
    if (c->opts.cancel && HEIST_UNLIKELY(heist_load(c->opts.cancel, __ATOMIC_RELAXED)))
        heist_crew_fail_(c, -ECANCELED);
    return HEIST_UNLIKELY(heist_load(&c->failed, __ATOMIC_RELAXED));
}

static void drop_all(member *m)
{
    const heist_master_opts *opts = &m->crew->opts;
    for (heist_bulk_node *node; (node = heist_bulk_pop(&m->queue)); m->dropped++)
        if (opts->drop)
            opts->drop(node, opts->context);
}

/* ---- The master: all of this under the lock ---- */

static void remove_hungry(struct crew *c, unsigned at)
{
    uint32_t number = heist_load(&c->hungry, __ATOMIC_RELAXED) - 1;
    c->members[c->list[at]].is_hungry = false;
    for (unsigned i = at; i < number; i++)
        c->list[i] = c->list[i + 1];
    heist_store(&c->hungry, number, __ATOMIC_RELAXED);
    uint32_t empty = heist_load(&c->empty, __ATOMIC_RELAXED);
    heist_store(&c->empty, empty - (at < empty), __ATOMIC_RELAXED);
}

/* `first` has a load of its own: expand has just written the fields one by one, and a load of two
   of them, which gcc makes of these, would wait until both are in the cache. */
static void push(member *m, const heist_bulk_chain *chain)
{
    heist_bulk_node *first = chain->first;
    __asm__("" : "+r"(first));
    heist_bulk_push(&m->queue, first, chain->last, chain->count);
}

static bool steal_from(struct crew *c, member *victim, heist_bulk_chain *chain)
{
    if (heist_bulk_steal_part(&victim->queue, c->opts.percent, chain) == HEIST_STEAL_OK)
        return true;
    c->in_vain++;
    return false;
}

/* Whoever is hungry keeps what it has, unless somebody has none. */
static size_t spare_nodes(const struct crew *c, const member *m)
{
    bool keeps = m->is_hungry && !heist_load(&c->empty, __ATOMIC_RELAXED);
    return keeps ? 0 : heist_bulk_size(&m->queue);
}

/* From the fullest; if nothing of that is public, from anybody. */
static member *steal(struct crew *c, heist_bulk_chain *chain)
{
    member *fullest = NULL;
    size_t most = 0;
    for (unsigned i = 0; i < c->opts.workers; i++) {
        member *m = &c->members[i];
        size_t size = spare_nodes(c, m);
        if (size > most) {
            most = size;
            fullest = m;
        }
    }
    if (!fullest || steal_from(c, fullest, chain))
        return fullest;
    for (unsigned i = 0; i < c->opts.workers; i++) {
        member *m = &c->members[i];
        if (m != fullest && spare_nodes(c, m) && steal_from(c, m, chain))
            return m;
    }
    return NULL;
}

/* An index into the list. As long as somebody has none, only such are served: of them who has just
   run out comes last, and is the cheapest to serve: its thread is here. */
static unsigned choose(const struct crew *c, const member *from, const heist_bulk_chain *chain)
{
    const heist_master_opts *opts = &c->opts;
    uint32_t empty = heist_load(&c->empty, __ATOMIC_RELAXED);
    if (opts->affinity) {
        uint32_t number = empty ? empty : heist_load(&c->hungry, __ATOMIC_RELAXED);
        unsigned at = opts->affinity(chain, from->worker.number, c->list, number, opts->context);
        return at < number ? at : 0;
    }
    return empty && c->members[c->list[empty - 1]].state == MEMBER_RUNNING ? empty - 1 : 0;
}

static void give(struct crew *c, const member *from, const heist_bulk_chain *chain)
{
    unsigned at = choose(c, from, chain);
    member *to = &c->members[c->list[at]];
    remove_hungry(c, at);
    c->redistributions++;
    c->moved += chain->count;
    to->count.received += chain->count;
    if (to->state == MEMBER_RUNNING) {
        to->gift = *chain;
        return;
    }
    push(to, chain);
    to->state = MEMBER_QUEUED;
    c->busy++;
    c->queued++;
}

static void redistribute(struct crew *c)
{
    heist_bulk_chain chain;
    member *from;
    while (heist_load(&c->hungry, __ATOMIC_RELAXED) && !is_stopping(c) && (from = steal(c, &chain)))
        give(c, from, &chain);
}

static void end_idling(member *m) { m->count.idle_ns += now() - m->idle_since; }

static member *claim(struct crew *c)
{
    for (unsigned i = 0; c->queued; i++) {
        member *m = &c->members[i];
        if (m->state != MEMBER_QUEUED)
            continue;
        c->queued--;
        m->state = MEMBER_RUNNING;
        end_idling(m);
        return m;
    }
    return NULL;
}

/* ---- Unlocking ---- */

/* How many helpers are to be called for so many members. */
static uint32_t reserve_helpers(struct crew *c, uint32_t wanted)
{
    uint32_t free = c->helpers_most - c->coming;
    uint32_t number = wanted < free ? wanted : free;
    c->coming += number;
    return number;
}

/* If there is no thread to come, the leader or a helper takes over what is queued when it can. */
static void call_helper(struct crew *c)
{
    if (c->call(c))
        return;
    pthread_mutex_lock(&c->lock);
    c->coming--;
    pthread_mutex_unlock(&c->lock);
}

/* Whatever is QUEUED needs a thread: first the leader's, if that waits. So does the end. */
static void unlock(struct crew *c)
{
    uint32_t queued = c->queued;
    bool wakes = (queued || !c->busy) && heist_load(&c->leader_waits, __ATOMIC_RELAXED);
    if (wakes)
        heist_store(&c->leader_waits, 0, __ATOMIC_RELAXED);
    uint32_t calls = queued ? reserve_helpers(c, queued - wakes) : 0;
    pthread_mutex_unlock(&c->lock);
    if (wakes)
        heist_park_wake_(NULL, &c->leader);
    for (uint32_t i = 0; i < calls; i++)
        call_helper(c);
}

/* ---- One member ---- */

static bool take_gift(member *m)
{
    if (!m->gift.count)
        return false;
    push(m, &m->gift);
    m->gift.count = 0;
    return true;
}

static void take_from_list(struct crew *c, const member *m)
{
    unsigned at = 0;
    while (c->list[at] != m->worker.number)
        at++;
    remove_hungry(c, at);
}

/* It found nothing. False: it is IDLE now, and no longer the caller's. */
static bool refill(struct crew *c, member *m)
{
    bool goes_on = true;
    pthread_mutex_lock(&c->lock);
    m->has_asked = false;
    /* What a stealer had in its hands is back by now. */
    if (!heist_bulk_size(&m->queue) && !m->gift.count) {
        if (m->is_hungry)
            take_from_list(c, m);
        add_hungry(c, m, true);
        redistribute(c);
    }
    if (!take_gift(m) && !heist_bulk_size(&m->queue)) {
        m->state = MEMBER_IDLE;
        m->idle_since = now();
        c->busy--;
        goes_on = false;
    }
    unlock(c);
    return goes_on;
}

/* It has few nodes left, and asks for more; or has asked, and has enough by now. */
static void ask(struct crew *c, member *m, bool wants)
{
    pthread_mutex_lock(&c->lock);
    m->has_asked = wants;
    bool was_given = take_gift(m);
    if (wants && !m->is_hungry && !was_given)
        add_hungry(c, m, false);
    else if (!wants && m->is_hungry)
        take_from_list(c, m);
    redistribute(c);
    unlock(c);
}

/* Somebody else is the master, or the caller is. */
static void share(struct crew *c)
{
    if (pthread_mutex_trylock(&c->lock))
        return;
    redistribute(c);
    unlock(c);
}

/* What nobody wanted comes back, and is offered again: the shorter the nodes, the more of them are
   kept, so that this costs little. Those that are kept wait if the next node takes long. */
static void offer(struct crew *c, member *m)
{
    if (HEIST_LIKELY(!heist_bulk_offer(&m->queue, m->keep)))
        return;
    uint64_t time = now(), passed = time - m->offered_at;
    m->offered_at = time;
    if (passed < KEPT_NS && m->keep < KEEP_MOST)
        m->keep *= 2;
    else if (passed > (uint64_t)4 * KEPT_NS && m->keep > c->opts.keep)
        m->keep = c->opts.keep;
}

/* Before a node that may take long. While somebody is hungry, all but one node becomes public. */
static void look_around(struct crew *c, member *m)
{
    bool shares = heist_load(&c->hungry, __ATOMIC_RELAXED);
    if (!shares && !c->opts.low_water) {
        offer(c, m);
        return;
    }
    size_t left = heist_bulk_size(&m->queue);
    bool wants = left < c->opts.low_water;
    heist_bulk_offer(&m->queue, shares ? 1 : c->opts.keep);
    if (wants != m->has_asked)
        ask(c, m, wants);
    else if (left && (wants ? heist_load(&c->empty, __ATOMIC_RELAXED) : shares))
        share(c);
}

/* Whether a member may go on without a look at what others want. */
static bool is_quiet(const struct crew *c)
{
    return HEIST_LIKELY(!c->is_watched && !(heist_load(&c->hungry, __ATOMIC_RELAXED) |
                                            heist_load(&c->failed, __ATOMIC_RELAXED)));
}

/* The next node to expand; NULL: it has none, or all is to stop. */
static heist_bulk_node *next_node(struct crew *c, member *m)
{
    bool quiet = is_quiet(c);
    heist_bulk_node *node = quiet || !is_stopping(c) ? heist_bulk_pop(&m->queue) : NULL;
    if (HEIST_LIKELY(node))
        quiet ? offer(c, m) : look_around(c, m);
    return node;
}

void heist_crew_work_(struct crew *c, member *m)
{
    do {
        heist_bulk_node *node;
        while ((node = next_node(c, m))) {
            heist_bulk_chain batch = {NULL, NULL, 0};
            int error = c->opts.expand(&m->worker, node, &batch, c->opts.context);
            m->count.expanded++;
            if (batch.count)
                push(m, &batch);
            if (HEIST_UNLIKELY(error))
                heist_crew_fail_(c, error < 0 ? error : -EINVAL);
        }
        if (is_stopping(c))
            drop_all(m);
    } while (refill(c, m));
}

/* ---- Threads ---- */

/* Who finds nothing is gone under the same lock: whatever is queued later calls somebody else. */
void heist_crew_help_(struct crew *c, void (*run)(struct crew *, member *))
{
    member *m;
    do {
        pthread_mutex_lock(&c->lock);
        m = claim(c);
        c->coming -= !m;
        pthread_mutex_unlock(&c->lock);
        if (m)
            run(c, m);
    } while (m);
}

/* Not: until something is queued. That may be another's by the time that the leader looks, and
   whoever has called it does not call again. */
static bool is_called(const struct crew *c)
{
    return !heist_load(&c->leader_waits, __ATOMIC_RELAXED);
}

static void wait_for_call(struct crew *c)
{
    for (unsigned looks = 1; !is_called(c); looks++) {
        if (looks < LOOKS) {
            heist_pause();
            if (looks % YIELD_EVERY == 0)
                sched_yield();
            continue;
        }
        heist_park_prepare_(NULL, &c->leader, WAITING);
        if (is_called(c))
            heist_park_cancel_(NULL, &c->leader);
        else
            heist_park_sleep_(&c->leader);
    }
}

void heist_crew_lead_(struct crew *c, void (*run)(struct crew *, member *))
{
    for (bool is_over = false; !is_over;) {
        pthread_mutex_lock(&c->lock);
        member *m = claim(c);
        is_over = !c->busy;
        heist_store(&c->leader_waits, !m && !is_over, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&c->lock);
        if (m)
            run(c, m);
        else
            wait_for_call(c);
    }
    for (unsigned i = 0; i < c->opts.workers; i++)
        end_idling(&c->members[i]);
}
