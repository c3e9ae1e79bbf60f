/* SPDX-License-Identifier: MIT */
/* Jobs and groups. */
#include <heist/jobs.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "worker.h"

/* Of a thread outside before it sleeps: about as long as a worker needs to wake up. */
enum { LOOKS = 4000 };

/* ---- The inbox ---- */

void heist_inbox_init_(struct inbox *inbox)
{
    for (int i = 0; i < 2; i++) {
        inbox->list[i].first = NULL;
        inbox->list[i].last = &inbox->list[i].first;
        heist_store(&inbox->number[i], 0, __ATOMIC_RELAXED);
    }
}

static heist_job *take_first(struct inbox *inbox, enum heist_priority priority)
{
    heist_job *job = inbox->list[priority].first;
    if (job) {
        inbox->list[priority].first = job->next;
        if (!job->next)
            inbox->list[priority].last = &inbox->list[priority].first;
        heist_add(&inbox->number[priority], -1u, __ATOMIC_RELAXED);
    }
    return job;
}

heist_job *heist_inbox_take_(struct inbox *inbox, enum heist_priority priority)
{
    pthread_mutex_lock(&inbox->lock);
    heist_job *job = take_first(inbox, priority);
    pthread_mutex_unlock(&inbox->lock);
    return job;
}

/* If it is the next one. */
static bool take_from_inbox(struct inbox *inbox, const heist_job *job)
{
    bool is_next = false;
    for (int priority = HEIST_HIGH; priority >= HEIST_NORMAL && !is_next; priority--) {
        pthread_mutex_lock(&inbox->lock);
        is_next = inbox->list[priority].first == job;
        if (is_next)
            take_first(inbox, (enum heist_priority)priority);
        pthread_mutex_unlock(&inbox->lock);
    }
    return is_next;
}

void heist_inbox_put_(struct inbox *inbox, heist_job *first, heist_job *last, uint32_t number,
                      enum heist_priority priority)
{
    last->next = NULL;
    pthread_mutex_lock(&inbox->lock);
    *inbox->list[priority].last = first;
    inbox->list[priority].last = &last->next;
    heist_add(&inbox->number[priority], number, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&inbox->lock);
}

/* ---- Groups ---- */

static bool is_cancelled(const heist_group *group)
{
    return group && heist_load(&group->cancelled, __ATOMIC_RELAXED);
}

int heist_group_init(heist_group *group, heist_pool *pool)
{
    int error = heist_pool_or_default_(&pool);
    memset(group, 0, sizeof *group);
    group->pool = pool;
    return error;
}

void heist_group_cancel(heist_group *group) { heist_store(&group->cancelled, 1, __ATOMIC_RELAXED); }

int heist_group_submit(heist_group *group, heist_fn *fn, void *arg)
{
    const heist_job_opts opts = {.size = sizeof opts, .group = group};
    return heist_submit_with(group->pool, NULL, fn, arg, &opts);
}

bool heist_is_cancelled(const heist_worker *w)
{
    const heist_group *group = (heist_group *)heist_load(&w->slots.context, __ATOMIC_RELAXED);
    return is_cancelled(group) ||
           heist_load(&((const struct worker *)w)->pool->cancelled, __ATOMIC_RELAXED);
}

/* ---- Memory of jobs that nobody waits for ---- */

struct heist_batch_ {
    heist_au64 left; /* jobs that have not ended */
    heist_job jobs[];
};

static struct heist_batch_ *make_batch(size_t number)
{
    struct heist_batch_ *batch = NULL;
    if (number <= (SIZE_MAX - sizeof *batch) / sizeof(heist_job))
        batch = malloc(sizeof *batch + number * sizeof(heist_job));
    if (batch)
        heist_store(&batch->left, number, __ATOMIC_RELAXED);
    return batch;
}

static void release(struct heist_batch_ *batch)
{
    if (heist_batch_end_(&batch->left))
        free(batch);
}

/* ---- Running ---- */

void heist_job_run_(struct worker *w, heist_slot *head, heist_job *job)
{
    heist_pool *pool = w->pool;
    heist_group *group = job->group;
    int error = -ECANCELED;
    if (!is_cancelled(group) && !heist_load(&pool->cancelled, __ATOMIC_RELAXED)) {
        heist_slot slot = {.run = {(uintptr_t)job->fn | HEIST_SLOT_PLAIN}};
        memcpy(slot.data, &job->arg, sizeof job->arg);
        heist_count_(&w->counters, jobs);
        heist_store(&w->jobs, heist_load(&w->jobs, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
        bool ok = heist_worker_run_(w, head, &slot, (uintptr_t)group, HEIST_TRACE_JOB_);
        heist_store(&w->jobs, heist_load(&w->jobs, __ATOMIC_RELAXED) - 1, __ATOMIC_RELAXED);
        error = ok ? 0 : -ENOMEM;
    }
    if (job->batch) {
        release(job->batch);
    } else {
        job->error = error;
        heist_waiters_wake_(&job->waiters, WAITERS_OVER); /* it is its owner's again */
    }
    if (group)
        heist_group_end_(group, error);
    heist_group_end_(&pool->jobs, 0);
}

/* ---- Submitting ---- */

/* By a worker of the pool, or from outside: NULL. */
static void wake_for(heist_pool *pool, struct worker *w, uint64_t number)
{
    while (number &&
           (w ? heist_worker_wake_one_(w, JOBS) : heist_park_wake_one_(&pool->parking, JOBS)))
        number--;
    heist_seats_call_deputy_(pool); /* also if a job has its worker: for what it will fork */
}

/* Into the worker's own queue, where it is found without a lock. */
static void put(struct worker *w, heist_job *job)
{
    heist_pool *pool = w->pool;
    while (job) {
        heist_job *next = job->next; /* before somebody runs it */
        if (!tasks_put(w->tasks, tasks_item_of_job(job)))
            heist_inbox_put_(&pool->inbox, job, job, 1, HEIST_NORMAL);
        job = next;
    }
    heist_fence_light(); /* a thief that goes to sleep is seen, or sees the job */
    if (!pool->has_heavy_fence)
        heist_fence(HEIST_RT_PUT_FENCE);
}

static int submit(heist_pool *pool, heist_job *first, size_t number, struct heist_batch_ *batch,
                  const heist_job_opts *opts)
{
    heist_group *group = opts ? opts->group : NULL;
    enum heist_priority priority = opts ? opts->priority : HEIST_NORMAL;
    struct worker *w = heist_worker_here_();
    w = w && w->pool == pool ? w : NULL;
    for (size_t i = 0; i < number; i++) {
        first[i].pool = pool;
        first[i].group = group;
        first[i].batch = batch;
        first[i].next = i + 1 < number ? &first[i + 1] : NULL;
        heist_store(&first[i].waiters, NULL, __ATOMIC_RELAXED);
    }
    heist_group_begin_(&pool->jobs, number);
    if (group)
        heist_group_begin_(group, number);
    if (w && priority == HEIST_NORMAL) {
        put(w, first);
        if (!heist_load(&pool->parking.sleepers, __ATOMIC_RELAXED))
            number = 0;
    } else {
        heist_inbox_put_(&pool->inbox, first, &first[number - 1], (uint32_t)number, priority);
    }
    wake_for(pool, w, number);
    return 0;
}

static bool are_valid(const heist_job_opts *opts)
{
    return !opts || ((!opts->size || opts->size >= sizeof *opts) &&
                     (opts->priority == HEIST_NORMAL || opts->priority == HEIST_HIGH));
}

/* Whether the pool takes jobs from here. */
static int prepare(heist_pool **pool, const heist_job_opts *opts)
{
    int error = are_valid(opts) ? heist_pool_or_default_(pool) : -EINVAL;
    if (error)
        return error;
    if ((opts && is_cancelled(opts->group)) || heist_load(&(*pool)->cancelled, __ATOMIC_RELAXED))
        return -ECANCELED;
    const struct worker *w = heist_worker_here_();
    return w && heist_slots_stack_is_low_(&w->w.slots) ? -ENOMEM : heist_seats_need_thread_(*pool);
}

int heist_submit_many(heist_pool *pool, const heist_call *calls, size_t number,
                      const heist_job_opts *opts)
{
    for (size_t i = 0; i < number; i++)
        if (!calls[i].fn)
            return -EINVAL;
    int error = prepare(&pool, opts);
    if (error || !number)
        return error;
    struct heist_batch_ *batch = number <= UINT32_MAX ? make_batch(number) : NULL;
    if (!batch)
        return -ENOMEM;
    for (size_t i = 0; i < number; i++) {
        batch->jobs[i].fn = calls[i].fn;
        batch->jobs[i].arg = calls[i].arg;
    }
    return submit(pool, batch->jobs, number, batch, opts);
}

int heist_submit_with(heist_pool *pool, heist_job *job, heist_fn *fn, void *arg,
                      const heist_job_opts *opts)
{
    const heist_call call = {fn, arg};
    if (!job)
        return heist_submit_many(pool, &call, 1, opts);
    int error = fn ? prepare(&pool, opts) : -EINVAL;
    if (error)
        return error;
    job->fn = fn;
    job->arg = arg;
    return submit(pool, job, 1, NULL, opts);
}

int heist_submit(heist_pool *pool, heist_job *job, heist_fn *fn, void *arg)
{
    return heist_submit_with(pool, job, fn, arg, NULL);
}

/* ---- Waiting ---- */

static bool is_over(struct wait *wait)
{
    return wait->group ? heist_group_is_over_(wait->group) : heist_waiters_over_(wait->list);
}

static bool will_wake(struct wait *wait)
{
    return wait->group ? heist_group_will_wake_(wait->group, &wait->me)
                       : heist_waiters_join_(wait->list, &wait->me);
}

static void leave_list(struct wait *wait)
{
    wait->group ? heist_group_leave_(wait->group, &wait->me) : heist_waiters_leave_(&wait->me);
}

/* On a thread that is no worker. */
static void wait_outside(struct wait *wait)
{
    struct parker parker;
    wait->me.parking = NULL;
    wait->me.parker = &parker;
    heist_store(&parker.state, AWAKE, __ATOMIC_RELAXED);
    for (unsigned looks = 0; !is_over(wait);) {
        if (++looks < LOOKS) {
            heist_pause();
            continue;
        }
        heist_park_prepare_(NULL, &parker, WAITING);
        if (will_wake(wait) && !is_over(wait))
            heist_park_sleep_(&parker);
        else
            heist_park_cancel_(NULL, &parker);
    }
    leave_list(wait);
}

static bool wait_inside(struct worker *w, struct wait *wait)
{
    wait->me.parking = &w->pool->parking;
    wait->me.parker = &w->parker;
    bool over = heist_worker_wait_(w, wait, heist_worker_head_(w), HELP_ALL);
    if (over)
        leave_list(wait);
    return over;
}

static int wait_for(heist_pool *pool, struct wait *wait, bool lend)
{
    struct worker *w = heist_worker_here_(), *lent = NULL;
    wait->is_over = is_over;
    wait->will_wake = will_wake;
    if (!w && lend && !is_over(wait))
        w = lent = heist_seats_enter_(pool);
    if (!w) {
        wait_outside(wait);
        return 0;
    }
    bool over = wait_inside(w, wait);
    if (lent)
        heist_seats_leave_(lent);
    return over ? 0 : -EAGAIN;
}

/* It has not begun, and would be next: no need to wait until a worker is awake. */
static void run_here(heist_job *job)
{
    heist_pool *pool = job->pool;
    if (heist_inbox_is_empty_(&pool->inbox, HEIST_HIGH) &&
        heist_inbox_is_empty_(&pool->inbox, HEIST_NORMAL))
        return;
    struct worker *w = heist_seats_enter_(pool);
    if (!w)
        return;
    if (take_from_inbox(&pool->inbox, job))
        heist_job_run_(w, w->w.slots.first, job);
    heist_seats_leave_(w);
}

static int wait_for_job(heist_job *job, bool lend)
{
    if (!heist_worker_here_())
        run_here(job);
    struct wait wait = {.list = &job->waiters};
    int error = wait_for(job->pool, &wait, lend);
    return error ? error : job->error;
}

static int wait_for_group(heist_group *group, bool lend)
{
    const struct worker *here = heist_worker_here_();
    if (here && heist_load(&here->w.slots.context, __ATOMIC_RELAXED) == (uintptr_t)group)
        return -EDEADLK;
    struct wait wait = {.group = group};
    int error = wait_for(group->pool, &wait, lend);
    if (error)
        return error;
    heist_store(&group->cancelled, 0, __ATOMIC_RELAXED);
    return -(int)heist_exchange(&group->failed, 0, __ATOMIC_RELAXED);
}

int heist_wait(heist_job *job) { return wait_for_job(job, false); }
int heist_lend(heist_job *job) { return wait_for_job(job, true); }
int heist_group_wait(heist_group *group) { return wait_for_group(group, false); }
int heist_group_lend(heist_group *group) { return wait_for_group(group, true); }
