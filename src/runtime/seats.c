/* SPDX-License-Identifier: MIT */
/*
 * Who sits where: threads of the pool, and threads that lend themselves. A pool of n workers has
 * n - 1 threads that always may work, and a deputy, who works only while nobody lends, and is made
 * when somebody needs it. So n threads work, no more, as long as one at a time lends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "choice.h"
#include "places.h"
#include "process.h"
#include "worker.h"

enum {
    STACK_MARGIN =
        512 << 10, /* what is left when a fork gives up: for the task's leaves, and to end well */
    STACK_MARGIN_PART = 8 /* of a small stack: this part */
};

HEIST_THREAD_POINTER(here) /* the worker that this thread is */

struct worker *heist_worker_here_(void) { return *here(); }

struct worker *heist_worker_here_in_(const heist_pool *pool)
{
    struct worker *w = *here();
    while (w && w->pool != pool)
        w = w->outer;
    return w;
}

/* ---- A seat ---- */

static size_t bytes_of_slots(void) { return (SLOTS + 1) * sizeof(heist_slot); }

static void reset_slots(struct worker *w)
{
    heist_slots *q = &w->w.slots;
    heist_slots_init_(q, q->first, SLOTS);
    if (w->pool->counts_forks || w->pool->kind != KIND_heist)
        q->last = 0; /* each fork takes the slow path */
    heist_store(&q->limit, q->last, __ATOMIC_RELAXED);
    if (w->pool->kind != KIND_heist)
        heist_store(&q->base, HEIST_SLOTS_FULL_BASE_, __ATOMIC_RELAXED);
}

/*
 * A `split` queue has made forks public for a thief that had asked, and may sleep by now. Also in
 * a handler: it counts and traces nothing. Whoever is about to sleep is seen, or sees the forks:
 * as in put_in_queue.
 */
static void wake_thief(void *context)
{
    heist_pool *pool = context;
    heist_fence_light();
    if (!pool->has_heavy_fence)
        heist_fence(HEIST_RT_PUT_FENCE);
    if (heist_load(&pool->parking.sleepers, __ATOMIC_RELAXED))
        heist_park_wake_one_(&pool->parking, FORKS);
}

/* A queue that grows, unless its kind can't. */
static int init_own(struct worker *w)
{
    heist_queue_opts opts = w->pool->queue_opts;
    opts.bound = HEIST_BOUND_GROWS;
    int error = tasks_init(&w->own, w->pool->kind, &opts);
    if (error != -EINVAL)
        return error;
    opts.bound = HEIST_BOUND_DEFAULT;
    return tasks_init(&w->own, w->pool->kind, &opts);
}

static bool init_tasks(struct worker *w)
{
    heist_pool *pool = w->pool;
    bool shared = pool->kind == KIND_global && w->number > 0;
    w->tasks = shared ? &pool->worker[0]->own : &w->own;
    if (!shared && init_own(w))
        return false;
    if (pool->kind == KIND_split)
        heist_split_tell(&w->own.queue.split, wake_thief, pool);
    return true;
}

static void fini_tasks(struct worker *w)
{
    if (w->tasks == &w->own)
        tasks_fini(&w->own);
}

static void free_seat(struct worker *w)
{
    heist_choice_leave_(w);
    munmap(w->w.slots.first, bytes_of_slots());
    free(w);
}

static struct worker *make_seat_here(heist_pool *pool, unsigned rank, bool is_lender)
{
    void *memory;
    unsigned number = heist_load(&pool->seats, __ATOMIC_RELAXED);
    if (number == SEATS || posix_memalign(&memory, HEIST_LINE, sizeof(struct worker)))
        return NULL;
    struct worker *w = memset(memory, 0, sizeof *w);
    w->w.slots.first = mmap(NULL, bytes_of_slots(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (w->w.slots.first == MAP_FAILED) {
        free(w);
        return NULL;
    }
    w->pool = pool;
    w->number = number;
    w->rank = rank;
    w->is_lender = is_lender;
    heist_store(&w->is_taken, is_lender, __ATOMIC_RELAXED);
    w->trace = heist_trace_buffer_(pool->trace, number);
    w->random = 0x9e3779b97f4a7c15u * (number + 1);
    reset_slots(w);
    if (!init_tasks(w)) {
        free_seat(w);
        return NULL;
    }
    if (!heist_choice_sit_(w)) {
        fini_tasks(w);
        free_seat(w);
        return NULL;
    }
    pool->worker[number] = w;
    heist_park_add_(&pool->parking, &w->parker);
    heist_store(&pool->seats, number + 1, HEIST_RT_SEAT);
    return w;
}

/* Locked, or alone. In memory of the node where its thread will be pinned. */
static struct worker *make_seat(heist_pool *pool, unsigned rank, bool is_lender)
{
    struct heist_affinity_ home = {NULL, 0};
    if (!is_lender)
        heist_places_visit_(pool->places, rank, &home);
    struct worker *w = make_seat_here(pool, rank, is_lender);
    heist_places_return_(&home);
    return w;
}

/* ---- The C stack ---- */

struct stack {
    uintptr_t low, high; /* high is 0: not known yet */
};

static struct stack read_stack(void)
{
    pthread_attr_t attr;
    void *low;
    size_t size;
    struct stack stack = {0, UINTPTR_MAX};
    if (pthread_getattr_np(pthread_self(), &attr))
        return stack;
    if (!pthread_attr_getstack(&attr, &low, &size))
        stack = (struct stack){(uintptr_t)low, (uintptr_t)low + size};
    pthread_attr_destroy(&attr);
    return stack;
}

/* Where forks give up. 0: on a stack that is not the thread's own (of a coroutine, say) nothing is
   known about its end. */
static uintptr_t stack_end(uintptr_t now)
{
    static __thread struct stack stack;
    if (HEIST_MODEL)
        return 0;
    if (!stack.high)
        stack = read_stack();
    if (now < stack.low || now >= stack.high || !stack.low)
        return 0;
    size_t size = stack.high - stack.low;
    size_t margin =
        size / STACK_MARGIN_PART < STACK_MARGIN ? size / STACK_MARGIN_PART : STACK_MARGIN;
    return stack.low + margin;
}

static void set_stack(struct worker *w)
{
    uintptr_t now = (uintptr_t)__builtin_frame_address(0), end = stack_end(now);
    w->w.slots.stack_end = end;
    w->stack_help = end ? now - (now - end) / 2 : 0;
}

/* The calling thread is the worker from now on. */
static void sit_down(struct worker *w)
{
    w->outer = *here();
    *here() = w;
    heist_store(&w->is_here, 1, __ATOMIC_RELAXED);
    heist_choice_moved_(w);
    set_stack(w);
    if (w->pool->kind == KIND_split)
        heist_split_adopt(&w->own.queue.split);
}

/* ---- Threads ---- */

static void pin(struct worker *w)
{
    w->is_pinned = heist_places_take_(w->pool->places, w->rank);
    heist_add(&w->pool->pinned, w->is_pinned, __ATOMIC_RELAXED);
}

static void *begin(void *worker)
{
    struct worker *w = worker;
    pthread_setname_np(pthread_self(), "heist");
    pin(w);
    if (!w->is_pinned)
        heist_crowd_begin_(w->maker, w->rank);
    sit_down(w);
    heist_worker_idle_(w);
    return NULL;
}

/* What a pinned thread makes is not pinned to the same CPU. */
static int create(struct worker *w)
{
    const struct heist_affinity_ *may = heist_affinity_before_();
    pthread_attr_t attr;
    w->maker = heist_crowd_here_();
    if (!may || pthread_attr_init(&attr))
        return pthread_create(&w->thread, NULL, begin, w);
    pthread_attr_setaffinity_np(&attr, may->bytes, may->set);
    int error = pthread_create(&w->thread, &attr, begin, w);
    pthread_attr_destroy(&attr);
    return error;
}

/* The program's signals stay with its own threads. But the one by which `split`
   exposes work must come; and those that a task brings upon itself: blocked, they
   would kill a program that handles them. */
static int start_thread(struct worker *w)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    if (w->pool->queue_opts.signal)
        sigdelset(&all, w->pool->queue_opts.signal);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = create(w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    w->has_thread = !error;
    heist_add(&w->pool->threads, !error, __ATOMIC_RELAXED);
    w->pool->error = -error;
    return -error;
}

static struct worker *thread_of_rank(heist_pool *pool, unsigned rank)
{
    for (unsigned i = 0; i < heist_load(&pool->seats, __ATOMIC_RELAXED); i++)
        if (!pool->worker[i]->is_lender && pool->worker[i]->rank == rank)
            return pool->worker[i];
    return NULL;
}

/* Locked: there is a thread of this rank. */
static int need_thread(heist_pool *pool, unsigned rank)
{
    struct worker *w = thread_of_rank(pool, rank);
    if (!w && !(w = make_seat(pool, rank, false)))
        return pool->error = -ENOMEM;
    int error = w->has_thread ? 0 : start_thread(w);
    if (!error && rank == heist_load(&pool->workers, __ATOMIC_RELAXED) - 1)
        heist_store(&pool->deputy, w, HEIST_RT_DEPUTY);
    return error;
}

int heist_seats_fill_(heist_pool *pool)
{
    int error = 0;
    pthread_mutex_lock(&pool->lock);
    unsigned workers = heist_load(&pool->workers, __ATOMIC_RELAXED);
    struct worker *deputy = thread_of_rank(pool, workers - 1);
    heist_store(&pool->deputy, deputy && deputy->has_thread ? deputy : NULL, HEIST_RT_DEPUTY);
    for (unsigned rank = 0; rank + 1 < workers && !error; rank++)
        error = need_thread(pool, rank);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < heist_load(&pool->seats, HEIST_RT_SEATS); i++)
        heist_park_wake_(&pool->parking, &pool->worker[i]->parker);
    return error;
}

int heist_seats_need_thread_(heist_pool *pool)
{
    if (heist_load(&pool->threads, __ATOMIC_RELAXED))
        return 0;
    pthread_mutex_lock(&pool->lock);
    int error = heist_load(&pool->threads, __ATOMIC_RELAXED) ? 0 : need_thread(pool, 0);
    pthread_mutex_unlock(&pool->lock);
    return error;
}

void heist_seats_end_threads_(heist_pool *pool)
{
    heist_store(&pool->stopping, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < heist_load(&pool->seats, __ATOMIC_RELAXED); i++)
        heist_park_wake_(&pool->parking, &pool->worker[i]->parker);
    for (unsigned i = 0; i < heist_load(&pool->seats, __ATOMIC_RELAXED); i++)
        if (pool->worker[i]->has_thread)
            pthread_join(pool->worker[i]->thread, NULL);
}

/* ---- The deputy ---- */

bool heist_seats_is_benched_(const struct worker *w)
{
    return w->rank + (heist_load(&w->pool->lenders, __ATOMIC_RELAXED) > 0) >=
           heist_load(&w->pool->workers, __ATOMIC_RELAXED);
}

void heist_seats_call_deputy_(heist_pool *pool)
{
    if (heist_load(&pool->lenders, __ATOMIC_RELAXED))
        return;
    struct worker *deputy = (struct worker *)heist_load(&pool->deputy, HEIST_RT_CALL);
    if (deputy) {
        if (heist_load(&deputy->parker.state, __ATOMIC_RELAXED) == WAITING)
            heist_park_wake_(&pool->parking, &deputy->parker);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    if (!heist_load(&pool->deputy, __ATOMIC_RELAXED) && !pool->error)
        need_thread(pool, heist_load(&pool->workers, __ATOMIC_RELAXED) - 1);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- Lenders ---- */

/* A seat that nobody has. *lenders: how many there are. */
static struct worker *find_seat(heist_pool *pool, unsigned *lenders)
{
    unsigned n = heist_load(&pool->seats, HEIST_RT_SEATS);
    *lenders = 0;
    for (unsigned i = 0; i < n; i++) {
        struct worker *w = pool->worker[i];
        uint32_t taken = 0;
        if (w->is_lender && heist_cas(&w->is_taken, &taken, 1, HEIST_RT_SIT))
            return w;
        *lenders += w->is_lender;
    }
    return NULL;
}

static struct worker *add_seat(heist_pool *pool)
{
    unsigned lenders;
    pthread_mutex_lock(&pool->lock);
    struct worker *w = find_seat(pool, &lenders);
    if (!w && lenders < LENDERS_MAX)
        w = make_seat(pool, 0, true);
    pthread_mutex_unlock(&pool->lock);
    return w;
}

struct worker *heist_seats_enter_(heist_pool *pool)
{
    unsigned lenders;
    struct worker *w = find_seat(pool, &lenders);
    if (!w && !(w = add_seat(pool)))
        return NULL;
    heist_add(&pool->lenders, 1, __ATOMIC_RELAXED);
    heist_places_lend_(pool->places, heist_load(&pool->workers, __ATOMIC_RELAXED) - 1);
    sit_down(w);
    return w;
}

void heist_seats_leave_(struct worker *w)
{
    heist_pool *pool = w->pool;
    void *item;
    bool left = false;
    if (w->tasks == &w->own)
        while ((item = tasks_get(w->tasks))) {
            heist_job *job = tasks_job_in(item);
            if (job)
                heist_inbox_put_(&pool->inbox, job, job, 1, HEIST_NORMAL);
            left |= job != NULL;
        }
    w->stale = 0;
    heist_store(&w->is_here, 0, __ATOMIC_RELAXED);
    *here() = w->outer;
    heist_add(&pool->lenders, -1u, __ATOMIC_RELAXED);
    heist_fence(HEIST_RT_LEAVE);
    if ((left && !heist_park_wake_one_(&pool->parking, JOBS)) ||
        heist_load(&pool->jobs.pending, __ATOMIC_RELAXED))
        heist_seats_call_deputy_(pool);
    heist_store(&w->is_taken, 0, HEIST_FENCED_RELEASE_);
}

/* ---- All seats ---- */

int heist_seats_init_(heist_pool *pool)
{
    struct worker *first = make_seat(pool, 0, true);
    if (!first)
        return -ENOMEM;
    heist_store(&first->is_taken, 0, __ATOMIC_RELAXED);
    heist_seats_fill_(pool);
    return 0;
}

void heist_seats_fini_(heist_pool *pool)
{
    for (unsigned i = heist_load(&pool->seats, __ATOMIC_RELAXED); i-- > 0;) {
        fini_tasks(pool->worker[i]);
        free_seat(pool->worker[i]);
    }
}

/* They are not this process's. */
static void forget_tasks(struct worker *w)
{
    w->is_idle = false;
    heist_store(&w->is_here, 0, __ATOMIC_RELAXED);
    heist_store(&w->function, 0, __ATOMIC_RELAXED);
    heist_store(&w->waits_for, 0, __ATOMIC_RELAXED);
    heist_store(&w->depth, 0, __ATOMIC_RELAXED);
    heist_store(&w->jobs, 0, __ATOMIC_RELAXED);
}

static bool is_mine(const struct worker *seat)
{
    const struct worker *w = *here();
    while (w && w != seat)
        w = w->outer;
    return w;
}

/*
 * Locked: a seat whose thread is not in this process. It may have been anywhere in its queue, with
 * a lock held: the queue is made anew, and the old one's memory is lost. Of its slots nothing must
 * look forked any more.
 */
static bool clear_seat(struct worker *w)
{
    if (!HEIST_MODEL && madvise(w->w.slots.first, bytes_of_slots(), MADV_DONTNEED))
        return false;
    heist_store(&w->is_taken, 0, __ATOMIC_RELAXED);
    w->frame = NULL;
    w->stale = 0;
    forget_tasks(w);
    reset_slots(w);
    return init_tasks(w);
}

int heist_seats_revive_(heist_pool *pool)
{
    uint32_t lenders = 0;
    bool ok = true;
    pthread_mutex_lock(&pool->lock);
    uint32_t now = heist_load(&heist_process_generation_, __ATOMIC_RELAXED);
    bool dead = heist_load(&pool->generation, __ATOMIC_RELAXED) != now;
    for (unsigned i = 0; dead && ok && i < heist_load(&pool->seats, __ATOMIC_RELAXED); i++) {
        struct worker *w = pool->worker[i];
        w->has_thread = false;
        w->counters = (struct heist_counters_){0};
        heist_store(&w->parker.state, AWAKE, __ATOMIC_RELAXED);
        if (is_mine(w)) { /* also if it was the pool's thread: no other may sit there */
            w->is_lender = true;
            heist_store(&w->is_taken, 1, __ATOMIC_RELAXED);
            lenders++;
        } else {
            ok = clear_seat(w);
        }
    }
    if (dead && ok) {
        heist_store(&pool->threads, 0, __ATOMIC_RELAXED);
        heist_store(&pool->pinned, 0, __ATOMIC_RELAXED);
        heist_store(&pool->lenders, lenders, __ATOMIC_RELAXED);
        heist_store(&pool->deputy, NULL, __ATOMIC_RELAXED);
        heist_store(&pool->parking.sleepers, 0, __ATOMIC_RELAXED);
        heist_store(&pool->jobs.pending, 0, __ATOMIC_RELAXED);
        heist_store(&pool->jobs.waiters, NULL, __ATOMIC_RELAXED);
        heist_inbox_init_(&pool->inbox);
        heist_pool_trace_end_(pool);
        heist_pool_trace_begin_(pool);
        pool->born = heist_stats_now_();
        heist_store(&pool->generation, now, HEIST_RT_REVIVE);
    }
    pthread_mutex_unlock(&pool->lock);
    if (dead && ok)
        heist_seats_fill_(pool);
    return ok ? 0 : -ENOMEM;
}
