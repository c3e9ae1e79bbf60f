/* SPDX-License-Identifier: MIT */
/* The help of a command, which completion takes to pieces. */
#include "help.h"

#include "fuzz.h"

static const char *begin, *end;

static void check_span(struct span s)
{
    FUZZ_REQUIRE(!s.n || (s.at >= begin && s.at + s.n <= end));
}

static void check_word(void *context, struct span word)
{
    (void)context;
    FUZZ_REQUIRE(word.n);
    check_span(word);
}

static void check_entry(void *context, const struct help_entry *e)
{
    const char *help = context;
    check_word(NULL, e->name);
    check_span(e->argument);
    check_span(e->about);
    help_words(help, e->about, check_word, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *help = fuzz_text(data, size);
    begin = help;
    end = help + strlen(help);
    help_commands(help, check_entry, help);
    help_options(help, check_entry, help);
    help_words(help, (struct span){"Kinds", 5}, check_word, NULL);
    help_usage_has(help, "[KIND]");
    free(help);
    return 0;
}
