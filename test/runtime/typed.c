/* SPDX-License-Identifier: MIT */
/*
 * Typed tasks: every number of parameters, with and without a result, parameters with names that
 * the macros might use, tasks that call each other, joins that begin nothing else, and what happens
 * in the slow paths. strict.sh compiles this with each compiler, all warnings on.
 */
#include <heist/heist.h>

#include <errno.h>
#include <string.h>

#include "check.h"

/* A user's global must not be shadowed by what the macros define. */
heist_pool *pool;
int result, error, data, self, head, w, a;

static heist_au64 ticks;

HEIST_VOID_TASK_0(tick) { heist_add(&ticks, 1, __ATOMIC_RELAXED); }

HEIST_TASK_0(int, answer) { return 42; }

HEIST_VOID_TASK_1(tick_times, unsigned, n)
{
    if (!n)
        return;
    HEIST_FORK(tick);
    HEIST_CALL(tick_times, n - 1);
    HEIST_JOIN(tick);
}

HEIST_TASK_1(long, fib, int, n)
{
    if (n < 2)
        return n;
    HEIST_FORK(fib, n - 1);
    long b = HEIST_CALL(fib, n - 2);
    return b + HEIST_JOIN(fib);
}

/* Calls itself in many places: a compiler that inlined them all would take for ever. */
#define FOUR_TIMES(x) x x x x
HEIST_TASK_1(long, bush, int, n)
{
    long leaves = 0;
    if (!n)
        return 1;
    FOUR_TIMES(FOUR_TIMES(HEIST_FORK(bush, n - 1);))
    FOUR_TIMES(leaves += HEIST_CALL(bush, n - 1);)
    FOUR_TIMES(FOUR_TIMES(leaves += HEIST_JOIN(bush);))
    return leaves;
}

/* Each parameter its own digit: none may get lost or change places. */
HEIST_TASK_2(long, two, signed char, p, long, q) { return p + q * 10; }
HEIST_TASK_3(long, three, long, p, short, q, long, r) { return p + q * 10 + r * 100; }
HEIST_TASK_4(long, four, long, p, long, q, long, r, bool, s)
{
    return p + q * 10 + r * 100 + s * 1000;
}
HEIST_TASK_5(double, five, double, p, float, q, int, r, long, s, long, t)
{
    return p + (double)q * 10 + r * 100 + (double)s * 1000 + (double)t * 10000;
}
HEIST_TASK_6(long, six, long, p, long, q, long, r, long, s, long, t, long, u)
{
    return p + q * 10 + r * 100 + s * 1000 + t * 10000 + u * 100000;
}
HEIST_VOID_TASK_2(put_two, long *, to, long, p) { *to = p; }
HEIST_VOID_TASK_3(put_three, long *, to, long, p, long, q) { *to = p + q * 10; }
HEIST_VOID_TASK_4(put_four, long *, to, long, p, long, q, long, r) { *to = p + q * 10 + r * 100; }
HEIST_VOID_TASK_5(put_five, long *, to, long, p, long, q, long, r, long, s)
{
    *to = p + q * 10 + r * 100 + s * 1000;
}
HEIST_VOID_TASK_6(put_six, long *, to, long, p, long, q, long, r, long, s, long, t)
{
    *to = p + q * 10 + r * 100 + s * 1000 + t * 10000;
}

HEIST_TASK_0(int, all_numbers)
{
    long put[5];
    HEIST_FORK(answer);
    HEIST_FORK(two, 1, 2);
    HEIST_FORK(three, 1, 2, 3);
    HEIST_FORK(four, 1, 2, 3, true);
    HEIST_FORK(five, 1, 2, 3, 4, 5);
    HEIST_FORK(six, 1, 2, 3, 4, 5, 6);
    HEIST_FORK(put_two, &put[0], 1);
    HEIST_FORK(put_three, &put[1], 1, 2);
    HEIST_FORK(put_four, &put[2], 1, 2, 3);
    HEIST_FORK(put_five, &put[3], 1, 2, 3, 4);
    HEIST_FORK(put_six, &put[4], 1, 2, 3, 4, 5);
    HEIST_JOIN(put_six);
    HEIST_JOIN(put_five);
    HEIST_JOIN(put_four);
    HEIST_JOIN(put_three);
    HEIST_JOIN_ONLY(put_two);
    check(put[0] == 1 && put[1] == 21 && put[2] == 321 && put[3] == 4321 && put[4] == 54321);
    check(HEIST_JOIN(six) == 654321);
    check(HEIST_JOIN(five) == 54321);
    check(HEIST_JOIN(four) == 1321);
    check(HEIST_JOIN(three) == 321);
    check(HEIST_JOIN(two) == 21);
    int forked = HEIST_JOIN_ONLY(answer);
    return forked + HEIST_CALL(answer);
}

/* The names of what the macros need themselves. */
HEIST_TASK_6(int, names, int, x, int, worker, int, slot, int, level, int, args, int, n)
{
    return x + worker + slot + level + args + n;
}
/* Here the user's own parameters would shadow the user's own globals. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
HEIST_TASK_4(int, more_names, int, a, int, w, int, head, int, pool) { return a + w + head + pool; }
HEIST_TASK_4(int, still_more_names, int, result, int, data, int, error, int, self)
{
    if (!result)
        return data + error + self;
    HEIST_FORK(still_more_names, 0, data, error, self);
    int forked = HEIST_JOIN(still_more_names);
    return forked + HEIST_CALL(more_names, data, error, self, result);
}
#pragma GCC diagnostic pop

/* Two that call each other. */
HEIST_TASK_DECLARE_1(bool, is_odd, unsigned, n)
HEIST_VOID_TASK_DECLARE_2(count_down, unsigned, n, unsigned *, calls)
HEIST_TASK_1(bool, is_even, unsigned, n)
{
    if (!n)
        return true;
    HEIST_FORK(is_odd, n - 1);
    return HEIST_JOIN(is_odd);
}
HEIST_TASK_DEFINE_1(bool, is_odd, unsigned, n) { return n && HEIST_CALL(is_even, n - 1); }
HEIST_VOID_TASK_2(count_on, unsigned, n, unsigned *, calls) { HEIST_CALL(count_down, n, calls); }
HEIST_VOID_TASK_DEFINE_2(count_down, unsigned, n, unsigned *, calls)
{
    ++*calls;
    if (!n)
        return;
    HEIST_FORK(count_on, n - 1, calls);
    HEIST_JOIN(count_on);
}

/* As large as can be. */
struct large {
    int64_t x[6];
};
HEIST_TASK_1(struct large, turn, struct large, l)
{
    struct large turned;
    for (int i = 0; i < 6; i++)
        turned.x[i] = l.x[5 - i];
    if (l.x[0] != 1)
        return turned;
    HEIST_FORK(turn, turned);
    return HEIST_JOIN(turn);
}

/*
 * Many values that live across forks and joins, most of which take the slow path: what that leaves
 * in the registers shows in the sum.
 */
HEIST_TASK_6(uint64_t, mix, uint64_t, p, uint64_t, q, uint64_t, r, uint64_t, s, uint64_t, t,
             uint64_t, depth)
{
    if (!depth)
        return p ^ q * 3 ^ r * 5 ^ s * 7 ^ t * 11;
    HEIST_FORK(mix, q, r, s, t, p, depth - 1);
    HEIST_FORK(mix, r + depth, s, t, p, q, depth - 1);
    uint64_t here = p * 3 + q * 5 + r * 7 + s * 9 + t * 11 + depth;
    uint64_t second = HEIST_JOIN(mix);
    uint64_t first = HEIST_JOIN(mix);
    return (here * 31 + first) * 31 + second + (p ^ q ^ r ^ s ^ t);
}
static uint64_t mix_serially(uint64_t p, uint64_t q, uint64_t r, uint64_t s, uint64_t t,
                             uint64_t depth)
{
    if (!depth)
        return p ^ q * 3 ^ r * 5 ^ s * 7 ^ t * 11;
    uint64_t here = p * 3 + q * 5 + r * 7 + s * 9 + t * 11 + depth;
    uint64_t second = mix_serially(r + depth, s, t, p, q, depth - 1);
    uint64_t first = mix_serially(q, r, s, t, p, depth - 1);
    return (here * 31 + first) * 31 + second + (p ^ q ^ r ^ s ^ t);
}

/* The stack ends long before a chain of this length does: at the fork, and at the join. */
HEIST_TASK_1(long, endless, long, n)
{
    volatile char room[256];
    room[n & 255] = 1;
    HEIST_FORK(endless, n + 1);
    return HEIST_JOIN(endless) + room[n & 255];
}

static void all_of_it(void)
{
    long leaves = 0;
    check(!heist_run_bush(pool, &leaves, 3) && leaves == 20 * 20 * 20);
    int numbers, names_sum, shadows;
    check(!heist_run_all_numbers(pool, &numbers) && numbers == 84);
    check(!heist_run_names(pool, &names_sum, 1, 2, 3, 4, 5, 6) && names_sum == 21);
    check(!heist_run_still_more_names(pool, &shadows, 1, 2, 3, 4) && shadows == 9 + 10);

    uint64_t before = heist_load(&ticks, __ATOMIC_RELAXED);
    check(!heist_run_tick(pool) && !heist_run_tick_times(pool, 1000));
    check(heist_load(&ticks, __ATOMIC_RELAXED) == before + 1001);

    bool odd;
    unsigned calls = 0;
    check(!heist_run_is_odd(pool, &odd, 1001) && odd);
    check(!heist_run_is_odd(pool, &odd, 1000) && !odd);
    check(!heist_run_count_on(pool, 1000, &calls) && calls == 1001);

    struct large l = {{1, 2, 3, 4, 5, 6}}, turned;
    check(!heist_run_turn(pool, &turned, l) && !memcmp(&turned, &l, sizeof l));

    uint64_t mixed;
    check(!heist_run_mix(pool, &mixed, 1, 2, 3, 4, 5, 16));
    check(mixed == mix_serially(1, 2, 3, 4, 5, 16));

    long untouched = -7;
    check(heist_run_endless(pool, &untouched, 0) == -ENOMEM && untouched == -7);
}

/* A result that is not initialised, an error that is not looked at: no warning is to come of it. */
static long careless(void)
{
    long f;
    heist_run_fib(pool, &f, 20);
    return f;
}

int main(void)
{
    /* The second counts forks, so that each takes the slow path; so does the last one. */
    const heist_pool_opts opts[] = {
        {.size = sizeof opts[0], .workers = 1},
        {.size = sizeof opts[0], .workers = 1, .stats = HEIST_STATS_FORKS},
        {.size = sizeof opts[0], .workers = 3},
        {.size = sizeof opts[0], .workers = 3, .queue = "chaselev"},
    };
    for (size_t i = 0; i < sizeof opts / sizeof opts[0]; i++) {
        if (!check(!heist_pool_new(&pool, &opts[i])))
            return check_status();
        all_of_it();
        check(careless() == 6765);
        check(!heist_pool_free(pool));
    }
    return check_status();
}
