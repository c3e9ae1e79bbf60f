/* SPDX-License-Identifier: MIT */
#include "layer.h"

#include <cstring>
#include <memory>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>

namespace
{
using range = tbb::blocked_range<size_t>;

std::unique_ptr<tbb::global_control> control;
std::unique_ptr<tbb::task_scheduler_handle> scheduler;

struct partial {
    const par_reduction *r;
    alignas(64) char value[PAR_RESULT_MOST];

    explicit partial(const par_reduction *reduction) : r(reduction)
    {
        if (r->identity)
            std::memcpy(value, r->identity, r->size);
        else
            std::memset(value, 0, r->size);
    }
    partial(const partial &other, tbb::split) : partial(other.r) {}
    void operator()(const range &part)
    {
        r->body(nullptr, part.begin(), part.end(), value, r->context);
    }
    void join(partial &right) { r->combine(nullptr, value, right.value, r->context); }
};

range whole(size_t n, size_t grain) { return range(0, n, grain ? grain : 1); }
} // namespace

void par_start(unsigned workers)
{
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    workers);
    scheduler = std::make_unique<tbb::task_scheduler_handle>(tbb::attach{});
}

void par_stop(void)
{
    tbb::finalize(*scheduler, std::nothrow);
    scheduler.reset();
    control.reset();
}

void par_run(par_fn *fn, void *arg) { fn(nullptr, arg); }

void par_for(par *p, size_t n, size_t grain, par_range_fn *body, void *context)
{
    tbb::parallel_for(whole(n, grain),
                      [=](const range &part) { body(p, part.begin(), part.end(), context); });
}

void par_reduce(par *, size_t n, size_t grain, const par_reduction *r, void *result)
{
    partial all(r);
    tbb::parallel_reduce(whole(n, grain), all);
    std::memcpy(result, all.value, r->size);
}

void par_both(par *p, par_fn *first, void *a, par_fn *second, void *b)
{
    tbb::parallel_invoke([=] { first(p, a); }, [=] { second(p, b); });
}
