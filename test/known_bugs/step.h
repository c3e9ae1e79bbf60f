/* SPDX-License-Identifier: MIT */
/*
 * Forced in front of the queues' own sources (-include): before every access to a shared word,
 * step() is called, and there a script may run other operations. One thread is enough: an operation
 * that runs whole between two steps of another is one interleaving, and the same one every time.
 */
#ifndef HEIST_TEST_STEP_H
#define HEIST_TEST_STEP_H

#include <heist/atomic.h>

void step(void);

#if HEIST_MODEL /* the same before every call of the checker's; a macro is not expanded in itself */
#define check_load(...) (step(), check_load(__VA_ARGS__))
#define check_store(...) (step(), check_store(__VA_ARGS__))
#define check_exchange(...) (step(), check_exchange(__VA_ARGS__))
#define check_add(...) (step(), check_add(__VA_ARGS__))
#define check_cas(...) (step(), check_cas(__VA_ARGS__))
#else
#undef heist_load
#undef heist_store
#undef heist_exchange
#undef heist_add
#undef heist_cas
#undef heist_signal_fence
#define heist_load(a, order) (step(), __atomic_load_n(&(a)->v_, order))
#define heist_store(a, value, order) (step(), __atomic_store_n(&(a)->v_, value, order))
#define heist_exchange(a, value, order) (step(), __atomic_exchange_n(&(a)->v_, value, order))
#define heist_add(a, n, order) (step(), __atomic_fetch_add(&(a)->v_, n, order))
#define heist_cas(a, expected, desired, order) \
    (step(),                                   \
     __atomic_compare_exchange_n(&(a)->v_, expected, desired, false, order, __ATOMIC_RELAXED))
#define heist_signal_fence() (step(), __atomic_signal_fence(__ATOMIC_SEQ_CST))
#endif

#endif
