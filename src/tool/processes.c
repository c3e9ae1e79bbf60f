/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "tool.h"

enum { TICK_MS = 200, EXIT_NO_EXEC = 127 };

void text_add(struct text *t, const char *more, size_t n)
{
    t->at = tool_realloc(t->at, t->n + n + 1);
    memcpy(t->at + t->n, more, n);
    t->n += n;
    t->at[t->n] = '\0';
}

void text_remove(struct text *t, size_t n)
{
    t->n -= n;
    memmove(t->at, t->at + n, t->n + 1);
}

static _Noreturn void give_up(const char *what, const char *which)
{
    fprintf(stderr, "heist: %s '%s': %s\n", what, which, strerror(errno));
    exit(TOOL_FAILED);
}

/* Signals are read where everything else is waited for. Those that are ignored (nohup) stay so. */
static int open_signals(sigset_t *before)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t wanted;
    sigemptyset(&wanted);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction action;
        if (!sigaction(ends[i], NULL, &action) && action.sa_handler != SIG_IGN)
            sigaddset(&wanted, ends[i]);
    }
    signal(SIGCHLD, SIG_DFL); /* if it is ignored there is nothing to wait for */
    sigaddset(&wanted, SIGCHLD);
    sigprocmask(SIG_BLOCK, &wanted, before);
    int fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        give_up("no", "signalfd");
    return fd;
}

/* 0, or the signal that asks for the end. */
static int read_signals(int fd)
{
    struct signalfd_siginfo info;
    while (read(fd, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD)
            return (int)info.ssi_signo;
    return 0;
}

static _Noreturn void become(const struct process *p, int out, int err, pid_t parent,
                             const sigset_t *mask)
{
    /* Also if this program is killed by a signal that can't be caught. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (getppid() != parent || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0)
        _exit(EXIT_NO_EXEC);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (p->variable)
        putenv(p->variable);
    execv(p->argv[0], p->argv);
    dprintf(STDERR_FILENO, "%s: %s\n", p->argv[0], strerror(errno));
    _exit(EXIT_NO_EXEC);
}

static void start(struct process *p, const sigset_t *mask)
{
    int out[2], err[2];
    pid_t parent = getpid();
    if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
        give_up("no pipe for", p->argv[0]);
    p->pid = fork();
    if (p->pid < 0)
        give_up("can't start", p->argv[0]);
    if (p->pid == 0) {
        setpgid(0, 0);
        become(p, out[1], err[1], parent, mask);
    }
    /* A group of its own, made by whoever comes first: it is killed with all that it started. */
    setpgid(p->pid, p->pid);
    close(out[1]);
    close(err[1]);
    p->fd[0] = out[0];
    p->fd[1] = err[0];
    for (int i = 0; i < 2; i++)
        fcntl(p->fd[i], F_SETFL, O_NONBLOCK);
    p->began = p->resumed = clock_ns();
    p->is_stopped = false;
}

/* Takes what is there to read; whether there was something. */
static bool listen_to(struct process *p)
{
    char more[4096];
    bool heard = false;
    for (int i = 0; i < 2; i++) {
        ssize_t n = 0;
        while (p->fd[i] >= 0 && (n = read(p->fd[i], more, sizeof more)) > 0) {
            text_add(&p->printed[i], more, (size_t)n);
            heard = true;
        }
        if (p->fd[i] >= 0 && n == 0) {
            close(p->fd[i]);
            p->fd[i] = -1;
        }
    }
    return heard;
}

/* Waits for the end of a process that has ended or been killed, and for nothing else. */
static void bury(struct process *p)
{
    kill(-p->pid, SIGKILL); /* what it started; the group exists as long as nobody has waited */
    while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
        continue;
    p->seconds = (double)(clock_ns() - p->began) / 1e9;
    listen_to(p);
    for (int i = 0; i < 2; i++)
        if (p->fd[i] >= 0)
            close(p->fd[i]);
}

static bool has_ended(struct process *p)
{
    siginfo_t info = {.si_pid = 0};
    if (!waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == p->pid)
        return true;
    p->killed =
        p->patience > 0 && !p->is_stopped && (double)(clock_ns() - p->resumed) / 1e9 > p->patience;
    return p->killed;
}

/* If all have stopped, *next has its turn, then the one behind it, round and round. */
static void give_turn(struct process **running, size_t n, size_t *next)
{
    for (size_t i = 0; i < n; i++) {
        siginfo_t info = {.si_pid = 0};
        pid_t pid = running[i]->pid;
        if (!waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG) && info.si_pid == pid)
            running[i]->is_stopped = true;
        if (!running[i]->is_stopped)
            return;
    }
    if (!n)
        return;
    *next %= n;
    struct process *p = running[(*next)++];
    p->is_stopped = false;
    p->resumed = clock_ns();
    kill(-p->pid, SIGCONT);
}

static void wait_for_news(struct process **running, size_t n, int signals, struct pollfd *waiting)
{
    waiting[0] = (struct pollfd){.fd = signals, .events = POLLIN};
    for (size_t i = 0; i < 2 * n; i++)
        waiting[i + 1] = (struct pollfd){.fd = running[i / 2]->fd[i % 2], .events = POLLIN};
    poll(waiting, 2 * n + 1, TICK_MS);
}

int processes_run(const struct pool *pool, size_t slots)
{
    struct process **running = tool_realloc(NULL, slots * sizeof *running);
    struct pollfd *waiting = tool_realloc(NULL, (2 * slots + 1) * sizeof *waiting);
    sigset_t mask;
    int signals = open_signals(&mask), stopped = 0;
    size_t n = 0, next = 0;
    for (bool more = true; !stopped;) {
        for (struct process *p; more && n < slots; running[n++] = p) {
            p = pool->next(pool->context);
            more = p;
            if (!p)
                break;
            start(p, &mask);
        }
        if (!n)
            break;
        wait_for_news(running, n, signals, waiting);
        stopped = read_signals(signals);
        for (size_t i = 0; i < n && !stopped;) {
            struct process *p = running[i];
            /* First whether it has ended: what it printed before is then all there to read. */
            bool over = has_ended(p);
            if (listen_to(p) && pool->heard)
                pool->heard(pool->context, p);
            if (!over) {
                i++;
                continue;
            }
            bury(p);
            memmove(&running[i], &running[i + 1], (--n - i) * sizeof *running);
            next -= next > i;
            pool->ended(pool->context, p);
        }
        if (pool->in_turns)
            give_turn(running, n, &next);
        if (pool->tick && !stopped)
            pool->tick(pool->context);
    }
    for (size_t i = 0; i < n; i++)
        bury(running[i]);
    close(signals);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    free(running);
    free(waiting);
    return stopped;
}

/* ---- One, or a few ---- */

struct few {
    struct process *next, *end;
};

static struct process *take(void *context)
{
    struct few *few = context;
    return few->next != few->end ? few->next++ : NULL;
}

static void ended(void *context, struct process *p)
{
    (void)context;
    (void)p;
}

/* Ends this program if a signal asks for it. */
static void run_few(struct process *all, size_t n, bool in_turns)
{
    struct few few = {all, all + n};
    struct pool pool = {.context = &few, .next = take, .ended = ended, .in_turns = in_turns};
    int stopped = processes_run(&pool, n);
    if (stopped) {
        fflush(stdout);
        signal(stopped, SIG_DFL);
        raise(stopped);
    }
    for (struct process *p = all; p != all + n; p++) {
        for (int i = 0; i < 2; i++)
            text_add(&p->printed[i], "", 0);
        p->printed[1].at[strcspn(p->printed[1].at, "\n")] = '\0';
    }
}

int processes_run_one(struct process *p, char *why, size_t size)
{
    run_few(p, 1, false);
    return processes_outcome(p, why, size);
}

void processes_run_in_turns(struct process *all, size_t n) { run_few(all, n, true); }

int processes_outcome(const struct process *p, char *why, size_t size)
{
    if (p->killed)
        snprintf(why, size, "given up after %.0f s", p->patience);
    else if (WIFSIGNALED(p->status))
        snprintf(why, size, "ended by signal %d", WTERMSIG(p->status));
    else if (WEXITSTATUS(p->status))
        snprintf(why, size, "exit status %d", WEXITSTATUS(p->status));
    return p->killed || WIFSIGNALED(p->status) ? -1 : WEXITSTATUS(p->status);
}

void processes_forget(struct process *p)
{
    for (int i = 0; i < 2; i++) {
        free(p->printed[i].at);
        p->printed[i] = (struct text){NULL, 0};
    }
}
