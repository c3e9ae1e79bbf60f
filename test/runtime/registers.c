/* SPDX-License-Identifier: MIT */
/*
 * registers: what is in registers across a fork and a join is there afterwards, also when these
 * leave their fast paths, which the compiler does not know as calls; and a debugger finds its way
 * from the slow paths back to main. For each kind of queue: those other than the default always
 * leave.
 */
#define _GNU_SOURCE
#include "pools.h"

#include <heist/queue.h>
#include <unwind.h>

enum { DEPTH = 12 };

/* More integers and floats than there are registers, all alive across the fork and the join. */
#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define MAKE(i)                           \
    uint64_t n##i = seed * (i + 3);       \
    double d##i = (double)(seed + i) / 3; \
    long double l##i = (long double)(seed - i) / 7;
#ifdef __x86_64__
#define HIDE(i) __asm__ volatile("" : "+r"(n##i), "+x"(d##i));
#else
#define HIDE(i) __asm__ volatile("" : "+r"(n##i));
#endif
#define COMPARE(i)                                                       \
    wrong += n##i != seed * (i + 3) || d##i != (double)(seed + i) / 3 || \
             l##i != (long double)(seed - i) / 7;

HEIST_TASK_2(int, typed, int, depth, uint64_t, seed)
{
    int wrong = 0;
    if (!depth)
        return 0;
    EACH(MAKE)
    EACH(HIDE)
    HEIST_FORK(typed, depth - 1, seed + 1);
    EACH(HIDE)
    wrong += HEIST_CALL(typed, depth - 1, seed + 2);
    EACH(HIDE)
    wrong += HEIST_JOIN(typed);
    EACH(COMPARE)
    return wrong;
}

struct plain {
    int depth, wrong;
    uint64_t seed;
};

static void plain(heist_worker *w, void *arg)
{
    struct plain *p = arg, a = {p->depth - 1, 0, p->seed + 1}, b = {p->depth - 1, 0, p->seed + 2};
    heist_task task;
    int wrong = 0;
    uint64_t seed = p->seed;
    if (!p->depth)
        return;
    EACH(MAKE)
    EACH(HIDE)
    heist_fork(w, &task, plain, &a);
    EACH(HIDE)
    plain(w, &b);
    EACH(HIDE)
    heist_join(w, &task);
    EACH(COMPARE)
    p->wrong = wrong + a.wrong + b.wrong;
}

/* ---- the way back ---- */

static void *called_from; /* in main */

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *found)
{
    if ((void *)_Unwind_GetIP(context) == called_from)
        *(bool *)found = true;
    return _URC_NO_REASON;
}

HEIST_TASK_1(int, leaf, int, n)
{
    bool found = false;
    (void)n;
    (void)heist_head_;
    (void)heist_w_;
    _Unwind_Backtrace(look, &found);
    return found;
}

HEIST_TASK_1(int, finds_main, int, depth)
{
    if (!depth)
        return 1;
    HEIST_FORK(leaf, 0);
    int below = HEIST_CALL(finds_main, depth - 1);
    return below & HEIST_JOIN(leaf);
}

/* One worker, so that no other stack comes into it. */
__attribute__((noinline)) static void try_kind(const char *kind)
{
    int wrong = 1, found = 0;
    struct plain p = {DEPTH, 0, 1};
    heist_pool *pool = pool_of(2, kind);
    called_from = __builtin_extract_return_addr(__builtin_return_address(0));
    for (uint64_t seed = 1; seed < 20; seed++) {
        p.seed = seed;
        check(!heist_run_typed(pool, &wrong, DEPTH, seed) && !wrong);
        check(!heist_run(pool, plain, &p) && !p.wrong);
    }
    check(!heist_pool_free(pool));
    pool = pool_of(1, kind);
    check(!heist_run_finds_main(pool, &found, 3));
    check(found || !HEIST_BY_HAND_); /* some machines have no tables to unwind C by */
    check(!heist_pool_free(pool));
}

int main(void)
{
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++)
        try_kind(*kind);
    return check_status();
}
