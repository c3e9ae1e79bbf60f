/* SPDX-License-Identifier: MIT */
/*
 * The only layer that knows the compiler. A shared word is a struct, so that no access can forget
 * its order; the bytes are the same in C and in C++. Orders are the compiler's __ATOMIC_ constants.
 *
 *   heist_load(a, order)                     heist_store(a, value, order)
 *   heist_exchange(a, value, order)          heist_add(a, n, order): the old value
 *   heist_cas(a, &expected, desired, order)  strong; relaxed when it fails, `expected` updated then
 *   heist_cas_weak                           the same, and may fail for no reason: for loops
 *   heist_peek(a)                            a relaxed load, and
 *   heist_poke(a, value, order)              a store of at most release, on paths where each
 *                                            instruction counts
 *   heist_await(condition)                   evaluates it, with the loads in it, until it holds
 *   heist_fence(order)                       heist_signal_fence(): against a handler in this thread
 *   heist_pause()                            in a loop that waits
 *   HEIST_THREAD_POINTER(name)               defines name(): the address of a pointer per thread
 *
 * Compile-time switches, none of them set in any library that is installed:
 *   HEIST_MODEL     1: every access goes to the model checker (verify/)
 *   HEIST_PORTABLE  1: nothing of the machine, and no handlers of signals: for a tool that reads
 *                   the program as C11, such as GenMC (verify/genmc/)
 *   HEIST_COUNT     counts fences and read-modify-writes of each thread, in heist_counts_
 *   HEIST_WINDOW    a macro that is called between the steps of a race, with the name of the
 *                   window, so that a test can stop a thread there; "steal..." where a thief can
 *                   lose
 */
#ifndef HEIST_ATOMIC_H
#define HEIST_ATOMIC_H

#include <heist/base.h>

#ifndef HEIST_COUNT
#define HEIST_COUNT 0
#endif

#ifndef HEIST_PORTABLE
#define HEIST_PORTABLE 0
#endif

#ifndef HEIST_WINDOW
#define HEIST_WINDOW(name) ((void)0)
#endif

/* Shared words. */
typedef struct {
    uint64_t v_;
} heist_au64;
typedef struct {
    uint32_t v_;
} heist_au32;
typedef struct {
    uintptr_t v_;
} heist_auptr;
typedef struct {
    void *v_;
} heist_aptr;

#ifndef HEIST_MODEL
#define HEIST_MODEL 0
#endif

/* For a load that a fence makes an acquire already, and a store that one makes a release:
   ThreadSanitizer does not see fences. */
#if defined(__SANITIZE_THREAD__)
#define HEIST_TSAN_ 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEIST_TSAN_ 1
#endif
#endif
#if defined(HEIST_TSAN_) && !HEIST_MODEL
#define HEIST_FENCED_ACQUIRE_ __ATOMIC_ACQUIRE
#define HEIST_FENCED_RELEASE_ __ATOMIC_RELEASE
#else
#define HEIST_FENCED_ACQUIRE_ __ATOMIC_RELAXED
#define HEIST_FENCED_RELEASE_ __ATOMIC_RELAXED
#endif

/* Where a few paths are written in instructions, beside their version in C, which says the same. */
#if defined(__x86_64__) && !defined(__ILP32__) && !HEIST_PORTABLE && !HEIST_MODEL && \
    !defined(HEIST_TSAN_)
#define HEIST_BY_HAND_ 1
#else
#define HEIST_BY_HAND_ 0
#endif

#if HEIST_MODEL
#include <heist_model.h>
#else

#if HEIST_COUNT
/* What a thread has executed, with HEIST_COUNT. */
typedef struct {
    uint64_t fences, cas, rmw; /* fences, compare-and-swaps, other read-modify-writes */
} heist_counts;
extern __thread heist_counts heist_counts_;
#define HEIST_COUNTED_(what, expression) (heist_counts_.what++, (expression))
#else
#define HEIST_COUNTED_(what, expression) (expression)
#endif

/* Accesses to a shared word, and the wait for one, as above. */
#define heist_load(a, order) __atomic_load_n(&(a)->v_, order)
#define heist_store(a, value, order) __atomic_store_n(&(a)->v_, value, order)
#define heist_exchange(a, value, order) \
    HEIST_COUNTED_(rmw, __atomic_exchange_n(&(a)->v_, value, order))
#define heist_add(a, n, order) HEIST_COUNTED_(rmw, __atomic_fetch_add(&(a)->v_, n, order))
#define HEIST_CAS_(a, expected, desired, weak, order)                                         \
    HEIST_COUNTED_(cas, __atomic_compare_exchange_n(&(a)->v_, expected, desired, weak, order, \
                                                    __ATOMIC_RELAXED))
#define heist_cas(a, expected, desired, order) HEIST_CAS_(a, expected, desired, false, order)
#define heist_cas_weak(a, expected, desired, order) HEIST_CAS_(a, expected, desired, true, order)
#define heist_await(condition) \
    do                         \
        while (!(condition))   \
            heist_pause();     \
    while (0)

/*
 * A full fence is a locked instruction on the stack here: the same guarantee as mfence for ordinary
 * memory at half its price. gcc does that by itself, clang does not, and ThreadSanitizer (which
 * needs no fence for what it checks) refuses the builtin.
 */
#if defined(__x86_64__) && !HEIST_PORTABLE
static inline void heist_fence_sc_(void)
{
    __asm__ __volatile__("lock; orl $0, (%%rsp)" ::: "memory", "cc");
}
/* A fence, and a pause in a loop that waits. */
#define heist_fence(order) \
    HEIST_COUNTED_(fences, \
                   (order) == __ATOMIC_SEQ_CST ? heist_fence_sc_() : __atomic_signal_fence(order))
#define heist_pause() __builtin_ia32_pause()
#else
#define heist_fence(order) HEIST_COUNTED_(fences, __atomic_thread_fence(order))
#if HEIST_PORTABLE
#define heist_pause() ((void)0)
#elif defined(__aarch64__)
#define heist_pause() __asm__ __volatile__("isb" ::: "memory")
#else
#define heist_pause() __asm__ __volatile__("" ::: "memory")
#endif
#endif

/* GenMC would take this for a fence between threads. */
#if HEIST_PORTABLE
/* A fence against a handler of signals in this thread. */
#define heist_signal_fence() ((void)0)
#else
#define heist_signal_fence() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#endif

/*
 * gcc folds the address of a volatile access into the instruction; that of an atomic one it
 * computes into a register first, which costs fib 10 to 40%. On x86 a store is a release if the
 * compiler keeps it behind what comes before it.
 */
#if HEIST_BY_HAND_
/* A relaxed load, and a store of at most release, where each instruction counts. */
#define heist_peek(a) (*(const volatile __typeof__((a)->v_) *)&(a)->v_)
#define heist_poke(a, value, order) \
    (__atomic_signal_fence(order), (void)(*(volatile __typeof__((a)->v_) *)&(a)->v_ = (value)))
#else
#define heist_peek(a) heist_load(a, __ATOMIC_RELAXED)
#define heist_poke(a, value, order) heist_store(a, value, order)
#endif

/* Defines name(), which returns the address of a pointer that each thread has for itself. */
#define HEIST_THREAD_POINTER(name) \
    static __thread void *name##_; \
    static inline void **name(void) { return &name##_; }

#endif

#endif
