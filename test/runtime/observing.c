/* SPDX-License-Identifier: MIT */
/*
 * observing WATCHED DIRECTORY: runs the program `watched` with HEIST_STATS, HEIST_TRACE and
 * HEIST_DUMP_SIGNAL, and reads what it prints and writes. Traces are left in DIRECTORY for others
 * to read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <heist/queue.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "pools.h"
#include "trace_reader.h"

enum { PATIENCE_S = 120, BETWEEN_DUMPS_MS = 20 };

static const char *watched;

/* ---- A run of the program ---- */

static struct {
    pid_t process;
    int in, out, err;
    int status;
    char printed[1 << 20]; /* on its standard error, so far */
    size_t length;
} run;

static void in_child(const char *what, va_list variables, int in, int out, int err)
{
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    setenv("HEIST_WORKERS", "2", 1);
    for (const char *name; (name = va_arg(variables, const char *));)
        setenv(name, va_arg(variables, const char *), 1);
    alarm(PATIENCE_S);
    execl(watched, "watched", what, (char *)NULL);
    _exit(127);
}

/* Names and values of variables, and NULL. */
static void begin(const char *what, ...)
{
    int in[2], out[2], err[2];
    check(!pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC) && !pipe2(err, O_CLOEXEC));
    va_list variables;
    va_start(variables, what);
    run.process = fork();
    if (!run.process)
        in_child(what, variables, in[0], out[1], err[1]);
    va_end(variables);
    if (run.process < 0) { /* nobody must be killed in its place */
        perror("fork");
        exit(2);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    run.in = in[1];
    run.out = out[0];
    run.err = err[0];
    run.length = 0;
    run.printed[0] = '\0';
}

/* What is there within a time (-1: all until its end). False: nothing. */
static bool read_more(int milliseconds)
{
    struct pollfd ready = {.fd = run.err, .events = POLLIN};
    char chunk[4096];
    if (poll(&ready, 1, milliseconds) <= 0)
        return false;
    ssize_t n = read(run.err, chunk, sizeof chunk);
    if (n <= 0)
        return false;
    size_t room = sizeof run.printed - 1 - run.length;
    size_t kept =
        (size_t)n < room ? (size_t)n : room; /* a program that is asked for much goes on */
    memcpy(run.printed + run.length, chunk, kept);
    run.printed[run.length += kept] = '\0';
    return true;
}

/* It must say what it did, and end well. */
static void end(void)
{
    char said[256] = "";
    while (read_more(-1))
        continue;
    ssize_t n = read(run.out, said, sizeof said - 1);
    said[n > 0 ? n : 0] = '\0';
    check(strstr(said, "done\n") != NULL);
    close(run.in);
    close(run.out);
    close(run.err);
    check(waitpid(run.process, &run.status, 0) == run.process);
    if (!check(WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0))
        printf("status %x; it said: %s%s\n", (unsigned)run.status, said, run.printed);
}

static unsigned lines(void)
{
    unsigned n = 0;
    for (const char *p = run.printed; (p = strchr(p, '\n')); p++)
        n++;
    return n;
}

/* ---- What it printed ---- */

static size_t matches(const char *pattern)
{
    regex_t regex;
    regmatch_t match;
    size_t n = 0;
    if (!check(!regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE)))
        return 0;
    for (const char *at = run.printed; !regexec(&regex, at, 1, &match, 0); at += match.rm_eo)
        n++;
    regfree(&regex);
    return n;
}

static void expect(size_t times, const char *pattern)
{
    if (matches(pattern) != times)
        check((printf("%s\nis not there %zu times: %s\n", run.printed, times, pattern), false));
}

/* ---- Statistics ---- */

#define HEADER(pool) "^heist: pool " pool ", kind [a-z_]+, 2 workers, [0-9]+\\.[0-9]{3} s$"
/* Each pool has run what heist_run was given, a fork that was stolen, maybe others, and a job; in
   queues without blocks; nothing counts fences. */
#define SUM(forks) "^ +sum +[3-9] +" forks " +[1-7] +[0-9 ]+ 1 +0 +- +-$"

static void test_stats(void)
{
    begin("three-pools", NULL);
    end();
    check(!run.length);

    begin("three-pools", "HEIST_STATS", "1", NULL);
    end();
    expect(1, HEADER("default"));
    expect(1, HEADER("1"));
    expect(1, HEADER("2"));
    expect(2, SUM("-"));
    expect(1, SUM("[1-9][0-9]*")); /* of the pool whose options ask for it */
    expect(3, "^worker +tasks +forks +steals ");

    begin("three-pools", "HEIST_STATS", "forks", NULL);
    end();
    expect(3, SUM("[1-9][0-9]*"));

    begin("exit-inside", "HEIST_STATS", "1", NULL);
    end();
    expect(1, HEADER("default"));
    expect(1, "^ +sum +[4-9] +- +[1-6] ");

    if (SANITIZED) /* their allocators may hang in a child */
        return;
    begin("child", "HEIST_STATS", "1", NULL);
    end();
    expect(2, HEADER("default"));
    expect(2, SUM("-")); /* the child counts from 0 */
}

/* ---- Traces ---- */

static void check_trace(const char *path, size_t pools)
{
    struct trace t;
    if (!check(trace_read(&t, path))) {
        printf("%s\n", path);
        return;
    }
    check(trace_count(&t, 'B', "forking_task") == pools);
    check(trace_count(&t, 'B', "stolen_task") == pools);
    check(trace_count(&t, 'B', "empty_job") >= pools);
    size_t steals = trace_count(&t, 'i', "steal"); /* maybe of other forks too */
    check(steals >= pools && trace_count(&t, 's', NULL) == steals);
    check(trace_count(&t, 'B', "waits") >= pools);
    check(trace_count(&t, 'i', "ask") >= 1);
    check(trace_count(&t, 'B', "idle") >= pools && trace_count(&t, 'B', "parked") >= pools);
    size_t rows = trace_count(&t, 'M', "thread_name");
    check(rows >= 2 * pools && rows <= 3 * pools); /* the deputy is made when it is needed */
    free(t.event);
}

static void test_traces(void)
{
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++) {
        char path[64];
        snprintf(path, sizeof path, "%s.json", *kind);
        begin("three-pools", "HEIST_TRACE", path, "HEIST_QUEUE", *kind, NULL);
        end();
        check(!run.length);
        check_trace(path, 3);
    }
    begin("exit-inside", "HEIST_TRACE", "exit.json", NULL);
    end();
    check_trace("exit.json", 1);

    if (SANITIZED)
        return;
    /* The child does not touch its parent's; with %p it has its own. */
    begin("child", "HEIST_TRACE", "parent.json", NULL);
    end();
    expect(0, "^heist:"); /* a leak checker may say something else */
    check_trace("parent.json", 1);
    check(system("rm -f process.*.json") == 0); /* of a run that was stopped */
    begin("child", "HEIST_TRACE", "process.%p.json", NULL);
    end();
    char path[64];
    snprintf(path, sizeof path, "process.%ld.json", (long)run.process);
    check_trace(path, 1);
    check(system("set -- process.*.json && test $# = 2 && rm \"$@\"") == 0);
}

static void test_no_trace(void)
{
    begin("three-pools", "HEIST_TRACE", "no/such/directory.json", NULL);
    end();
    check(lines() == 1);
    expect(1, "^heist: HEIST_TRACE=no/such/directory.json: No such file or directory; there is no "
              "trace: name a file that can be written$");
    check(!mkfifo("fifo", 0600) || errno == EEXIST);
    begin("three-pools", "HEIST_TRACE", "fifo", NULL);
    end();
    check(lines() == 1);
    expect(1, "^heist: HEIST_TRACE=fifo: it is not a regular file; there is no trace: ");
}

/* ---- Dumps ---- */

/* A fork is at work on worker 1, and never ends; worker 0 waits for it, and then sleeps. */
static void test_stuck(const char *kind)
{
    char waits[256], runs[256], ready[16];
    struct timespec now, since;
    begin("stuck", "HEIST_DUMP_SIGNAL", "USR1", "HEIST_QUEUE", kind, NULL);
    check(read(run.out, ready, sizeof ready) == 6 && !memcmp(ready, "ready\n", 6));
    snprintf(waits, sizeof waits,
             "^heist: process %ld, pool default, kind %s, 2 workers, 0 jobs queued, 0 running\n"
             "  worker 0   waits      for worker 1, runs waiting_task \\([^ ]+\\+0x[0-9a-f]+\\), "
             "1 frame, [0-9]+ public, [0-9]+ queued$",
             (long)run.process, kind);
    snprintf(
        runs, sizeof runs,
        "^  worker 1   runs       blocked_task \\([^ ]+\\+0x[0-9a-f]+\\), 1 frame, 0 public, 0 "
        "queued$");
    clock_gettime(CLOCK_MONOTONIC, &since);
    do { /* the join may not have begun */
        kill(run.process, SIGUSR1);
        while (read_more(BETWEEN_DUMPS_MS))
            continue;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (matches(waits) < 2 && now.tv_sec - since.tv_sec < PATIENCE_S / 2);
    if (!check(matches(waits) >= 2 && matches(runs) >= 2))
        printf("kind %s:\n%s\n", kind, run.printed);
    check(!strstr(run.printed, "nobody") && !strstr(run.printed, "cycle"));
    check(write(run.in, "\n", 1) == 1);
    end();
}

static void test_dumps(void)
{
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++)
        test_stuck(*kind);

    begin("churn", "HEIST_DUMP_SIGNAL", "USR1", NULL);
    end();
    check(matches("^heist: process [0-9]+, pool 1, kind heist, 2 workers, ") > 0);

    begin("handler", "HEIST_DUMP_SIGNAL", "USR1", NULL);
    end();
    check(lines() == 1);
    expect(1, "^heist: HEIST_DUMP_SIGNAL=USR1: the program itself handles or ignores this signal");

    begin("three-pools", "HEIST_DUMP_SIGNAL", "URG", "HEIST_QUEUE", "split:signal", NULL);
    end();
    check(lines() == 1);
    expect(1, "^heist: HEIST_DUMP_SIGNAL=URG: it takes .*not URG, which split has");
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: observing WATCHED DIRECTORY\n");
        return 2;
    }
    watched = argv[1];
    if ((mkdir(argv[2], 0777) && errno != EEXIST) || chdir(argv[2])) {
        perror(argv[2]);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    test_stats();
    test_traces();
    test_no_trace();
    test_dumps();
    return check_status();
}
