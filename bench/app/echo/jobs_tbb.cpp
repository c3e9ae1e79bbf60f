/* SPDX-License-Identifier: MIT */
/*
 * By oneTBB. The jobs that the waiting one makes are in its worker's own queue, the newest first;
 * what is to come after them goes through the arena's queue for all, which has the oldest first.
 * All workers are threads of oneTBB: if the main thread was one, it would add another for that
 * queue.
 */
#include "jobs.h"

#include <memory>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace
{
std::unique_ptr<tbb::global_control> control;
std::unique_ptr<tbb::task_arena> arena;
std::unique_ptr<tbb::task_group> group;
} // namespace

void jobs_start(unsigned workers)
{
    int number = workers ? static_cast<int>(workers) : tbb::info::default_concurrency();
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    number + 1);
    arena = std::make_unique<tbb::task_arena>(number, 0);
    group = std::make_unique<tbb::task_group>();
}

void jobs_stop(void)
{
    group.reset();
    arena.reset();
    control.reset();
}

void jobs_run(job_fn *wait, void *arg)
{
    jobs_make(nullptr, wait, arg);
    group->wait();
}

void jobs_make(jobs_worker *w, job_fn *fn, void *arg)
{
    arena->enqueue(group->defer([=] { fn(w, arg); }));
}

void jobs_make_and_wait(jobs_worker *w, job_fn *fn, void *const *args, size_t n, job_fn *wait,
                        void *arg)
{
    for (size_t i = 0; i < n; i++)
        group->run([fn, w, job = args[i]] { fn(w, job); });
    jobs_make(w, wait, arg);
}

unsigned jobs_number(const jobs_worker *)
{
    return static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
}

unsigned jobs_numbers(void) { return static_cast<unsigned>(arena->max_concurrency()); }

struct jobs_facts jobs_tell(void) { return {"tbb", jobs_numbers(), 0, 0}; }
