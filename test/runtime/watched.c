/* SPDX-License-Identifier: MIT */
/*
 * watched WHAT: a program for the test `observing`, which sets its environment and reads what comes
 * of it. It prints only "ready" and "done"; all else on its outputs is the library's.
 */
#define _GNU_SOURCE
#include <heist/heist.h>

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __has_feature
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

enum { CHURNS = 300 };

static void require(bool ok, const char *what)
{
    if (!ok) {
        printf("watched: not so: %s\n", what);
        exit(1);
    }
}
#define REQUIRE(condition) require(condition, #condition)

static void say(const char *word)
{
    printf("%s\n", word);
    fflush(stdout);
}

/* ---- Tasks ---- */

static heist_au32 begun;

static void empty_job(heist_worker *w, void *unused)
{
    (void)w;
    (void)unused;
}

/* Some kinds of queues hide a fork until the owner forks or joins again; which must not run it. */
static void fork_and_see_it_stolen(heist_worker *w, heist_task *task, heist_fn *fn)
{
    heist_task other;
    heist_store(&begun, 0, __ATOMIC_RELAXED);
    REQUIRE(!heist_fork(w, task, fn, NULL));
    while (!heist_load(&begun, __ATOMIC_ACQUIRE))
        REQUIRE(!heist_fork(w, &other, empty_job, NULL) && !heist_join_only(w, &other));
}

static void stolen_task(heist_worker *w, void *unused)
{
    (void)w;
    (void)unused;
    heist_store(&begun, 1, __ATOMIC_RELEASE);
    usleep(20000); /* its owner finds nothing else, and sleeps */
}

static void forking_task(heist_worker *w, void *unused)
{
    heist_task task;
    (void)unused;
    fork_and_see_it_stolen(w, &task, stolen_task);
    REQUIRE(!heist_join(w, &task));
}

static void run_one_of_each(heist_pool *pool)
{
    heist_job job;
    REQUIRE(!heist_run(pool, forking_task, NULL));
    REQUIRE(!heist_submit(pool, &job, empty_job, NULL));
    REQUIRE(!heist_wait(&job));
    heist_stats sum = {0}; /* somebody sleeps in the end */
    for (int i = 0; i < 10000 && !sum.parks; i++) {
        usleep(1000);
        REQUIRE(!heist_pool_stats(pool, &sum, NULL, 0));
    }
}

static heist_pool *new_pool(unsigned stats)
{
    heist_pool *pool;
    const heist_pool_opts opts = {.size = sizeof opts, .stats = stats};
    REQUIRE(!heist_pool_new(&pool, &opts));
    return pool;
}

/* ---- What it does ---- */

/* The default pool, one that is freed, and one that is not. */
static void three_pools(void)
{
    heist_pool *freed = new_pool(HEIST_STATS_FORKS), *left = new_pool(0);
    run_one_of_each(NULL);
    run_one_of_each(freed);
    run_one_of_each(left);
    REQUIRE(!heist_pool_free(freed));
}

static void exits(heist_worker *w, void *unused)
{
    (void)w;
    (void)unused;
    exit(0);
}

/* From inside of the default pool. */
static void exit_inside(void)
{
    run_one_of_each(NULL);
    say("done");
    REQUIRE(!heist_run(NULL, exits, NULL));
}

/* A child that uses the pool it inherited. */
static void forks_a_child(void)
{
    int status;
    run_one_of_each(NULL);
    pid_t child = fork();
    if (!child) {
        run_one_of_each(NULL);
        exit(0);
    }
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static sem_t gate;

static void blocked_task(heist_worker *w, void *unused)
{
    (void)w;
    (void)unused;
    heist_store(&begun, 1, __ATOMIC_RELEASE);
    while (sem_wait(&gate))
        continue;
}

static void waiting_task(heist_worker *w, void *unused)
{
    heist_task task;
    (void)unused;
    fork_and_see_it_stolen(w, &task, blocked_task);
    say("ready");
    REQUIRE(!heist_join(w, &task));
}

static void *open_gate(void *unused)
{
    REQUIRE(getchar() != EOF);
    sem_post(&gate);
    return unused;
}

/* Until something comes on the standard input. */
static void stuck(void)
{
    pthread_t thread;
    REQUIRE(!sem_init(&gate, 0, 0));
    REQUIRE(!pthread_create(&thread, NULL, open_gate, NULL));
#if defined __SANITIZE_THREAD__ || HAS_FEATURE(thread_sanitizer)
    /* It holds signals back in a system call that it does not know; getchar's it does. */
    sigset_t dump;
    sigemptyset(&dump);
    sigaddset(&dump, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &dump, NULL);
#endif
    REQUIRE(!heist_run(NULL, waiting_task, NULL));
    pthread_join(thread, NULL);
}

static heist_au32 own_signals;

static void own_handler(int signal)
{
    (void)signal;
    heist_add(&own_signals, 1, __ATOMIC_RELAXED);
}

static void has_handler(void)
{
    signal(SIGUSR1, own_handler);
    run_one_of_each(NULL);
    raise(SIGUSR1);
    REQUIRE(heist_load(&own_signals, __ATOMIC_RELAXED) == 1);
}

static void *make_and_free(void *unused)
{
    for (unsigned i = 0; i < CHURNS; i++) {
        heist_pool *pool = new_pool(0);
        REQUIRE(!heist_run(pool, empty_job, NULL));
        REQUIRE(!heist_pool_free(pool));
    }
    heist_store(&begun, 1, __ATOMIC_RELEASE);
    return unused;
}

/* Pools come and go, and one is at work, while dumps are asked for. */
static void churn(void)
{
    pthread_t thread;
    heist_pool *mine = new_pool(0);
    REQUIRE(!pthread_create(&thread, NULL, make_and_free, NULL));
    while (!heist_load(&begun, __ATOMIC_ACQUIRE)) {
        raise(SIGUSR1);
        REQUIRE(!heist_run(mine, empty_job, NULL));
    }
    pthread_join(thread, NULL);
    REQUIRE(!heist_pool_free(mine));
    struct sigaction now;
    REQUIRE(!sigaction(SIGUSR1, NULL, &now) && now.sa_handler == SIG_DFL);
}

static const struct {
    const char *name;
    void (*run)(void);
} whats[] = {{"three-pools", three_pools}, {"exit-inside", exit_inside},
             {"child", forks_a_child},     {"stuck", stuck},
             {"handler", has_handler},     {"churn", churn}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof whats / sizeof *whats; i++)
        if (!strcmp(argv[1], whats[i].name)) {
            whats[i].run();
            say("done");
            return 0;
        }
    fprintf(stderr, "usage: watched three-pools|exit-inside|child|stuck|handler|churn\n");
    return 2;
}
