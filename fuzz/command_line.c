/* SPDX-License-Identifier: MIT */
/*
 * Command lines, a word per line; the first says of which command. What is refused ends in one of
 * the functions below, which here come back instead of ending the program.
 */
#include <getopt.h>
#include <setjmp.h>

#include "bench.h"
#include "command.h"
#include "fuzz.h"
#include "lcws.h"
#include "pool.h"
#include "runtime.h"
#include "tool.h"

enum { WORDS_MOST = 40 };

/* ---- Instead of bench/common/errors.c and src/tool/main.c ---- */

const char *bench_tool = "fuzz";
static jmp_buf refused;

void bench_usage_error(const char *format, ...)
{
    FUZZ_REQUIRE(*format);
    longjmp(refused, 1);
}

void bench_fail(const char *format, ...)
{
    FUZZ_REQUIRE(*format);
    longjmp(refused, 1);
}

void *bench_grow(void *array, size_t n, size_t size)
{
    array = realloc(array, (n + 1) * size);
    FUZZ_REQUIRE(array);
    return array;
}

int tool_usage_error(const char *self, const char *what, const char *which)
{
    FUZZ_REQUIRE(*self && *what && which);
    return TOOL_USAGE;
}

int tool_option_error(const char *self, int option, char **argv)
{
    FUZZ_REQUIRE(option == ':' || option == '?');
    return tool_usage_error(self, "option", argv[optind - 1]);
}

int tool_flush(const char *self)
{
    FUZZ_REQUIRE(*self);
    return 0;
}

/* ---- The commands ---- */

static void read_queue(int argc, char **argv)
{
    struct options o;
    (void)argc;
    bench_read_options(&o, argv);
    FUZZ_REQUIRE(o.number && o.benchmarks && o.benchmarks[0] && o.reps && o.capacity);
    bench_free_options(&o);
}

static void read_pool(int argc, char **argv)
{
    struct pool_options o;
    pool_read_options(&o, argc, argv);
    FUZZ_REQUIRE(o.number && o.threads >= 2 && o.rounds && o.seconds > 0);
    pool_free_options(&o);
}

static void read_runtime(int argc, char **argv)
{
    struct runtime_options o;
    (void)argc;
    runtime_read_options(&o, argv);
    FUZZ_REQUIRE(o.benchmarks && o.workers.n && o.rounds);
    runtime_free_options(&o);
}

static void read_lcws(int argc, char **argv)
{
    struct lcws_options o;
    (void)argc;
    lcws_read_options(&o, argv);
    FUZZ_REQUIRE(o.workers.n && o.rounds && o.percent);
    lcws_free_options(&o);
}

static void read_sim(int argc, char **argv)
{
    struct sim_options o;
    sim_read_options(&o, argc, argv);
    FUZZ_REQUIRE(o.entrants_n && o.points_n && o.rounds);
    sim_free_options(&o);
}

/* command_line_rest.c */
void fuzz_read_report(int argc, char **argv);
void fuzz_read_verify(int argc, char **argv);

static const struct {
    const char *name;
    void (*read)(int argc, char **argv);
} commands[] = {{"queue", read_queue},       {"pool", read_pool}, {"runtime", read_runtime},
                {"lcws", read_lcws},         {"sim", read_sim},   {"report", fuzz_read_report},
                {"verify", fuzz_read_verify}};

/* Not what prints and ends the program, asks the file system for programs, or takes long to
   make. */
static bool is_left_out(const char *word)
{
    return strcmp(word, "--help") == 0 || strncmp(word, "--plot", 6) == 0 ||
           strncmp(word, "--capacity", 10) == 0 || strncmp(word, "--topology", 10) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text, *argv[WORDS_MOST + 1], *word;
    int argc = 0;
    while (argc < WORDS_MOST && (word = fuzz_line(&rest)))
        if (!is_left_out(word))
            argv[argc++] = word;
    argv[argc] = NULL;
    for (size_t i = 0; argc && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, argv[0]) == 0 && !setjmp(refused))
            commands[i].read(argc, argv);
    free(text);
    return 0;
}
