/* SPDX-License-Identifier: MIT */
/* What a program prints for heist bench lcws. The first byte says how many rows; 0: a shape. */
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
    uint64_t number;
    if (!data[0])
        FUZZ_REQUIRE(!lcws_read_shape(text, &number) || (number && !strchr(text, ' ')));
    else if (lcws_read_rows(text, samples, rows))
        for (unsigned i = 0; i < rows; i++)
            FUZZ_REQUIRE(samples[i].seconds > 0 && samples[i].repetition == i + 1);
    free(text);
    return 0;
}
