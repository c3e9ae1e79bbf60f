/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 120, OUTPUT_MAX = 1 << 20 };

/* Reads all that comes from fd; the length, or -1 if it takes too long or never ends. */
static ssize_t read_all(int fd, char *out, size_t size, double seconds)
{
    uint64_t end = clock_ns() + (uint64_t)(seconds * 1e9);
    for (size_t n = 0; n < size;) {
        uint64_t now = clock_ns();
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        if (now >= end || poll(&waiting, 1, (int)((end - now) / 1000000) + 1) < 0)
            return -1;
        if (!waiting.revents)
            continue;
        ssize_t more = read(fd, out + n, size - n);
        if (more <= 0)
            return more < 0 ? -1 : (ssize_t)n;
        n += (size_t)more;
    }
    return -1;
}

/* Starts a program, in `directory` unless it is NULL, whose standard output comes through *fd. */
static pid_t start(char *const *argv, const char *directory, int *fd)
{
    int ends[2];
    if (pipe(ends))
        bench_fail("no pipe for '%s': %s", argv[0], strerror(errno));
    pid_t pid = fork();
    if (pid < 0)
        bench_fail("can't start '%s': %s", argv[0], strerror(errno));
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (!directory || !chdir(directory))
            execvp(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    *fd = ends[0];
    return pid;
}

void bench_run_outside(const char *program, const struct point *p, const struct entrant *e,
                       struct row *r)
{
    static char output[OUTPUT_MAX + 1];
    char stolen[24], thieves[24], param[24];
    snprintf(stolen, sizeof stolen, "%u", p->stolen);
    snprintf(thieves, sizeof thieves, "%u", p->thieves);
    snprintf(param, sizeof param, "%llu", (unsigned long long)p->param);
    char *argv[] = {(char *)program,
                    "--bench",
                    (char *)p->benchmark->name,
                    "--kinds",
                    (char *)e->name,
                    "--stolen",
                    stolen,
                    "--thieves",
                    thieves,
                    "--param",
                    param,
                    "--reps",
                    "1",
                    "--csv",
                    "-",
                    NULL};
    int fd, status;
    pid_t pid = start(argv, NULL, &fd);
    ssize_t n = read_all(fd, output, OUTPUT_MAX, PATIENCE_SECONDS);
    if (n < 0)
        kill(pid, SIGKILL);
    close(fd);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    const char *what = e->contestant ? "the program for" : "contestant";
    if (n < 0)
        bench_fail("%s %s: '%s' took more than %d s, or printed without end, for %s", what, e->name,
                   program, PATIENCE_SECONDS, p->benchmark->name);
    output[n] = '\0';
    /* Status 1 goes with rows that are not ok, which are worth having. */
    bool failed = !WIFEXITED(status) || (WEXITSTATUS(status) && WEXITSTATUS(status) != EXIT_FAILED);
    const char *wrong = failed ? NULL : bench_read_csv(output, r);
    if (wrong || failed || (WEXITSTATUS(status) && r->value[C_OK] != 0)) {
        if (WIFSIGNALED(status))
            bench_fail("%s %s: '%s' was ended by signal %d in %s", what, e->name, program,
                       WTERMSIG(status), p->benchmark->name);
        if (WEXITSTATUS(status))
            bench_fail("%s %s: '%s' failed with status %d in %s", what, e->name, program,
                       WEXITSTATUS(status), p->benchmark->name);
        bench_fail("%s %s: '%s' printed %s for %s", what, e->name, program, wrong,
                   p->benchmark->name);
    }
}

bool bench_run(char *const *argv, const char *directory)
{
    int fd, status;
    char output[4096];
    pid_t pid = start(argv, directory, &fd);
    while (read(fd, output, sizeof output) > 0)
        ;
    close(fd);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

char *bench_program_beside(const char *folder, const char *name)
{
    const char *const places[] = {folder, "../libexec/heist"};
    static char path[2 * 4096];
    ssize_t n = readlink("/proc/self/exe", path, 4096);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    char *here = strrchr(path, '/') + 1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(here, sizeof path - (size_t)(here - path), "%s/%s", places[i], name);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

char *bench_counts_program(void) { return bench_program_beside(".", "heist-counts"); }
