/* SPDX-License-Identifier: MIT */
/*
 * How the checker searches: at random, within bounds of preemptions, executions and time; a failure
 * run again, and the shortest of several.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "feature.h"
#include "orders.h"
#include "state.h"

const struct order check_orders[] = {{NULL, 0}}; /* no ledger: nothing here can be weakened */

/* ---- Programs ---- */

static heist_au64 x, y, z;
static int r[4];

static void tell(void) { outcome("%d%d%d%d-%d%d", r[0], r[1], r[2], r[3], (int)x.v_, (int)y.v_); }

static int load(const heist_au64 *word) { return (int)heist_load(word, __ATOMIC_RELAXED); }
static void store(heist_au64 *word, uint64_t value) { heist_store(word, value, __ATOMIC_RELAXED); }

/* Store buffering. */
static void write_x_read_y(void)
{
    store(&x, 1);
    r[0] = load(&y);
}

static void write_y_read_x(void)
{
    store(&y, 1);
    r[1] = load(&x);
}

/* Message passing. */
static void write_x_write_y(void)
{
    store(&x, 1);
    store(&y, 1);
}

static void read_y_read_x(void)
{
    r[0] = load(&y);
    r[1] = load(&x);
}

/* Two writes by two. */
static void write_x_then_y(void)
{
    store(&x, 1);
    store(&y, 2);
}

static void write_y_then_x(void)
{
    store(&y, 1);
    store(&x, 2);
}

/* x = x + 1, in two steps. */
static void increment0(void)
{
    r[0] = load(&x);
    store(&x, (uint64_t)r[0] + 1);
}

static void increment1(void)
{
    r[1] = load(&x);
    store(&x, (uint64_t)r[1] + 1);
}

/* Each answers the other. */
static void read_x_write_y(void)
{
    r[1] = load(&x);
    store(&y, 1);
}

static void ask_twice(void)
{
    store(&x, 1);
    r[0] = load(&y);
    store(&x, 2);
    r[2] = load(&y);
}

static void answer_twice(void)
{
    r[1] = load(&x);
    store(&y, 1);
    r[3] = load(&x);
    store(&y, 2);
}

/* A weak compare-and-swap until it succeeds, and how often it failed. */
static void swap_weakly(int *failed)
{
    uint64_t old = 0;
    while (!heist_cas_weak(&x, &old, old + 1, __ATOMIC_RELAXED))
        ++*failed;
}

static void swap_weakly0(void) { swap_weakly(&r[0]); }
static void swap_weakly1(void) { swap_weakly(&r[1]); }

static void pick_and_write(void)
{
    r[0] = (int)check_choose(3);
    store(&x, (uint64_t)r[0]);
}

static void read_and_pick(void)
{
    r[1] = load(&x);
    r[2] = (int)check_choose(2);
}

/* A lock, and who was in it first. */
static void in_turn(int *place)
{
    uint64_t ticket = heist_add(&x, 1, __ATOMIC_RELAXED);
    heist_await(heist_load(&y, __ATOMIC_ACQUIRE) == ticket);
    *place = (int)ticket;
    heist_store(&y, ticket + 1, __ATOMIC_RELEASE);
}

static void in_turn0(void) { in_turn(&r[0]); }
static void in_turn1(void) { in_turn(&r[1]); }
static void in_turn2(void) { in_turn(&r[2]); }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void try_lock(int *had)
{
    *had = !pthread_mutex_trylock(&mutex);
    if (*had)
        pthread_mutex_unlock(&mutex);
}

static void try_lock0(void) { try_lock(&r[0]); }
static void try_lock1(void) { try_lock(&r[1]); }

static void write_x(void) { store(&x, 1); }
static void write_y(void) { store(&y, 1); }

static void read_y_read_x_too(void)
{
    r[2] = load(&y);
    r[3] = load(&x);
}

static void read_x_read_y(void)
{
    r[0] = load(&x);
    r[1] = load(&y);
}

static const struct named {
    const char *name;
    struct check_program program;
} programs[] = {
    {"store buffering", {nothing, {write_x_read_y, write_y_read_x}, tell}},
    {"message", {nothing, {write_x_write_y, read_y_read_x}, tell}},
    {"two writes by two", {nothing, {write_x_then_y, write_y_then_x}, tell}},
    {"independent reads", {nothing, {write_x, write_y, read_x_read_y, read_y_read_x_too}, tell}},
    {"increments", {nothing, {increment0, increment1}, tell}},
    {"answer", {nothing, {write_x_read_y, read_x_write_y}, tell}},
    {"two answers", {nothing, {ask_twice, answer_twice}, tell}},
    {"weak cas", {nothing, {swap_weakly0, swap_weakly1}, tell}},
    {"choices", {nothing, {pick_and_write, read_and_pick}, tell}},
    {"tickets", {nothing, {in_turn0, in_turn1, in_turn2}, tell}},
    {"trylock", {nothing, {try_lock0, try_lock1}, tell}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Of `program`, what `some` leads to is part of what `all` does; the same if `equal`. */
static void compare_outcomes(const struct named *p, struct check_options some,
                             struct check_options all, bool equal)
{
    static struct outcomes part CHECK_STATE;
    struct check_result a = check_recorded(&p->program, &some);
    expect(a.verdict == CHECK_OK, p->name);
    if (some.random)
        expect(a.executions + a.blocked == some.random, p->name);
    part = recorded;
    struct check_result b = check_recorded(&p->program, &all);
    expect(b.verdict == CHECK_OK, p->name);
    int n = recorded.n;
    if (equal)
        expect(part.n == n, p->name);
    for (int i = 0; i < part.n; i++)
        outcomes_add(&recorded, part.text[i]);
    expect(recorded.n == n, p->name); /* none was added */
    free(a.failure);
    free(b.failure);
}

/* ---- At random ---- */

enum { DRAWS = 20000 };

static void draws_find_all(enum check_model model)
{
    struct check_options all = {.model = model}, drawn = {.model = model, .random = DRAWS};
    for (int i = 0; i < PROGRAMS; i++) {
        compare_outcomes(&programs[i], drawn, all, true);
        struct check_options bounded = drawn;
        bounded.bounded = true;
        bounded.preemptions = 1;
        compare_outcomes(&programs[i], bounded, all, false);
    }
}

/* Without preemption, either thread may be the first, and reads what is there or what was. */
static void draws_begin_with_any(enum check_model model)
{
    struct check_program answer = {nothing, {write_x_read_y, read_x_write_y}, tell};
    struct check_options drawn = {.model = model, .random = DRAWS, .bounded = true};
    struct check_result a = check_recorded(&answer, &drawn);
    expect(a.verdict == CHECK_OK && recorded_just("0000-11 0100-11 1000-11"), "answer");
}

static void fail_always(void) { check_assert(!"at the end"); }

static void same_seed_same_execution(enum check_model model)
{
    struct check_program program = {nothing, {ask_twice, answer_twice}, fail_always};
    enum { SEEDS = 40 };
    char *text[SEEDS];
    int different = 0;
    for (int i = 0; i < SEEDS; i++) {
        struct check_options drawn = {.model = model, .random = 1, .seed = (uint64_t)i};
        struct check_result a = check(&program, &drawn), b = check(&program, &drawn);
        expect(a.verdict == CHECK_FAILED && a.replay == drawn.seed, "same seed");
        expect(!strcmp(a.failure, b.failure), "same seed");
        text[i] = a.failure;
        free(b.failure);
        bool new = true;
        for (int k = 0; k < i; k++)
            new &= strcmp(text[i], text[k]) != 0;
        different += new;
    }
    expect(different > SEEDS / 4, "other seeds, other executions");
    for (int i = 0; i < SEEDS; i++)
        free(text[i]);
}

/* z is shared in some executions only. Those that fail are not among them: what the checker has
   learned of z before must not make the seed lead to another one. */
static void read_z_and_x(void)
{
    for (int i = 0; i < 4; i++)
        (void)load(&z);
    r[0] = load(&x);
}

static void write_z_or_x(void)
{
    r[1] = (int)check_choose(2);
    store(r[1] ? &z : &x, 1);
    if (!r[1])
        r[2] = load(&y);
}

static void write_y_read_z(void)
{
    store(&y, 1);
    r[3] = load(&z);
}

static void not_all_seen(void) { check_assert(r[1] || !r[0] || !r[2]); }

static void failing_seed_fails_again(enum check_model model)
{
    struct check_program program = {
        nothing, {read_z_and_x, write_z_or_x, write_y_read_z}, not_all_seen};
    int found = 0;
    for (uint64_t seed = 1; seed < 200; seed += 10) {
        struct check_options drawn = {.model = model, .random = DRAWS, .seed = seed};
        struct check_result a = check(&program, &drawn);
        if (!expect(a.verdict == CHECK_FAILED && a.replay >= seed, "failing seed"))
            continue;
        found += a.replay > seed;
        drawn.random = 1;
        drawn.seed = drawn.replay = a.replay;
        struct check_result b = check(&program, &drawn);
        expect(b.verdict == CHECK_FAILED && b.replay == a.replay, "failing seed again");
        expect(b.failure && !strcmp(a.failure, b.failure), "failing seed again");
        free(a.failure);
        free(b.failure);
    }
    expect(found > 0, "failing seed, not the first");
}

/* ---- A bound on preemptions ---- */

/*
 * A thread is preempted where another goes on before its end. A read takes what was written before
 * it, old or new, so that two increments lose one with no preemption at all. An answer needs 1. The
 * second answer needs 3: asked, answered (1), asked again (2), answered again (3), seen; if only
 * the first question or answer is not seen in time, 2.
 */
static void check_bounds(enum check_model model, uint64_t draws)
{
    static const struct {
        struct check_program program;
        unsigned preemptions;
        const char *first_within;
    } bounds[] = {
        {{nothing, {increment0, increment1}, tell}, 0, "0000-10"},
        {{nothing, {write_x_read_y, read_x_write_y}, tell}, 1, "1100-11"},
        {{nothing, {ask_twice, answer_twice}, tell}, 2, "1022-22"},
        {{nothing, {ask_twice, answer_twice}, tell}, 3, "1122-22"},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (unsigned k = 0; k < 5; k++) {
            struct check_options bounded = {
                .model = model, .bounded = true, .preemptions = k, .random = draws};
            struct check_result a = check_recorded(&bounds[i].program, &bounded);
            expect(a.verdict == CHECK_OK, bounds[i].first_within);
            expect(outcomes_have(&recorded, bounds[i].first_within) == (k >= bounds[i].preemptions),
                   bounds[i].first_within);
        }
}

static void bound_keeps_what_is_within(enum check_model model)
{
    check_bounds(model, 0);
    check_bounds(model, DRAWS);
}

static void large_bound_keeps_all(enum check_model model)
{
    for (int i = 0; i < PROGRAMS; i++) {
        struct check_options all = {.model = model}, bounded = {.model = model, .bounded = true};
        compare_outcomes(&programs[i], bounded, all, false);
        bounded.preemptions = 100;
        compare_outcomes(&programs[i], bounded, all, true);
        struct check_result a = check(&programs[i].program, &all);
        struct check_result b = check(&programs[i].program, &bounded);
        expect(a.executions == b.executions, programs[i].name);
    }
}

/* ---- A failure again, and the shortest ---- */

static void none_is_lost(void) { check_assert(x.v_ == 2); }

static void failing_run_fails_again(enum check_model model)
{
    struct check_program program = {nothing, {increment0, increment1}, none_is_lost};
    struct check_options options = {.model = model};
    struct check_result a = check(&program, &options);
    expect(a.verdict == CHECK_FAILED && a.replay > 1 && a.runs >= a.replay, "failing run");
    options.replay = a.replay;
    struct check_result b = check(&program, &options);
    expect(b.verdict == CHECK_FAILED && b.replay == a.replay && b.runs == a.replay, "again");
    expect(!strcmp(a.failure, b.failure), "again");
    options.replay = 1;
    struct check_result first = check(&program, &options);
    expect(first.verdict == CHECK_UNFINISHED && !first.failure, "a run that does not fail");
    free(a.failure);
    free(b.failure);
}

/* What it reads first, and fails by first, takes longer. */
static void fail_soon_or_late(void)
{
    for (int i = 0; load(&x) && i < 5; i++)
        check_assert(i < 4 && "late");
    check_assert(load(&x) && "soon");
}

static void shortest_is_told(enum check_model model)
{
    struct check_program program = {nothing, {write_x, fail_soon_or_late}, nothing};
    struct check_options options = {.model = model};
    struct check_result a = check(&program, &options);
    expect(a.verdict == CHECK_FAILED && strstr(a.failure, "soon"), "shortest");
    options.replay = a.replay;
    struct check_result b = check(&program, &options);
    expect(b.failure && !strcmp(a.failure, b.failure), "shortest again");
    struct check_result first = {.failure = NULL};
    for (options.replay = 1; !first.failure; options.replay++)
        first = check(&program, &options);
    expect(strstr(first.failure, "late"), "not the first");
    free(a.failure);
    free(b.failure);
    free(first.failure);
}

/* ---- Bounds on executions and time, progress ---- */

static void pick_of_3(void) { r[0] = (int)check_choose(3); }

static void at_most_so_many(enum check_model model)
{
    struct check_program program = {nothing, {pick_of_3}, tell};
    for (uint64_t most = 1; most < 6; most++) {
        struct check_options options = {.model = model, .most = most};
        struct check_result a = check(&program, &options);
        expect(a.verdict == (most < 3 ? CHECK_UNFINISHED : CHECK_OK), "most");
        expect(a.executions == (most < 3 ? most : 3), "most");
    }
}

/* A million executions. */
static void pick_20_times(void)
{
    for (int i = 0; i < 20; i++)
        (void)check_choose(2);
}

static void at_most_so_long(enum check_model model)
{
    struct check_program program = {nothing, {pick_20_times}, nothing};
    struct check_options options = {.model = model, .seconds = 0.02};
    struct check_result a = check(&program, &options);
    expect(a.verdict == CHECK_UNFINISHED && a.executions && a.executions < 1 << 20, "seconds");
    expect(a.seconds >= options.seconds, "seconds");
    options.random = UINT64_MAX;
    a = check(&program, &options);
    expect(a.verdict == CHECK_UNFINISHED && a.executions, "seconds, at random");
}

struct told {
    int calls;
    uint64_t executions;
    bool backwards;
};

static void progress(uint64_t executions, void *context)
{
    struct told *told = context;
    told->calls++;
    told->backwards |= executions < told->executions;
    told->executions = executions;
}

static void progress_is_told(enum check_model model)
{
    struct check_program program = {nothing, {pick_20_times}, nothing};
    for (uint64_t draws = 0; draws <= 10000; draws += 10000) {
        struct told told = {0, 0, false};
        struct check_options options = {
            .model = model, .most = 10000, .random = draws, .progress = progress, .context = &told};
        struct check_result a = check(&program, &options);
        expect(a.executions == 10000, "progress");
        expect(told.calls > 1 && !told.backwards, "progress");
        expect(told.executions > 0 && told.executions <= a.executions, "progress");
    }
}

int main(int argc, char **argv)
{
    static void (*const tests[])(enum check_model) = {draws_find_all,
                                                      draws_begin_with_any,
                                                      same_seed_same_execution,
                                                      failing_seed_fails_again,
                                                      bound_keeps_what_is_within,
                                                      large_bound_keeps_all,
                                                      failing_run_fails_again,
                                                      shortest_is_told,
                                                      at_most_so_many,
                                                      at_most_so_long,
                                                      progress_is_told};
    static const char *const models[] = {"rc11", "tso", "sc"};
    int model = 0;
    while (argc == 2 && model < 3 && strcmp(argv[1], models[model]) != 0)
        model++;
    if (argc != 2 || model == 3) {
        fprintf(stderr, "usage: search rc11|tso|sc\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tests[i]((enum check_model)model);
    return expect_summary();
}
