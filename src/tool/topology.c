/* SPDX-License-Identifier: MIT */
/* heist topology: the machine as Heist sees it, and what follows for the workers of a pool. */
#define _GNU_SOURCE
#include "tool.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"
#include "topology.h"

#define TOPOLOGY "heist topology"
enum { GO_ON = -1, WORKERS_MOST = 1024 };

struct options {
    const char *description; /* NULL: this machine */
    enum heist_pin pin;
    unsigned workers; /* 0: one per CPU */
};

static int help(void)
{
    printf(
        "usage: heist topology [OPTION]...\n\n"
        "Draws the machine as Heist sees it: packages, NUMA nodes, the caches that cores share, "
        "CPUs "
        "(by the\n"
        "system's numbers; a comma joins those of one core); the levels of nearness; and for each "
        "worker of a\n"
        "pinned pool its CPU, how fast that is (1024 is the fastest), and whom the victim policy "
        "numa "
        "tries\n"
        "first.\n\n"
        "  --synthetic DESC  not this machine, but one that hwloc makes of this description, or of "
        "a "
        "file of\n"
        "                    lstopo's whose name ends in .xml\n"
        "  --pin PIN         how workers are pinned: compact (default) or spread\n"
        "  --workers N       so many; default: one per CPU\n"
        "  --help            show this\n\n"
        "Examples:\n"
        "  heist topology\n"
        "  heist topology --synthetic 'pack:2 l3:2 core:8 pu:1'\n"
        "  heist topology --synthetic 'pack:2 numa:1 l3:2 core:4 pu:2' --pin spread --workers 8\n");
    return tool_flush(TOPOLOGY);
}

/* ---- Options ---- */

enum { SYNTHETIC = TOOL_OPTION, PIN, WORKERS, HELP };

static const struct option options[] = {{"synthetic", required_argument, NULL, SYNTHETIC},
                                        {"pin", required_argument, NULL, PIN},
                                        {"workers", required_argument, NULL, WORKERS},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};

static int read_option(struct options *o, int option, char **argv)
{
    uint64_t n;
    switch (option) {
    case SYNTHETIC:
        o->description = optarg;
        return GO_ON;
    case PIN:
        if (!heist_pin_parse(optarg, &o->pin) && o->pin != HEIST_PIN_NONE)
            return GO_ON;
        return tool_usage_error(TOPOLOGY, "--pin takes compact or spread, not", optarg);
    case WORKERS:
        if (!bench_is_number(optarg, 1, WORKERS_MOST, &n))
            return tool_usage_error(TOPOLOGY, "--workers takes a whole number from 1 to 1024, not",
                                    optarg);
        o->workers = (unsigned)n;
        return GO_ON;
    case HELP:
        return help();
    default:
        return tool_option_error(TOPOLOGY, option, argv);
    }
}

static int read_options(struct options *o, int argc, char **argv)
{
    int status = GO_ON, option;
    while (status == GO_ON && (option = getopt_long(argc, argv, ":", options, NULL)) != -1)
        status = read_option(o, option, argv);
    if (status == GO_ON && optind < argc)
        status = tool_usage_error(TOPOLOGY, "stray argument", argv[optind]);
    return status;
}

/* ---- The command ---- */

static int refuse(const struct options *o, int error)
{
    if (error == -EINVAL && o->description)
        return tool_usage_error(
            TOPOLOGY,
            "--synthetic takes what hwloc takes, up to 8192 CPUs, as in 'pack:2 l3:2 core:8 pu:1', "
            "not",
            o->description);
    if (error == -ENOSYS)
        return tool_usage_error(TOPOLOGY, "this Heist was built without hwloc, and can't make",
                                o->description);
    fprintf(stderr, "%s: %s\n", TOPOLOGY,
            error == -ENOMEM ? "out of memory" : "hwloc can't tell what this machine is like");
    return TOOL_FAILED;
}

int tool_topology(int argc, char **argv)
{
    struct options o = {.pin = HEIST_PIN_COMPACT};
    heist_topology *t;
    int status = read_options(&o, argc, argv);
    if (status != GO_ON)
        return status;
    int error = heist_topology_new(&t, o.description);
    if (error)
        return refuse(&o, error);
    unsigned cpus = heist_topology_cpus(t);
    unsigned workers = o.workers ? o.workers : cpus < WORKERS_MOST ? cpus : WORKERS_MOST;
    unsigned *place = tool_realloc(NULL, workers * sizeof *place);
    error = heist_topology_place(t, o.pin, workers, place);
    if (!error) {
        topology_draw_tree(t);
        topology_draw_levels(t);
        topology_draw_workers(t, place, workers);
    }
    free(place);
    heist_topology_free(t);
    return error ? refuse(&o, error) : tool_flush(TOPOLOGY);
}
