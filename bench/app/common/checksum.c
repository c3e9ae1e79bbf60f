/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "program.h"
#include "random.h"

static uint64_t add(uint64_t sum, const unsigned char *at, size_t bytes)
{
    for (uint64_t word; bytes; bytes -= bytes < 8 ? bytes : 8, at += 8) {
        word = 0;
        memcpy(&word, at, bytes < 8 ? bytes : 8);
        sum = random_at(sum ^ word, bytes);
    }
    return sum;
}

uint64_t checksum_of(void *job)
{
    struct span spans[SPANS_MOST];
    size_t number = program.result(job, spans);
    uint64_t sum = number;
    for (size_t i = 0; i < number; i++)
        sum = add(random_at(sum, spans[i].bytes), spans[i].at, spans[i].bytes);
    return sum;
}
