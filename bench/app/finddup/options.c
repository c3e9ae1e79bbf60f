/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "finddup.h"

enum { WORKERS, IO, MIN_SIZE, FOLLOW, HARD_LINKS, JSON, SUMMARY, QUIET, HELP };

static const struct bench_option list[] = {
    [WORKERS] = {"--workers", "N", "how many workers; one per CPU that may be used"},
    [IO] = {"--io", "HOW", "uring, plain, or auto: uring if the kernel has it; auto"},
    [MIN_SIZE] = {"--min-size", "BYTES", "only files of this size or more; 1, so no empty ones"},
    [FOLLOW] = {"--follow", NULL, "symbolic links too; each directory once, so never in circles"},
    [HARD_LINKS] = {"--hard-links", NULL, "names of the same file are duplicates too"},
    [JSON] = {"--json", NULL, "JSON instead of text"},
    [SUMMARY] = {"--summary", NULL, "how much was found, on stderr"},
    [QUIET] = {"--quiet", NULL, "no progress, even on a terminal"},
    [HELP] = {"--help", NULL, "this text"},
};
enum { OPTIONS = sizeof list / sizeof *list, WORKERS_MOST = 1024 };

static void print_help(void)
{
    printf("%s: finds files with the same content\n\n"
           "Usage: %s [option]... DIRECTORY|FILE...\n\nOptions:\n",
           bench_tool, bench_tool);
    bench_print_options(list, OPTIONS);
    printf("\nPrints the groups with a blank line between them. Files of the same size are compared"
           "\nby a hash of the first block, then of the whole, then byte by byte. Names of one file"
           "\n(hard links) count as one; its first name is printed. What can't be read is named on"
           "\nstderr and skipped; the exit status is 1 then, 0 otherwise, and 2 if an argument is"
           "\nwrong.\n\nExamples:\n"
           "  %s ~/pictures ~/backup\n"
           "  %s --json --summary . >duplicates.json\n"
           "  HEIST_QUEUE=bwos_fifo HEIST_STATS=1 %s --workers 4 --io plain /usr/share\n",
           bench_tool, bench_tool, bench_tool);
}

static enum io read_io(const char *option, const char *value)
{
    static const char *const names[] = {
        [IO_AUTO] = "auto", [IO_URING] = "uring", [IO_PLAIN] = "plain"};
    for (int i = 0; i < 3; i++)
        if (strcmp(value, names[i]) == 0)
            return (enum io)i;
    bench_usage_error("%s '%s': neither auto nor uring nor plain", option, value);
}

static void read_option(struct options *o, int option, const char *value)
{
    const char *name = list[option].name;
    switch (option) {
    case WORKERS:
        o->workers = (unsigned)bench_read_number(name, value, 1, WORKERS_MOST);
        break;
    case IO:
        o->io = read_io(name, value);
        break;
    case MIN_SIZE:
        o->size_least = bench_read_number(name, value, 0, INT64_MAX);
        break;
    case FOLLOW:
        o->follow = true;
        break;
    case HARD_LINKS:
        o->hard_links = true;
        break;
    case JSON:
        o->json = true;
        break;
    case SUMMARY:
        o->summary = true;
        break;
    case QUIET:
        o->progress = false;
        break;
    default:
        print_help();
        exit(0);
    }
}

static void add_path(struct options *o, char *path)
{
    struct stat s;
    if (stat(path, &s))
        bench_usage_error("'%s': %s", path, strerror(errno));
    if (!S_ISDIR(s.st_mode) && !S_ISREG(s.st_mode))
        bench_usage_error("'%s': neither a directory nor a regular file", path);
    o->paths = bench_grow(o->paths, o->paths_number, sizeof *o->paths);
    o->paths[o->paths_number++] = path;
}

void read_options(struct options *o, char **argv)
{
    *o = (struct options){.size_least = 1, .progress = isatty(STDERR_FILENO)};
    for (int i = 1; argv[i]; i++) {
        char *value;
        if (strcmp(argv[i], "--") == 0) {
            while (argv[++i])
                add_path(o, argv[i]);
            break;
        }
        if (*argv[i] != '-') {
            add_path(o, argv[i]);
            continue;
        }
        int option = bench_next_option(list, OPTIONS, argv, &i, &value);
        read_option(o, option, value);
    }
    if (!o->paths_number)
        bench_usage_error("no directory given");
}
