/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <pthread.h>

#include "dump.h"
#include "environment.h"
#include "worker.h"

heist_au32 heist_process_generation_;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static heist_aptr pools;

heist_pool *heist_process_first_(void) { return heist_load(&pools, HEIST_PR_WALK); }
heist_pool *heist_process_next_(const heist_pool *p) { return heist_load(&p->next, HEIST_PR_WALK); }

bool heist_process_has_(const heist_pool *pool)
{
    return heist_load(&pool->generation, __ATOMIC_RELAXED) ==
           heist_load(&heist_process_generation_, __ATOMIC_RELAXED);
}

/* ---- fork() ---- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }

/* A thread that is gone may have held a lock. The rest is done when the child uses the pool. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    heist_dump_in_child_();
    heist_add(&heist_process_generation_, 1, __ATOMIC_RELAXED);
    for (heist_pool *p = heist_process_first_(); p; p = heist_process_next_(p)) {
        pthread_mutex_init(&p->lock, NULL);
        pthread_mutex_init(&p->inbox.lock, NULL);
    }
}

static void watch_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

/* ---- The list ---- */

/* As HEIST_DUMP_SIGNAL says, with the first pool. Whoever set it is told why not, once. */
static void install_dump(void)
{
    static bool told;
    int signal = heist_environment_()->dump_signal;
    if (signal && heist_dump_install_(signal, heist_pool_dump_all_) && !told) {
        told = true;
        heist_environment_complain_(
            "HEIST_DUMP_SIGNAL", "the program itself handles or ignores this signal, so it makes "
                                 "no dumps; take another");
    }
}

void heist_process_add_(heist_pool *pool)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    heist_store(&pool->generation, heist_load(&heist_process_generation_, __ATOMIC_RELAXED),
                __ATOMIC_RELAXED);
    heist_pool *first = heist_process_first_();
    heist_store(&pool->next, first, __ATOMIC_RELAXED);
    heist_store(&pools, pool, HEIST_PR_LINK);
    if (!first)
        install_dump();
    pthread_mutex_unlock(&lock);
}

void heist_process_remove_(heist_pool *pool)
{
    pthread_mutex_lock(&lock);
    heist_aptr *link = &pools;
    for (heist_pool *p; (p = heist_load(link, HEIST_PR_WALK)) != pool;)
        link = &p->next;
    heist_store(link, heist_process_next_(pool), HEIST_PR_LINK);
    if (heist_process_first_())
        heist_dump_wait_();
    else
        heist_dump_uninstall_();
    pthread_mutex_unlock(&lock);
}

void heist_process_each_(void (*visit)(const heist_pool *))
{
    pthread_mutex_lock(&lock);
    for (heist_pool *p = heist_process_first_(); p; p = heist_process_next_(p))
        if (heist_process_has_(p))
            visit(p);
    pthread_mutex_unlock(&lock);
}
