/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <getopt.h>
#include <heist/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tool_usage_error(const char *self, const char *what, const char *which)
{
    fprintf(stderr, "%s: %s '%s'; see %s --help\n", self, what, which, self);
    return TOOL_USAGE;
}

/* getopt leaves in optopt a letter that it does not know, or an option that takes no value. */
int tool_option_error(const char *self, int option, char **argv)
{
    const char letter[] = {'-', (char)optopt, '\0'}, *last = argv[optind - 1];
    if (option == ':')
        return tool_usage_error(self, "a value is missing after", last);
    if (optopt >= TOOL_OPTION)
        return tool_usage_error(self, "no value is taken by", last);
    return tool_usage_error(self, "unknown option", optopt ? letter : last);
}

int tool_flush(const char *self)
{
    if (!fflush(stdout) && !ferror(stdout))
        return 0;
    fprintf(stderr, "%s: not all could be written to stdout\n", self);
    return TOOL_FAILED;
}

void *tool_realloc(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (memory)
        return memory;
    fprintf(stderr, "heist: out of memory\n");
    exit(TOOL_FAILED);
}

static int help(const char *self, const struct tool_command *commands, const char *examples)
{
    printf("usage: %s COMMAND [OPTION]...\n\nCommands:\n", self);
    for (const struct tool_command *c = commands; c->name; c++)
        printf("  %-9s %s\n", c->name, c->about);
    printf("\n%s COMMAND --help shows what a command takes.\n\nExamples:\n%s", self, examples);
    return tool_flush(self);
}

int tool_dispatch(const char *self, const struct tool_command *commands, const char *examples,
                  int argc, char **argv)
{
    if (argc < 2)
        return tool_usage_error(self, "a command is missing after", argv[0]);
    for (const struct tool_command *c = commands; c->name; c++)
        if (strcmp(argv[1], c->name) == 0)
            return c->run(argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") != 0)
        return tool_usage_error(self, argv[1][0] == '-' ? "unknown option" : "unknown command",
                                argv[1]);
    if (argc > 2)
        return tool_usage_error(self, "stray argument", argv[2]);
    return help(self, commands, examples);
}

static int version(int argc, char **argv)
{
    if (argc > 1)
        return tool_usage_error("heist", "stray argument", argv[1]);
    printf("heist %s\n", HEIST_VERSION_STRING);
    return tool_flush("heist");
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--complete") == 0) /* not for people, so it is not listed */
        return tool_complete(argc - 1, argv + 1);
    static const struct tool_command commands[] = {
        {"bench",
         "measure: heist bench queue compares the queues, heist bench runtime the runtimes",
         tool_bench},
        {"doctor", "check this machine, and say what each thing means for Heist", tool_doctor},
        {"kinds", "list the kinds of queues and what they are like", tool_kinds},
        {"report", "run the papers' experiments, and write a page: claim beside result",
         tool_report},
        {"sim", "simulate policies of stealing on machines of up to 1024 CPUs", tool_sim},
        {"topology", "draw the machine as Heist sees it: caches, nodes, and who is near to whom",
         tool_topology},
        {"verify", "check all executions of small programs with the queues, by a model checker",
         tool_verify},
        {"--version", "show the version", version},
        {NULL, NULL, NULL},
    };
    return tool_dispatch(
        "heist", commands,
        "  heist doctor\n  heist bench queue --quick\n  heist verify --quick\n  heist kinds\n",
        argc, argv);
}
