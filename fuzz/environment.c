/* SPDX-License-Identifier: MIT */
/* Lines NAME=VALUE as the environment, read by the library. */
#define _GNU_SOURCE
#include "../src/runtime/environment.h"

#include <ctype.h>
#include <unistd.h>

#include "fuzz.h"

enum { ENTRIES = 64 };

/* Each complaint is one line that a terminal can show. */
static void check_complaints(const char *said)
{
    static const char prefix[] = "heist: HEIST_";
    for (bool begins = true; *said; said++) {
        FUZZ_REQUIRE(*said == '\n' || isprint((unsigned char)*said));
        FUZZ_REQUIRE(!begins || strncmp(said, prefix, strlen(prefix)) == 0);
        begins = *said == '\n';
        FUZZ_REQUIRE(!begins || said[1] == '\0' || said[1] == 'h');
    }
}

static void check_values(const struct heist_environment_ *env)
{
    FUZZ_REQUIRE(env->workers <= HEIST_WORKERS_MAX_);
    FUZZ_REQUIRE(env->queue.split_mode >= -1);
    FUZZ_REQUIRE(!env->queue.block || env->queue.kind);
    FUZZ_REQUIRE(env->pin <= HEIST_PIN_SPREAD);
    FUZZ_REQUIRE(env->dump_signal >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text, *entries[ENTRIES + 1], **before = environ;
    char *said = NULL;
    size_t n = 0, length;
    while (n < ENTRIES && (entries[n] = fuzz_line(&rest)))
        n++;
    entries[n] = NULL;
    FILE *complaints = open_memstream(&said, &length);
    FUZZ_REQUIRE(complaints);
    struct heist_environment_ env;
    environ = entries;
    heist_environment_read_(&env, complaints);
    environ = before;
    fclose(complaints);
    check_complaints(said);
    check_values(&env);
    free((char *)env.trace);
    free(said);
    free(text);
    return 0;
}
