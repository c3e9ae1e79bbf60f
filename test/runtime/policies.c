/* SPDX-License-Identifier: MIT */
/* Pools with a victim policy, batches and pinned threads; by options. (By the environment:
 * runtime-kinds.) */
#define _GNU_SOURCE
#include "pools.h"
#include "work.h"

#include <errno.h>

enum { DEPTH = 12, JOBS = 64, LONGEST = 15 };

static heist_pool *pool_with(heist_pool_opts opts)
{
    heist_pool *pool = NULL;
    opts.size = sizeof opts;
    check(!heist_pool_new(&pool, &opts));
    return pool;
}

/* ---- Options ---- */

static unsigned nobody(void *context, heist_victim *v)
{
    (void)v;
    heist_add((heist_au32 *)context, 1, __ATOMIC_RELAXED);
    return HEIST_VICTIM_NONE;
}

static void wrong_options(void)
{
    static const heist_pool_opts wrong[] = {{.victim = "nearest"},
                                            {.victim = ""},
                                            {.victim = "own"},
                                            {.victim = "random+probably"},
                                            {.batch = "two"},
                                            {.batch = ""},
                                            {.pin = "tight"},
                                            {.pin = "default"},
                                            {.victim = "random", .victim_fn = nobody},
                                            {.victim = "+prob", .victim_fn = nobody}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        heist_pool *pool = NULL;
        heist_pool_opts opts = wrong[i];
        opts.size = sizeof opts;
        check(heist_pool_new(&pool, &opts) == -EINVAL);
        check(!pool);
    }
}

static void check_info(heist_pool_opts opts, const char *victim, const char *batch, const char *pin)
{
    opts.workers = 2;
    heist_pool *pool = pool_with(opts);
    heist_pool_info info = info_of(pool);
    check(!strcmp(info.victim, victim));
    check(!strcmp(info.batch, batch));
    check(!strcmp(info.pin, pin));
    check(!heist_pool_free(pool));
}

static void said_by_info(void)
{
    heist_au32 calls = {0};
    check_info((heist_pool_opts){0}, "random", "one", "none");
    check_info((heist_pool_opts){.victim = "numa+prob", .queue = "chaselev", .batch = "half"},
               "numa+prob", "half", "none");
    check_info(
        (heist_pool_opts){
            .victim_fn = nobody, .victim_context = &calls, .victim = "own+prob", .pin = "spread"},
        "own+prob", "one", "spread");
    check_info((heist_pool_opts){.queue = "bwos_lifo", .batch = "all-of-block", .pin = "compact"},
               "random", "block", "compact");
    /* Where a batch would be hidden from others, or has nowhere to go. */
    check_info((heist_pool_opts){.queue = "split", .batch = "half"}, "random", "one", "none");
    check_info((heist_pool_opts){.queue = "bulk", .batch = "half"}, "random", "one", "none");
    check_info((heist_pool_opts){.queue = "global", .batch = "half"}, "random", "one", "none");
}

/* ---- Every policy ---- */

static uint64_t steals_of(heist_pool *pool)
{
    heist_stats sum;
    check(!heist_pool_stats(pool, &sum, NULL, 0));
    return sum.steals;
}

static void check_policy(const char *victim, const char *queue, const char *batch)
{
    heist_pool *pool = pool_with(
        (heist_pool_opts){.workers = 3, .victim = victim, .queue = queue, .batch = batch});
    double end = seconds() + LONGEST;
    do {
        uint32_t leaves = 0;
        check(!heist_run_tree(pool, &leaves, DEPTH));
        check(leaves == 1u << DEPTH);
    } while (!steals_of(pool) && seconds() < end);
    if (!check(steals_of(pool) > 0))
        printf("%s %s %s\n", victim, queue, batch);
    check(!heist_pool_free(pool));
}

static void every_policy(void)
{
    static const char *const queues[] = {"heist", "chaselev", "bwos_lifo:8", "bwos_fifo:8"};
    unsigned i = 0;
    for (const char *const *victim = heist_victim_names(); *victim; victim++)
        for (const char *const *batch = heist_batch_names(); *batch; batch++, i++)
            check_policy(*victim, queues[i % 4], *batch);
}

/* ---- A user's own ---- */

struct own {
    heist_au32 calls, wrong;
};

static unsigned highest(void *context, heist_victim *v)
{
    struct own *own = context;
    heist_add(&own->calls, 1, __ATOMIC_RELAXED);
    unsigned i = v->number - 1 - (v->self == v->number - 1);
    if (v->self >= v->number || i >= v->number)
        heist_add(&own->wrong, 1, __ATOMIC_RELAXED);
    return i;
}

static void own_policy(void)
{
    struct own own = {.calls = {0}};
    heist_pool *pool =
        pool_with((heist_pool_opts){.workers = 2, .victim_fn = highest, .victim_context = &own});
    double end = seconds() + LONGEST;
    do {
        uint32_t leaves = 0;
        check(!heist_run_tree(pool, &leaves, DEPTH));
        check(leaves == 1u << DEPTH);
    } while (!steals_of(pool) && seconds() < end);
    check(steals_of(pool) > 0);
    check(!heist_pool_free(pool));
    check(heist_load(&own.calls, __ATOMIC_RELAXED) > 0);
    check(!heist_load(&own.wrong, __ATOMIC_RELAXED));
}

/* Whoever never finds a victim still takes what it sees in the last look before it sleeps. */
static void policy_of_nobody(void)
{
    heist_au32 calls = {0}, ran = {0};
    heist_pool *pool =
        pool_with((heist_pool_opts){.workers = 3, .victim_fn = nobody, .victim_context = &calls});
    heist_group group;
    unsigned leaves = 0;
    check(!heist_group_init(&group, pool));
    for (unsigned i = 0; i < JOBS; i++)
        check(!heist_group_submit(&group, add_one, &ran));
    check(!heist_run_tree(pool, &leaves, DEPTH));
    check(!heist_group_wait(&group));
    check(leaves == 1u << DEPTH && heist_load(&ran, __ATOMIC_RELAXED) == JOBS);
    check(!heist_pool_free(pool));
    check(heist_load(&calls, __ATOMIC_RELAXED) > 0);
}

/* ---- Batches ---- */

static struct gate first; /* the first job that is run elsewhere stands here */
static heist_au32 ran;

static void stand_first(heist_worker *w, void *arg)
{
    (void)arg;
    uint32_t before = heist_add(&ran, 1, __ATOMIC_ACQ_REL);
    if (!before)
        stand_at(w, &first);
}

/* A job that submits others to its own queue, and sees the thief with the first of them, and with
   how many more. */
static void make_jobs(heist_worker *w, void *stolen)
{
    heist_pool *pool = heist_worker_pool(w);
    static heist_job jobs[JOBS];
    for (unsigned i = 0; i < JOBS; i++)
        check(!heist_submit(pool, &jobs[i], stand_first, NULL));
    check(until(&first.entered, 1));
    *(uint64_t *)stolen = steals_of(pool);
    heist_store(&first.open, 1, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < JOBS; i++)
        check(!heist_wait(&jobs[i]));
}

/* Two workers take part: one submits, one steals. */
static uint64_t stolen_at_once(const char *queue, const char *batch)
{
    uint64_t stolen = 0;
    heist_job job;
    first = (struct gate){.entered = {0}};
    heist_store(&ran, 0, __ATOMIC_RELAXED);
    heist_pool *pool = pool_with((heist_pool_opts){.workers = 2, .queue = queue, .batch = batch});
    check(!heist_submit(pool, &job, make_jobs, &stolen));
    check(!heist_wait(&job));
    check(heist_load(&ran, __ATOMIC_RELAXED) == JOBS);
    check(!heist_pool_free(pool));
    return stolen;
}

/* The thief may come before all were submitted, so that half is not half of all. */
static void batches(void)
{
    static const char *const queues[] = {"locked",      "abp",         "chaselev",
                                         "bwos_lifo:8", "bwos_fifo:8", "heist"};
    for (unsigned q = 0; q < sizeof queues / sizeof *queues; q++) {
        check(stolen_at_once(queues[q], "one") == 1);
        uint64_t half = 0, block = 0;
        for (double end = seconds() + LONGEST; (half < 2 || block < 2) && seconds() < end;) {
            uint64_t n = stolen_at_once(queues[q], "half");
            half = n > half ? n : half;
            n = stolen_at_once(queues[q], "block");
            block = n > block ? n : block;
        }
        if (!check(half >= 2 && block >= 2) || !check(half <= JOBS / 2 && block <= JOBS))
            printf("%s: %u, %u\n", queues[q], (unsigned)half, (unsigned)block);
    }
}

/* ---- Pins ---- */

static unsigned cpus_of_thread(void)
{
    cpu_set_t may;
    return sched_getaffinity(0, sizeof may, &may) ? 0 : (unsigned)CPU_COUNT(&may);
}

struct look {
    unsigned cpus;
    heist_au32 done;
};

static void look(heist_worker *w, void *arg)
{
    struct look *look = arg;
    (void)w;
    look->cpus = cpus_of_thread();
    heist_store(&look->done, 1, __ATOMIC_RELEASE);
}

/* How many CPUs a thread of the pool may use. heist_wait might run the job right here, so it comes
 * last. */
static unsigned cpus_inside(heist_pool *pool)
{
    heist_job job;
    struct look seen = {0, {0}};
    check(!heist_submit(pool, &job, look, &seen));
    check(until(&seen.done, 1));
    check(!heist_wait(&job));
    return seen.cpus;
}

static unsigned all_cpus;

/* On a pinned thread: a pool that it makes is as wide as any, and its threads are not pinned. */
static void make_pool(heist_worker *w, void *arg)
{
    (void)w;
    heist_pool *inner = pool_with((heist_pool_opts){.workers = 2});
    heist_pool_info info = info_of(inner);
    check(info.affinity == all_cpus);
    check(!info.pinned);
    check(cpus_inside(inner) == all_cpus);
    check(!heist_pool_free(inner));
    look(w, arg);
}

/* Each thread pins itself, when it has begun. */
static bool are_pinned(heist_pool *pool, bool wanted)
{
    heist_pool_info info = info_of(pool);
    for (double end = seconds() + 60; wanted && info.pinned < info.threads && seconds() < end;)
        info = info_of(pool);
    return info.pinned == (wanted ? info.threads : 0);
}

static void pins(void)
{
    static const char *const names[] = {"none", "compact", "spread"};
    all_cpus = cpus_of_thread();
    for (unsigned i = 0; i < 3; i++) {
        heist_pool *pool =
            pool_with((heist_pool_opts){.workers = 3, .pin = names[i], .victim = "numa"});
        struct look seen = {0, {0}};
        heist_job job;
        check(cpus_inside(pool) == (i ? 1 : all_cpus));
        check(!heist_submit(pool, &job, make_pool, &seen));
        check(until(&seen.done, 1));
        check(!heist_wait(&job));
        check(seen.cpus == (i ? 1 : all_cpus));
        check(are_pinned(pool, i > 0));
        check(!heist_pool_free(pool));
    }
    check(cpus_of_thread() == all_cpus);
}

int main(void)
{
    wrong_options();
    said_by_info();
    every_policy();
    own_policy();
    policy_of_nobody();
    batches();
    pins();
    return check_status();
}
