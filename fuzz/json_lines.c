/* SPDX-License-Identifier: MIT */
/* A file of JSON lines, as the program json reads it: every line is a record, or it is broken. */
#include "json.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_bytes(data, size);
    size_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n' || i == size - 1;
    struct json job = {.text = text, .length = size};
    program_solve(&job);
    FUZZ_REQUIRE(job.totals.records + job.totals.broken == lines);
    free(text);
    return 0;
}
