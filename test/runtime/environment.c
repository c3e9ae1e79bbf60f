/* SPDX-License-Identifier: MIT */
/* The HEIST_ variables: values, mistakes in them, names that are mistakes. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <heist/base.h>
#include <heist/pool.h>
#include <heist/queue.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "environment.h"

static bool is_privileged; /* the program has more rights than its caller */

char *__real_secure_getenv(const char *name);
char *__wrap_secure_getenv(const char *name);

char *__wrap_secure_getenv(const char *name)
{
    return is_privileged ? NULL : __real_secure_getenv(name);
}

/* What was read and said with these variables set, NULL at the end,
   and no other HEIST_ variable. */
static struct heist_environment_ result;
static char *said;

static void read_with(const char *name, ...)
{
    va_list more;
    size_t size;
    char **before = environ;
    environ = NULL;
    va_start(more, name);
    for (; name; name = va_arg(more, const char *))
        assert_int_equal(setenv(name, va_arg(more, const char *), 1), 0);
    va_end(more);
    free((char *)result.trace);
    free(said);
    FILE *complaints = open_memstream(&said, &size);
    assert_non_null(complaints);
    heist_environment_read_(&result, complaints);
    assert_int_equal(fclose(complaints), 0);
    clearenv();
    environ = before;
}

static int forget(void **state)
{
    (void)state;
    free((char *)result.trace);
    free(said);
    return 0;
}

static void assert_default(void)
{
    assert_int_equal(result.workers, 0);
    assert_null(result.queue.kind);
    assert_int_equal(result.queue.split_mode, -1);
    assert_int_equal(result.queue.block, 0);
    assert_int_equal(result.victim.rule, HEIST_VICTIM_RANDOM);
    assert_false(result.victim.prob);
    assert_int_equal(result.batch, HEIST_BATCH_ONE);
    assert_int_equal(result.pin, HEIST_PIN_DEFAULT);
    assert_int_equal(result.stats, 0);
    assert_null(result.trace);
    assert_int_equal(result.dump_signal, 0);
}

/* One line, which has all of these in it. */
static void assert_said(const char *part, ...)
{
    va_list more;
    assert_non_null(strchr(said, '\n'));
    assert_string_equal(strchr(said, '\n'), "\n");
    assert_int_equal(strncmp(said, "heist: ", 7), 0);
    va_start(more, part);
    for (; part; part = va_arg(more, const char *))
        if (!strstr(said, part))
            fail_msg("no '%s' in: %s", part, said);
    va_end(more);
}

static void test_nothing_set(void **state)
{
    (void)state;
    read_with(NULL);
    assert_default();
    assert_string_equal(said, "");
    read_with("HEIST_WORKERS", "", "HEIST_QUEUE", "", "HEIST_STATS", "", "HEIST_TRACE", "",
              "HEIST_DUMP_SIGNAL", "", NULL);
    assert_default();
    assert_string_equal(said, "");
}

static void test_all_set(void **state)
{
    (void)state;
    read_with("HEIST_WORKERS", "1024", "HEIST_QUEUE", "bwos_fifo:64", "HEIST_STATS", "1",
              "HEIST_TRACE", "a file.json", "HEIST_DUMP_SIGNAL", "USR1", "HEIST_VICTIM",
              "numa+prob", "HEIST_BATCH", "half", "HEIST_PIN", "spread", NULL);
    assert_string_equal(said, "");
    assert_int_equal(result.workers, 1024);
    assert_string_equal(result.queue.kind, "bwos_fifo");
    assert_int_equal(result.queue.split_mode, -1);
    assert_int_equal(result.queue.block, 64);
    assert_string_equal(heist_victim_name(&result.victim), "numa+prob");
    assert_int_equal(result.batch, HEIST_BATCH_HALF);
    assert_int_equal(result.pin, HEIST_PIN_SPREAD);
    assert_int_equal(result.stats, HEIST_STATS_CHEAP);
    assert_string_equal(result.trace, "a file.json"); /* a copy: the environment is gone */
    assert_int_equal(result.dump_signal, SIGUSR1);
    read_with("HEIST_STATS", "forks", NULL);
    assert_string_equal(said, "");
    assert_int_equal(result.stats, HEIST_STATS_FORKS);
    read_with("HEIST_WORKERS", "1", "HEIST_STATS", "0", NULL);
    assert_int_equal(result.workers, 1);
    assert_int_equal(result.stats, 0);
    assert_string_equal(said, "");
}

static void test_bad_values(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
    } bad[] = {
        {"HEIST_WORKERS", "0"},
        {"HEIST_WORKERS", "1025"},
        {"HEIST_WORKERS", "100000"},
        {"HEIST_WORKERS", "-1"},
        {"HEIST_WORKERS", "+1"},
        {"HEIST_WORKERS", " 1"},
        {"HEIST_WORKERS", "1 "},
        {"HEIST_WORKERS", "0x10"},
        {"HEIST_WORKERS", "2.5"},
        {"HEIST_WORKERS", "many"},
        {"HEIST_WORKERS", "18446744073709551617"},
        {"HEIST_STATS", "2"},
        {"HEIST_STATS", "yes"},
        {"HEIST_STATS", "forks1"},
        {"HEIST_QUEUE", "bwos"},
        {"HEIST_QUEUE", "split:third"},
        {"HEIST_VICTIM", "nearest"},
        {"HEIST_VICTIM", "random+"},
        {"HEIST_VICTIM", "own"}, /* a program's */
        {"HEIST_BATCH", "2"},
        {"HEIST_BATCH", "halves"},
        {"HEIST_PIN", "yes"},
        {"HEIST_PIN", "Compact"},
        {"HEIST_DUMP_SIGNAL", "KILL"},
        {"HEIST_DUMP_SIGNAL", "SIGSTOP"},
        {"HEIST_DUMP_SIGNAL", "SEGV"},
        {"HEIST_DUMP_SIGNAL", "SIGBUS"},
        {"HEIST_DUMP_SIGNAL", "FPE"},
        {"HEIST_DUMP_SIGNAL", "ILL"},
        {"HEIST_DUMP_SIGNAL", "ABRT"},
        {"HEIST_DUMP_SIGNAL", "URG"}, /* the queues' own */
        {"HEIST_DUMP_SIGNAL", "9"},
        {"HEIST_DUMP_SIGNAL", "11"},
        {"HEIST_DUMP_SIGNAL", "19"},
        {"HEIST_DUMP_SIGNAL", "0"},
        {"HEIST_DUMP_SIGNAL", "32"}, /* the C library's own */
        {"HEIST_DUMP_SIGNAL", "65"},
        {"HEIST_DUMP_SIGNAL", "SIG"},
        {"HEIST_DUMP_SIGNAL", "SIG10"},
        {"HEIST_DUMP_SIGNAL", "SIGSIGUSR1"},
        {"HEIST_DUMP_SIGNAL", "USR"},
        {"HEIST_DUMP_SIGNAL", "RTMIN-1"},
        {"HEIST_DUMP_SIGNAL", "RTMAX+1"},
        {"HEIST_DUMP_SIGNAL", "RTMIN+99"},
        {"HEIST_DUMP_SIGNAL", "RTMIN+"},
        {"HEIST_DUMP_SIGNAL", "RTMINI"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char assignment[64];
        const struct heist_variable_ *v = heist_variables_;
        while (strcmp(v->name, bad[i].name))
            v++;
        snprintf(assignment, sizeof assignment, "%s=%s:", bad[i].name, bad[i].value);
        read_with(bad[i].name, bad[i].value, NULL);
        assert_default();
        assert_said(assignment, v->takes, "default", v->otherwise, NULL);
    }
}

/* As docs/environment.md shows them. */
static void test_the_lines(void **state)
{
    (void)state;
    read_with("HEIST_STATS", "yes", NULL);
    assert_string_equal(said,
                        "heist: HEIST_STATS=yes: it takes 0, 1 or forks; using the default, 0\n");
    read_with("HEIST_WORKER", "2", NULL);
    assert_string_equal(said, "heist: HEIST_WORKER is no variable of Heist and does nothing; "
                              "the nearest is HEIST_WORKERS\n");
}

static void test_the_good_stay(void **state)
{
    (void)state;
    read_with("HEIST_WORKERS", "none", "HEIST_STATS", "1", NULL);
    assert_said("HEIST_WORKERS=none", NULL);
    assert_int_equal(result.workers, 0);
    assert_int_equal(result.stats, HEIST_STATS_CHEAP);
}

static void test_values_that_would_spoil_the_line(void **state)
{
    (void)state;
    char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    read_with("HEIST_WORKERS", "2\n\033[31mred", NULL);
    assert_said("HEIST_WORKERS=2??[31mred:", NULL);
    read_with("HEIST_WORKERS", longest, NULL);
    assert_said("=xxx", "x...:", NULL);
    assert_true(strlen(said) < 300);
}

static void test_signals(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int number;
    } good[] = {{"USR1", SIGUSR1},
                {"SIGUSR2", SIGUSR2},
                {"10", 10},
                {"QUIT", SIGQUIT},
                {"SIGWINCH", SIGWINCH},
                {"RTMIN", SIGRTMIN},
                {"RTMIN+3", SIGRTMIN + 3},
                {"SIGRTMAX-2", SIGRTMAX - 2},
                {"RTMAX", SIGRTMAX},
                {"64", 64}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        read_with("HEIST_DUMP_SIGNAL", good[i].text, NULL);
        assert_string_equal(said, "");
        assert_int_equal(result.dump_signal, good[i].number);
    }
}

static void test_queues(void **state)
{
    (void)state;
    static const struct {
        const char *text, *kind;
        int mode;
        size_t block;
    } good[] = {{"split:user", "split", HEIST_SPLIT_USER, 0},
                {"split:signal", "split", HEIST_SPLIT_SIGNAL, 0},
                {"split:conservative", "split", HEIST_SPLIT_CONSERVATIVE, 0},
                {"split:half", "split", HEIST_SPLIT_HALF, 0},
                {"bwos_lifo:64", "bwos_lifo", -1, 64},
                {"bwos_fifo:1", "bwos_fifo", -1, 1},
                {"bwos_lifo:65535", "bwos_lifo", -1, 65535}};
    static const char *const bad[] = {NULL,
                                      "",
                                      ":",
                                      "bwos",
                                      "Split",
                                      "split ",
                                      "splits",
                                      "spli",
                                      "split:",
                                      "split:User",
                                      "split:users",
                                      "split:1",
                                      "split:half:",
                                      "chaselev:8",
                                      "chaselev:",
                                      "bwos_lifo:",
                                      "bwos_lifo:0",
                                      "bwos_lifo:-1",
                                      "bwos_lifo:half",
                                      "bwos_fifo:65536",
                                      "bwos_fifo:8k",
                                      "bulk:user"};
    struct heist_queue_choice_ choice;
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++) {
        assert_int_equal(heist_parse_queue_(*kind, &choice), 0);
        assert_ptr_equal(choice.kind, *kind);
        assert_int_equal(choice.split_mode, -1);
        assert_int_equal(choice.block, 0);
        /* The variable's row names them all. */
        read_with("HEIST_QUEUE", "?", NULL);
        assert_said(*kind, NULL);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(heist_parse_queue_(good[i].text, &choice), 0);
        assert_string_equal(choice.kind, good[i].kind);
        assert_int_equal(choice.split_mode, good[i].mode);
        assert_int_equal(choice.block, good[i].block);
        const heist_queue_opts opts = {.block = choice.block,
                                       .mode = choice.split_mode < 0 ? 0 : choice.split_mode};
        heist_queue *q;
        assert_int_equal(heist_queue_new(&q, choice.kind, &opts), 0);
        heist_queue_free(q);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct heist_queue_choice_ untouched = {"?", 7, 8};
        assert_int_equal(heist_parse_queue_(bad[i], &untouched), -EINVAL);
        assert_string_equal(untouched.kind, "?");
        assert_int_equal(untouched.split_mode, 7);
        assert_int_equal(untouched.block, 8);
    }
}

static void test_unknown_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *meant;
    } unknown[] = {{"HEIST_WORKER", "HEIST_WORKERS"},  {"HEIST_WORKRES", "HEIST_WORKERS"},
                   {"HEIST_QUEUES", "HEIST_QUEUE"},    {"HEIST_STAT", "HEIST_STATS"},
                   {"HEIST_TRACEFILE", "HEIST_TRACE"}, {"HEIST_DUMPSIGNAL", "HEIST_DUMP_SIGNAL"},
                   {"HEIST_workers", "HEIST_WORKERS"}, {"HEIST_VERIFY_DI", "HEIST_VERIFY_DIR"}};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char end[64];
        read_with(unknown[i].name, "1", NULL);
        assert_default();
        snprintf(end, sizeof end, "%s\n", unknown[i].meant);
        assert_said(unknown[i].name, end, NULL);
    }
    read_with("HEISTS", "1", "MY_HEIST_WORKER", "1", "HEIST", "1", NULL);
    assert_string_equal(said, "");
}

static void test_names_of_the_project(void **state)
{
    (void)state;
    size_t others = 0;
    for (const struct heist_variable_ *v = heist_variables_; v->name; v++)
        if (!v->parse) {
            others++;
            read_with(v->name, "any", NULL);
            assert_default();
            assert_string_equal(said, "");
        }
    assert_true(others > 0);
}

static void test_names_twice(void **state)
{
    (void)state;
    static char first[] = "HEIST_X=1", second[] = "HEIST_X=2", lone[] = "HEIST_X";
    char *entries[] = {lone, first, second, NULL}, **before = environ;
    size_t size;
    environ = entries;
    free(said);
    FILE *complaints = open_memstream(&said, &size);
    heist_environment_read_(&result, complaints);
    fclose(complaints);
    environ = before;
    assert_said("HEIST_X is no variable", NULL);
}

static void test_privileged(void **state)
{
    (void)state;
    is_privileged = true;
    read_with("HEIST_WORKERS", "2", "HEIST_TRACE", "/etc/passwd", "HEIST_STATS", "?", "HEIST_FOO",
              "1", NULL);
    is_privileged = false;
    assert_default();
    assert_string_equal(said, "");
}

/* In a child of its own: it is the process that says things once. */
static void test_once(void **state)
{
    (void)state;
    int ends[2], status;
    char text[1000];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        clearenv();
        setenv("HEIST_WORKERS", "nine", 1);
        setenv("HEIST_STATS", "1", 1);
        const struct heist_environment_ *e = heist_environment_();
        setenv("HEIST_STATS", "0", 1);
        _exit(!(e == heist_environment_() && e->stats && !e->workers));
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    assert_int_equal(status, 0);
    assert_true(n > 0);
    free(said);
    said = strndup(text, (size_t)n);
    assert_said("HEIST_WORKERS=nine", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_set),
        cmocka_unit_test(test_all_set),
        cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_the_lines),
        cmocka_unit_test(test_the_good_stay),
        cmocka_unit_test(test_values_that_would_spoil_the_line),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_queues),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_names_of_the_project),
        cmocka_unit_test(test_names_twice),
        cmocka_unit_test(test_privileged),
        cmocka_unit_test(test_once),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
