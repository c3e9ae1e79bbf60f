/* SPDX-License-Identifier: MIT */
/* The subcommands of `heist`. Each gets its own name as argv[0] and returns the exit status. */
#ifndef TOOL_TOOL_H
#define TOOL_TOOL_H

#include <stddef.h>

enum { TOOL_FAILED = 1, TOOL_USAGE = 2 };

enum { TOOL_OPTION = 256 }; /* the first of a command's long options: no getopt character */

struct tool_command {
    const char *name, *about;
    int (*run)(int argc, char **argv);
};

/* Runs the command that argv[1] names, or --help, which shows the list (NULL name at the end). */
int tool_dispatch(const char *self, const struct tool_command *commands, const char *examples,
                  int argc, char **argv);
/* One line on stderr that points to the help; TOOL_USAGE. */
int tool_usage_error(const char *self, const char *what, const char *which);
/* The same for what getopt_long with ":" has refused: it has returned `option`. */
int tool_option_error(const char *self, int option, char **argv);
/* 0, or TOOL_FAILED if not all could be written to stdout. */
int tool_flush(const char *self);

/* realloc that ends the command, with a message, if there is no memory. */
void *tool_realloc(void *memory, size_t size);

int tool_bench(int argc, char **argv);
int tool_complete(int argc, char **argv);
int tool_doctor(int argc, char **argv);
int tool_kinds(int argc, char **argv);
int tool_report(int argc, char **argv); /* report/command.c */
int tool_sim(int argc, char **argv); /* sim/command.c */
int tool_topology(int argc, char **argv);
int tool_verify(int argc, char **argv);

#endif
