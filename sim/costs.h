/* SPDX-License-Identifier: MIT */
/* What each event of a simulation costs: one table, which --cost changes. */
#ifndef SIM_COSTS_H
#define SIM_COSTS_H

#include <stdbool.h>
#include <stdint.h>

/* Picoseconds: costs may have fractions of a nanosecond, and yet all sums are exact. */
typedef uint64_t sim_time;
enum { SIM_NS = 1000, SIM_COST_MOST_NS = 10000000 };

enum sim_cost {
    SIM_WORK,
    SIM_PUT,
    SIM_GET,
    SIM_JOIN,
    SIM_NEAR,
    SIM_FAR,
    SIM_INTERFERE_NEAR,
    SIM_INTERFERE_FAR,
    SIM_LEVEL,
    SIM_PAUSE,
    SIM_WAKE,
    SIM_AWAKE,
    SIM_COSTS
};

struct sim_costs {
    sim_time of[SIM_COSTS];
};

struct sim_cost_entry {
    const char *name;
    sim_time time; /* unless it is changed */
    const char *about;
};
extern const struct sim_cost_entry sim_cost_table[SIM_COSTS + 1]; /* name NULL at the end */

struct sim_costs sim_costs_default(void);

enum sim_cost_error { SIM_COST_OK, SIM_COST_UNKNOWN, SIM_COST_NO_TIME };
/* NAME=NS, with up to three digits behind a point. */
enum sim_cost_error sim_costs_set(struct sim_costs *costs, const char *text);

#endif
