/* SPDX-License-Identifier: MIT */
/*
 * The runtime: pools of workers, fork and join.
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
 * Typed tasks save the last nanosecond (HEIST_TASK_1 and so on): arguments travel in the slots, the
 * place of the next slot in a register.
 *
 *   HEIST_TASK_1(long, fib, int, n)
 *   {
 *       if (n < 2) return n;
 *       HEIST_FORK(fib, n - 1);
 *       long b = HEIST_CALL(fib, n - 2);
 *       return b + HEIST_JOIN(fib);
 *   }
 *   ... long result; heist_run_fib(NULL, &result, 42);
 */
#ifndef HEIST_HEIST_H
#define HEIST_HEIST_H

#include <heist/default.h>
#include <heist/slots.h>

#define HEIST_MAYBE_UNUSED_ __attribute__((unused))
#ifdef __cplusplus
#define HEIST_STATIC_ASSERT_ static_assert
#else
#define HEIST_STATIC_ASSERT_ _Static_assert
#endif

HEIST_BEGIN_DECLS

typedef struct heist_worker {
    heist_slots slots;
    heist_slot *head; /* where the next fork of plain functions goes */
} heist_worker;

typedef struct heist_pool heist_pool;

/* Zero means the default; fields are only ever added at the end. */
typedef struct heist_pool_opts {
    size_t size;      /* sizeof(heist_pool_opts), as the caller was compiled */
    unsigned workers; /* 0: HEIST_WORKERS, or one per CPU that this process may use; at most 1024 */
} heist_pool_opts;

/* 0, -EINVAL, -ENOMEM. If the system refuses threads, the pool has fewer workers. */
HEIST_API HEIST_MUST_CHECK int heist_pool_new(heist_pool **out, const heist_pool_opts *opts);
/* Ends all threads of the pool. 0; -EDEADLK: called from inside of it, and nothing was done. */
HEIST_API int heist_pool_free(heist_pool *pool);
HEIST_API unsigned heist_pool_workers(const heist_pool *pool);

typedef void heist_fn(heist_worker *w, void *arg);

/*
 * Runs fn(worker, arg) and all that it forks, and returns when it has ended; the calling thread is one
 * of the workers meanwhile; one at a time, another caller waits. NULL: the default pool, which is made
 * by the first call. 0; -EINVAL; -ENOMEM, also if there were too many forks at once (a million); and
 * -EDEADLK from inside of the same pool: there, call the function itself.
 */
HEIST_API int heist_run(heist_pool *pool, heist_fn *fn, void *arg);

typedef struct heist_task {
    heist_slot *slot;
} heist_task;

struct heist_plain_call_ {
    heist_fn *fn;
    void *arg;
};

HEIST_API void heist_fork_slow_(heist_worker *w, heist_slot *filled);
/* True: run it yourself. False: it was stolen, and has been run. */
HEIST_API bool heist_join_slow_(heist_worker *w, heist_slot *newest);
HEIST_API heist_slot_run heist_run_plain_;
HEIST_API int heist_run_slot_(heist_pool *pool, heist_slot_run *run, void *data, size_t arguments,
                              size_t result);

static inline void heist_fork(heist_worker *w, heist_task *t, heist_fn *fn, void *arg)
{
    const struct heist_plain_call_ call = {fn, arg};
    heist_slot *s = w->head++;
    s->run = heist_run_plain_;
    __builtin_memcpy(s->data, &call, sizeof call);
    t->slot = s;
    if (heist_slots_fork_(&w->slots, s))
        heist_fork_slow_(w, s);
}

static inline void heist_join(heist_worker *w, heist_task *t)
{
    heist_slot *s = w->head = t->slot;
    if (heist_slots_is_private_(&w->slots, s) || heist_join_slow_(w, s)) {
        struct heist_plain_call_ call;
        __builtin_memcpy(&call, s->data, sizeof call);
        call.fn(w, call.arg);
    }
}

/* ---- Typed tasks ---- */

/* In a typed task: forks one, calls one, joins the one forked last, which gives its result. */
#define HEIST_FORK(name, ...) name##_fork_(heist_w_, heist_head_++, __VA_ARGS__)
#define HEIST_CALL(name, ...) name##_body_(heist_w_, heist_head_, __VA_ARGS__)
#define HEIST_JOIN(name) name##_join_(heist_w_, --heist_head_)

/* For functions that take a heist_worker. */
#define HEIST_WORKER() (heist_w_->head = heist_head_, heist_w_)

/*
 * What all of HEIST_TASK_n have in common: PARAMS are the parameters with their types, FIELDS the same
 * as fields, ARGS their names, FROM the names as fields of `a`.
 */
#define HEIST_TASK_(R, name, FIELDS, PARAMS, ARGS, FROM)                                           \
    struct name##_args_ {                                                                          \
        FIELDS                                                                                     \
    };                                                                                             \
    static R name##_body_(heist_worker *heist_w_, heist_slot *heist_head_, PARAMS);                \
    HEIST_MAYBE_UNUSED_ static inline void name##_run_(heist_worker *w, heist_slot *head,          \
                                                       heist_slot *self)                           \
    {                                                                                              \
        struct name##_args_ a;                                                                     \
        __builtin_memcpy(&a, self->data, sizeof a);                                                \
        R result = name##_body_(w, head, FROM);                                                    \
        __builtin_memcpy(self->data, &result, sizeof result);                                      \
    }                                                                                              \
    HEIST_MAYBE_UNUSED_ static inline void name##_fork_(heist_worker *w, heist_slot *head, PARAMS) \
    {                                                                                              \
        HEIST_STATIC_ASSERT_(sizeof(struct name##_args_) <= HEIST_SLOT_BYTES,                      \
                             "too many arguments");                                                \
        HEIST_STATIC_ASSERT_(sizeof(R) <= HEIST_SLOT_BYTES, "the result is too large");            \
        const struct name##_args_ a = {ARGS};                                                      \
        head->run = name##_run_;                                                                   \
        __builtin_memcpy(head->data, &a, sizeof a);                                                \
        if (heist_slots_fork_(&w->slots, head))                                                    \
            heist_fork_slow_(w, head);                                                             \
    }                                                                                              \
    HEIST_MAYBE_UNUSED_ static inline R name##_join_(heist_worker *w, heist_slot *head)            \
    {                                                                                              \
        if (heist_slots_is_private_(&w->slots, head) || heist_join_slow_(w, head)) {               \
            struct name##_args_ a;                                                                 \
            __builtin_memcpy(&a, head->data, sizeof a);                                            \
            return name##_body_(w, head, FROM);                                                    \
        }                                                                                          \
        R result;                                                                                  \
        __builtin_memcpy(&result, head->data, sizeof result);                                      \
        return result;                                                                             \
    }                                                                                              \
    HEIST_MAYBE_UNUSED_ static inline int heist_run_##name(heist_pool *pool, R *result, PARAMS)    \
    {                                                                                              \
        unsigned char data[HEIST_SLOT_BYTES] __attribute__((aligned(8)));                          \
        const struct name##_args_ a = {ARGS};                                                      \
        __builtin_memcpy(data, &a, sizeof a);                                                      \
        int error = heist_run_slot_(pool, name##_run_, data, sizeof a, sizeof *result);            \
        if (!error)                                                                                \
            __builtin_memcpy(result, data, sizeof *result);                                        \
        return error;                                                                              \
    }                                                                                              \
    static R name##_body_(heist_worker *heist_w_, heist_slot *heist_head_, PARAMS)

#define HEIST_LIST_(...) __VA_ARGS__
#define HEIST_TASK_1(R, name, T1, p1) \
    HEIST_TASK_(R, name, T1 p1;, HEIST_LIST_(T1 p1), HEIST_LIST_(p1), HEIST_LIST_(a.p1))
#define HEIST_TASK_2(R, name, T1, p1, T2, p2) \
    HEIST_TASK_(R, name, T1 p1; T2 p2;        \
                , HEIST_LIST_(T1 p1, T2 p2), HEIST_LIST_(p1, p2), HEIST_LIST_(a.p1, a.p2))
#define HEIST_TASK_3(R, name, T1, p1, T2, p2, T3, p3)                            \
    HEIST_TASK_(R, name, T1 p1; T2 p2; T3 p3;, HEIST_LIST_(T1 p1, T2 p2, T3 p3), \
                                             HEIST_LIST_(p1, p2, p3),            \
                                             HEIST_LIST_(a.p1, a.p2, a.p3))
#define HEIST_TASK_4(R, name, T1, p1, T2, p2, T3, p3, T4, p4)                                  \
    HEIST_TASK_(R, name, T1 p1; T2 p2; T3 p3; T4 p4;, HEIST_LIST_(T1 p1, T2 p2, T3 p3, T4 p4), \
                                                    HEIST_LIST_(p1, p2, p3, p4),               \
                                                    HEIST_LIST_(a.p1, a.p2, a.p3, a.p4))

HEIST_END_DECLS

#endif
