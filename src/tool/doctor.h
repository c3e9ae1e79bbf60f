/* SPDX-License-Identifier: MIT */
/* heist doctor: what each group of checks finds; doctor.c shows it. */
#ifndef TOOL_DOCTOR_H
#define TOOL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum doctor_status { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_PROBLEM };

struct doctor_finding {
    const char *check;
    enum doctor_status status;
    const char *fix; /* what to do; NULL if it is ok */
    char *text;      /* what was found, and what that means for Heist; allocated */
};

struct doctor {
    const char *root; /* before the names of all files that are read */
    struct doctor_finding *at;
    size_t n;
};

void doctor_add(struct doctor *d, const char *check, enum doctor_status status, const char *fix,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The first line of a file below the root; false: it can't be read. */
bool doctor_read(const struct doctor *d, const char *path, char *line, size_t size);

void doctor_check_cpus(struct doctor *d);        /* and how many workers a pool takes, and why */
void doctor_check_kernel(struct doctor *d);      /* what the kernel offers */
void doctor_check_limits(struct doctor *d);      /* what it limits */
void doctor_check_environment(struct doctor *d); /* HEIST_ variables */

#endif
