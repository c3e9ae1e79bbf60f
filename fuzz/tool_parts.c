/* SPDX-License-Identifier: MIT */
/* For parts of the heist command that are linked without its main.c. */
#include "fuzz.h"
#include "tool.h"

void *tool_realloc(void *memory, size_t size)
{
    memory = realloc(memory, size);
    FUZZ_REQUIRE(memory);
    return memory;
}
