/* SPDX-License-Identifier: MIT */
/* The papers, and their figures by name. What each claims is in claims_NAME.c. */
#include <ctype.h>
#include <string.h>

#include "report.h"

const struct paper report_papers[] = {
    {"bwos",
     "BWoS: Formally Verified Block-based Work Stealing for Parallel Processing (OSDI 2023)",
     report_bwos},
    {"thesis", "Analysis of Novel Approaches for Work-Stealing Scheduling (thesis, Bamberg 2025)",
     report_thesis},
    {"lcws", "Efficient Synchronization-Light Work Stealing (SPAA 2023)", report_lcws},
    {"bulk", "A Lock-Free Work-Stealing Algorithm for Bulk Operations", report_bulk},
    {"deques", "Work Stealing Dequeues (course project report)", report_deques},
    {NULL, NULL, NULL},
};

const struct experiment *report_experiment_of(const struct figure *f, const struct claim *c)
{
    const char *name = c && c->experiment ? c->experiment : f->experiment;
    return name ? report_find_experiment(name) : NULL;
}

const char *report_anchor(const struct paper *p, const struct figure *f, char id[static 64])
{
    size_t n = (size_t)snprintf(id, 64, "%s-", p->name);
    for (const char *at = f->name; *at && n < 63; at++)
        if (isalnum((unsigned char)*at))
            id[n++] = (char)tolower((unsigned char)*at);
        else if (id[n - 1] != '-')
            id[n++] = '-';
    id[n] = '\0';
    return id;
}
