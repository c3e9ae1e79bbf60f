/* SPDX-License-Identifier: MIT */
/*
 * Runs commands in turns. All begin at the same time; one that is ready for its first turn stops
 * itself with SIGSTOP. When all have, one at a time goes on, until it stops itself again: that
 * also stops threads of it that would spin. Its next turn comes when all others had theirs. So
 * what makes the machine slow for a second hits everybody.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 1, MISUSED = 2, CANT_RUN = 127 };

static void print_help(FILE *to)
{
    fprintf(to,
            "turns: runs commands in turns, each until it stops itself (kill -STOP) or ends\n\n"
            "Usage: turns COMMAND...\n\n"
            "Each command is for sh, and should exec what it runs. Exit status 1 if one fails.\n\n"
            "Example: turns 'exec build/bench/app/bfs-heist --turns --repeat 9' \\\n"
            "               'exec build/bench/app/bfs-tbb --turns --repeat 9'\n");
}

/* Stopped or not, it ends when this process does. */
static void become(const char *command, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CANT_RUN);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(CANT_RUN);
}

/* Whether it has stopped, so wants another turn; if not, it has ended, and *failed says how. */
static bool wants_more(pid_t pid, bool *failed)
{
    int status;
    while (waitpid(pid, &status, WUNTRACED) < 0)
        if (errno != EINTR) {
            *failed = true;
            return false;
        }
    if (WIFSTOPPED(status))
        return true;
    *failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return false;
}

int main(int argc, char **argv)
{
    bool failed = false;
    int left = 0;
    if (argc < 2) {
        fprintf(stderr, "turns: which commands? see turns --help\n");
        return MISUSED;
    }
    if (strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return 0;
    }
    pid_t pids[argc], parent = getpid(); /* 0: it has ended */
    for (int i = 1; i < argc; i++) {
        pids[i] = fork();
        if (pids[i] < 0) {
            fprintf(stderr, "turns: no process for '%s': %s\n", argv[i], strerror(errno));
            return FAILED;
        }
        if (!pids[i])
            become(argv[i], parent);
    }
    for (int i = 1; i < argc; i++) {
        if (wants_more(pids[i], &failed))
            left++;
        else
            pids[i] = 0;
    }
    while (left)
        for (int i = 1; i < argc; i++) {
            if (!pids[i])
                continue;
            kill(pids[i], SIGCONT);
            if (!wants_more(pids[i], &failed)) {
                pids[i] = 0;
                left--;
            }
        }
    return failed ? FAILED : 0;
}
