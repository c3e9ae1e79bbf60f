/* SPDX-License-Identifier: MIT */
/* What a failure tells: what went wrong and where, and each event with all that it is. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "feature.h"
#include "orders.h"

const struct order check_orders[] = {{NULL, 0}}; /* no ledger: nothing here can be weakened */

static heist_au64 flag, unnamed;
static heist_aptr where;
static heist_au32 cells[4];
static int data;

/* Of the accesses below, kept from run to run. */
static int lines[10] CHECK_STATE;
#define AT(i) lines[i] = __LINE__

static void name_all(void)
{
    check_name(&flag, sizeof flag, 0, "flag");
    check_name(&where, sizeof where, 0, "where");
    check_name(cells, sizeof cells, sizeof *cells, "cell");
}

/* The second thread reads all that the first has done: else it ends before it fails. */
static void publish(void)
{
    AT(0), heist_store(&cells[1], 7, __ATOMIC_RELEASE);
    AT(1), heist_store(&where, &cells[2], __ATOMIC_SEQ_CST);
    AT(2), heist_fence(__ATOMIC_ACQ_REL);
    AT(3), heist_add(&flag, 1, __ATOMIC_ACQ_REL);
}

static void look(void)
{
    uint32_t expected = 7;
    if (check_choose(3) != 2)
        return;
    if (AT(4), !heist_load(&flag, __ATOMIC_ACQUIRE))
        return;
    if (AT(5), heist_cas_weak(&cells[1], &expected, 8, __ATOMIC_RELAXED))
        return;
    AT(6), (void)heist_load(&where, __ATOMIC_CONSUME);
    AT(7), (void)heist_load(&unnamed, __ATOMIC_SEQ_CST);
    AT(8), check_assert(expected != 7 && "it is told");
}

static void use_unnamed(void) { (void)heist_load(&unnamed, __ATOMIC_RELAXED); }

/* Whether the failure has a line that begins and ends so, the number of the event aside. */
static bool tells(const char *failure, const char *format, ...)
{
    char line[200];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const char *at = strstr(failure, line);
    return at && at[strlen(line)] == '\n';
}

static void check_events(enum check_model model)
{
    struct check_program program = {name_all, {publish, look, use_unnamed}, nothing};
    struct check_options options = {.model = model};
    struct check_result a = check(&program, &options);
    if (!expect(a.verdict == CHECK_FAILED, "events"))
        return;
    const char *text = a.failure;
    expect(!strncmp(text, "assertion failed: expected != 7 && \"it is told\" (told.c:", 52), text);
    expect(tells(text, "(told.c:%d, in a thread)", lines[8]), text);
    expect(tells(text, "#0   thread 0  writes cell 1 = 7  release  told.c:%d", lines[0]), text);
    expect(tells(text, "#1   thread 0  writes where = cell 2  seq_cst  told.c:%d", lines[1]), text);
    expect(tells(text, "thread 0  fence acq_rel  told.c:%d", lines[2]), text);
    expect(tells(text, "thread 0  reads flag = 0  acq_rel rmw  the initial value  told.c:%d",
                 lines[3]),
           text);
    expect(tells(text, "#4   thread 0  writes flag = 1  acq_rel rmw  told.c:%d", lines[3]), text);
    expect(tells(text, "thread 1  chooses 2"), text);
    expect(
        tells(text, "thread 1  reads flag = 1  acquire  from #4 of thread 0  told.c:%d", lines[4]),
        text);
    expect(tells(text,
                 "thread 1  reads cell 1 = 7  relaxed fails for no reason  from #0 of thread 0"
                 "  told.c:%d",
                 lines[5]),
           text);
    expect(tells(text, "thread 1  reads where = cell 2  consume  from #1 of thread 0  told.c:%d",
                 lines[6]),
           text);
    char address[32];
    snprintf(address, sizeof address, "%#llx", (unsigned long long)(uintptr_t)&unnamed);
    expect(tells(text, "thread 1  reads %s = 0  seq_cst  the initial value  told.c:%d", address,
                 lines[7]),
           text);
    free(a.failure);
}

static void write_data(void) { data = 1; }
static void read_data(void) { check_assert(!data); }
static void fail_in_setup(void) { AT(9), check_assert(data && "in setup"); }
static void fail_at_end(void) { AT(9), check_assert(data && "at the end"); }

static void check_places(enum check_model model)
{
    static const struct {
        struct check_program program;
        const char *text;
    } places[] = {
        {{fail_in_setup, {write_data}, nothing}, "assertion failed: data && \"in setup\" (told.c:"},
        {{nothing, {nothing}, fail_at_end}, "assertion failed: data && \"at the end\" (told.c:"},
        {{nothing, {write_data, read_data}, nothing}, "data race, in thread 1\n"},
        {{nothing, {read_data, write_data}, nothing}, "data race, in thread 1\n"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct check_options options = {.model = model};
        struct check_result a = check(&places[i].program, &options);
        const char *text = places[i].text;
        if (!expect(a.verdict == CHECK_FAILED && a.failure, text))
            continue;
        expect(!strncmp(a.failure, text, strlen(text)), a.failure);
        if (i == 1)
            expect(tells(a.failure, "(told.c:%d, after all threads)", lines[9]), a.failure);
        free(a.failure);
    }
}

/* Words of one thread alone are told if all are asked for. */
static void check_whole(enum check_model model)
{
    struct check_program program = {name_all, {publish}, fail_at_end};
    struct check_options options = {.model = model};
    struct check_result a = check(&program, &options);
    expect(a.failure && !strstr(a.failure, "writes cell 1"), "parts");
    options.whole = true;
    struct check_result b = check(&program, &options);
    expect(b.failure && strstr(b.failure, "writes cell 1"), "whole");
    free(a.failure);
    free(b.failure);
}

int main(void)
{
    for (enum check_model model = CHECK_RC11; model <= CHECK_SC; model++) {
        check_events(model);
        check_places(model);
        check_whole(model);
    }
    return expect_summary();
}
