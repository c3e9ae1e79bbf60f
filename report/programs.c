/* SPDX-License-Identifier: MIT */
/* Finds the programs of experiments, and says what is missing. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "report.h"

char *report_program(const struct experiment *e)
{
    char self[4096];
    const char *found = NULL;
    if (e->program) {
        found = bench_program_beside(e->folder, e->program);
    } else {
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        self[n > 0 ? n : 0] = '\0';
        found = n > 0 ? self : NULL;
    }
    char *path = found ? strdup(found) : NULL;
    if (found && !path)
        bench_fail("out of memory");
    return path;
}

const char *report_obstacle(const struct experiment *e)
{
    static char why[160];
    char *program = report_program(e);
    *why = '\0';
    if (e->cpus > report_cpus())
        snprintf(why, sizeof why, "it takes %u CPUs, and here are %u", e->cpus, report_cpus());
    else if (!program)
        snprintf(why, sizeof why,
                 "%s is not here; it is built, in Heist's sources, by make if what it needs is "
                 "installed",
                 e->program);
    else if (e->needs && !bench_find_program(e->needs))
        snprintf(why, sizeof why, "%s is not installed (Debian: apt-get install %s)", e->needs,
                 e->needs);
    free(program);
    return *why ? why : NULL;
}
