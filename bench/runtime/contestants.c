/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "runtime.h"

static struct runtime_contestant known[] = {
    {.name = "serial", .role = SERIAL, .packages = "build-essential"},
    {.name = "serial-clang",
     .role = SERIAL,
     .only = " fib fib-large queens uts ",
     .packages = "clang"},
    {.name = "heist", .role = HEIST, .baseline = "serial", .packages = "build-essential"},
    {.name = "heist-plain",
     .role = HEIST,
     .baseline = "serial",
     .only = " fib fib-large queens uts quicksort mergesort matmul ",
     .packages = "build-essential"},
    {.name = "heist-nostats",
     .role = HEIST,
     .baseline = "serial",
     .only = " fib fib-large ",
     .packages = "build-essential"},
    {.name = "heist-clang",
     .role = HEIST,
     .baseline = "serial-clang",
     .only = " fib fib-large queens uts ",
     .packages = "clang"},
    {.name = "tbb", .role = PEER, .baseline = "serial", .packages = "g++ libtbb-dev"},
    {.name = "libgomp", .role = PEER, .baseline = "serial", .packages = "gcc"},
    {.name = "libomp", .role = PEER, .baseline = "serial", .packages = "clang libomp-dev"},
    {.name = "rayon",
     .role = PEER,
     .baseline = "serial",
     .packages = "cargo librust-rayon-dev librust-crossbeam-dev"},
    {.name = "crossbeam",
     .role = PEER,
     .baseline = "serial",
     .packages = "cargo librust-rayon-dev librust-crossbeam-dev"},
    {.name = "go", .role = PEER, .baseline = "serial", .packages = "golang-go"},
    {.name = NULL},
};

const struct runtime_contestant *runtime_contestants(void)
{
    for (struct runtime_contestant *c = known; c->name; c++) {
        char name[64];
        snprintf(name, sizeof name, "runtime-%s", c->name);
        const char *program = bench_program_beside("bench/runtime", name);
        if (program && !c->program) {
            c->program = strdup(program);
            if (!c->program)
                bench_fail("out of memory");
        }
    }
    return known;
}
