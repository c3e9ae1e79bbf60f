/* SPDX-License-Identifier: MIT */
/*
 * Fork and join.
 *
 *   static void fib(heist_worker *w, void *arg)
 *   {
 *       struct fib *f = arg;
 *       if (f->n < 2) { f->result = f->n; return; }
 *       struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
 *       heist_task t;
 *       heist_fork(w, &t, fib, &a);      may run anywhere, from now on
 *       fib(w, &b);
 *       heist_join(w, &t);               a.result is there
 *       f->result = a.result + b.result;
 *   }
 *   ... heist_run(NULL, fib, &f);
 *
 * Every fork has its join, in the same function, the last fork first.
 *
 * Typed tasks save the last nanosecond: arguments travel in the slots, the
 * place of the next slot in a register.
 *
 *   HEIST_TASK(long, fib, int, n)
 *   {
 *       if (n < 2) return n;
 *       HEIST_FORK(fib, n - 1);
 *       long b = HEIST_CALL(fib, n - 2);
 *       return b + HEIST_JOIN(fib);
 *   }
 *   ... long result; heist_run_fib(NULL, &result, 42);
 *
 * HEIST_TASK has one to six parameters, 48 bytes in all; HEIST_TASK_0 to HEIST_TASK_6 say how many.
 * HEIST_VOID_TASK has no type, nor has its heist_run_NAME a result. For tasks that call each other,
 * HEIST_TASK_DECLARE_n comes first, with the same arguments, and HEIST_TASK_DEFINE_n before the
 * body.
 *
 * In C++ arguments and results are trivially copyable, and a task that throws ends the program:
 * what forked it may be on another thread.
 */
#ifndef HEIST_FORK_H
#define HEIST_FORK_H

#include <errno.h>
#include <heist/pool.h>

#define HEIST_UNUSED_ __attribute__((unused))
#ifdef __cplusplus
#define HEIST_NOEXCEPT_ noexcept
#define HEIST_STATIC_ASSERT_ static_assert
#define HEIST_TRIVIAL_(T) \
    static_assert(__is_trivially_copyable(T), "arguments and result must be trivially copyable")
#else
#define HEIST_NOEXCEPT_
#define HEIST_STATIC_ASSERT_ _Static_assert
#define HEIST_TRIVIAL_(T) _Static_assert(sizeof(T), "complete")
#endif

HEIST_BEGIN_DECLS

/* A fork that is not joined yet: the memory of the caller, mostly a variable of its own. */
typedef struct heist_task {
    heist_slot *slot;
    heist_fn *fn;
    void *arg;
} heist_task;

HEIST_API HEIST_COLD void heist_fork_slow_(heist_worker *w, heist_slot *filled);
/* It has been run when they return, here or by a thief; a result is in the slot. */
HEIST_API HEIST_COLD void heist_join_slow_(heist_worker *w, heist_slot *newest);
HEIST_API HEIST_COLD void heist_join_only_slow_(heist_worker *w, heist_slot *newest);
/* `run` as in a slot. */
HEIST_API int heist_run_slot_(heist_pool *pool, uintptr_t run, void *data, size_t arguments,
                              size_t result);

/*
 * The ways out of the fast paths. Around a call the compiler saves registers, though it is almost
 * never made. So on x86-64 it is a jump, to code that keeps all general registers and returns by a
 * jump (src/runtime/ways_out.c); a call would write below the stack pointer, where a leaf function
 * may have something.
 */
#if HEIST_BY_HAND_
#define HEIST_FLOATS_                                                                          \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",   \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", \
        "st(5)", "st(6)", "st(7)"
#ifdef __AVX512F__
#define HEIST_MORE_FLOATS_                                                                        \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
        "k7"
#else
#define HEIST_MORE_FLOATS_
#endif
/* Through the table of addresses: the dynamic linker's stubs would not keep registers. */
#define HEIST_JUMP_OUT_(way, w, slot)                                                  \
    __asm__ inline volatile("lea 1f(%%rip), %%r11\n\tjmp *" way "@GOTPCREL(%%rip)\n1:" \
                            :                                                          \
                            : "D"(w), "S"(slot)                                        \
                            : "r11", "cc", "memory", HEIST_FLOATS_ HEIST_MORE_FLOATS_)
#define HEIST_FORK_SLOW_(w, slot) HEIST_JUMP_OUT_("heist_fork_out_", w, slot)
#define HEIST_JOIN_SLOW_(w, slot) HEIST_JUMP_OUT_("heist_join_out_", w, slot)
#else
#define HEIST_FORK_SLOW_(w, slot) heist_fork_slow_(w, slot)
#define HEIST_JOIN_SLOW_(w, slot) heist_join_slow_(w, slot)
#endif
#define HEIST_JOIN_ONLY_SLOW_(w, slot) heist_join_only_slow_(w, slot)

/* Makes a task of fn(worker, arg), which any worker may run from now on; what arg points to stays
   until the join. 0; -EINVAL: fn is NULL, and nothing was forked. */
HEIST_FORCED int heist_fork(heist_worker *w, heist_task *t, heist_fn *fn, void *arg)
{
    heist_slot *s = heist_slots_head_(&w->slots);
    t->slot = fn ? s : NULL;
    t->fn = fn;
    t->arg = arg;
    if (HEIST_UNLIKELY(!fn))
        return -EINVAL;
    __builtin_memcpy(s->data, &arg, sizeof arg);
    if (heist_slots_fork_plain_(&w->slots, s, (uintptr_t)fn))
        HEIST_FORK_SLOW_(w, s);
    return 0;
}

HEIST_FORCED int heist_join_by_(heist_worker *w, heist_task *t, const bool only)
{
    heist_slot *s = t->slot;
    if (!heist_slots_is_newest_(&w->slots, s))
        return -EINVAL;
    if (heist_slots_join_plain_(&w->slots, s))
        t->fn(w, t->arg);
    else if (only)
        HEIST_JOIN_ONLY_SLOW_(w, s);
    else
        HEIST_JOIN_SLOW_(w, s);
    return 0;
}

/* Waits for the task that was forked last, and runs it if nobody has; while a thief runs it, the
   worker runs others. 0; -EINVAL: it is not what was forked last and is not joined yet. */
HEIST_FORCED int heist_join(heist_worker *w, heist_task *t) { return heist_join_by_(w, t, false); }

/* The same, but if the task was stolen the worker only waits for it, and begins no other: for a
   caller that holds a lock. */
HEIST_FORCED int heist_join_only(heist_worker *w, heist_task *t)
{
    return heist_join_by_(w, t, true);
}

/* ---- Typed tasks ---- */

/* In a typed task: forks one, calls one, joins the one forked last, which gives its result. Only
   one of them in an expression: C does not say which of two comes first. */
#define HEIST_FORK(...) HEIST_FORK_(__VA_ARGS__, HEIST_LEVEL_)
#define HEIST_CALL(...) HEIST_CALL_(__VA_ARGS__, HEIST_LEVEL_)
#define HEIST_JOIN(name) name##_join_(heist_w_, --heist_head_, HEIST_LEVEL_)
/* As heist_join_only. */
#define HEIST_JOIN_ONLY(name) name##_join_only_(heist_w_, --heist_head_, HEIST_LEVEL_)

/* In a typed task: its worker, for functions that take one; until the next HEIST_FORK, HEIST_CALL,
   or HEIST_JOIN, after which it is asked for again. */
#define HEIST_WORKER() heist_at_(heist_w_, heist_head_)
HEIST_FORCED heist_worker *heist_at_(heist_worker *w, heist_slot *head)
{
    heist_poke(&w->slots.head, (uintptr_t)head, HEIST_SL_HEAD);
    return w;
}

/* The level is last, so that there is something behind the name also for tasks without
   arguments. */
#define HEIST_FORK_(name, ...) \
    (name##_fork_(heist_w_, heist_head_, __VA_ARGS__), (void)heist_head_++)
#define HEIST_CALL_(name, ...) name##_call_(heist_w_, heist_head_, __VA_ARGS__)

#define HEIST_HIDDEN_ heist_worker *heist_w_ HEIST_UNUSED_, heist_slot *heist_head_ HEIST_UNUSED_
#define HEIST_HELPER_ HEIST_UNUSED_ static inline
#define HEIST_FORCED_ HEIST_HELPER_ __attribute__((always_inline))

/*
 * The body, at several levels: each calls itself at the next one below, which the compiler may
 * inline, and from the lowest at the top. clang never inlines a recursive function into itself;
 * three levels do for it. gcc does, as loops in loops; of five levels it makes a tree instead, and
 * tests before a call whether the body has anything to do: fib is a sixth faster, n-queens a
 * twentieth. Which level is called is a constant, an address. gcc calls it by that, clang by its
 * name: the other way round each inlines them into each other almost without end, in a task that
 * calls itself in many places.
 *
 * Only the forks of the top look at the C stack. So that every recursion comes there, whatever
 * calls another task calls its top.
 */
#ifdef __clang__
#define HEIST_BEST_LEVELS_ 3
#else
#define HEIST_BEST_LEVELS_ 5
#endif
/* How often the code of a typed task is there, 1 to 5, where it is not inlined. A program whose
   tasks are large, and that wants to be small, defines it as 1 before it includes this. */
#ifndef HEIST_TASK_LEVELS
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define HEIST_TASK_LEVELS HEIST_BEST_LEVELS_
#else
#define HEIST_TASK_LEVELS 1
#endif
#endif
#define HEIST_BELOW_1_ body
#define HEIST_BELOW_2_ left_0
#define HEIST_BELOW_3_ left_1
#define HEIST_BELOW_4_ left_2
#define HEIST_BELOW_5_ left_3
#define HEIST_BELOW_(levels) HEIST_BELOW_NOW_(levels)
#define HEIST_BELOW_NOW_(levels) HEIST_BELOW_##levels##_

typedef void heist_level_(void); /* whatever its type is */
/* In the code: whether it is the top; which task; the level below. */
#define HEIST_PLACE_                                                                         \
    const bool heist_is_top_ HEIST_UNUSED_, heist_slot_run *const heist_self_ HEIST_UNUSED_, \
        heist_level_ *const heist_below_ HEIST_UNUSED_
#define HEIST_LEVEL_ heist_is_top_, heist_self_, heist_below_
#ifdef __clang__
#define HEIST_IF_LEVEL_(RETURN, name, level, ARGS)      \
    if (heist_to_ == (heist_level_ *)name##_##level##_) \
        RETURN name##_##level##_ ARGS;                  \
    else
#define HEIST_TO_LEVEL_(RETURN, name, ARGS)     \
    HEIST_IF_LEVEL_(RETURN, name, left_0, ARGS) \
    HEIST_IF_LEVEL_(RETURN, name, left_1, ARGS) \
    HEIST_IF_LEVEL_(RETURN, name, left_2, ARGS) \
    HEIST_IF_LEVEL_(RETURN, name, left_3, ARGS) \
    RETURN name##_body_ ARGS;
#else
#define HEIST_TO_LEVEL_(RETURN, name, ARGS) RETURN((name##_at_level_ *)heist_to_) ARGS;
#endif
#define HEIST_BODY_(R, name, PARAMS) \
    HEIST_FORCED_ R name##_code_(HEIST_HIDDEN_ HEIST_LIST_ PARAMS, HEIST_PLACE_) HEIST_NOEXCEPT_
#define HEIST_AT_LEVEL_(R, RETURN, name, PARAMS, ARGS, level, is_top, below) \
    HEIST_AT_LEVEL_NOW_(R, RETURN, name, PARAMS, ARGS, level, is_top, below)
#define HEIST_AT_LEVEL_NOW_(R, RETURN, name, PARAMS, ARGS, level, is_top, below)         \
    HEIST_HELPER_ HEIST_ALIGNED R name##_##level##_(HEIST_HIDDEN_ HEIST_LIST_ PARAMS)    \
        HEIST_NOEXCEPT_                                                                  \
    {                                                                                    \
        RETURN name##_code_(heist_w_, heist_head_ HEIST_LIST_ ARGS, is_top, name##_run_, \
                            (heist_level_ *)name##_##below##_);                          \
    }
#define HEIST_LEVELS_(R, RETURN, name, PARAMS, ARGS)                                              \
    typedef R name##_at_level_(HEIST_HIDDEN_ HEIST_LIST_ PARAMS);                                 \
    HEIST_BODY_(R, name, PARAMS);                                                                 \
    HEIST_HELPER_ HEIST_ALIGNED R name##_body_(HEIST_HIDDEN_ HEIST_LIST_ PARAMS) HEIST_NOEXCEPT_; \
    HEIST_AT_LEVEL_(R, RETURN, name, PARAMS, ARGS, left_0, false, body)                           \
    HEIST_AT_LEVEL_(R, RETURN, name, PARAMS, ARGS, left_1, false, left_0)                         \
    HEIST_AT_LEVEL_(R, RETURN, name, PARAMS, ARGS, left_2, false, left_1)                         \
    HEIST_AT_LEVEL_(R, RETURN, name, PARAMS, ARGS, left_3, false, left_2)                         \
    HEIST_AT_LEVEL_(R, RETURN, name, PARAMS, ARGS, body, true, HEIST_BELOW_(HEIST_TASK_LEVELS))   \
    HEIST_FORCED_ R name##_call_(HEIST_HIDDEN_ HEIST_LIST_ PARAMS, HEIST_PLACE_) HEIST_NOEXCEPT_  \
    {                                                                                             \
        heist_level_ *const heist_to_ =                                                           \
            heist_self_ == name##_run_ ? heist_below_ : (heist_level_ *)name##_body_;             \
        HEIST_TO_LEVEL_(RETURN, name, (heist_w_, heist_head_ HEIST_LIST_ ARGS))                   \
    }

/*
 * What all have in common. In parentheses: FIELDS, the parameters as fields; VALUES, their names as
 * an initialiser; and behind a comma each: PARAMS, the parameters; ARGS, their names; FROM, these
 * as fields of heist_a_.
 */
#define HEIST_COMMON_(R, RETURN, name, FIELDS, VALUES, PARAMS, ARGS)                             \
    struct name##_args_ {                                                                        \
        HEIST_LIST_ FIELDS                                                                       \
    };                                                                                           \
    HEIST_TRIVIAL_(struct name##_args_);                                                         \
    HEIST_STATIC_ASSERT_(sizeof(struct name##_args_) <= HEIST_SLOT_BYTES, "too many arguments"); \
    HEIST_HELPER_ void name##_run_(heist_worker *, heist_slot *, heist_slot *) HEIST_NOEXCEPT_;  \
    HEIST_LEVELS_(R, RETURN, name, PARAMS, ARGS)                                                 \
    HEIST_FORCED_ void name##_fork_(HEIST_HIDDEN_ HEIST_LIST_ PARAMS, HEIST_PLACE_)              \
    {                                                                                            \
        const struct name##_args_ heist_a_ = {HEIST_LIST_ VALUES};                               \
        __builtin_memcpy(heist_head_->data, &heist_a_, sizeof heist_a_);                         \
        if (heist_slots_fork_(&heist_w_->slots, heist_head_, name##_run_, heist_is_top_))        \
            HEIST_FORK_SLOW_(heist_w_, heist_head_);                                             \
    }

/* The compiler does not know any more where it points: else gcc warns of a result that is used
   though the run may have failed. */
#define HEIST_HIDE_(pointer) __asm__("" : "+r"(pointer))

/* With a result. */
#define HEIST_TASK_DECLARE_(R, name, FIELDS, VALUES, PARAMS, ARGS, FROM)                     \
    HEIST_TRIVIAL_(R);                                                                       \
    HEIST_STATIC_ASSERT_(sizeof(R) <= HEIST_SLOT_BYTES, "the result is too large");          \
    HEIST_COMMON_(R, return, name, FIELDS, VALUES, PARAMS, ARGS)                             \
    HEIST_HELPER_ void name##_run_(heist_worker *heist_w_, heist_slot *heist_head_,          \
                                   heist_slot *heist_self_) HEIST_NOEXCEPT_                  \
    {                                                                                        \
        struct name##_args_ heist_a_;                                                        \
        __builtin_memcpy(&heist_a_, heist_self_->data, sizeof heist_a_);                     \
        R heist_r_ = name##_body_(heist_w_, heist_head_ HEIST_LIST_ FROM);                   \
        __builtin_memcpy(heist_self_->data, &heist_r_, sizeof heist_r_);                     \
    }                                                                                        \
    HEIST_TASK_JOIN_(R, name, join, HEIST_JOIN_SLOW_, FROM)                                  \
    HEIST_TASK_JOIN_(R, name, join_only, HEIST_JOIN_ONLY_SLOW_, FROM)                        \
    HEIST_HELPER_ int heist_run_##name(heist_pool *heist_pool_,                              \
                                       R *heist_result_ HEIST_LIST_ PARAMS)                  \
    {                                                                                        \
        unsigned char heist_data_[HEIST_SLOT_BYTES] __attribute__((aligned(8)));             \
        const struct name##_args_ heist_a_ = {HEIST_LIST_ VALUES};                           \
        HEIST_HIDE_(heist_result_);                                                          \
        __builtin_memcpy(heist_data_, &heist_a_, sizeof heist_a_);                           \
        int heist_error_ = heist_run_slot_(heist_pool_, (uintptr_t)name##_run_, heist_data_, \
                                           sizeof heist_a_, sizeof(R));                      \
        if (!heist_error_)                                                                   \
            __builtin_memcpy(heist_result_, heist_data_, sizeof(R));                         \
        return heist_error_;                                                                 \
    }
#define HEIST_TASK_JOIN_(R, name, join, SLOW, FROM)                                        \
    HEIST_FORCED_ R name##_##join##_(HEIST_HIDDEN_, HEIST_PLACE_)                          \
    {                                                                                      \
        R heist_r_;                                                                        \
        if (heist_slots_join_(&heist_w_->slots, heist_head_, name##_run_)) {               \
            struct name##_args_ heist_a_;                                                  \
            __builtin_memcpy(&heist_a_, heist_head_->data, sizeof heist_a_);               \
            heist_r_ = name##_call_(heist_w_, heist_head_ HEIST_LIST_ FROM, HEIST_LEVEL_); \
        } else {                                                                           \
            SLOW(heist_w_, heist_head_);                                                   \
            __builtin_memcpy(&heist_r_, heist_head_->data, sizeof heist_r_);               \
        }                                                                                  \
        return heist_r_;                                                                   \
    }

/* Without: R is void. */
#define HEIST_VOID_TASK_DECLARE_(R, name, FIELDS, VALUES, PARAMS, ARGS, FROM)                   \
    HEIST_COMMON_(R, , name, FIELDS, VALUES, PARAMS, ARGS)                                      \
    HEIST_HELPER_ R name##_run_(heist_worker *heist_w_, heist_slot *heist_head_,                \
                                heist_slot *heist_self_) HEIST_NOEXCEPT_                        \
    {                                                                                           \
        struct name##_args_ heist_a_;                                                           \
        __builtin_memcpy(&heist_a_, heist_self_->data, sizeof heist_a_);                        \
        name##_body_(heist_w_, heist_head_ HEIST_LIST_ FROM);                                   \
    }                                                                                           \
    HEIST_VOID_TASK_JOIN_(name, join, HEIST_JOIN_SLOW_, FROM)                                   \
    HEIST_VOID_TASK_JOIN_(name, join_only, HEIST_JOIN_ONLY_SLOW_, FROM)                         \
    HEIST_HELPER_ int heist_run_##name(heist_pool *heist_pool_ HEIST_LIST_ PARAMS)              \
    {                                                                                           \
        struct name##_args_ heist_a_ = {HEIST_LIST_ VALUES};                                    \
        return heist_run_slot_(heist_pool_, (uintptr_t)name##_run_, &heist_a_, sizeof heist_a_, \
                               0);                                                              \
    }
#define HEIST_VOID_TASK_JOIN_(name, join, SLOW, FROM)                           \
    HEIST_FORCED_ void name##_##join##_(HEIST_HIDDEN_, HEIST_PLACE_)            \
    {                                                                           \
        if (heist_slots_join_(&heist_w_->slots, heist_head_, name##_run_)) {    \
            struct name##_args_ heist_a_;                                       \
            __builtin_memcpy(&heist_a_, heist_head_->data, sizeof heist_a_);    \
            name##_call_(heist_w_, heist_head_ HEIST_LIST_ FROM, HEIST_LEVEL_); \
        } else {                                                                \
            SLOW(heist_w_, heist_head_);                                        \
        }                                                                       \
    }

#define HEIST_TASK_DEFINE_(R, name, FIELDS, VALUES, PARAMS, ARGS, FROM) HEIST_BODY_(R, name, PARAMS)
#define HEIST_TASK_(R, name, FIELDS, VALUES, PARAMS, ARGS, FROM)     \
    HEIST_TASK_DECLARE_(R, name, FIELDS, VALUES, PARAMS, ARGS, FROM) \
    HEIST_BODY_(R, name, PARAMS)
#define HEIST_VOID_TASK_(R, name, FIELDS, VALUES, PARAMS, ARGS, FROM)     \
    HEIST_VOID_TASK_DECLARE_(R, name, FIELDS, VALUES, PARAMS, ARGS, FROM) \
    HEIST_BODY_(R, name, PARAMS)

#define HEIST_LIST_(...) __VA_ARGS__

/* X is one of those above. */
#define HEIST_WITH_0_(X, R, name) X(R, name, (char heist_none_;), (0), (), (), ())
#define HEIST_WITH_1_(X, R, name, T1, p1) \
    X(R, name, (T1 p1;), (p1), (, T1 p1), (, p1), (, heist_a_.p1))
#define HEIST_WITH_2_(X, R, name, T1, p1, T2, p2)                       \
    X(R, name, (T1 p1; T2 p2;), (p1, p2), (, T1 p1, T2 p2), (, p1, p2), \
      (, heist_a_.p1, heist_a_.p2))
#define HEIST_WITH_3_(X, R, name, T1, p1, T2, p2, T3, p3)                                     \
    X(R, name, (T1 p1; T2 p2; T3 p3;), (p1, p2, p3), (, T1 p1, T2 p2, T3 p3), (, p1, p2, p3), \
      (, heist_a_.p1, heist_a_.p2, heist_a_.p3))
#define HEIST_WITH_4_(X, R, name, T1, p1, T2, p2, T3, p3, T4, p4)                               \
    X(R, name, (T1 p1; T2 p2; T3 p3; T4 p4;), (p1, p2, p3, p4), (, T1 p1, T2 p2, T3 p3, T4 p4), \
      (, p1, p2, p3, p4), (, heist_a_.p1, heist_a_.p2, heist_a_.p3, heist_a_.p4))
#define HEIST_WITH_5_(X, R, name, T1, p1, T2, p2, T3, p3, T4, p4, T5, p5)  \
    X(R, name, (T1 p1; T2 p2; T3 p3; T4 p4; T5 p5;), (p1, p2, p3, p4, p5), \
      (, T1 p1, T2 p2, T3 p3, T4 p4, T5 p5), (, p1, p2, p3, p4, p5),       \
      (, heist_a_.p1, heist_a_.p2, heist_a_.p3, heist_a_.p4, heist_a_.p5))
#define HEIST_WITH_6_(X, R, name, T1, p1, T2, p2, T3, p3, T4, p4, T5, p5, T6, p6)     \
    X(R, name, (T1 p1; T2 p2; T3 p3; T4 p4; T5 p5; T6 p6;), (p1, p2, p3, p4, p5, p6), \
      (, T1 p1, T2 p2, T3 p3, T4 p4, T5 p5, T6 p6), (, p1, p2, p3, p4, p5, p6),       \
      (, heist_a_.p1, heist_a_.p2, heist_a_.p3, heist_a_.p4, heist_a_.p5, heist_a_.p6))

/* Begin the definition of a typed task with so many parameters: HEIST_TASK_2(R, name, T1, p1, T2,
   p2) { ... }. DECLARE_ and DEFINE_, with the same arguments: its two parts, for tasks that call
   each other. */
#define HEIST_TASK_0(...) HEIST_WITH_0_(HEIST_TASK_, __VA_ARGS__)
#define HEIST_TASK_DECLARE_0(...) HEIST_WITH_0_(HEIST_TASK_DECLARE_, __VA_ARGS__)
#define HEIST_TASK_DEFINE_0(...) HEIST_WITH_0_(HEIST_TASK_DEFINE_, __VA_ARGS__)
#define HEIST_TASK_1(...) HEIST_WITH_1_(HEIST_TASK_, __VA_ARGS__)
#define HEIST_TASK_DECLARE_1(...) HEIST_WITH_1_(HEIST_TASK_DECLARE_, __VA_ARGS__)
#define HEIST_TASK_DEFINE_1(...) HEIST_WITH_1_(HEIST_TASK_DEFINE_, __VA_ARGS__)
#define HEIST_TASK_2(...) HEIST_WITH_2_(HEIST_TASK_, __VA_ARGS__)
#define HEIST_TASK_DECLARE_2(...) HEIST_WITH_2_(HEIST_TASK_DECLARE_, __VA_ARGS__)
#define HEIST_TASK_DEFINE_2(...) HEIST_WITH_2_(HEIST_TASK_DEFINE_, __VA_ARGS__)
#define HEIST_TASK_3(...) HEIST_WITH_3_(HEIST_TASK_, __VA_ARGS__)
#define HEIST_TASK_DECLARE_3(...) HEIST_WITH_3_(HEIST_TASK_DECLARE_, __VA_ARGS__)
#define HEIST_TASK_DEFINE_3(...) HEIST_WITH_3_(HEIST_TASK_DEFINE_, __VA_ARGS__)
#define HEIST_TASK_4(...) HEIST_WITH_4_(HEIST_TASK_, __VA_ARGS__)
#define HEIST_TASK_DECLARE_4(...) HEIST_WITH_4_(HEIST_TASK_DECLARE_, __VA_ARGS__)
#define HEIST_TASK_DEFINE_4(...) HEIST_WITH_4_(HEIST_TASK_DEFINE_, __VA_ARGS__)
#define HEIST_TASK_5(...) HEIST_WITH_5_(HEIST_TASK_, __VA_ARGS__)
#define HEIST_TASK_DECLARE_5(...) HEIST_WITH_5_(HEIST_TASK_DECLARE_, __VA_ARGS__)
#define HEIST_TASK_DEFINE_5(...) HEIST_WITH_5_(HEIST_TASK_DEFINE_, __VA_ARGS__)
#define HEIST_TASK_6(...) HEIST_WITH_6_(HEIST_TASK_, __VA_ARGS__)
#define HEIST_TASK_DECLARE_6(...) HEIST_WITH_6_(HEIST_TASK_DECLARE_, __VA_ARGS__)
#define HEIST_TASK_DEFINE_6(...) HEIST_WITH_6_(HEIST_TASK_DEFINE_, __VA_ARGS__)

/* The same without a result, and without R. */
#define HEIST_VOID_TASK_0(...) HEIST_WITH_0_(HEIST_VOID_TASK_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DECLARE_0(...) HEIST_WITH_0_(HEIST_VOID_TASK_DECLARE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DEFINE_0(...) HEIST_WITH_0_(HEIST_TASK_DEFINE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_1(...) HEIST_WITH_1_(HEIST_VOID_TASK_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DECLARE_1(...) HEIST_WITH_1_(HEIST_VOID_TASK_DECLARE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DEFINE_1(...) HEIST_WITH_1_(HEIST_TASK_DEFINE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_2(...) HEIST_WITH_2_(HEIST_VOID_TASK_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DECLARE_2(...) HEIST_WITH_2_(HEIST_VOID_TASK_DECLARE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DEFINE_2(...) HEIST_WITH_2_(HEIST_TASK_DEFINE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_3(...) HEIST_WITH_3_(HEIST_VOID_TASK_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DECLARE_3(...) HEIST_WITH_3_(HEIST_VOID_TASK_DECLARE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DEFINE_3(...) HEIST_WITH_3_(HEIST_TASK_DEFINE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_4(...) HEIST_WITH_4_(HEIST_VOID_TASK_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DECLARE_4(...) HEIST_WITH_4_(HEIST_VOID_TASK_DECLARE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DEFINE_4(...) HEIST_WITH_4_(HEIST_TASK_DEFINE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_5(...) HEIST_WITH_5_(HEIST_VOID_TASK_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DECLARE_5(...) HEIST_WITH_5_(HEIST_VOID_TASK_DECLARE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DEFINE_5(...) HEIST_WITH_5_(HEIST_TASK_DEFINE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_6(...) HEIST_WITH_6_(HEIST_VOID_TASK_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DECLARE_6(...) HEIST_WITH_6_(HEIST_VOID_TASK_DECLARE_, void, __VA_ARGS__)
#define HEIST_VOID_TASK_DEFINE_6(...) HEIST_WITH_6_(HEIST_TASK_DEFINE_, void, __VA_ARGS__)

/* The same with the number of parameters counted, at least one: HEIST_TASK(R, name, T1, p1, ...).
   From outside it is run by int heist_run_NAME(heist_pool *pool, R *result, T1 p1, ...), which
   returns what heist_run does; without `result` if it has none. */
#define HEIST_TASK(R, ...) HEIST_JOINED_(HEIST_TASK_, HEIST_PAIRS_(__VA_ARGS__))(R, __VA_ARGS__)
#define HEIST_VOID_TASK(...) HEIST_JOINED_(HEIST_VOID_TASK_, HEIST_PAIRS_(__VA_ARGS__))(__VA_ARGS__)
#define HEIST_JOINED_(a, b) HEIST_JOINED_NOW_(a, b)
#define HEIST_JOINED_NOW_(a, b) a##b
/* Of a name and pairs behind it. */
#define HEIST_PAIRS_(...) HEIST_14TH_(__VA_ARGS__, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0)
#define HEIST_14TH_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...) n

HEIST_END_DECLS

#endif
