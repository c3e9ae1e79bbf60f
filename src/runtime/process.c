/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <pthread.h>

#include "worker.h"

heist_au32 heist_process_generation_;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static heist_pool *pools;

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }

/* A thread that is gone may have held a lock. The rest is done when the child uses the pool. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    heist_add(&heist_process_generation_, 1, __ATOMIC_RELAXED);
    for (heist_pool *p = pools; p; p = p->next) {
        pthread_mutex_init(&p->lock, NULL);
        pthread_mutex_init(&p->inbox.lock, NULL);
    }
}

static void watch_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

void heist_process_add_(heist_pool *pool)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    heist_store(&pool->generation, heist_load(&heist_process_generation_, __ATOMIC_RELAXED),
                __ATOMIC_RELAXED);
    pool->next = pools;
    pools = pool;
    pthread_mutex_unlock(&lock);
}

void heist_process_remove_(heist_pool *pool)
{
    pthread_mutex_lock(&lock);
    for (heist_pool **p = &pools; *p; p = &(*p)->next)
        if (*p == pool) {
            *p = pool->next;
            break;
        }
    pthread_mutex_unlock(&lock);
}
