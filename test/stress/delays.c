/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "delays.h"

#include "../random.h"

#include <heist/atomic.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The linker's: what window.h has listed. */
extern struct window *__start_test_windows[], *__stop_test_windows[];

enum {
    MOOD_LASTS = 256 /* windows */,
    SPIN_BITS = 14,
    SLEEP_MOST = 2000000 /* ns */
};

static enum delays chosen;
static __thread bool begun, is_thief;
static __thread uint64_t state, mood, passed;

void delays_choose(enum delays which) { chosen = which; }

void delays_begin(uint64_t seed, bool thief)
{
    state = seed;
    is_thief = thief;
    begun = true;
}

static void spin(uint64_t n)
{
    while (n--)
        heist_pause();
}

void delays_idle(uint64_t *seed)
{
    uint64_t r = random_next(seed);
    if (r % 512 == 0)
        usleep(50);
    else if (r % 4 == 0)
        sched_yield();
    else if (r % 4 == 1)
        spin((r >> 32) % 500);
}

/* Short ones are as likely as long ones: the length is drawn by its number of bits. */
static void wait_any_time(void)
{
    uint64_t r = random_next(&state);
    if (r % 256 == 0) {
        struct timespec t = {0, (long)((r >> 32) % SLEEP_MOST)};
        nanosleep(&t, NULL);
    } else if (r % 2) {
        sched_yield();
    } else {
        spin((r >> 32) & ((1u << (r >> 8) % (SPIN_BITS + 1)) - 1));
    }
}

/*
 * A delay everywhere would only be a slower machine. So a thread is slow in one window of eight at
 * a time, and others race past it; which one it is changes with its mood. On the owner's common
 * path delays are rarer: else it would come round too seldom.
 */
static bool slow_here(const struct window *w)
{
    uint64_t place;
    bool common = !is_thief && __atomic_load_n(&w->hits, __ATOMIC_RELAXED) > passed / 16;
    if (passed++ % MOOD_LASTS == 0)
        mood = random_next(&state);
    place = mood ^ (uintptr_t)w;
    return random_below(&state, (common ? 16 : 1) * (random_next(&place) % 8 == 0 ? 4 : 64)) == 0;
}

/* Two threads may count as one. An exact count would order their accesses, and hide errors. */
static void count(unsigned *counter)
{
    unsigned n = __atomic_load_n(counter, __ATOMIC_RELAXED);
    __atomic_store_n(counter, n + 1, __ATOMIC_RELAXED);
}

void delays_in(struct window *w)
{
    if (!begun)
        return;
    count(&w->hits);
    bool unknown = !__atomic_load_n(&w->delays, __ATOMIC_RELAXED);
    if (chosen == DELAYS_TORTURE) {
        if (!slow_here(w) && !unknown)
            return;
        wait_any_time();
    } else {
        if (!is_thief && !unknown && random_below(&state, 64))
            return;
        delays_idle(&state);
    }
    count(&w->delays);
}

/* --- the list; a window of a header is in it once per file that includes it --- */

static bool same(const struct window *a, const struct window *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* The sum over all copies; false if `at` is not the first of them. */
static bool whole(struct window **at, struct window *sum)
{
    for (struct window **w = __start_test_windows; w < at; w++)
        if (same(*w, *at))
            return false;
    *sum = **at;
    for (struct window **w = at + 1; w < __stop_test_windows; w++)
        if (same(*w, *at)) {
            sum->hits += (*w)->hits;
            sum->delays += (*w)->delays;
        }
    return true;
}

const struct window *delays_missing(void)
{
    struct window sum;
    for (struct window **w = __start_test_windows; w < __stop_test_windows; w++)
        if (whole(w, &sum) && !sum.delays)
            return *w;
    return NULL;
}

void delays_print(void)
{
    struct window sum;
    for (struct window **w = __start_test_windows; w < __stop_test_windows; w++)
        if (whole(w, &sum)) {
            const char *file = strrchr(sum.file, '/');
            printf("window %-16s %-14s %4u: %10u times, %9u delays\n", sum.name,
                   file ? file + 1 : sum.file, sum.line, sum.hits, sum.delays);
        }
}
