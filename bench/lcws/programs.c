/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "lcws.h"
#include "processes.h"
#include "programs.h"

enum { LIST_PATIENCE = 60 };

static struct lcws_program all[] = {LCWS_PROGRAMS{NULL, NULL, NULL}};

static char *find(const char *program, const char *layer)
{
    char name[128];
    snprintf(name, sizeof name, "%s-%s", program, layer);
    const char *path = bench_program_beside("bench/app", name);
    char *copy = path ? strdup(path) : NULL;
    if (path && !copy)
        bench_fail("out of memory");
    return copy;
}

const struct lcws_program *lcws_programs(void)
{
    for (struct lcws_program *p = all; p->name && !p->timed; p++) {
        p->timed = find(p->name, "heist");
        p->counted = find(p->name, "heist-counted");
    }
    return all;
}

void lcws_each_shape(const struct lcws_program *p, lcws_shape_fn *each, void *context)
{
    char why[64], *argv[] = {p->timed, "--list", NULL};
    struct process list = {.argv = argv, .patience = LIST_PATIENCE};
    if (processes_run_one(&list, why, sizeof why))
        bench_fail("%s --list: %s: %s", p->timed, why, list.printed[1].at);
    for (char *line = strtok(list.printed[0].at, "\n"); line; line = strtok(NULL, "\n")) {
        uint64_t size;
        if (!lcws_read_shape(line, &size))
            bench_fail("%s --list: '%s' is not SHAPE SIZE", p->timed, line);
        each(context, p, line, size);
    }
    processes_forget(&list);
}
