/* SPDX-License-Identifier: MIT */
/*
 * stress-KIND [--torture] [--seed N] [--setting I]: one owner and its thieves, every form of one
 * kind, small and large; or only the I-th of them.
 *
 * Every task must be taken exactly once, and its payload, which is not atomic, must be the one that
 * the owner wrote. And what the run is for must have happened: steals, lost races, races for the
 * last task, passes through the ring, full, empty, growth. A run in which it has not goes on until
 * it has; one that takes too long proves nothing and fails.
 *
 * HEIST_STRESS_SECONDS: for how long all together (default 3). HEIST_STRESS_SEED: as --seed.
 *
 * The queue's sources are compiled into this program with HEIST_WINDOW: between the steps of the
 * protocol, threads pause at random (delays.h), so that races happen also on few cores. With
 * --torture for any time, and each window of the kind must have delayed somebody.
 */
#define _GNU_SOURCE
#include "../kind.h"
#include "../memory.h"
#include "../random.h"
#include "delays.h"
#include "failure.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THIEVES = 4, BATCH = 16, TASKS = 1 << 16, TOO_LONG = 30 /* seconds */ };

struct task {
#ifdef HEIST_BULK_H
    heist_bulk_node node; /* for bulk's own interface: the task is the node */
#endif
    uint64_t payload; /* how often the owner has put it; written by the owner only */
    heist_au64 taken; /* how often it was taken */
};

struct thief {
    heist_au64 steals, busy, empty, many, stolen; /* calls, and with `stolen` the tasks */
    heist_au32 inside;                            /* of a steal, where a race can be lost */
    uint64_t seed;
    pthread_t thread;
} HEIST_ALIGNED;

struct setting {
    heist_queue_opts opts;
    unsigned thieves;
    bool native; /* bulk: by its own interface */
};

static queue q;
static struct purse purse;
static struct setting now;
static struct task tasks[TASKS];
static struct thief thieves[THIEVES];
static heist_au32 stop;
static heist_au32 rest; /* thieves shall let the owner fill the queue */
static size_t most;     /* tasks in the queue at a time */

/* The owner's own account. */
static struct {
    uint64_t puts, gets, full, empty, last;
    size_t next; /* task to try next */
    uint64_t seed;
} own;

static __thread struct thief *me;

static void die(const char *what)
{
    fprintf(stderr, "stress: " KIND_NAME " %s, capacity %zu, block %zu, %u thieves: %s\n",
            form_name(&now.opts), now.opts.capacity, now.opts.block, now.thieves, what);
    fflush(stderr);
    abort();
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void count(heist_au64 *counter, uint64_t n)
{
    heist_store(counter, heist_load(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELEASE);
}

static uint64_t sum(size_t offset)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < now.thieves; i++)
        n += heist_load((heist_au64 *)(void *)((char *)&thieves[i] + offset), __ATOMIC_ACQUIRE);
    return n;
}

#define SUM(field) sum(offsetof(struct thief, field))

/* --- tasks --- */

static void take(void *item)
{
    struct task *t = item;
    if (t < tasks || t >= tasks + TASKS)
        die("took something that nobody had put");
    uint64_t payload = t->payload;
    if (__atomic_add_fetch(&t->taken.v_, 1, __ATOMIC_RELEASE) != payload)
        die("a task was taken twice, or is not what was put");
}

/* A task that is not in the queue. Those that thieves are slow with are passed over. */
static struct task *fresh_task(void)
{
    struct task *t;
    do
        t = &tasks[own.next++ % TASKS];
    while (heist_load(&t->taken, __ATOMIC_ACQUIRE) != t->payload);
    t->payload++;
    return t;
}

/* It was not accepted: as if it had not been tried. */
static void put_back(struct task *t) { t->payload--; }

/* --- thieves --- */

void test_window(struct window *w)
{
    if (me && strncmp(w->name, "steal", 5) == 0)
        heist_store(&me->inside, 1, __ATOMIC_RELEASE);
    delays_in(w);
}

#ifdef HEIST_BULK_H
static enum heist_steal steal_part(struct thief *t, size_t *n)
{
    heist_bulk_chain chain;
    unsigned percent = 1 + (unsigned)random_below(&t->seed, 100);
    enum heist_steal result = heist_bulk_steal_part(&q, percent, &chain);
    if (result != HEIST_STEAL_OK)
        return result;
    *n = chain.count;
    for (heist_bulk_node *node = chain.first, *next; node; node = next) {
        next = node->next;
        take(node);
    }
    return result;
}
#endif

static enum heist_steal steal_one(struct thief *t)
{
    void *untouched = &untouched, *got = untouched;
    enum heist_steal result;
    uint64_t r = random_next(&t->seed);
#ifdef HEIST_BWOS_FIFO_H
    if (r % 4 == 0)
        result = heist_bwos_fifo_steal_from(&q, r, &got);
    else
#endif
        result = Q(steal)(&q, &got);
    if (result != HEIST_STEAL_OK) {
        if (got != untouched)
            die("a steal that failed wrote its item");
    } else if (traits.shared && r % 8 == 1 && Q(put)(&q, got)) {
        result = HEIST_STEAL_EMPTY; /* it was only moved */
    } else {
        take(got);
    }
    return result;
}

static enum heist_steal steal_many(struct thief *t, size_t *n)
{
    void *got[BATCH];
    size_t max = random_below(&t->seed, BATCH + 1);
    *n = Q(steal_many)(&q, got, max);
    if (*n > max)
        die("steal_many brought more than it was asked for");
    for (size_t i = 0; i < *n; i++)
        take(got[i]);
    if (*n > 1)
        count(&t->many, 1);
    return *n ? HEIST_STEAL_OK : HEIST_STEAL_EMPTY;
}

static void steal_once(struct thief *t)
{
    size_t n = 1;
    enum heist_steal result;
#ifdef HEIST_BULK_H
    if (now.native)
        result = steal_part(t, &n);
    else
#endif
        if (random_below(&t->seed, 4) == 0)
        result = steal_many(t, &n);
    else
        result = steal_one(t);
    heist_store(&t->inside, 0, __ATOMIC_RELEASE);
    if (result == HEIST_STEAL_OK) {
        count(&t->steals, 1);
        count(&t->stolen, n);
    } else {
        count(result == HEIST_STEAL_BUSY ? &t->busy : &t->empty, 1);
    }
}

static void *thief_main(void *argument)
{
    me = argument;
    delays_begin(random_next(&me->seed), true);
    while (!heist_load(&stop, __ATOMIC_ACQUIRE)) {
        if (heist_load(&rest, __ATOMIC_RELAXED)) {
            sched_yield();
            continue;
        }
        steal_once(me);
        uint64_t r = random_next(&me->seed);
        if (r % 64 == 0) {
            (void)Q(sample)(&q, r);
            if (Q(size)(&q) > 2 * most + 2 * TASKS)
                die("size is out of all bounds");
        }
        if (r % 8 == 1)
            delays_idle(&me->seed);
    }
    return NULL;
}

/* --- the owner --- */

static uint64_t outstanding(void) { return own.puts - own.gets - SUM(stolen); }

static bool thief_inside(void)
{
    for (unsigned i = 0; i < now.thieves; i++)
        if (heist_load(&thieves[i].inside, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

static size_t put_some(void)
{
    struct task *batch[BATCH];
    size_t n = random_below(&own.seed, 4) ? 1 : 1 + random_below(&own.seed, BATCH), done;
    for (size_t i = 0; i < n; i++)
        batch[i] = fresh_task();
#ifdef HEIST_BULK_H
    if (now.native) {
        for (size_t i = 0; i + 1 < n; i++)
            batch[i]->node.next = &batch[i + 1]->node;
        heist_bulk_push(&q, &batch[0]->node, &batch[n - 1]->node, n);
        own.puts += n;
        return n;
    }
#endif
    done = n > 1 ? Q(put_many)(&q, (void **)batch, n) : Q(put)(&q, batch[0]);
    for (size_t i = done; i < n; i++)
        put_back(batch[i]);
    own.full += done < n;
    own.puts += done;
    return done;
}

static bool get_one(void)
{
    uint64_t before = outstanding();
    bool race = thief_inside();
    void *item;
#ifdef HEIST_BULK_H
    if (now.native)
        item = heist_bulk_pop(&q);
    else
#endif
        item = Q(get)(&q);
    /* The last one, or none where there had been one: and a thief was at it too. */
    if (before && race && (item ? before == 1 && thief_inside() : outstanding() > 0))
        own.last++;
    if (!item) {
        own.empty++;
        return false;
    }
    take(item);
    own.gets++;
    return true;
}

/* Mostly around empty, where the races are, or around full; sometimes anywhere. */
static size_t burst(void)
{
    uint64_t r = random_next(&own.seed);
    return r % 8 == 0 ? most + 1 : r % 8 == 1 ? 1 + (r >> 8) % most : 1 + (r >> 8) % 3;
}

/* Waits a little until a thief is in the middle of something; it may need this very processor. */
static void lure(void)
{
    for (int i = 1; i < 400 && !thief_inside(); i++)
        if (i % 40)
            heist_pause();
        else
            sched_yield();
}

static void owner_turn(void)
{
    size_t n = burst();
    heist_store(&rest, n > most, __ATOMIC_RELAXED);
    for (size_t done = 0; done < n && outstanding() <= most;) {
        size_t put = put_some();
        if (!put)
            break;
        done += put;
        if (random_below(&own.seed, 16) == 0)
            delays_idle(&own.seed); /* so that somebody asks between two puts */
    }
    heist_store(&rest, 0, __ATOMIC_RELAXED);
    if (random_below(&own.seed, 4) == 0)
        lure();
    for (n = burst(); n-- > 0 && get_one();)
        if (outstanding() == 1 && random_below(&own.seed, 2))
            lure();
    if (random_below(&own.seed, 4) == 0)
        delays_idle(&own.seed);
}

/* --- coverage --- */

static uint64_t allocs_of_init;

static bool grew(void) { return heist_load(&purse.allocs, __ATOMIC_RELAXED) > allocs_of_init; }

static bool can_take_many(size_t holds)
{
    return !now.native && holds > 2 && now.opts.block != 1 &&
           (!traits.modes || now.opts.mode == HEIST_SPLIT_HALF);
}

/* What has not happened yet; NULL: the run proves something. */
static const char *missing(size_t holds)
{
    bool fixed = now.opts.bound == HEIST_BOUND_FIXED;
    if (!SUM(steals))
        return "no steal succeeded";
    if (!SUM(empty))
        return "no thief found it empty";
    if (traits.rivals && now.thieves >= traits.rivals && !SUM(busy))
        return "no steal lost a race";
    if (!own.last)
        return "no race for the last task";
    if (own.puts < 8 * holds || own.puts < 64)
        return "the ring was not passed often enough";
    if (!own.empty)
        return "the owner never found it empty";
    if (fixed && !own.full)
        return "it was never full";
    if (!fixed && !now.native && !grew())
        return "it never grew";
    if (traits.shrinks && !fixed && holds > 8192 && !heist_load(&purse.frees, __ATOMIC_RELAXED))
        return "it never shrank";
    if (can_take_many(holds) && !SUM(many))
        return "no steal took many";
    return NULL;
}

/* --- one setting after the other --- */

static void start(uint64_t *seed)
{
    static const uint64_t origins[] = {0, UINT64_MAX - 50, UINT32_MAX - 50u, (1 << 24) - 50};
    memset(tasks, 0, sizeof tasks);
    memset(thieves, 0, sizeof thieves);
    memset(&own, 0, sizeof own);
    own.seed = random_next(seed);
    delays_begin(random_next(seed), false);
    heist_store(&stop, 0, __ATOMIC_RELAXED);
    purse_open(&purse);
    now.opts.memory = &purse.hooks;
    now.opts.origin = origins[random_below(seed, sizeof origins / sizeof *origins)];
    if (Q(init)(&q, &now.opts))
        die("init failed");
    allocs_of_init = heist_load(&purse.allocs, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < now.thieves; i++) {
        thieves[i].seed = random_next(seed);
        if (pthread_create(&thieves[i].thread, NULL, thief_main, &thieves[i]))
            die("cannot make a thread");
    }
}

static void finish(void)
{
    heist_store(&stop, 1, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < now.thieves; i++)
        pthread_join(thieves[i].thread, NULL);
    while (get_one())
        ;
    if (outstanding())
        die("tasks were lost, or came from nowhere");
    for (size_t i = 0; i < TASKS; i++)
        if (heist_load(&tasks[i].taken, __ATOMIC_RELAXED) != tasks[i].payload)
            die("a task was not taken exactly once");
    if (Q(size)(&q) != 0)
        die("it says that it is not empty");
    Q(fini)(&q);
    if (purse_held(&purse))
        die("it kept memory");
}

static void run(struct setting setting, double seconds, uint64_t *seed)
{
    now = setting;
    bool fixed = now.opts.bound == HEIST_BOUND_FIXED;
    size_t holds = room(now.opts.capacity, now.opts.block ? now.opts.block : 1);
    most = fixed ? holds : 4 * holds + 200;
    start(seed);
    double begin = clock_now(), end = begin + seconds;
    const char *lacks;
    do {
        for (int i = 0; i < 64; i++)
            owner_turn();
        lacks = missing(fixed ? holds : most);
        if (lacks && clock_now() > begin + TOO_LONG + seconds)
            die(lacks);
    } while (lacks || clock_now() < end);
    finish();
    printf("%-10s %-22s %5zu %4zu %u%s: %9llu puts %9llu gets %8llu steals %7llu busy %7llu last "
           "%7llu full %8llu empty, %.2f s\n",
           KIND_NAME, form_name(&now.opts), now.opts.capacity, now.opts.block, now.thieves,
           now.native ? " native" : "", (unsigned long long)own.puts, (unsigned long long)own.gets,
           (unsigned long long)SUM(steals), (unsigned long long)SUM(busy),
           (unsigned long long)own.last, (unsigned long long)own.full,
           (unsigned long long)own.empty, clock_now() - begin);
}

static size_t settings(struct setting *out)
{
    static const struct {
        size_t capacity, block;
    } plain[] = {{1, 0}, {3, 0}, {64, 0}, {4096, 0}},
      blocks[] = {{2, 1}, {7, 3}, {64, 8}, {4096, 512}};
    static const unsigned counts[] = {1, 2, THIEVES};
    size_t n = 0;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++)
        for (size_t s = 0; s < sizeof plain / sizeof *plain; s++)
            for (size_t t = 0; t < sizeof counts / sizeof *counts; t++) {
                o.capacity = traits.blocks ? blocks[s].capacity : plain[s].capacity;
                o.block = traits.blocks ? blocks[s].block : 0;
                if (o.mode == HEIST_SPLIT_CONSERVATIVE && o.capacity < 2)
                    continue; /* it would never expose */
                out[n++] = (struct setting){o, counts[t], false};
#ifdef HEIST_BULK_H
                out[n++] = (struct setting){o, counts[t], true};
#endif
            }
    return n;
}

/* --- the command line --- */

static struct {
    bool torture, one;
    uint64_t seed, setting; /* `one`: only this */
    double seconds;
} wanted;

static void bad_input(const char *program, const char *what, const char *given, const char *fix)
{
    fprintf(stderr, "%s: %s '%s': %s\n", program, what, given, fix);
    exit(2);
}

static uint64_t number(const char *program, const char *what, const char *text)
{
    char *end;
    errno = 0;
    uint64_t n = strtoull(text, &end, 0);
    if (errno || end == text || *end || strchr(text, '-'))
        bad_input(program, what, text, "give a whole number from 0 to 2^64 - 1");
    return n;
}

static void read_arguments(char **argv, size_t settings_there)
{
    const char *program = argv[0], *text = getenv("HEIST_STRESS_SECONDS"), *seed;
    char *end, range[48];
    wanted.seconds = text ? strtod(text, &end) : 3;
    if (text && (end == text || *end || !(wanted.seconds >= 0 && wanted.seconds < 1e9)))
        bad_input(program, "HEIST_STRESS_SECONDS", text, "give a number of seconds");
    wanted.seed = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid();
    seed = getenv("HEIST_STRESS_SEED");
    if (seed)
        wanted.seed = number(program, "HEIST_STRESS_SEED", seed);
    while (*++argv) {
        if (strcmp(*argv, "--torture") == 0) {
            wanted.torture = true;
        } else if (strcmp(*argv, "--seed") == 0 && argv[1]) {
            wanted.seed = number(program, "--seed", *++argv);
        } else if (strcmp(*argv, "--setting") == 0 && argv[1]) {
            wanted.setting = number(program, "--setting", *++argv);
            wanted.one = true;
            snprintf(range, sizeof range, "give a number below %zu", settings_there);
            if (wanted.setting >= settings_there)
                bad_input(program, "--setting", *argv, range);
        } else {
            bad_input(program, "argument", *argv,
                      "usage: [--torture] [--seed N] [--setting I], see the head of stress.c");
        }
    }
}

/* The setting's numbers depend on the seed and on itself only: it can be run alone. */
static void run_setting(const char *program, const struct setting *all, size_t i, double seconds)
{
    char line[512];
    uint64_t seed = wanted.seed + i;
    seed = random_next(&seed);
    snprintf(line, sizeof line,
             "setting %zu failed; to run it again:\n%s%s --seed %llu --setting %zu\n", i, program,
             wanted.torture ? " --torture" : "", (unsigned long long)wanted.seed, i);
    failure_line(line);
    failure_after((unsigned)seconds + 4 * TOO_LONG);
    run(all[i], seconds, &seed);
}

/* Goes on until each window has delayed somebody. */
static void cover_windows(const char *program, const struct setting *all, size_t n)
{
    double end = clock_now() + 2 * TOO_LONG;
    const struct window *w;
    for (size_t i = 0; (w = delays_missing()); i = (i + 1) % n) {
        if (clock_now() > end) {
            delays_print();
            fprintf(stderr,
                    "stress: " KIND_NAME ", seed %llu: nobody came through window %s, %s:%u\n",
                    (unsigned long long)wanted.seed, w->name, w->file, w->line);
            exit(1);
        }
        run_setting(program, all, i, 0);
    }
    delays_print();
}

int main(int argc, char **argv)
{
    static struct setting all[1024];
    (void)argc;
    size_t n = settings(all);
    read_arguments(argv, n);
    delays_choose(wanted.torture ? DELAYS_TORTURE : DELAYS_LIGHT);
    printf("seed %llu\n", (unsigned long long)wanted.seed);
    fflush(stdout);
    if (wanted.one) {
        run_setting(argv[0], all, wanted.setting, wanted.seconds);
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        run_setting(argv[0], all, i, wanted.seconds / (double)n);
    if (wanted.torture)
        cover_windows(argv[0], all, n);
    return 0;
}
