/* SPDX-License-Identifier: MIT */
/*
 * One simulation: what it is given, and what came out. Equal setups give equal results.
 * docs/simulator.md describes the model.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <heist/topology.h>
#include <heist/victim.h>

#include "costs.h"

enum { SIM_WORKERS_MOST = 1024, SIM_LEVELS = HEIST_VICTIM_LEVELS };

/* Kinds of queues: which thieves disturb the owner. */
enum sim_queue {
    SIM_HEIST, /* who finds nothing and asks, who takes the last item, who reads the size (heist) */
    SIM_BLOCKS, /* who is in the owner's block, and who reads the size (bwos) */
    SIM_DEQUE   /* everybody: all touch words that the owner uses (abp, chaselev) */
};
extern const char *const sim_queue_names[]; /* NULL at the end */

struct sim_workload; /* workload.h */

struct sim_setup {
    const struct sim_workload *workload;
    const heist_topology *topology;
    const unsigned *cpus; /* of each worker */
    unsigned workers;
    heist_victim_policy policy;
    enum heist_batch batch;
    enum sim_queue queue;
    size_t capacity, block; /* of a queue: what a sample measures against */
    uint64_t tasks;
    unsigned balance; /* pool: percent of the capacity that a worker tries to steal in each round */
    bool counts_attempts; /* pool: in vain, as a part of that */
    bool free_refusals;   /* pool: what +prob refuses is no attempt */
    unsigned load;        /* arrivals: percent of what all workers can do */
    unsigned tries;       /* in vain, before a worker sleeps */
    uint64_t seed;
    struct sim_costs costs;
};

struct sim_result {
    sim_time time;        /* until the last task was done */
    uint64_t tasks;       /* done */
    bool is_conserved;    /* every task was done exactly once, and nothing is left */
    bool is_too_long;     /* stopped: time would pass what sim_time can count, 213 days */
    uint64_t steals;      /* that succeeded */
    uint64_t moved;       /* items that they took */
    uint64_t empty, lost; /* attempts that found nothing; that another thief was faster at */
    uint64_t looks;       /* by policies, at sizes and blocks */
    uint64_t sleeps;
    double idle;     /* ps, of all workers: from the end of a task until they have another */
    double waited;   /* ps, of all tasks: from put until they began */
    uint64_t events; /* that it took to simulate */
    uint64_t by_level[SIM_LEVELS]; /* steals, by nearness */
};

/* Ends the program if there is no memory. */
struct sim_result sim_run(const struct sim_setup *setup);

/* Whether two CPUs are on the same NUMA node, and there in the same package: what `near` means. */
bool sim_is_near(const heist_topology *topology, unsigned a, unsigned b);

#endif
