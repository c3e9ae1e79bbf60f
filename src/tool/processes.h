/* SPDX-License-Identifier: MIT */
/* Runs programs beside each other and collects what they print. None outlives this program. */
#ifndef TOOL_PROCESSES_H
#define TOOL_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct text {
    char *at; /* with a 0 behind; NULL while it is empty */
    size_t n;
};
void text_add(struct text *t, const char *more, size_t n);
void text_remove(struct text *t, size_t n); /* at its beginning */

struct process {
    char **argv;            /* argv[0] is a path; NULL at the end */
    char *variable;         /* NAME=value, in its environment only; may be NULL */
    double patience;        /* killed after so many seconds, or so long a turn; 0: never */
    struct text printed[2]; /* on stdout and stderr, so far */
    double seconds;         /* that it ran, when it has ended */
    int status;             /* as from waitpid */
    bool killed;            /* since the patience was over */
    /* private */
    pid_t pid;
    int fd[2];
    uint64_t began, resumed;
    bool is_stopped;
};

struct pool {
    void *context;
    struct process *(*next)(void *context);          /* to be started now; NULL: that were all */
    void (*heard)(void *context, struct process *p); /* it has printed something; may be NULL */
    void (*ended)(void *context, struct process *p);
    void (*tick)(void *context); /* some times a second; may be NULL */
    /* All that run have turns: who is ready stops itself (SIGSTOP); when all have, one goes on
       until it stops itself again, then the next. So what makes the machine slow for a second hits
       all. */
    bool in_turns;
};

/*
 * Keeps `slots` processes running until there are no more. 0, or a signal that asked this program
 * to end: then all have been killed, without a call of `ended`.
 */
int processes_run(const struct pool *pool, size_t slots);

/*
 * Runs one, and ends this program if a signal asks for it. The exit status; -1 if it has none.
 * Unless that is 0, `why` says so. What was printed is there, empty or not; of stderr the first
 * line only.
 */
int processes_run_one(struct process *p, char *why, size_t size);
/* The same for several, in turns; processes_outcome says how each has ended. */
void processes_run_in_turns(struct process *all, size_t n);
/* Of one that has ended: the exit status, and why, as above. */
int processes_outcome(const struct process *p, char *why, size_t size);
void processes_forget(struct process *p); /* what it printed */

#endif
