/* SPDX-License-Identifier: MIT */
/*
 * The HEIST_ variables. They are for the person who runs a program, so that a mistake in one is
 * told to that person, in one line on standard error, and the default is used: the only case in
 * which the library prints.
 */
#ifndef HEIST_RUNTIME_ENVIRONMENT_H
#define HEIST_RUNTIME_ENVIRONMENT_H

#include <heist/topology.h>
#include <heist/victim.h>
#include <stdio.h>

#define HEIST_WORKERS_MAX_ 1024

/* A kind of queue and its options, as in "chaselev", "split:half", "bwos_lifo:64". */
struct heist_queue_choice_ {
    const char *kind; /* one of heist_queue_kinds(); NULL: the default */
    int split_mode;   /* enum heist_split_mode; -1: not given */
    size_t block;     /* items in a block; 0: not given */
};

/* 0; -EINVAL, with `out` unchanged: no such kind, or one that does not take this. */
int heist_parse_queue_(const char *text, struct heist_queue_choice_ *out);

struct heist_environment_ {
    unsigned workers; /* 0: not given */
    struct heist_queue_choice_ queue;
    heist_victim_policy victim; /* all 0: not given, which is random */
    enum heist_batch batch;     /* 0: not given, which is one */
    enum heist_pin pin;         /* 0: not given */
    unsigned stats;             /* HEIST_STATS_CHEAP, HEIST_STATS_FORKS or 0 */
    const char *trace;          /* a file name, allocated; NULL: none */
    int dump_signal;            /* 0: none */
};

/* As it was at the first call. The first call in a process is the one that may print. */
const struct heist_environment_ *heist_environment_(void);

/* Reads it anew; the lines go to `complaints`. */
void heist_environment_read_(struct heist_environment_ *out, FILE *complaints);

/* What is wrong with a variable's value only shows when it is used: one line on standard error,
   with what it is now and `why`, which ends with what to do. */
void heist_environment_complain_(const char *variable, const char *why);

/* One row per variable that anything in this project reads; a name of NULL ends them. */
struct heist_variable_ {
    const char *name;
    const char *takes;
    const char *otherwise; /* what holds if it is not set */
    const char *does;
    /* NULL: not the library's; it only knows that the name is no mistake. */
    bool (*parse)(const char *text, struct heist_environment_ *out);
};

extern const struct heist_variable_ heist_variables_[];

#endif
