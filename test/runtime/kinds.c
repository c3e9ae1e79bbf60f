/* SPDX-License-Identifier: MIT */
/*
 * kinds QUEUE: forks, loops and jobs on this kind of queue, with 1, 2 and 4 workers. It is chosen
 * by the options, and by HEIST_QUEUE. With more than one worker some forks and some jobs must have
 * been run elsewhere than where they were made.
 */
#define _GNU_SOURCE
#include "pools.h"

enum {
    DEPTH = 16,
    FORKS = 10000,   /* at once: more than a queue that can't grow takes */
    NUMBERS = 30000, /* of a loop */
    JOBS = 2000,
    ROUNDS = SLOWER > 1 ? 2 : 10,
    LONGEST = 15, /* seconds, until something was stolen */
    TREE = 80,    /* jobs */
    POOLS = 500,
};

static heist_au32 forks_elsewhere, jobs_elsewhere, runs;

/* Whether workers nap between forks: on a busy machine thieves have no turn otherwise. */
static bool is_slow;
enum { NAPS_AT = DEPTH / 2 };

static void nap_if_slow(void)
{
    if (is_slow)
        nap(1e-4);
}

/* ---- forks ---- */

HEIST_TASK_2(uint32_t, tree, int, depth, heist_worker *, parent)
{
    if (parent && parent != HEIST_WORKER())
        heist_add(&forks_elsewhere, 1, __ATOMIC_RELAXED);
    if (!depth)
        return 1;
    HEIST_FORK(tree, depth - 1, HEIST_WORKER());
    if (depth == NAPS_AT)
        nap_if_slow();
    uint32_t leaves = HEIST_CALL(tree, depth - 1, HEIST_WORKER());
    return leaves + HEIST_JOIN(tree);
}

static void leaf(heist_worker *w, void *arg)
{
    (void)w;
    (*(unsigned *)arg)++;
}

/* As many at once as there is no room for in a small queue; each must be run once. */
static void wide(heist_worker *w, void *arg)
{
    static unsigned times[FORKS];
    static heist_task task[FORKS];
    unsigned wrong = 0;
    memset(times, 0, sizeof times);
    for (unsigned i = 0; i < FORKS; i++)
        wrong += heist_fork(w, &task[i], leaf, &times[i]) != 0;
    for (unsigned i = FORKS; i-- > 0;)
        wrong += heist_join(w, &task[i]) != 0 || times[i] != 1;
    *(unsigned *)arg = wrong;
}

static void forks(heist_pool *pool)
{
    uint32_t leaves = 0;
    unsigned wrong = 1;
    check(!heist_run_tree(pool, &leaves, DEPTH, NULL));
    check(leaves == 1u << DEPTH);
    check(!heist_run(pool, wide, &wrong));
    check(!wrong);
}

/* ---- loops ---- */

static unsigned char marks[NUMBERS];
static int64_t numbers[NUMBERS];

static void mark(heist_worker *w, size_t from, size_t to, void *context)
{
    (void)w;
    (void)context;
    for (size_t i = from; i < to; i++)
        marks[i]++;
}

static int compare(const void *a, const void *b, void *context)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    (void)context;
    return (x > y) - (x < y);
}

static void loops(heist_pool *pool)
{
    bool once = true, sorted = true;
    memset(marks, 0, sizeof marks);
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = (int64_t)(i * 7919 % NUMBERS);
    check(!heist_run_for(pool, 0, NUMBERS, 0, mark, NULL));
    check(!heist_run_sort(pool, numbers, NUMBERS, sizeof *numbers, compare, NULL));
    for (size_t i = 0; i < NUMBERS; i++) {
        once &= marks[i] == 1;
        sorted &= numbers[i] == (int64_t)i;
    }
    check(once);
    check(sorted);
}

/* ---- jobs ---- */

static void count_here(heist_worker *w, void *submitter)
{
    if (w != submitter)
        heist_add(&jobs_elsewhere, 1, __ATOMIC_RELAXED);
    heist_add(&runs, 1, __ATOMIC_RELAXED);
}

/* Jobs above and below forks in the same queue; and more than a small queue takes. */
static void job_among_forks(heist_worker *w, void *arg)
{
    heist_group *group = arg;
    heist_pool *pool = heist_worker_pool(w);
    const heist_job_opts opts = {.size = sizeof opts, .group = group};
    heist_task task[2];
    unsigned times[2] = {0, 0};
    uint32_t leaves;
    check(!heist_submit_with(pool, NULL, count_here, w, &opts));
    check(!heist_fork(w, &task[0], leaf, &times[0]));
    check(!heist_submit_with(pool, NULL, count_here, w, &opts));
    check(!heist_fork(w, &task[1], leaf, &times[1]));
    check(!heist_submit_with(pool, NULL, count_here, w, &opts));
    nap_if_slow();
    check(!heist_run_tree(pool, &leaves, 4, w) && leaves == 16);
    check(!heist_join(w, &task[1]) && times[1] == 1);
    check(!heist_join(w, &task[0]) && times[0] == 1);
    heist_add(&runs, 1, __ATOMIC_RELAXED);
}

static void flood(heist_worker *w, void *arg)
{
    const heist_job_opts opts = {.size = sizeof opts, .group = arg};
    for (unsigned i = 0; i < FORKS; i++)
        check(!heist_submit_with(heist_worker_pool(w), NULL, count_here, w, &opts));
}

static void jobs(heist_pool *pool)
{
    heist_group group;
    check(!heist_group_init(&group, pool));
    heist_store(&runs, 0, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < JOBS; i++)
        check(!heist_group_submit(&group, job_among_forks, &group));
    check(!heist_group_wait(&group));
    check(heist_load(&runs, __ATOMIC_RELAXED) == 4 * JOBS);
    heist_store(&runs, 0, __ATOMIC_RELAXED);
    check(!heist_run(pool, flood, &group)); /* and what it leaves behind in its queue */
    check(!heist_group_wait(&group));
    check(heist_load(&runs, __ATOMIC_RELAXED) == FORKS);
}

static void tree_of_jobs(heist_worker *w, void *group)
{
    heist_add(&runs, 1, __ATOMIC_RELAXED);
    for (volatile int i = 0; i < 5000; i++) /* so that somebody lends meanwhile */
        continue;
    for (int i = 0; i < 4 && heist_load(&runs, __ATOMIC_RELAXED) < TREE; i++)
        check(!heist_group_submit(group, tree_of_jobs, group));
    (void)w;
}

/* The thread that began goes to the bench when another lends itself, with jobs in its queue. */
static void benched(const char *queue)
{
    for (int i = 0; i < POOLS / SLOWER; i++) {
        heist_pool *pool = pool_of(2, queue);
        heist_group group;
        heist_store(&runs, 0, __ATOMIC_RELAXED);
        check(!heist_group_init(&group, pool));
        check(!heist_group_submit(&group, tree_of_jobs, &group));
        check(!heist_group_lend(&group));
        check(heist_load(&runs, __ATOMIC_RELAXED) >= TREE);
        check(!heist_pool_free(pool));
    }
}

static bool some_were_stolen(void)
{
    return heist_load(&forks_elsewhere, __ATOMIC_RELAXED) &&
           heist_load(&jobs_elsewhere, __ATOMIC_RELAXED);
}

static void rounds(heist_pool *pool, bool is_alone)
{
    double end = seconds() + LONGEST;
    heist_store(&forks_elsewhere, 0, __ATOMIC_RELAXED);
    heist_store(&jobs_elsewhere, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < 2 || ((i < ROUNDS || is_slow) && seconds() < end); i++) {
        forks(pool);
        loops(pool);
        jobs(pool);
        is_slow = !is_alone && !some_were_stolen();
    }
    is_slow = false;
    check(is_alone || some_were_stolen());
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: kinds QUEUE\n");
        return 2;
    }
    const char *queue = argv[1];
    setenv("HEIST_QUEUE", queue, 1);
    for (unsigned workers = 1; workers <= 4; workers *= 2) {
        heist_pool *pool = pool_of(workers, workers == 2 ? queue : NULL);
        const char *kind = info_of(pool).queue;
        check(!strncmp(kind, queue, strlen(kind)) && strchr(":", queue[strlen(kind)]));
        rounds(pool, workers == 1);
        check(!heist_pool_free(pool));
    }
    benched(queue);
    return check_status();
}
