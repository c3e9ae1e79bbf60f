/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "lcws.h"
#include "pool.h"
#include "runtime.h"
#include "tool.h"

int tool_bench(int argc, char **argv)
{
    static const struct tool_command commands[] = {
        {"queue", "all queues beside a plain stack and ring: the papers' microbenchmarks",
         bench_queue},
        {"pool", "a pool of queues whose threads steal from each other, with all policies",
         bench_pool},
        {"runtime", "fork-join, loops and jobs beside serial C and every runtime that is installed",
         bench_runtime},
        {"lcws", "the schedulers of the LCWS paper beside plain work stealing, on whole programs",
         bench_lcws},
        {NULL, NULL, NULL},
    };
    return tool_dispatch("heist bench", commands,
                         "  heist bench queue --quick\n"
                         "  heist bench queue --bench stolen --stolen 10 --csv stolen.csv\n"
                         "  heist bench pool --quick\n"
                         "  heist bench runtime --quick\n"
                         "  heist bench lcws --quick\n",
                         argc, argv);
}
