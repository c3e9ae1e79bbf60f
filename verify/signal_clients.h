/* SPDX-License-Identifier: MIT */
/*
 * A split deque's signals where the deque itself is not the point: a handler that runs while the
 * queue goes away, while its listing changes hands, while another queue is made. Whatever it does
 * wrong shows as a use after free or as a race.
 */
#ifndef HEIST_VERIFY_SIGNAL_CLIENTS_H
#define HEIST_VERIFY_SIGNAL_CLIENTS_H

#include <heist/split.h>

static heist_split *first, *second;
static heist_au32 owned, asked;
static int thing;

static heist_split *new_queue(void)
{
    static const heist_memory memory = {check_alloc, check_free, NULL};
    const heist_queue_opts opts = {
        .size = sizeof opts, .capacity = 1, .mode = HEIST_SPLIT_SIGNAL, .memory = &memory};
    heist_split *q = check_alloc(NULL, sizeof *q, HEIST_LINE);
    check_assert(heist_split_init(q, &opts) == 0);
    return q;
}

static void free_queue(heist_split *q)
{
    heist_split_fini(q);
    check_free(NULL, q, sizeof *q);
}

static void make_first(void) { first = new_queue(); }
static void nothing(void) {}

/* The owner of the first queue, which a signal may still reach when it has no more to do. */
static void own_first(void)
{
    check_assert(heist_split_put(first, &thing));
    heist_store(&owned, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++)
        (void)heist_load(&owned, __ATOMIC_RELAXED);
}

static void ask_first(void)
{
    void *item;
    heist_await(heist_load(&owned, __ATOMIC_ACQUIRE));
    heist_split_steal(first, &item);
    heist_store(&asked, 1, __ATOMIC_RELEASE);
}

static void free_first(void)
{
    heist_await(heist_load(&asked, __ATOMIC_ACQUIRE));
    free_queue(first);
}

/* The first queue goes, and the second gets its listing, while the first owner has a signal. */
static void free_first_make_second(void)
{
    free_first();
    second = new_queue();
    check_assert(heist_split_put(second, &thing));
    heist_store(&second->asked, 1, __ATOMIC_RELAXED); /* as a thief would: what a handler obeys */
    check_assert(heist_split_get(second) == &thing);
}

static void make_second(void) { second = new_queue(); }

static const struct check_program signal_fini = {
    make_first, {own_first, ask_first, free_first}, nothing};
static const struct check_program signal_reuse = {
    make_first, {own_first, ask_first, free_first_make_second}, nothing};
static const struct check_program signal_enlist = {
    make_first, {own_first, ask_first, make_second}, nothing};

#endif
