/* SPDX-License-Identifier: MIT */
/* How many workers a pool takes whose options do not say, for several checks. */
#ifndef TOOL_DOCTOR_WORKERS_H
#define TOOL_DOCTOR_WORKERS_H

#include "doctor.h"

struct doctor_workers {
    unsigned number;
    unsigned cpus;    /* that affinity and quota leave */
    bool by_variable; /* HEIST_WORKERS has decided */
};

struct doctor_workers doctor_workers(const struct doctor *d); /* doctor_cpus.c */
unsigned doctor_workers_asked(void); /* what HEIST_WORKERS says; 0: nothing. doctor_environment.c */

#endif
