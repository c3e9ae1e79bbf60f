/* SPDX-License-Identifier: MIT */
/* The atomics layer under the model checker: included by <heist/atomic.h> when HEIST_MODEL is 1. */
#ifndef HEIST_MODEL_H
#define HEIST_MODEL_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t check_load(const void *word, unsigned size, int order, const char *file, int line);
void check_store(void *word, unsigned size, uint64_t value, int order, const char *file, int line);
uint64_t check_exchange(void *word, unsigned size, uint64_t value, int order, const char *file,
                        int line);
uint64_t check_add(void *word, unsigned size, uint64_t n, int order, const char *file, int line);
bool check_cas(void *word, unsigned size, void *expected, uint64_t desired, bool weak, int order,
               const char *file, int line);
void check_fence(int order, const char *file, int line);
void check_light_fence(int order, const char *file, int line); /* the pair of heist/fences.h */
void check_heavy_fence(int order, const char *file, int line);
void check_wait_begins(void); /* what comes from here to check_wait is what it waits for */
void check_wait(const char *file, int line) __attribute__((noreturn));

#define HEIST_AT_ __FILE__, __LINE__
#define HEIST_WORD_(a) &(a)->v_, sizeof((a)->v_)
#define heist_load(a, order) \
    ((__typeof__((a)->v_ + 0))(uintptr_t)check_load(HEIST_WORD_(a), order, HEIST_AT_))
#define heist_peek(a) heist_load(a, __ATOMIC_RELAXED)
#define heist_poke(a, value, order) heist_store(a, value, order)
#define heist_store(a, value, order) \
    check_store(HEIST_WORD_(a), (uint64_t)(uintptr_t)(value), order, HEIST_AT_)
#define heist_exchange(a, value, order)                  \
    ((__typeof__((a)->v_ + 0))(uintptr_t)check_exchange( \
        HEIST_WORD_(a), (uint64_t)(uintptr_t)(value), order, HEIST_AT_))
#define heist_add(a, n, order) \
    ((__typeof__((a)->v_ + 0))check_add(HEIST_WORD_(a), (uint64_t)(n), order, HEIST_AT_))
#define heist_cas(a, expected, desired, order) \
    check_cas(HEIST_WORD_(a), expected, (uint64_t)(uintptr_t)(desired), false, order, HEIST_AT_)
#define heist_cas_weak(a, expected, desired, order) \
    check_cas(HEIST_WORD_(a), expected, (uint64_t)(uintptr_t)(desired), true, order, HEIST_AT_)
/* A thread whose load was not what it waits for goes no further in this execution: another one has
   what it waits for. */
#define heist_await(condition)     \
    do {                           \
        check_wait_begins();       \
        if (!(condition))          \
            check_wait(HEIST_AT_); \
    } while (0)
#define heist_fence(order) check_fence(order, HEIST_AT_)
#define heist_light_fence_(order) check_light_fence(order, HEIST_AT_)
#define heist_heavy_fence_(order) check_heavy_fence(order, HEIST_AT_)
#define heist_signal_fence() ((void)0)
/* A turn of a loop that waits is over, one that is no heist_await since it
   does something meanwhile. A thread whose last two turns were the same waits
   for what it saw in them to change. */
void check_pause(const char *file, int line);
void check_goes_on(void); /* that loop has ended, or has done something */
#define heist_pause() check_pause(HEIST_AT_)

/* The compiler reports no accesses for these, and makes instructions of them. */
void *check_memset(void *to, int byte, size_t size);
void *check_memcpy(void *to, const void *from, size_t size);
void *check_memmove(void *to, const void *from, size_t size);
#ifdef HEIST_MODEL /* not in the checker itself */
#define memset(to, byte, size) check_memset(to, byte, size)
#define memcpy(to, from, size) check_memcpy(to, from, size)
#define memmove(to, from, size) check_memmove(to, from, size)
#endif

void **check_thread_local(const char *name);
#define HEIST_THREAD_POINTER(name) \
    static inline void **name(void) { return check_thread_local(#name); }

/* What the library takes from the C library, where that would differ from run to run. */
int check_memalign(void **memory, size_t align, size_t size);
#define posix_memalign check_memalign
void *check_map(size_t size); /* zeros */
#ifdef HEIST_MODEL
#define mmap(address, size, protection, flags, file, offset) check_map(size)
#endif
/* pthread_once orders what it calls before everybody who called it: nothing to check there. */
void check_alone(void (*routine)(void));
#define pthread_once(once, routine) ((void)(once), check_alone(routine))
int check_key_create(void (*end)(void *value));
int check_setspecific(const void *value);
#define pthread_key_create(key, end) ((void)(key), check_key_create(end))
#define pthread_setspecific(key, value) ((void)(key), check_setspecific(value))

int check_mutex_lock(pthread_mutex_t *mutex, const char *file, int line);
int check_mutex_trylock(pthread_mutex_t *mutex, const char *file, int line);
int check_mutex_unlock(pthread_mutex_t *mutex, const char *file, int line);
#define pthread_mutex_lock(mutex) check_mutex_lock(mutex, HEIST_AT_)
#define pthread_mutex_trylock(mutex) check_mutex_trylock(mutex, HEIST_AT_)
#define pthread_mutex_unlock(mutex) check_mutex_unlock(mutex, HEIST_AT_)

/* A thread that is created waits until one of the program's runs it;
   the end of one is not waited for. */
int check_create(void *(*begin)(void *), void *argument);
void check_run_created(int number); /* the first is 0 */
#define pthread_create(thread, attributes, begin, argument) check_create(begin, argument)
#define pthread_join(thread, result) ((void)(thread), 0)

/* gettid; rt_tgsigqueueinfo, which sends a signal; futex, of one word. */
long check_syscall(long number, ...);
int check_sigaction(int number, const struct sigaction *set, struct sigaction *get);
#define syscall check_syscall
#define sigaction(number, set, get) check_sigaction(number, set, get)

#endif
