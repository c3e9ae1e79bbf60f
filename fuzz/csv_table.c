/* SPDX-License-Identifier: MIT */
/* The rows of a report, which it reads again when it goes on; what it asks of them. */
#include "table.h"

#include <math.h>

#include "fuzz.h"

static void ask(const struct table *t)
{
    static const char *const expressions[] = {"ns", "ns/ops", "ns+1/steals+empty", "1/0"};
    static const char *const where[] = {NULL, "kind=abp", "kind=abp,workers={cpus}", "ns=1e3"};
    for (size_t row = 0; row < t->n; row++)
        for (size_t column = 0; column < t->columns; column++)
            FUZZ_REQUIRE(t->cells[row * t->columns + column]);
    for (size_t column = 0; column < t->columns; column++)
        FUZZ_REQUIRE(table_column(t, t->names[column], strlen(t->names[column])) >= 0);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            size_t n;
            double *values = table_values(t, where[i], expressions[j], &n);
            FUZZ_REQUIRE(n <= t->n && (!n || isfinite(values[0])));
            free(values);
        }
    size_t groups;
    free(table_groups(t, where[0], "kind,workers", &groups));
    FUZZ_REQUIRE(groups <= t->n && !groups == !t->n);
    FUZZ_REQUIRE(table_fact(t, "command"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct table t;
    char trouble[128] = "";
    if (table_parse(&t, fuzz_text(data, size), trouble, sizeof trouble))
        ask(&t);
    else
        FUZZ_REQUIRE(*trouble && !t.n && !t.columns);
    table_free(&t);
    return 0;
}
