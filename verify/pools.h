/* SPDX-License-Identifier: MIT */
/*
 * The runtime itself (src/runtime) as programs for the checker. Each thread follows a script.
 * Whatever was forked or submitted is run exactly once, also if whoever has made it never comes
 * back to the runtime (its thread just ends: a task that takes for ever); a sleeper that nobody
 * wakes is a deadlock.
 */
#ifndef HEIST_VERIFY_POOLS_H
#define HEIST_VERIFY_POOLS_H

#include <errno.h>

#include "../src/runtime/process.h"
#include "../src/runtime/worker.h"

#include "script.h"

#define WORKERS "TKCIA" /* in scripts of threads that have a seat */

enum { THREADS = 4, DEPTH = 4, TASKS = 2 * THREADS };

static heist_pool *pool;
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
        if (has(scripts[i], "IAN"))
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

/*
 * "L": a thread lends itself; "F": it has forked, and made that public; "D": the last thread is the
 * deputy, asleep, since somebody lends; "N": the deputy is made when it is called. "G", "B":
 * another kind of queue, global or abp; "H": without a heavy fence; "M": thieves take
 * batches; "R": the process was forked, and the pool has to be revived.
 */
static void prepare(const char *before)
{
    if (has(before, "D"))
        heist_seats_call_deputy_(pool);
    else if (!has(before, "N"))
        pool->error = -EAGAIN; /* of a deputy that can't be made */
    if (has(before, "FDL"))
        lender = heist_seats_enter_(pool);
    if (has(before, "F")) {
        heist_slots_ask_(&lender->w.slots);
        heist_fork(&lender->w, &forks[0], run_task, &runs[TASKS - 1]);
        made++;
    }
    if (has(before, "D")) {
        struct worker *deputy = (struct worker *)heist_load(&pool->deputy, __ATOMIC_RELAXED);
        heist_park_prepare_(&pool->parking, &deputy->parker, WAITING);
    }
    if (has(before, "R"))
        heist_add(&heist_process_generation_, 1, __ATOMIC_RELAXED);
}

static void script_setup(const struct client *client)
{
    static const heist_memory memory = {check_alloc, check_free, NULL};
    const size_t size = sizeof *pool + THREADS * sizeof(struct parker *);
    pool = memset(check_alloc(NULL, size, _Alignof(heist_pool)), 0, size);
    check_name(pool, size, 0, "pool");
    pool->kind = has(client->before, "G")   ? KIND_global
                 : has(client->before, "B") ? KIND_abp
                                            : KIND_heist;
    pool->has_heavy_fence = !has(client->before, "H");
    pool->batch = has(client->before, "M") ? HEIST_BATCH_BLOCK : HEIST_BATCH_ONE;
    pool->queue_opts = (heist_queue_opts){.capacity = DEPTH, .memory = &memory};
    heist_inbox_init_(&pool->inbox);
    scripts[0] = client->owner;
    for (int i = 1; i < THREADS; i++)
        scripts[i] = client->thief[i - 1];
    unsigned threads = 0;
    for (int i = 0; i < THREADS && scripts[i]; i++) {
        threads += has(scripts[i], WORKERS);
        for (const char *what = scripts[i]; *what; what++)
            made += makes_task(*what);
    }
    heist_store(&pool->workers, threads + !has(client->before, "D"), __ATOMIC_RELAXED);
    check_assert(!heist_seats_init_(pool));
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

/* The seats of threads come behind the first lender's. */
static struct worker *worker_of_thread(int who)
{
    unsigned number = 1;
    if (has(scripts[who], "FJP"))
        return lender ? lender : heist_seats_enter_(pool);
    for (int i = 0; i < who; i++)
        number += has(scripts[i], WORKERS);
    return has(scripts[who], WORKERS) ? pool->worker[number] : NULL;
}

/*
 * "F": forks, "J": joins; "P": submits to its own queue, "S" from outside; "L": lends itself for a
 * task, "E": has lent itself, and leaves; "T": is a worker until all have run, the last one by it;
 * "K": the same, but takes forks only; "C": for one look; "I": is a worker until the pool stops,
 * "A": the same, from when it was asleep; "N": the same, in the first thread that is created; "Y":
 * calls the deputy; "V": looks for a job; "Z": stops the pool; else the last task does.
 */
static void play(int who)
{
    struct worker *w = worker_of_thread(who);
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
        case 'N':
            check_run_created(0);
            break;
        case 'Y':
            heist_seats_call_deputy_(pool);
            break;
        case 'V':
            check_assert(!heist_pool_or_default_(&pool));
            check_assert(!heist_inbox_take_(&pool->inbox, HEIST_NORMAL));
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
    {.name = "join", .before = "F", .owner = "J", .thief = {"C"}},
    {.name = "leave", .before = "D", .owner = "E", .thief = {"S", "A"}},
    {.name = "put", .before = "B", .owner = "F", .thief = {"T"}},
    {.name = "put-fence", .before = "BH", .owner = "F", .thief = {"T"}},
    {.name = "seats", .before = "L", .owner = "L", .thief = {"C"}},
    {.name = "lenders", .owner = "L", .thief = {"L"}},
    {.name = "deputy", .before = "N", .owner = "Y", .thief = {"Y"}},
    {.name = "child", .before = "R", .owner = "V", .thief = {"V"}},
    {.name = "stop", .owner = "Z", .thief = {"I"}},
    {.name = "batch", .before = "BM", .owner = "FF", .thief = {"I"}, .full = true},
    {.name = "fork-again", .owner = "FF", .thief = {"T"}, .random = 20000},
    {.name = "refork", .before = "F", .owner = "JF", .thief = {"K"}, .random = 20000},
    {.name = "reput-fence", .before = "BH", .owner = "FJF", .thief = {"K"}, .random = 5000},
    {.name = "stale", .before = "GF", .owner = "JF", .thief = {"K"}, .random = 5000},
    {.name = "batch-two", .before = "BM", .owner = "FF", .thief = {"I", "I"}, .random = 5000},
    {.name = "lend", .owner = "L", .thief = {"S", "I"}, .random = 5000},
    {.name = "submit-two", .before = "N", .owner = "S", .thief = {"S", "N"}, .random = 5000},
    {.name = NULL},
};

#endif
