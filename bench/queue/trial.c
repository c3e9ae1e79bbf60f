/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "trial.h"

#include <errno.h>
#include <heist/atomic.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double bench_ticks_per_ns(void)
{
    static double known;
    if (!known) {
        uint64_t ns = clock_ns(), from = ticks(), now;
        do {
            now = clock_ns();
        } while (now - ns < 2000000);
        known = (double)(ticks() - from) / (double)(now - ns);
    }
    return known;
}

/* The first of the hardware threads that share a core with `cpu`; `cpu` itself if unknown. */
static int first_sibling(int cpu)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    int first = cpu;
    FILE *f = fopen(path, "r");
    if (f) {
        if (fscanf(f, "%d", &first) != 1)
            first = cpu;
        fclose(f);
    }
    return first;
}

unsigned bench_cpus(const int **cpus)
{
    static int list[CPU_SETSIZE];
    static unsigned n;
    if (!n) {
        cpu_set_t allowed;
        if (sched_getaffinity(0, sizeof allowed, &allowed))
            CPU_ZERO(&allowed);
        for (int second = 0; second < 2; second++)
            for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
                if (CPU_ISSET(cpu, &allowed) && (first_sibling(cpu) != cpu) == second)
                    list[n++] = cpu;
        if (!n)
            list[n++] = -1; /* not to be pinned */
    }
    *cpus = list;
    return n;
}

void bench_pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    /* Where it is refused, the threads run where the system puts them. */
    (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* The owner, 0, has a CPU to itself if there are two; helpers share the others. */
static void pin(unsigned thread)
{
    const int *cpus;
    unsigned n = bench_cpus(&cpus);
    int cpu = cpus[thread && n > 1 ? 1 + (thread - 1) % (n - 1) : 0];
    if (cpu >= 0)
        bench_pin(cpu);
}

void bench_relax(const struct run *run)
{
    if (run->crowded)
        sched_yield();
    else
        heist_pause();
}

void bench_pause(const struct run *run, uint64_t ns)
{
    uint64_t end = ticks() + (uint64_t)((double)ns * bench_ticks_per_ns());
    do {
        bench_relax(run);
    } while (ticks() < end);
}

void bench_wait_until(const struct run *run, uint64_t time)
{
    while (ticks() < time && bench_running(run))
        if (run->crowded)
            sched_yield();
}

/*
 * Waits until it is time for the helper's next attempt, and returns how many attempts to make
 * before calling again. The goal is to be half a round behind the owner: then the owner always
 * finds room, and its items too. The rate is proportional to how far behind the helper is, and so
 * settles without overshooting; far behind, or with the owner blocked, it goes as fast as it can.
 */
unsigned bench_pace(struct helper *me, uint64_t done)
{
    struct run *run = me->run;
    const double goal = run->share * (double)run->capacity / 2;
    while (bench_running(run)) {
        uint64_t now = ticks();
        uint64_t made = atomic_load_explicit(&run->progress, memory_order_relaxed);
        if (made != me->seen) {
            double ticks_per_put = (double)(now - me->seen_at) / (double)(made - me->seen);
            if (me->ticks_per_put)
                me->ticks_per_put += (ticks_per_put - me->ticks_per_put) / 4;
            else
                me->ticks_per_put = ticks_per_put;
            me->seen = made;
            me->seen_at = now;
        }
        double behind = run->share * (double)made - (double)done;
        bool hurry = atomic_load_explicit(&run->blocked, memory_order_relaxed);
        if (hurry || behind > 2.5 * goal) {
            if (run->crowded)
                sched_yield(); /* the owner may be waiting for this CPU */
            me->last = now;
            return 32;
        }
        double interval = me->ticks_per_put / run->share * goal / fmax(behind, goal / 8);
        if (me->ticks_per_put && (double)(now - me->last) >= interval) {
            me->last = now;
            return 1;
        }
        if (run->crowded)
            sched_yield();
    }
    return 1;
}

void bench_sample(struct samples *s, uint64_t t)
{
    if (s->n < s->max)
        s->ticks[s->n++] = t < UINT32_MAX ? (uint32_t)t : UINT32_MAX;
}

static void *helper_main(void *arg)
{
    struct helper *me = arg;
    struct run *run = me->run;
    pin(me->number);
    for (;;) {
        atomic_fetch_add(&run->parked, 1);
        int phase;
        while ((phase = atomic_load(&run->phase)) == PHASE_HOLD)
            sched_yield();
        if (phase == PHASE_END)
            return NULL;
        me->seen_at = me->last = ticks();
        atomic_fetch_add(&run->started, 1);
        run->help(me);
    }
}

static void await(const _Atomic unsigned *counter, unsigned n)
{
    while (atomic_load(counter) != n)
        sched_yield();
}

/* Lets owner and helpers run for a while, then stops them, so that their tallies can be read. */
static double run_for(struct run *run, const struct trial *t, double seconds)
{
    atomic_store(&run->started, 0);
    atomic_store(&run->parked, 0);
    atomic_store(&run->phase, PHASE_RUN);
    await(&run->started, run->number);
    uint64_t from = clock_ns();
    t->owner(run, ticks() + (uint64_t)(seconds * 1e9 * bench_ticks_per_ns()));
    uint64_t to = clock_ns();
    atomic_store(&run->phase, PHASE_HOLD);
    await(&run->parked, run->number);
    return (double)(to - from);
}

static int compare_ticks(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Percentiles in ns of all helpers' samples, by nearest rank. */
static void percentiles(const struct run *run, double out[4])
{
    static const double at[4] = {0.5, 0.9, 0.99, 0.999};
    size_t n = 0;
    for (unsigned i = 0; i < run->number; i++)
        n += run->helpers[i].latency.n;
    uint32_t *all = n ? malloc(n * sizeof *all) : NULL;
    for (unsigned i = 0; i < 4; i++)
        out[i] = NAN;
    if (!all)
        return;
    size_t copied = 0;
    for (unsigned i = 0; i < run->number; i++) {
        const struct samples *s = &run->helpers[i].latency;
        memcpy(all + copied, s->ticks, s->n * sizeof *all);
        copied += s->n;
    }
    qsort(all, n, sizeof *all, compare_ticks);
    for (unsigned i = 0; i < 4; i++)
        out[i] = all[(size_t)(at[i] * (double)(n - 1) + 0.5)] / bench_ticks_per_ns();
    free(all);
}

static struct helped all_helped(const struct run *run)
{
    struct helped all;
    memset(&all, 0, sizeof all);
    for (unsigned i = 0; i < run->number; i++) {
        const struct helped *one = &run->helpers[i].done;
        all.taken.n += one->taken.n;
        all.taken.sum += one->taken.sum;
        all.empty += one->empty;
        all.busy += one->busy;
        all.sizes += one->sizes;
        all.counted.fences += one->counted.fences;
        all.counted.cas += one->counted.cas;
        all.counted.rmw += one->counted.rmw;
    }
    return all;
}

static int start_helpers(struct run *run, const struct trial *t)
{
    size_t samples = (size_t)(t->seconds * t->frequency) + 4096;
    for (; run->number < t->helpers; run->number++) {
        struct helper *h = &run->helpers[run->number];
        h->run = run;
        h->number = run->number + 1;
        h->latency.max = samples;
        h->latency.ticks = malloc(samples * sizeof *h->latency.ticks);
        if (!h->latency.ticks || pthread_create(&h->thread, NULL, helper_main, h)) {
            free(h->latency.ticks);
            return -EAGAIN;
        }
    }
    await(&run->parked, run->number);
    return 0;
}

static void end_helpers(struct run *run)
{
    atomic_store(&run->phase, PHASE_END);
    for (unsigned i = 0; i < run->number; i++) {
        pthread_join(run->helpers[i].thread, NULL);
        free(run->helpers[i].latency.ticks);
    }
}

static struct counted counted_since(struct counted now, struct counted then)
{
    return (struct counted){now.fences - then.fences, now.cas - then.cas, now.rmw - then.rmw};
}

/*
 * A part of the time to warm up and to find the pace, a short stop to read the counters, then the
 * rest.
 */
static void measure(struct run *run, const struct trial *t, struct outcome *out)
{
    run_for(run, t, t->seconds / 4);
    struct owned owned = run->done;
    struct helped helped = all_helped(run);
    for (unsigned i = 0; i < run->number; i++)
        run->helpers[i].latency.n = 0;
    run->at_least = run->done.calls + t->at_least;

    out->ns = run_for(run, t, t->seconds);
    percentiles(run, out->percentile);
    struct owned *o = &out->owner;
    struct helped *h = &out->thieves;
    struct tally left = t->drain(run->queue);
    *o = run->done;
    *h = all_helped(run);
    out->ok = o->put.n == o->got.n + h->taken.n + left.n &&
              o->put.sum == o->got.sum + h->taken.sum + left.sum;

    o->put.n -= owned.put.n;
    o->got.n -= owned.got.n;
    o->calls -= owned.calls;
    o->call_ticks -= owned.call_ticks;
    o->counted = counted_since(o->counted, owned.counted);
    h->taken.n -= helped.taken.n;
    h->empty -= helped.empty;
    h->busy -= helped.busy;
    h->sizes -= helped.sizes;
    h->counted = counted_since(h->counted, helped.counted);
}

/* Calls `then` with a queue of these options, if the kind makes one; what `then` says, or false. */
static bool with_queue(const struct contestant *c, const heist_queue_opts *opts,
                       bool (*then)(const struct contestant *c, void *queue))
{
    void *queue;
    bool result = false;
    if (posix_memalign(&queue, 2 * HEIST_LINE, c->size))
        return false;
    if (!c->init(queue, opts)) {
        result = then(c, queue);
        c->fini(queue);
    }
    free(queue);
    return result;
}

static bool yes(const struct contestant *c, void *queue)
{
    (void)c;
    return queue;
}

static bool gives_the_first(const struct contestant *c, void *queue)
{
    char items[2];
    void *got = NULL;
    if (c->put(queue, &items[0]) && c->put(queue, &items[1]))
        got = c->get(queue);
    c->drain(queue);
    return got == &items[0];
}

bool bench_accepts(const struct contestant *c, const heist_queue_opts *opts)
{
    return with_queue(c, opts, yes);
}

unsigned bench_bound(const struct contestant *c)
{
    heist_queue_opts opts = {.size = sizeof opts, .capacity = 64, .bound = HEIST_BOUND_FIXED};
    return bench_accepts(c, &opts) ? HEIST_BOUND_FIXED : HEIST_BOUND_DEFAULT;
}

bool bench_is_fifo(const struct contestant *c)
{
    heist_queue_opts opts = {.size = sizeof opts, .capacity = 64};
    return with_queue(c, &opts, gives_the_first);
}

int bench_trial(const struct trial *t, struct outcome *out)
{
    const struct contestant *c = t->contestant;
    struct run *run;
    void *queue;
    if (posix_memalign((void **)&run, _Alignof(struct run), sizeof *run))
        return -ENOMEM;
    memset(run, 0, sizeof *run);
    int error = -ENOMEM;
    if (posix_memalign((void **)&run->helpers, _Alignof(struct helper),
                       (t->helpers + 1) * sizeof *run->helpers))
        goto no_helpers;
    memset(run->helpers, 0, t->helpers * sizeof *run->helpers);
    if (posix_memalign(&queue, 2 * HEIST_LINE, c->size))
        goto no_queue;
    error = c->init(queue, &t->opts);
    if (error)
        goto no_init;

    const int *cpus;
    cpu_set_t before;
    CPU_ZERO(&before);
    bool pinned = !pthread_getaffinity_np(pthread_self(), sizeof before, &before);
    run->queue = queue;
    run->capacity = t->opts.capacity;
    run->limited = t->opts.bound != HEIST_BOUND_FIXED && !c->plain;
    run->crowded = t->helpers >= bench_cpus(&cpus);
    run->keep = t->keep;
    run->share = t->helpers ? t->share / t->helpers : 0;
    run->param = t->param;
    run->help = t->help;
    if (t->frequency > 0)
        run->interval = (uint64_t)(1e9 * bench_ticks_per_ns() * t->helpers / t->frequency);
    pin(0);
    error = start_helpers(run, t);
    if (!error)
        measure(run, t, out);
    end_helpers(run);
    if (pinned)
        (void)pthread_setaffinity_np(pthread_self(), sizeof before, &before);

    c->fini(queue);
no_init:
    free(queue);
no_queue:
    free(run->helpers);
no_helpers:
    free(run);
    return error;
}
