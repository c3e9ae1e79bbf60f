/* SPDX-License-Identifier: MIT */
#include "experiment.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../../../test/random.h"
#include "clock.h"
#include "common.h"

struct task {
    unsigned number; /* which Fibonacci number */
    atomic_uint runs;
    uint64_t generated; /* when */
};

struct crew;

/*
 * Only its owner may put into a deque. So the generator of live tasks, which in the report pushes
 * into the deques of others, only says how many tasks there are; the owner takes them in between
 * two tasks of its own.
 */
struct member {
    struct crew *crew;
    heist_queue *queue;
    heist_victim victim;
    struct task *tasks; /* its own, before anyone steals */
    pthread_t thread;
    uint64_t ended;
    /* Of the owner alone, but for `done`. */
    _Alignas(64) size_t taken; /* of its tasks, into the deque */
    size_t stolen;
    uint64_t sum, waiting;
    atomic_size_t done;
    /* Of the generator. */
    _Alignas(64) atomic_size_t generated; /* of its tasks */
};

struct crew {
    const struct experiment *what;
    const struct circumstances *how;
    struct member *members;
    heist_queue **queues;
    heist_victim_set set;
    struct task *tasks;
    pthread_barrier_t ready, start;
};

/* The slow way: it is the work of a task. */
static uint64_t fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static uint64_t fib_by_sums(unsigned n)
{
    uint64_t a = 0, b = 1;
    for (; n; n--) {
        uint64_t next = a + b;
        a = b;
        b = next;
    }
    return a;
}

/* ---- A thread ---- */

/* What has no room in a bounded deque stays where it is until there is some. */
static void take_in(struct member *m)
{
    size_t generated = atomic_load_explicit(&m->generated, memory_order_acquire);
    while (m->taken < generated && heist_queue_put(m->queue, &m->tasks[m->taken]))
        m->taken++;
}

static void run(struct member *m, struct task *task)
{
    m->waiting += clock_ns() - task->generated;
    m->sum += fib(task->number);
    atomic_fetch_add_explicit(&task->runs, 1, memory_order_relaxed);
    atomic_store_explicit(&m->done, atomic_load_explicit(&m->done, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

static struct task *steal(struct member *m)
{
    void *task;
    unsigned from = heist_victim_next(&m->victim);
    if (from == HEIST_VICTIM_NONE ||
        !heist_victim_steal(&m->victim, from, HEIST_BATCH_ONE, &task, 1))
        return NULL;
    m->stolen++;
    return task;
}

/* Whether nothing is left that this thread might do. */
static bool is_over(const struct member *m)
{
    const struct crew *c = m->crew;
    size_t done = 0;
    if (!c->what->steals)
        return atomic_load_explicit(&m->done, memory_order_relaxed) == c->how->tasks;
    for (unsigned i = 0; i < c->what->threads; i++)
        done += atomic_load_explicit(&c->members[i].done, memory_order_relaxed);
    return done >= c->how->tasks * c->what->threads;
}

static void *work(void *arg)
{
    struct member *m = arg;
    pthread_barrier_wait(&m->crew->ready);
    pthread_barrier_wait(&m->crew->start);
    heist_queue_adopt(m->queue);
    while (!is_over(m)) {
        take_in(m);
        struct task *task = heist_queue_get(m->queue);
        if (!task && m->crew->what->steals) {
            sched_yield(); /* before each attempt, as in the report */
            task = steal(m);
        }
        /* Its own, as long as it has any: without a look at the others. */
        for (; task; take_in(m), task = heist_queue_get(m->queue))
            run(m, task);
        if (!m->crew->what->steals)
            sched_yield();
    }
    m->ended = clock_ns();
    return NULL;
}

/* ---- The generator ---- */

static void generate(struct member *m)
{
    size_t generated = atomic_load_explicit(&m->generated, memory_order_relaxed);
    m->tasks[generated].generated = clock_ns();
    atomic_store_explicit(&m->generated, generated + 1, memory_order_release);
}

static void generate_batch(struct crew *c)
{
    for (struct member *m = c->members; m != c->members + c->what->threads; m++) {
        for (size_t i = 0; i < c->how->tasks; i++)
            generate(m);
        take_in(m); /* the thread, which has not begun, is the owner afterwards */
    }
}

static void sleep_until(uint64_t time)
{
    struct timespec t = {(time_t)(time / 1000000000), (long)(time % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

/* For a random one of those that have not got all of theirs, at random intervals. */
static void generate_live(struct crew *c, uint64_t *random)
{
    uint64_t time = clock_ns();
    size_t left = c->how->tasks * c->what->threads;
    for (; left; left--) {
        size_t at = random_below(random, left);
        struct member *m = c->members;
        for (size_t own; at >= (own = c->how->tasks - atomic_load(&m->generated)); m++)
            at -= own;
        time += random_below(random, 2 * c->how->interval + 1);
        sleep_until(time);
        generate(m);
    }
}

/* ---- All together ---- */

static void *room(size_t number, size_t size)
{
    void *at = aligned_alloc(64, (number * size + 63) / 64 * 64);
    if (!at)
        bench_fail("out of memory");
    return memset(at, 0, number * size);
}

static void must(int error, const char *what)
{
    if (error)
        bench_fail("%s: %s", what, strerror(error));
}

/* Returns the sum of the results. */
static uint64_t make_tasks(struct crew *c, uint64_t *random)
{
    uint64_t sum = 0;
    size_t number = c->what->threads * c->how->tasks;
    c->tasks = room(number, sizeof *c->tasks);
    for (size_t i = 0; i < number; i++) {
        unsigned which = c->how->fib;
        if (!c->what->is_skewed)
            which += (unsigned)random_below(random, FIB_RANGE);
        else if (i / c->how->tasks >= (c->what->threads + 1) / 2)
            which = FIB_LEAST;
        c->tasks[i].number = which;
        sum += fib_by_sums(which);
    }
    return sum;
}

static void start_threads(struct crew *c, uint64_t *random)
{
    unsigned threads = c->what->threads;
    c->members = room(threads, sizeof *c->members);
    c->queues = room(threads, sizeof *c->queues);
    heist_victim_queues(&c->set, c->queues, threads);
    must(pthread_barrier_init(&c->ready, NULL, threads + 1), "no barrier");
    must(pthread_barrier_init(&c->start, NULL, threads + 1), "no barrier");
    for (unsigned i = 0; i < threads; i++) {
        struct member *m = &c->members[i];
        m->crew = c;
        m->tasks = c->tasks + i * c->how->tasks;
        must(-heist_queue_new(&c->queues[i], c->what->kind, &c->how->queue), c->what->kind);
        m->queue = c->queues[i];
        must(-heist_victim_init(&m->victim, &c->set, &c->how->victim, i, random_next(random)),
             "no victims");
    }
    for (unsigned i = 0; i < threads; i++)
        must(pthread_create(&c->members[i].thread, NULL, work, &c->members[i]), "no thread");
}

static void drop(struct crew *c)
{
    for (unsigned i = 0; i < c->what->threads; i++) {
        heist_victim_fini(&c->members[i].victim);
        heist_queue_free(c->queues[i]);
    }
    pthread_barrier_destroy(&c->ready);
    pthread_barrier_destroy(&c->start);
    free(c->members);
    free(c->queues);
    free(c->tasks);
}

static struct outcome sum_up(const struct crew *c, uint64_t began, uint64_t right)
{
    struct outcome o = {.done = room(c->what->threads, sizeof *o.done), .ok = true};
    size_t number = c->what->threads * c->how->tasks;
    uint64_t ended = began, sum = 0, waiting = 0;
    for (unsigned i = 0; i < c->what->threads; i++) {
        const struct member *m = &c->members[i];
        ended = m->ended > ended ? m->ended : ended;
        sum += m->sum;
        waiting += m->waiting;
        o.stolen += m->stolen;
        o.done[i] = m->done;
    }
    for (size_t i = 0; i < number; i++)
        o.ok &= c->tasks[i].runs == 1;
    o.ok &= sum == right;
    o.seconds = (double)(ended - began) * 1e-9;
    o.waiting = (double)waiting * 1e-9 / (double)number;
    return o;
}

struct outcome run_experiment(const struct experiment *what, const struct circumstances *how)
{
    struct crew c = {.what = what, .how = how};
    uint64_t random = how->seed, right = make_tasks(&c, &random);
    start_threads(&c, &random);
    pthread_barrier_wait(&c.ready);
    if (!what->is_live)
        generate_batch(&c);
    uint64_t began = clock_ns();
    pthread_barrier_wait(&c.start);
    if (what->is_live)
        generate_live(&c, &random);
    for (unsigned i = 0; i < what->threads; i++)
        must(pthread_join(c.members[i].thread, NULL), "no end");
    struct outcome o = sum_up(&c, began, right);
    drop(&c);
    return o;
}
