/* SPDX-License-Identifier: MIT */
/* The rows that an outside program prints for heist bench queue. */
#include "bench.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct point point = {.benchmark = &bench_benchmarks[0]};
    struct entrant entrant = {.name = "mine"};
    struct row row = bench_row(&point, &entrant, 1);
    const char *wrong = bench_read_csv(text, &row);
    FUZZ_REQUIRE(!wrong || *wrong);
    free(text);
    return 0;
}
