/* SPDX-License-Identifier: MIT */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include "engine.h"

/* What a workload is judged by. */
enum sim_measure {
    SIM_SPEEDUP,   /* work / time: as many workers were never idle */
    SIM_WAIT,      /* the mean time from a task's arrival to its begin, us */
    SIM_THROUGHPUT /* puts and items taken, per us */
};

struct sim_workload {
    const char *name, *about;
    enum sim_measure measure;
    enum tree_shape shape;
    bool insists;  /* somebody is tried also if +prob has refused all, as in the runtime */
    unsigned keep; /* of heist_victim_set */
    uint64_t (*tasks)(const struct sim_setup *setup); /* how many it has, of those asked for */
    void (*start)(struct sim *s);                     /* every worker needs an event, or sleeps */
    void (*act)(struct sim *s, struct worker *w);     /* the event of a worker that is ACTING */
    /* An attempt is over: the items are the worker's, n may be 0. */
    void (*tried)(struct sim *s, struct worker *w, struct task **items, size_t n);
    void (*arrive)(struct sim *s); /* the event of the outside; NULL: nothing comes from there */
};

/* The measure of a result. */
double sim_measure(const struct sim_setup *setup, const struct sim_result *result);
/* What is better is greater. */
double sim_goodness(enum sim_measure measure, double value);

extern const struct sim_workload sim_workloads[]; /* name NULL at the end */

#endif
