/* SPDX-License-Identifier: MIT */
/* A name as each of: a queue with its option, a policy, a batch, a pin. What is accepted has a
   name, which means the same; what is refused changes nothing. */
#include "../src/runtime/environment.h"

#include "fuzz.h"

static void check_queue(const char *text)
{
    struct heist_queue_choice_ choice = {.kind = text};
    if (heist_parse_queue_(text, &choice)) {
        FUZZ_REQUIRE(choice.kind == text);
        return;
    }
    size_t n = strlen(choice.kind);
    FUZZ_REQUIRE(strncmp(choice.kind, text, n) == 0 && (!text[n] || text[n] == ':'));
    FUZZ_REQUIRE(!text[n] == (choice.split_mode == -1 && !choice.block));
}

static void check_policy(const char *text)
{
    heist_victim_policy policy;
    if (!heist_victim_parse(text, &policy))
        FUZZ_REQUIRE(strcmp(heist_victim_name(&policy), text) == 0);
}

static void check_batch(const char *text)
{
    enum heist_batch batch, again;
    if (!heist_batch_parse(text, &batch))
        FUZZ_REQUIRE(!heist_batch_parse(heist_batch_name(batch), &again) && again == batch);
}

static void check_pin(const char *text)
{
    enum heist_pin pin;
    if (!heist_pin_parse(text, &pin))
        FUZZ_REQUIRE(strcmp(heist_pin_name(pin), text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    check_queue(text);
    check_policy(text);
    check_batch(text);
    check_pin(text);
    free(text);
    return 0;
}
