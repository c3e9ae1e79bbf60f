/* SPDX-License-Identifier: MIT */
/* What a contestant prints for heist bench runtime. The first byte says for which benchmark. */
#include "fuzz.h"
#include "runtime.h"

enum { MOST = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct runtime_benchmark benchmarks[] = {{.bench = "fib"},
                                                          {.bench = "submit", .extra = "p99"}};
    if (!size)
        return 0;
    struct runtime_contestant who = {.name = "mine"};
    struct runtime_sample samples[MOST] = {{0}};
    char *text = fuzz_text(data + 1, size - 1);
    int n = runtime_read_lines(&who, &benchmarks[data[0] % 2], text, samples, MOST);
    FUZZ_REQUIRE(n >= -1 && n <= MOST);
    for (int i = 0; i < n; i++)
        FUZZ_REQUIRE(samples[i].seconds >= 0);
    FUZZ_REQUIRE(memchr(who.about, '\0', sizeof who.about));
    free(text);
    return 0;
}
