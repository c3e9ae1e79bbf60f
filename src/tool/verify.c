/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "tool.h"

/*
 * A quick run ends within a minute: a program is given up GRACE_SECONDS after the time that it was
 * told, and the last is told to end at QUICK_SECONDS.
 */
enum { QUICK_SECONDS = 55, GRACE_SECONDS = 3 };
#define LEAST_SECONDS 0.1 /* worth starting for */
#define KEPT_SECONDS 0.5  /* for each client that waits */

struct run {
    const struct verify_options *options;
    struct verify_plan *plan;
    struct verify_job **order; /* in which they are started */
    size_t started, over;
    uint64_t began, drawn;
    FILE *csv;     /* NULL: none */
    bool terminal; /* stderr is one */
};

static double seconds_since(uint64_t then) { return (double)(clock_ns() - then) / 1e9; }

/*
 * 0: as long as it takes; negative: there is no time left. In a quick run a client may use all that
 * is left, but for a little that is kept for those behind it, so that one that never ends hides
 * nothing.
 */
static double time_limit(const struct run *run)
{
    const struct verify_options *o = run->options;
    if (!o->quick)
        return (double)o->seconds;
    double left = QUICK_SECONDS - seconds_since(run->began);
    size_t behind = run->plan->number - run->started - 1;
    double kept = KEPT_SECONDS * (double)behind / (double)o->jobs;
    left -= kept < left / 2 ? kept : left / 2;
    if (o->seconds && (double)o->seconds < left)
        left = (double)o->seconds;
    return left > LEAST_SECONDS ? left : -1;
}

static void set_arguments(const struct verify_options *o, struct verify_job *j, double limit)
{
    char **at = j->argv;
    *at++ = j->subject->program;
    if (j->client) {
        *at++ = "--client";
        *at++ = (char *)j->client;
    } else {
        *at++ = "--mutants";
    }
    *at++ = "--model";
    *at++ = (char *)j->model;
    if (limit > 0) {
        snprintf(j->limit, sizeof j->limit, "%.1f", limit);
        *at++ = "--seconds";
        *at++ = j->limit;
    }
    for (size_t i = 0; i < o->passed_number; i++)
        *at++ = (char *)o->passed[i];
    if (j->client) {
        *at++ = "--trace";
        *at++ = "--progress";
    }
    *at = NULL;
}

/* After the judgement: its rows, and without a terminal a line. */
static void finish_job(struct run *run, const struct verify_job *j)
{
    run->over++;
    if (run->csv)
        verify_write_csv(run->csv, j);
    if (run->terminal || run->csv == stdout)
        return;
    fprintf(stderr, "[%zu/%zu] %s %s %s: ", run->over, run->plan->number, j->subject->kind,
            j->client ? j->client : "--mutants", j->model);
    if (j->client)
        fprintf(stderr, "%s, %s executions", j->rows->field[V_VERDICT],
                j->rows->field[V_EXECUTIONS]);
    else
        fprintf(stderr, "%zu orders, exit status %d", j->number, j->status);
    fprintf(stderr, ", %.2f s\n", j->process.seconds);
}

static struct process *next(void *context)
{
    struct run *run = context;
    while (run->started < run->plan->number) {
        double limit = time_limit(run);
        struct verify_job *j = run->order[run->started++];
        set_arguments(run->options, j, limit);
        if (limit < 0) {
            verify_judge_unstarted(j);
            finish_job(run, j);
            continue;
        }
        j->process.argv = j->argv;
        /* For mutants the limit is that of each client, of which there are many. */
        j->process.patience = j->client && limit > 0 ? limit + GRACE_SECONDS : 0;
        return &j->process;
    }
    return NULL;
}

static struct verify_job *job_of(struct process *p)
{
    return (struct verify_job *)((char *)p - offsetof(struct verify_job, process));
}

/* Whole lines from stderr: how far it is, or a remark. */
static void heard(void *context, struct process *p)
{
    struct verify_job *j = job_of(p);
    struct text *said = &p->printed[1];
    (void)context;
    for (char *end; said->n && (end = strchr(said->at, '\n'));) {
        unsigned long long executions;
        size_t length = (size_t)(end - said->at) + 1;
        if (sscanf(said->at, "progress %llu", &executions) == 1)
            j->executions = executions;
        else
            text_add(&j->remarks, said->at, length);
        text_remove(said, length);
    }
}

/* How far a job is: a client's executions, or the rows that mutants have printed. */
static uint64_t progress_of(const struct verify_job *j)
{
    uint64_t rows = 0;
    if (j->over)
        return j->client ? strtoull(j->rows->field[V_EXECUTIONS], NULL, 10) : j->number;
    if (j->client)
        return j->executions;
    for (size_t i = 0; i < j->process.printed[0].n; i++)
        rows += j->process.printed[0].at[i] == '\n';
    return rows;
}

static void clear_line(const struct run *run)
{
    if (run->terminal)
        fprintf(stderr, "\r\033[K");
}

/* One line that stays, about five times a second. */
static void tick(void *context)
{
    struct run *run = context;
    if (!run->terminal || seconds_since(run->drawn) < 0.2)
        return;
    struct text line = {NULL, 0};
    struct winsize size = {.ws_col = 0};
    char head[128];
    uint64_t sum = 0;
    for (size_t i = 0; i < run->plan->number; i++)
        sum += progress_of(&run->plan->jobs[i]);
    int n = snprintf(head, sizeof head, "[%zu/%zu] %llu %s, %.0f per second:", run->over,
                     run->plan->number, (unsigned long long)sum,
                     run->options->mutants ? "orders" : "executions",
                     (double)sum / seconds_since(run->began));
    text_add(&line, head, (size_t)n);
    for (size_t i = 0; i < run->started; i++) {
        const struct verify_job *j = run->order[i];
        if (j->over)
            continue;
        n = snprintf(head, sizeof head, " %s %s,", j->subject->kind,
                     j->client ? j->client : j->model);
        text_add(&line, head, (size_t)n < sizeof head ? (size_t)n : sizeof head - 1);
    }
    int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
    int most = width - 1 < (int)line.n - 1 ? width - 1 : (int)line.n - 1; /* no comma at the end */
    clear_line(run);
    fprintf(stderr, "%.*s", most, line.at);
    free(line.at);
    run->drawn = clock_ns();
}

static void ended(void *context, struct process *p)
{
    struct run *run = context;
    struct verify_job *j = job_of(p);
    /* A last line without an end is a remark too. */
    text_add(&j->remarks, p->printed[1].n ? p->printed[1].at : "", p->printed[1].n);
    verify_judge(j);
    finish_job(run, j);
}

/* The longest first, so that nothing long is left for the end, when one CPU would work alone. */
static struct verify_job **make_order(const struct verify_plan *plan)
{
    struct verify_job **order = tool_realloc(NULL, (plan->number + 1) * sizeof *order);
    size_t n = 0;
    for (enum verify_cost cost = COST_FULL; cost <= COST_QUICK; cost++)
        for (size_t i = 0; i < plan->number; i++)
            if (plan->jobs[i].cost == cost)
                order[n++] = &plan->jobs[i];
    return order;
}

/* The rows of what has been run; the exit status. */
static int report(const struct run *run)
{
    const struct verify_plan *plan = run->plan;
    bool mutants = run->options->mutants;
    FILE *f = run->csv == stdout ? stderr : stdout; /* on stdout either CSV or a table */
    int status = 0;
    if (f == stdout)
        verify_print_table(f, plan, mutants);
    verify_print_troubles(f, plan);
    if (f == stdout)
        fputc('\n', f);
    verify_print_totals(f, plan, mutants, seconds_since(run->began));
    for (size_t i = 0; i < plan->number; i++)
        if (plan->jobs[i].over && plan->jobs[i].status > status)
            status = plan->jobs[i].status;
    if (plan->stopped)
        fprintf(stderr, VERIFY ": stopped by signal %d (%s) when %zu of %zu were done\n",
                plan->stopped, strsignal(plan->stopped), run->over, plan->number);
    return status;
}

static int run_plan(const struct verify_options *o, struct verify_plan *plan, uint64_t began)
{
    struct run run = {.options = o,
                      .plan = plan,
                      .began = began,
                      .terminal = isatty(STDERR_FILENO),
                      .order = NULL};
    struct pool pool = {
        .context = &run, .next = next, .heard = heard, .ended = ended, .tick = tick};
    if (o->csv) {
        run.csv = o->csv_path ? fopen(o->csv_path, "w") : stdout;
        if (!run.csv) {
            fprintf(stderr, VERIFY ": --csv '%s': %s\n", o->csv_path, strerror(errno));
            return TOOL_USAGE;
        }
        verify_write_csv_header(run.csv);
    }
    run.order = make_order(plan);
    plan->stopped = processes_run(&pool, o->jobs);
    clear_line(&run);
    free(run.order);
    int status = report(&run);
    if (o->csv_path && (ferror(run.csv) | fclose(run.csv))) {
        fprintf(stderr, VERIFY ": --csv '%s': not all could be written\n", o->csv_path);
        status = status ? status : TOOL_FAILED;
    }
    return tool_flush(VERIFY) ? TOOL_FAILED : status;
}

int tool_verify(int argc, char **argv)
{
    uint64_t began = clock_ns();
    struct verify_options o;
    struct verify_plan plan;
    int status = verify_read_options(&o, argc, argv);
    if (status != VERIFY_GO_ON)
        return status;
    status = verify_make_plan(&plan, &o);
    if (status == VERIFY_GO_ON && !plan.stopped)
        status = run_plan(&o, &plan, began);
    int stopped = plan.stopped;
    verify_free_plan(&plan);
    free(o.kinds);
    if (stopped) { /* as the signal would have ended it */
        signal(stopped, SIG_DFL);
        raise(stopped);
    }
    return status;
}
