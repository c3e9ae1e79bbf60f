/* SPDX-License-Identifier: MIT */
/* The rows that a program prints for heist bench lcws. The first byte says how many there are. */
#include "fuzz.h"
#include "lcws.h"

enum { MOST = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct lcws_sample samples[MOST] = {{0}};
    unsigned rows = 1 + data[0] % MOST;
    char *text = fuzz_text(data + 1, size - 1);
    if (lcws_read_rows(text, samples, rows))
        for (unsigned i = 0; i < rows; i++)
            FUZZ_REQUIRE(samples[i].seconds > 0 && samples[i].repetition == i + 1);
    free(text);
    return 0;
}
