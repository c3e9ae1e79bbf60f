/* SPDX-License-Identifier: MIT */
/*
 * The runtime itself (src/runtime) as programs for the checker: a pool whose seats are made by hand,
 * since threads can't be; all else is the runtime's own code. Each thread follows a script. Whatever was
 * forked or submitted is run exactly once, also if whoever has made it never comes back to the runtime
 * (its thread just ends: a task that takes for ever); a sleeper that nobody wakes is a deadlock.
 */
#ifndef HEIST_VERIFY_POOLS_H
#define HEIST_VERIFY_POOLS_H

#include <errno.h>

#include "../src/runtime/worker.h"

#include "script.h"

enum { THREADS = 4, DEPTH = 4, TASKS = 2 * THREADS };

static heist_pool *pool;
static struct worker seats[THREADS];
static heist_slot stacks[THREADS][DEPTH + 1]; /* in the order of their numbers: see owner_of */
static const char *scripts[THREADS];
static heist_job jobs[TASKS];
static int runs[TASKS]; /* not atomic: each is run by one thread, and seen after that */
static heist_task forks[DEPTH];
static struct worker *lender; /* that has come before */
static uint32_t made;
static heist_au32 ran; /* tasks */

static bool has(const char *script, const char *letters)
{
    return script && strpbrk(script, letters);
}

static bool makes_task(char what) { return strchr("FPSL", what); }

static bool is_stopped_by_task(void)
{
    for (int i = 0; i < THREADS; i++)
        if (has(scripts[i], "IA"))
            return true;
    return false;
}

static void run_task(heist_worker *w, void *task)
{
    (void)w;
    runs[(int *)task - runs]++;
    check_goes_on();
    if (heist_add(&ran, 1, __ATOMIC_RELAXED) + 1 == made && is_stopped_by_task())
        heist_seats_end_threads_(pool);
}

/* ---- Set-up ---- */

static void make_seat(unsigned number, unsigned rank, bool is_lender)
{
    struct worker *w = &seats[number];
    w->pool = pool;
    w->number = number;
    w->rank = rank;
    w->random = number + 1;
    w->is_lender = is_lender;
    heist_slots_init_(&w->w.slots, stacks[number], DEPTH);
    w->tasks = &w->own;
    check_assert(!tasks_init(&w->own, pool->kind, &pool->queue_opts));
    pool->worker[number] = w;
    pool->parking.parker[number] = &w->parker;
}

static void make_seats(void)
{
    unsigned number = 0, threads = 0;
    for (; number < THREADS && scripts[number]; number++) {
        bool is_lender = !has(scripts[number], "TKCIA");
        make_seat(number, threads, is_lender);
        threads += !is_lender;
        for (const char *what = scripts[number]; *what; what++)
            made += makes_task(*what);
    }
    heist_store(&pool->parking.number, number, __ATOMIC_RELAXED);
    heist_store(&pool->seats, number, __ATOMIC_RELAXED);
    heist_store(&pool->threads, threads, __ATOMIC_RELAXED);
    heist_store(&pool->workers, threads + 1, __ATOMIC_RELAXED);
    pool->error = -EAGAIN; /* there is no deputy, and it can't be made */
}

/* "F": the owner has forked, and made that public; "D": the last thread is the deputy, asleep, since
   somebody lends. */
static void prepare(const char *before)
{
    if (has(before, "F")) {
        heist_slots_ask_(&seats[0].w.slots);
        heist_fork(&seats[0].w, &forks[0], run_task, &runs[TASKS - 1]);
        made++;
    }
    if (has(before, "D")) {
        uint32_t workers = heist_add(&pool->workers, -1u, __ATOMIC_RELAXED) - 1;
        struct worker *deputy = pool->worker[heist_load(&pool->seats, __ATOMIC_RELAXED) - 1];
        check_assert(deputy->rank + 1 == workers);
        heist_store(&pool->deputy, deputy, __ATOMIC_RELAXED);
        lender = heist_seats_enter_(pool);
        heist_park_prepare_(&pool->parking, &deputy->parker, WAITING);
    }
}

static void script_setup(const struct client *client)
{
    static const heist_memory memory = {check_alloc, check_free, NULL};
    const size_t size = sizeof *pool + THREADS * sizeof(struct parker *);
    pool = memset(check_alloc(NULL, size, _Alignof(heist_pool)), 0, size);
    check_name(pool, size, 0, "pool");
    check_name(seats, sizeof seats, sizeof *seats, "seat");
    check_name(stacks, sizeof stacks, sizeof **stacks, "slot");
    pool->kind = KIND_heist;
    pool->has_heavy_fence = true;
    pool->queue_opts = (heist_queue_opts){.capacity = DEPTH, .memory = &memory};
    heist_inbox_init_(&pool->inbox);
    scripts[0] = client->owner;
    for (int i = 1; i < THREADS; i++)
        scripts[i] = client->thief[i - 1];
    make_seats();
    prepare(client->before);
}

/* ---- Threads ---- */

static bool all_have_run(struct wait *wait)
{
    (void)wait;
    return heist_load(&ran, __ATOMIC_RELAXED) == made;
}

/* A look, and another: for a thief that may come too late. */
static bool has_looked(struct wait *wait)
{
    bool again = wait->is_back;
    wait->is_back = true;
    return again;
}

static bool nobody_will_wake(struct wait *wait)
{
    (void)wait;
    return true;
}

static void work(struct worker *w, bool (*is_over)(struct wait *), enum help help)
{
    struct wait wait = {.is_over = is_over, .will_wake = nobody_will_wake};
    heist_worker_wait_(w, &wait, w->w.slots.first, help);
}

/*
 * "F": forks, "J": joins; "P": submits to its own queue, "S" from outside; "L": lends itself for a task,
 * "E": has lent itself, and leaves; "T": is a worker until all have run, the last one by it; "K": the same,
 * but takes forks only; "C": for one look; "I": is a worker until the pool stops, "A": the same, from when it was asleep; "Z": stops
 * it; else the last task does.
 */
static void play(int who)
{
    struct worker *w = has(scripts[who], "FJP") ? heist_seats_enter_(pool) : &seats[who];
    int depth = has(scripts[who], "J") && forks[0].slot, task = who;
    for (const char *what = scripts[who]; *what; what++) {
        switch (*what) {
        case 'F':
            heist_fork(&w->w, &forks[depth++], run_task, &runs[task]);
            break;
        case 'J':
            heist_join(&w->w, &forks[--depth]);
            break;
        case 'P':
        case 'S':
            check_assert(!heist_submit(pool, &jobs[task], run_task, &runs[task]));
            break;
        case 'L':
            check_assert(!heist_run(pool, run_task, &runs[task]));
            break;
        case 'E':
            heist_seats_leave_(lender);
            break;
        case 'T':
            work(w, all_have_run, HELP_ALL);
            break;
        case 'K':
            work(w, all_have_run, HELP_FORKS);
            break;
        case 'C':
            work(w, has_looked, HELP_ALL);
            break;
        case 'A':
            heist_park_sleep_(&w->parker);
            heist_worker_idle_(w);
            break;
        case 'I':
            heist_worker_idle_(w);
            break;
        default:
            heist_seats_end_threads_(pool);
        }
        task += makes_task(*what) ? THREADS : 0;
    }
}

static void script_owner(const struct client *client)
{
    (void)client;
    play(0);
}

static void script_thief(const struct client *client, int who)
{
    (void)client;
    play(who);
}

static void script_finish(void) { check_assert(heist_load(&ran, __ATOMIC_RELAXED) == made); }

static const struct client clients[] = {
    {.name = "fork", .owner = "F", .thief = {"T"}},
    {.name = "submit", .owner = "S", .thief = {"T"}},
    {.name = "own", .owner = "P", .thief = {"T"}},
    {.name = "refork", .before = "F", .owner = "JF", .thief = {"K"}, .random = 20000},
    {.name = "join", .before = "F", .owner = "J", .thief = {"C"}},
    {.name = "leave", .before = "D", .owner = "E", .thief = {"S", "A"}},
    {.name = "lend", .owner = "L", .thief = {"S", "I"}, .random = 20000},
    {.name = "stop", .owner = "Z", .thief = {"I"}},
    {.name = NULL},
};

#endif
