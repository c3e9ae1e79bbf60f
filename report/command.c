/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "report.h"
#include "tool.h"

static char *path_in(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        bench_fail("out of memory");
    snprintf(path, size, "%s/%s", directory, name);
    return path;
}

static void make_directory(const char *path)
{
    struct stat s;
    if (mkdir(path, 0777) && (errno != EEXIST || stat(path, &s) || !S_ISDIR(s.st_mode)))
        bench_usage_error("--output '%s': %s", path,
                          errno == EEXIST || !errno ? "it is no directory" : strerror(errno));
    if (access(path, W_OK))
        bench_usage_error("--output '%s': %s", path, strerror(errno));
}

static struct result *load_all(const struct report_options *o)
{
    size_t n = 0;
    while (report_experiments[n].name)
        n++;
    struct result *results = calloc(n, sizeof *results);
    if (!results)
        bench_fail("out of memory");
    for (size_t i = 0; i < n; i++) {
        results[i].experiment = &report_experiments[i];
        report_load(o, &results[i]);
        if (results[i].outcome == FAILED &&
            !(o->again && report_is_wanted(o, &report_experiments[i])))
            fprintf(stderr, REPORT_TOOL ": %s: %s\n", report_experiments[i].name, results[i].why);
    }
    return results;
}

/* As the signal would have ended this program, with a word about how to go on. */
static _Noreturn void stop(int number)
{
    static const char again[] = " --again"; /* what is new is not to be measured once more */
    char command[256];
    snprintf(command, sizeof command, "%s", bench_fact("command"));
    char *at = strstr(command, again);
    if (at)
        memmove(at, at + sizeof again - 1, strlen(at + sizeof again - 1) + 1);
    fprintf(stderr, REPORT_TOOL ": stopped; what is complete is kept. To go on: %s\n", command);
    signal(number, SIG_DFL);
    raise(number);
    exit(EXIT_FAILED);
}

static void show(const struct report_options *o, struct result *results)
{
    const struct findings findings = {results, o};
    char *summary = path_in(o->output, "summary.csv"), *page = path_in(o->output, "index.html");
    char *plots = path_in(o->output, "plots");
    report_write_results(&findings, summary);
    report_write_plots(&findings, plots);
    report_write_page(&findings, page);
    printf("%s\n%s\n", page, summary);
    free(summary);
    free(plots);
    free(page);
}

int tool_report(int argc, char **argv)
{
    struct report_options o;
    size_t failed = 0;
    bench_tool = REPORT_TOOL;
    bench_machine_command(argc, argv);
    report_read_options(&o, argc, argv);
    if (o.list) {
        report_print_list(&o);
        free(o.only);
        bench_close_output("output", "-", stdout);
        return 0;
    }
    char *rows = path_in(o.output, "rows"), *plots = path_in(o.output, "plots");
    make_directory(o.output);
    make_directory(rows);
    make_directory(plots);
    free(rows);
    free(plots);
    bench_machine_begin();
    bench_machine_add("cpus", "%u of %ld", report_cpus(), sysconf(_SC_NPROCESSORS_ONLN));
    struct result *results = load_all(&o);
    int stopped = report_run(&o, results);
    if (stopped)
        stop(stopped);
    bench_machine_end();
    show(&o, results);
    for (const struct experiment *e = report_experiments; e->name; e++) {
        struct result *r = &results[e - report_experiments];
        failed += r->outcome == FAILED;
        table_free(&r->table);
    }
    free(results);
    free(o.only);
    bench_close_output("output", "-", stdout);
    return failed ? EXIT_FAILED : 0;
}
