/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"
#include "echo.h"

enum { PORT, ADDRESS, WORKERS, MAX_BODY, HELP };

static const struct bench_option list[] = {
    [PORT] = {"--port", "N", "where it listens; 0: any port that is free; 8080"},
    [ADDRESS] = {"--address", "IP", "of which interface; 127.0.0.1"},
    [WORKERS] = {"--workers", "N", "how many workers; one per CPU that may be used"},
    [MAX_BODY] = {"--max-body", "BYTES", "larger requests are refused; 16777216"},
    [HELP] = {"--help", NULL, "this text"},
};
enum { OPTIONS = sizeof list / sizeof *list, WORKERS_MOST = 1024 };

static void print_help(void)
{
    printf(
        "echo: an HTTP server that sends back the body of a request, or a request without one\n\n"
        "Usage: echo [option]...\n\nOptions:\n");
    bench_print_options(list, OPTIONS);
    printf(
        "\nPrints where it listens; at SIGINT or SIGTERM it ends its connections, and prints a row:"
        "\nwhat it did, how many of its jobs were stolen, and the CPU time it took. Its queue is"
        "\nbwos_fifo, so that jobs are run in order, or the kind that HEIST_QUEUE says. echo-NAME"
        "\nis the same on another runtime, which the row names instead; no jobs are counted there."
        "\n\nExamples:\n"
        "  echo --port 8080 --workers 2 & curl -d hello http://127.0.0.1:8080/\n"
        "  HEIST_QUEUE=chaselev echo --port 0\n");
}

static void read_options(struct server_options *o, char **argv)
{
    char *given[OPTIONS] = {NULL};
    if (!bench_read_arguments(list, OPTIONS, argv, given)) {
        print_help();
        exit(0);
    }
    if (given[ADDRESS])
        o->address = given[ADDRESS];
    o->port = (uint16_t)bench_read_number_or(8080, "--port", given[PORT], 0, UINT16_MAX);
    o->workers = (unsigned)bench_read_number_or(0, "--workers", given[WORKERS], 1, WORKERS_MOST);
    o->body_most = bench_read_number_or(16 << 20, "--max-body", given[MAX_BODY], 0, 1 << 30);
}

/* Each connection is a file. */
static void allow_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

int main(int argc, char **argv)
{
    struct server_options options = {.address = "127.0.0.1"};
    struct server_totals t;
    struct rusage usage;
    uint16_t port;
    (void)argc;
    bench_tool = "echo";
    read_options(&options, argv);
    allow_files();
    struct server *server = server_new(&options, &port);
    printf("listening at http://%s:%u/\n", options.address, port);
    fflush(stdout);
    uint64_t began = clock_ns();
    server_run(server, &t);
    double elapsed = (double)(clock_ns() - began) / 1e9;
    getrusage(RUSAGE_SELF, &usage);
    printf("queue,workers,seconds,connections,requests,refused,turned_away,jobs,steals,"
           "user_seconds,system_seconds\n"
           "%s,%u,%.3f,%llu,%llu,%llu,%llu,%llu,%llu,%.3f,%.3f\n",
           t.runtime, t.workers, elapsed, (unsigned long long)t.connections,
           (unsigned long long)t.requests, (unsigned long long)t.refused,
           (unsigned long long)t.turned_away, (unsigned long long)t.jobs,
           (unsigned long long)t.steals, seconds(usage.ru_utime), seconds(usage.ru_stime));
    server_free(server);
    if (fflush(stdout) || ferror(stdout))
        bench_fail("not all could be written");
    return 0;
}
