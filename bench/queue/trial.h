/* SPDX-License-Identifier: MIT */
/*
 * One trial: an owner, its queue and its thieves for a fraction of a second. The measured loops
 * are in contestant.inc, compiled once per kind; what need not be fast is in trial.c.
 */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include <heist/base.h>

#include <pthread.h>
#include <stdatomic.h>

#include "clock.h"

/* Two lines, since hardware fetches them in pairs. */
#define APART __attribute__((aligned(2 * HEIST_LINE)))

/*
 * After each operation of each contestant: its state is in memory, as if a program did other work.
 */
#define BARRIER() __asm__ volatile("" ::: "memory")

#define BATCHES 16             /* pushes between two looks at the clock, benchmark `batch` */
#define PROPORTION_ITEMS 10000 /* benchmark `proportion` */
#define LONG_TASK_NS 10000000  /* benchmarks `reach` and `reachall` */

/* Items, and the sum of their values: both must be the same on either side of a queue. */
struct tally {
    uint64_t n, sum;
};

/*
 * Fences, compare-and-swaps and other read-modify-writes; all zero unless built with HEIST_COUNT.
 */
struct counted {
    uint64_t fences, cas, rmw;
};

/* What an owner has done since the trial began. */
struct owned {
    struct tally put, got;
    struct counted counted;
    uint64_t calls;    /* batch: pushes; proportion, few, reach: rounds */
    double call_ticks; /* batch: inside the pushes; few, reach: waiting for the thief */
};

/* What a helper has done since the trial began. */
struct helped {
    struct tally taken;
    uint64_t empty, busy, sizes;
    struct counted counted;
};

enum phase { PHASE_HOLD, PHASE_RUN, PHASE_END };
enum turn { TURN_DONE, TURN_READY, TURN_TAKER, TURN_SERVE };

struct samples {
    uint32_t *ticks;
    size_t n, max;
};

/* A thread beside the owner: a thief, or one that asks for the size. */
struct helper {
    struct run *run;
    pthread_t thread;
    unsigned number; /* from 1 on; the owner is 0 */
    struct helped done;
    struct samples latency;
    /* Its pace; see bench_pace. */
    uint64_t seen, seen_at, last;
    double ticks_per_put;
} APART;

struct run {
    void *queue;
    size_t capacity;
    bool limited;      /* the kind has no bound: `capacity` items count as full */
    bool crowded;      /* more threads than CPUs: whoever waits, yields */
    double keep;       /* the owner's share of the items; 1: it takes what it finds */
    double share;      /* what each helper does per item put, if it can */
    uint64_t interval; /* between two steals at a fixed frequency, in ticks */
    uint64_t param;    /* batch: items of a batch; proportion: percent; few, reach: items */
    uint64_t at_least; /* batch, proportion, few, reach: calls, however long they take */
    struct owned done;
    void (*help)(struct helper *me);
    unsigned number;
    struct helper *helpers;

    /* Written by the owner now and then, read by helpers. */
    _Atomic uint64_t progress APART; /* items put */
    _Atomic bool blocked;   /* the owner can do nothing before thieves have taken something */
    _Atomic int turn APART; /* proportion, few, reach: whose it is */
    _Atomic int phase APART;
    _Atomic unsigned started, parked;
};

/*
 * The functions that contestant.inc makes for a kind. Each is called once per phase, or less
 * often.
 */
struct contestant {
    const char *name;
    bool plain;
    size_t size;
    int (*init)(void *queue, const heist_queue_opts *opts);
    void (*fini)(void *queue);
    bool (*put)(void *queue, void *item);
    void *(*get)(void *queue);
    struct tally (*drain)(void *queue); /* until empty */

    void (*owner)(struct run *run, uint64_t until);
    void (*batch)(struct run *run, uint64_t until);
    struct tally (*drain_stock)(void *queue);
    void (*giver)(struct run *run, uint64_t until); /* proportion, the owner's side */
    void (*thief)(struct helper *me);
    void (*frequent_thief)(struct helper *me);
    void (*sizer)(struct helper *me);
    void (*taker)(struct helper *me);                  /* proportion, the thief's side */
    void (*worker)(struct run *run, uint64_t until);   /* few, the owner's side */
    void (*absentee)(struct run *run, uint64_t until); /* reach, the owner's side */
    void (*hungry)(struct helper *me);    /* few and reach, the thief's side: until it has one, */
    void (*voracious)(struct helper *me); /* and reachall: until it has all */
    const struct pool_loop *pool;         /* of heist bench pool; NULL: the kind takes no part */
};

/* All of this program, NULL at the end; the list is made by CMake. */
extern const struct contestant *const bench_contestants[];

struct trial {
    const struct contestant *contestant;
    void (*owner)(struct run *run, uint64_t until); /* these three are the contestant's */
    void (*help)(struct helper *me);
    struct tally (*drain)(void *queue);
    heist_queue_opts opts;
    unsigned helpers;
    double keep, share; /* as in struct run; share of all helpers together */
    double frequency;   /* steals per second of all helpers together; 0: no fixed one */
    uint64_t param, at_least;
    double seconds;
};

struct outcome {
    double ns;
    struct owned owner;    /* in that time */
    struct helped thieves; /* all together, in that time */
    double percentile[4];  /* of the samples, in ns: 50, 90, 99, 99.9; NAN: there are none */
    bool ok;               /* put = got + taken + left, in number and in sum, in the whole trial */
};

/* 0 or a negative errno: what init, or making a thread, said. */
int bench_trial(const struct trial *t, struct outcome *out);

/* The bound that makes a kind put "until full": fixed where the kind can, else its default. */
unsigned bench_bound(const struct contestant *c);
bool bench_is_fifo(const struct contestant *c);
bool bench_accepts(const struct contestant *c, const heist_queue_opts *opts);

/* The CPUs that this process may use, one of each core first; the owner is on the first. */
unsigned bench_cpus(const int **cpus);

/* The calling thread stays on this CPU, by the system's number; where that is refused, it does
   not. */
void bench_pin(int cpu);

/* For the loops of contestant.inc. */
unsigned bench_pace(struct helper *me, uint64_t done);
void bench_wait_until(const struct run *run, uint64_t time);
void bench_relax(const struct run *run);
void bench_pause(const struct run *run, uint64_t ns);
void bench_sample(struct samples *s, uint64_t ticks);

static inline bool bench_running(const struct run *run)
{
    return atomic_load_explicit(&run->phase, memory_order_relaxed) == PHASE_RUN;
}

#endif
