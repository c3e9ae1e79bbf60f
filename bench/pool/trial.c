/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

/* From half to one and a half times the mean, so that threads do not fall into step. */
static void begin_turn(struct pool_thread *me)
{
    uint64_t mean = me->pool->turn;
    me->random = me->random * 6364136223846793005u + 1442695040888963407u;
    me->turn = mean ? mean / 2 + (me->random >> 33) % (mean + 1) : UINT64_MAX;
}

static void yield(struct pool_thread *me)
{
    sched_yield();
    begin_turn(me);
}

static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static unsigned level(void *context, unsigned thief, unsigned i)
{
    const struct pool *pool = ((const struct pool_thread *)context)->pool;
    return heist_topology_level(pool->topology, pool->cpus[thief], pool->cpus[i]);
}

/* A thread makes its own queue: the memory is on its node, and `split` knows whom to signal. */
static int set_up(struct pool_thread *me)
{
    struct pool *pool = me->pool;
    bench_pin((int)heist_topology_cpu(pool->topology, pool->cpus[me->number])->os);
    begin_turn(me);
    void *queue;
    if (posix_memalign(&queue, 2 * HEIST_LINE, pool->contestant->size))
        return -ENOMEM;
    int error = pool->contestant->init(queue, &pool->opts);
    if (error)
        free(queue);
    else
        pool->queues[me->number] = queue;
    return error;
}

static void *thread_main(void *arg)
{
    struct pool_thread *me = arg;
    struct pool *pool = me->pool;
    me->error = set_up(me);
    for (;;) {
        atomic_fetch_add(&pool->parked, 1);
        int phase;
        while ((phase = atomic_load(&pool->phase)) == PHASE_HOLD)
            sched_yield();
        if (phase == PHASE_END)
            break;
        atomic_fetch_add(&pool->started, 1);
        uint64_t from = cpu_ns();
        pool->contestant->pool->rounds(me);
        me->done.cpu_ns += cpu_ns() - from;
    }
    if (!me->error)
        me->left = pool->contestant->drain(pool->queues[me->number]);
    return NULL;
}

static void await(const _Atomic unsigned *counter, unsigned n)
{
    while (atomic_load(counter) != n)
        sched_yield();
}

/* Lets all threads run for a while, then stops them, so that their tallies can be read. */
static double run_for(struct pool *pool, double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    atomic_store(&pool->started, 0);
    atomic_store(&pool->parked, 0);
    uint64_t from = clock_ns();
    atomic_store(&pool->phase, PHASE_RUN);
    await(&pool->started, pool->number); /* who sleeps through it all would not park again */
    while (nanosleep(&t, &t) && errno == EINTR)
        continue;
    atomic_store(&pool->phase, PHASE_HOLD);
    await(&pool->parked, pool->number);
    return (double)(clock_ns() - from) / 1e9;
}

static void add_tally(struct tally *to, struct tally more)
{
    to->n += more.n;
    to->sum += more.sum;
}

static struct pool_done all_done(const struct pool *pool)
{
    struct pool_done all = {.attempts = 0};
    for (const struct pool_thread *t = pool->threads; t != pool->threads + pool->number; t++) {
        add_tally(&all.put, t->done.put);
        add_tally(&all.got, t->done.got);
        add_tally(&all.stolen, t->done.stolen);
        all.attempts += t->done.attempts;
        all.successes += t->done.successes;
        all.cpu_ns += t->done.cpu_ns;
    }
    return all;
}

/* Jain's index: 1 if all have the same, 1/n if one has all; NAN: nobody has anything. */
static double fairness(const double *x, unsigned n)
{
    double sum = 0, squares = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    return sum > 0 ? sum * sum / (n * squares) : NAN;
}

static double operations(const struct pool_done *d)
{
    return (double)(d->put.n + d->got.n + d->stolen.n);
}

/* What each queue has lost to thieves, or what each owner has done, since the trial began. */
static double count_for(const struct pool *pool, unsigned queue, bool owners)
{
    double lost = 0;
    if (owners)
        return operations(&pool->threads[queue].done);
    for (unsigned i = 0; i < pool->number; i++)
        lost += (double)pool->threads[i].from[queue];
    return lost;
}

static double fairness_since(const struct pool *pool, const double *before, bool owners)
{
    double now[POOL_THREADS_MAX];
    for (unsigned i = 0; i < pool->number; i++)
        now[i] = count_for(pool, i, owners) - before[i];
    return fairness(now, pool->number);
}

/* A quarter of the time to warm up, a stop to read the counters, then the measurement. */
static struct pool_done measure(struct pool *pool, double seconds, struct pool_row *row)
{
    double lost[POOL_THREADS_MAX], worked[POOL_THREADS_MAX];
    run_for(pool, seconds / 4);
    struct pool_done before = all_done(pool);
    for (unsigned i = 0; i < pool->number; i++) {
        lost[i] = count_for(pool, i, false);
        worked[i] = count_for(pool, i, true);
    }
    double *v = row->value;
    v[P_SECONDS] = run_for(pool, seconds);
    struct pool_done all = all_done(pool);
    v[P_PUTS] = (double)(all.put.n - before.put.n);
    v[P_GETS] = (double)(all.got.n - before.got.n);
    v[P_STEALS] = (double)(all.stolen.n - before.stolen.n);
    v[P_ATTEMPTS] = (double)(all.attempts - before.attempts);
    v[P_SUCCESSES] = (double)(all.successes - before.successes);
    v[P_CPU_SECONDS] = (double)(all.cpu_ns - before.cpu_ns) / 1e9;
    double done = operations(&all) - operations(&before);
    v[P_SPEED] = done / v[P_SECONDS];
    v[P_CPU_SPEED] = done / v[P_CPU_SECONDS];
    v[P_STOLEN] = v[P_PUTS] > 0 ? 100 * v[P_STEALS] / v[P_PUTS] : NAN;
    v[P_TRIES] = v[P_SUCCESSES] > 0 ? v[P_ATTEMPTS] / v[P_SUCCESSES] : NAN;
    v[P_FAIR] = fairness_since(pool, lost, false);
    v[P_FAIR_OWNERS] = fairness_since(pool, worked, true);
    return all;
}

static int start_thread(struct pool *pool, struct pool_thread *me, unsigned number,
                        const struct pool_entrant *e, uint64_t seed)
{
    me->pool = pool;
    me->number = number;
    me->random = seed;
    me->set = (heist_victim_set){.number = pool->number,
                                 .context = me,
                                 .sample = pool->contestant->pool->sample,
                                 .size = pool->contestant->pool->size,
                                 .level = level,
                                 .keep = HEIST_VICTIM_KEEP,
                                 .keep_batch = e->keep_batch};
    me->loot = malloc(pool->opts.capacity * sizeof *me->loot);
    me->from = calloc(pool->number, sizeof *me->from);
    int error = me->loot && me->from
                    ? heist_victim_init(&me->victim, &me->set, &e->policy, number, seed)
                    : -ENOMEM;
    if (!error) {
        error = -pthread_create(&me->thread, NULL, thread_main, me);
        if (!error)
            return 0;
        heist_victim_fini(&me->victim);
    }
    free(me->loot);
    free(me->from);
    return error;
}

static void end_threads(struct pool *pool, unsigned started)
{
    atomic_store(&pool->phase, PHASE_END);
    for (unsigned i = 0; i < started; i++) {
        struct pool_thread *me = &pool->threads[i];
        pthread_join(me->thread, NULL);
        heist_victim_fini(&me->victim);
        free(me->loot);
        free(me->from);
    }
    for (unsigned i = 0; i < started; i++)
        if (pool->queues[i]) {
            pool->contestant->fini(pool->queues[i]);
            free(pool->queues[i]);
        }
}

/* Whether what was put is what was got, stolen or left, in number and in sum. */
static bool nothing_lost(const struct pool *pool, const struct pool_done *all)
{
    struct tally out = all->got;
    add_tally(&out, all->stolen);
    for (unsigned i = 0; i < pool->number; i++)
        add_tally(&out, pool->threads[i].left);
    return all->put.n && all->put.n == out.n && all->put.sum == out.sum;
}

static int run_pool(struct pool *pool, const struct pool_entrant *e, double seconds,
                    struct pool_row *row)
{
    int error = 0;
    unsigned started = 0;
    while (!error && started < pool->number) {
        uint64_t seed = (uint64_t)row->value[P_ROUND] * POOL_THREADS_MAX + started;
        error = start_thread(pool, &pool->threads[started], started, e, seed);
        started += !error;
    }
    await(&pool->parked, started);
    for (unsigned i = 0; i < started && !error; i++)
        error = pool->threads[i].error;
    struct pool_done all;
    if (!error)
        all = measure(pool, seconds, row);
    end_threads(pool, started);
    if (!error)
        row->value[P_OK] = nothing_lost(pool, &all);
    return error;
}

int pool_trial(const struct pool_options *o, const struct pool_places *places, struct pool_row *row)
{
    const struct pool_entrant *e = row->entrant;
    const struct contestant *c = e->kind->contestant;
    struct pool *pool;
    if (posix_memalign((void **)&pool, _Alignof(struct pool), sizeof *pool))
        return -ENOMEM;
    memset(pool, 0, sizeof *pool);
    pool->contestant = c;
    pool->opts = e->kind->opts;
    pool->opts.capacity = o->capacity;
    pool->opts.block = o->block;
    pool->limited = pool->opts.bound != HEIST_BOUND_FIXED;
    pool->number = o->threads;
    pool->share = (uint64_t)row->value[P_BALANCE] * o->capacity / 100;
    /* Where nobody steals, nobody sees that the owner of a queue sleeps. */
    pool->turn = pool->share && o->threads > heist_topology_cpus(places->topology) ? o->turn : 0;
    pool->yield = yield;
    pool->batch = e->batch;
    pool->counts_attempts = o->counts_attempts;
    pool->free_refusals = o->free_refusals;
    pool->topology = places->topology;
    pool->cpus = places->cpus;
    int error = -ENOMEM;
    pool->queues = calloc(o->threads, sizeof *pool->queues);
    if (pool->queues && !posix_memalign((void **)&pool->threads, _Alignof(struct pool_thread),
                                        o->threads * sizeof *pool->threads)) {
        memset(pool->threads, 0, o->threads * sizeof *pool->threads);
        error = run_pool(pool, e, o->seconds, row);
        free(pool->threads);
    }
    free(pool->queues);
    free(pool);
    return error;
}
