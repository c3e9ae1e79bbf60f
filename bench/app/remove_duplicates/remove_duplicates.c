/* SPDX-License-Identifier: MIT */
/*
 * A hash table that all workers put keys into at once, and then a filter of its slots. Along the
 * way from a key's slot to the next ones a larger key takes the place of a smaller one, which goes
 * on; so the table is the same whoever comes first.
 */
#include "remove_duplicates.h"

#include <stdatomic.h>

#include "blocks.h"
#include "random.h"

struct hash_table {
    const uint32_t *keys;
    _Atomic uint32_t *slots; /* a key plus 1; 0: free */
    size_t mask;
    uint32_t *distinct;
};

static void clear(par *p, size_t from, size_t to, void *context)
{
    struct hash_table *t = context;
    (void)p;
    for (size_t i = from; i < to; i++)
        atomic_init(&t->slots[i], 0);
}

static void put(struct hash_table *t, uint32_t item)
{
    size_t at = random_at(0, item) & t->mask;
    for (;;) {
        uint32_t there = atomic_load_explicit(&t->slots[at], memory_order_relaxed);
        if (there == item)
            return;
        if (there > item) {
            at = (at + 1) & t->mask;
        } else if (atomic_compare_exchange_weak_explicit(
                       &t->slots[at], &there, item, memory_order_relaxed, memory_order_relaxed)) {
            if (!there)
                return;
            item = there;
            at = (at + 1) & t->mask;
        }
    }
}

static void put_range(par *p, size_t from, size_t to, void *context)
{
    struct hash_table *t = context;
    (void)p;
    for (size_t i = from; i < to; i++)
        put(t, t->keys[i] + 1);
}

static size_t count_taken(size_t from, size_t to, void *context)
{
    const struct hash_table *t = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += atomic_load_explicit(&t->slots[i], memory_order_relaxed) != 0;
    return number;
}

static size_t write_taken(size_t from, size_t to, size_t at, void *context)
{
    struct hash_table *t = context;
    size_t next = at;
    for (size_t i = from; i < to; i++) {
        uint32_t item = atomic_load_explicit(&t->slots[i], memory_order_relaxed);
        if (item)
            t->distinct[next++] = item - 1;
    }
    return next - at;
}

static void solve(par *p, void *arg)
{
    struct remove_duplicates *job = arg;
    struct hash_table t = {.keys = job->keys, .mask = 1};
    while (t.mask < job->n + job->n / 2)
        t.mask = 2 * t.mask + 1;
    t.slots = allocate(t.mask + 1, sizeof *t.slots);
    par_for(p, t.mask + 1, 1 << 15, clear, &t);
    par_for(p, job->n, 1 << 12, put_range, &t);
    job->distinct = t.distinct = allocate(job->n, sizeof *t.distinct);
    const struct filter taken = {count_taken, write_taken, &t};
    job->number = par_filter(p, t.mask + 1, &taken);
    free(t.slots);
}

PROGRAM_SOLVED_BY(solve);
