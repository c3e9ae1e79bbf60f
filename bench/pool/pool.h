/* SPDX-License-Identifier: MIT */
/*
 * `heist bench pool`: as many threads as queues, each the owner of one and a thief of the others.
 * What to run is options.c, a trial is trial.c with the loops of loop.inc (compiled once per kind,
 * in bench/queue), rounds of them are command.c, showing them is rows.c, table.c and plot.c.
 */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include <heist/topology.h>
#include <heist/victim.h>

#include "bench.h"

#define POOL_TOOL "heist bench pool"

enum { POOL_THREADS_MAX = 1024, POOL_LOOKS_PER_QUEUE = 16 /* in vain, then there is nothing */ };

/* What a thread has done since the trial began. */
struct pool_done {
    struct tally put, got, stolen;
    uint64_t attempts, successes; /* of stealing */
    uint64_t cpu_ns;
};

struct pool_thread {
    struct pool *pool;
    pthread_t thread;
    unsigned number;
    heist_victim_set set; /* of all queues, with this thread as its context */
    heist_victim victim;
    struct pool_done done;
    uint64_t samples; /* that +prob took */
    void **loot;      /* room for a batch */
    uint64_t *from;   /* items stolen from each queue */
    uint64_t turn;    /* operations until it lets another thread have its CPU */
    uint64_t random;
    struct tally left;
    int error;
} APART;

struct pool {
    const struct contestant *contestant;
    heist_queue_opts opts;
    unsigned number; /* of queues, and of threads */
    void **queues;
    struct pool_thread *threads;
    bool limited;   /* the kind has no bound: `capacity` items count as full */
    uint64_t share; /* items that a thread tries to steal in a round */
    uint64_t turn;  /* operations until a thread yields, on average; 0: it does not */
    void (*yield)(struct pool_thread *me);
    enum heist_batch batch;
    bool counts_attempts; /* in vain, as a part of the share */
    bool free_refusals;   /* candidates that +prob refuses are no attempts */
    const heist_topology *topology;
    const unsigned *cpus; /* of the threads */
    _Atomic int phase APART;
    _Atomic unsigned started, parked;
};

/* What loop.inc makes for a kind. */
struct pool_loop {
    void (*rounds)(struct pool_thread *me); /* until the phase ends */
    /* For heist_victim_set, with a pool_thread as the context. */
    bool (*sample)(void *me, unsigned i, uint64_t random);
    size_t (*size)(void *me, unsigned i);
};

/* The loops say now and then how many operations they did; at the end of its turn a thread
   yields. */
static inline void pool_took(struct pool_thread *me, uint64_t operations)
{
    if (me->turn > operations)
        me->turn -= operations;
    else
        me->pool->yield(me);
}

static inline bool pool_running(const struct pool *pool)
{
    return atomic_load_explicit(&pool->phase, memory_order_relaxed) == PHASE_RUN;
}

/* A line in the contest. */
struct pool_entrant {
    const struct entrant *kind;
    const char *policy_name;
    heist_victim_policy policy;
    unsigned keep_batch; /* of heist_victim_set */
    enum heist_batch batch;
    char name[96]; /* of all three */
};

struct pool_options {
    struct entrant *kinds;
    const char **policies;
    enum heist_batch *batches;
    size_t number_of_kinds, number_of_policies, number_of_batches;
    struct pool_entrant *entrants; /* all combinations */
    size_t number;
    struct numbers balance; /* percent of the capacity */
    unsigned threads, rounds;
    uint64_t capacity, block; /* block 0: the kind's default */
    uint64_t turn;
    bool counts_attempts, free_refusals;
    double seconds; /* of a trial */
    const char *csv, *plot;
};

/* Exits for --help and for what is wrong; nothing has been run or written then. */
void pool_read_options(struct pool_options *o, int argc, char **argv); /* keeps parts of argv */
void pool_free_options(struct pool_options *o);

/* The machine, and which CPU of it each thread is on. */
struct pool_places {
    heist_topology *topology;
    unsigned *cpus;
};

/* The numbers of a row, in the order of the CSV's columns, behind kind, policy and batch. */
enum pool_column {
    P_BALANCE,
    P_THREADS,
    P_ROUND,
    P_SPEED,     /* operations per second */
    P_CPU_SPEED, /* operations per second of CPU time */
    P_STOLEN,    /* percent of the items put */
    P_TRIES,     /* attempts per success; NAN: nothing was stolen */
    P_FAIR,      /* between queues, see docs/bench-pool.md; NAN: nothing was stolen */
    P_FAIR_OWNERS,
    P_PUTS,
    P_GETS,
    P_STEALS,
    P_ATTEMPTS,
    P_SUCCESSES,
    P_SECONDS,
    P_CPU_SECONDS,
    P_CAPACITY,
    P_BLOCK,
    P_OK,
    POOL_COLUMNS
};

struct pool_row {
    const struct pool_entrant *entrant;
    double value[POOL_COLUMNS];
};

struct pool_rows {
    struct pool_row *at;
    size_t n;
};

/* 0 or a negative errno: what init, or making a thread, said. Sets what depends on the outcome. */
int pool_trial(const struct pool_options *o, const struct pool_places *places,
               struct pool_row *row);

struct summary pool_summary(const struct pool_rows *rows, const struct pool_entrant *e,
                            uint64_t balance, enum pool_column c);
/* The median of the ratios of each round, in which both find the machine as busy. */
double pool_ratio(const struct pool_rows *rows, const struct pool_entrant *e,
                  const struct pool_entrant *to, uint64_t balance, enum pool_column c);
void pool_write_csv_header(FILE *f);
void pool_write_csv_row(FILE *f, const struct pool_row *r);
void pool_print_tables(FILE *f, const struct pool_options *o, const struct pool_rows *rows);
void pool_plot(const struct pool_options *o, const struct pool_rows *rows);

int bench_pool(int argc, char **argv);

#endif
