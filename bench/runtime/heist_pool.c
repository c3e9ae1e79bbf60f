/* SPDX-License-Identifier: MIT */
#include "heist_pool.h"

#include <heist/loops.h>
#include <stdio.h>
#include <stdlib.h>

heist_pool *the_pool;

void must(int error)
{
    if (!error)
        return;
    fprintf(stderr, "heist: %s\n", strerror(-error));
    exit(1);
}

void start_pool(unsigned workers)
{
    const heist_pool_opts opts = {.size = sizeof opts, .workers = workers};
    must(heist_pool_new(&the_pool, &opts));
}

void stop_pool(void) { must(heist_pool_free(the_pool)); }

struct loop {
    uint64_t *out;
    size_t n;
};

static void skewed_body(heist_worker *w, size_t from, size_t to, void *context)
{
    const struct loop *l = context;
    (void)w;
    skewed_iterations(l->out, l->n, from, to);
}

void skewed_on_pool(uint64_t *out, size_t n)
{
    struct loop l = {out, n};
    must(heist_run_for(the_pool, 0, n, 0, skewed_body, &l));
}

static void tiny_body(heist_worker *w, size_t from, size_t to, void *out)
{
    (void)w;
    tiny_iterations(out, from, to);
}

void tiny_on_pool(uint64_t *out, uint64_t loops)
{
    while (loops--)
        must(heist_run_for(the_pool, 0, TINY, 0, tiny_body, out));
}

static void sum_body(heist_worker *w, size_t from, size_t to, void *partial, void *context)
{
    (void)w;
    (void)context;
    *(uint64_t *)partial += sum_of_range(from, to);
}

static void add(heist_worker *w, void *left, void *right, void *context)
{
    (void)w;
    (void)context;
    *(uint64_t *)left += *(uint64_t *)right;
}

uint64_t sum_on_pool(uint64_t n)
{
    const heist_reduction r = {.size = sizeof(uint64_t), .body = sum_body, .combine = add};
    uint64_t sum;
    must(heist_run_reduce(the_pool, 0, n, 0, &r, &sum));
    return sum;
}

#if HAVE_JOBS
static void nothing(heist_worker *w, void *arg)
{
    (void)w;
    (void)arg;
}

void submit_to_pool(void)
{
    heist_job job;
    must(heist_submit(the_pool, &job, nothing, NULL));
    must(heist_wait(&job));
}
#endif
