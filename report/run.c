/* SPDX-License-Identifier: MIT */
/* Runs experiments, and keeps their rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "common.h"
#include "processes.h"
#include "report.h"

/* ---- Progress ---- */

struct progress {
    const struct report_options *options;
    uint64_t began, experiment_began;
    double done, took; /* the guesses for what was run, and its time */
    double left;       /* the guesses for what was not begun */
    double guess;      /* for what is running */
    size_t number, all;
    const char *name;
};

static double seconds_since(uint64_t began) { return (double)(clock_ns() - began) / 1e9; }

/* Guesses are for another machine: scaled by what the first experiments took. */
static double left_seconds(const struct progress *p, double elapsed)
{
    double running = p->guess > elapsed ? p->guess : elapsed; /* it takes longer than we thought */
    double scale = p->done > 0 ? p->took / p->done : 1;
    double rest = running * scale - elapsed;
    return (rest > 0 ? rest : 0) + p->left * scale;
}

static void show(void *context)
{
    enum { CELLS = 24 };
    struct progress *p = context;
    char bar[CELLS + 1], line[96];
    double elapsed = seconds_since(p->experiment_began), total = seconds_since(p->began);
    double done = total / (total + left_seconds(p, elapsed) + 1e-9);
    for (int i = 0; i < CELLS; i++)
        bar[i] = i < done * CELLS ? '#' : '.';
    bar[CELLS] = '\0';
    snprintf(line, sizeof line, "%s (%zu of %zu)", p->name, p->number, p->all);
    bench_show_progress(done, p->began, bar, line);
}

/* ---- One run ---- */

struct running {
    struct process *next;
    struct progress *progress;
};

static struct process *take(void *context)
{
    struct running *r = context;
    struct process *p = r->next;
    r->next = NULL;
    return p;
}

static void ended(void *context, struct process *p)
{
    (void)context;
    (void)p;
}

static void tick(void *context) { show(((struct running *)context)->progress); }

/* The last line that is not empty: what is wrong comes last, after lines of progress. */
static const char *last_line(char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == '\n')
        text[--n] = '\0';
    char *last = strrchr(text, '\n');
    return last ? last + 1 : text;
}

/* ---- An experiment ---- */

struct collection {
    const struct experiment *e;
    enum report_length length;
    char *program;
    const char *rows; /* the file for {rows} */
    struct text text; /* all rows so far */
    bool is_swept;    /* who ran is in front of each row */
};

static void add_text(struct text *t, const char *more) { text_add(t, more, strlen(more)); }

/* What a run printed, without its header if that is there already. */
static void collect(struct collection *c, char *printed, const char *queue, unsigned turn)
{
    bool is_first = !c->text.n, is_header = !c->e->header;
    char front[96];
    snprintf(front, sizeof front, "%s,%u,", queue ? queue : "", turn);
    if (is_first && c->e->header) {
        add_text(&c->text, c->is_swept ? "queue,turn," : "");
        add_text(&c->text, c->e->header);
        add_text(&c->text, "\n");
    }
    for (char *line = printed, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        bool is_row = *line && *line != '#', was_header = is_row && is_header;
        if (is_row)
            is_header = false;
        if (was_header && !is_first)
            continue;
        if (is_row && c->is_swept)
            add_text(&c->text, was_header ? "queue,turn," : front);
        add_text(&c->text, line);
        add_text(&c->text, "\n");
    }
}

static char *read_file(const char *path)
{
    struct text text = {NULL, 0};
    char more[4096];
    FILE *f = fopen(path, "r");
    text_add(&text, "", 0);
    for (size_t n; f && (n = fread(more, 1, sizeof more, f)) > 0;)
        text_add(&text, more, n);
    if (f)
        fclose(f);
    return text.at;
}

/* 0, or the signal that stopped it. `why` is empty if all went well. */
static int run_once(struct collection *c, const char *queue, unsigned workers, unsigned turn,
                    struct progress *progress, char *why, size_t size)
{
    struct words words = report_words(c->e, c->length, workers, c->rows);
    char **argv = malloc((words.n + 2) * sizeof *argv);
    if (!argv)
        bench_fail("out of memory");
    argv[0] = c->program;
    memcpy(argv + 1, words.at, (words.n + 1) * sizeof *argv);
    struct process process = {.argv = argv};
    struct running running = {&process, progress};
    if (queue)
        setenv("HEIST_QUEUE", queue, 1);
    else
        unsetenv("HEIST_QUEUE");
    int stopped = processes_run(
        &(struct pool){.context = &running, .next = take, .ended = ended, .tick = tick}, 1);
    for (int i = 0; i < 2; i++)
        text_add(&process.printed[i], "", 0);
    *why = '\0';
    if (!stopped && processes_outcome(&process, why, size)) {
        size_t used = strlen(why);
        const char *said = last_line(process.printed[1].at);
        snprintf(why + used, size - used, "%s%s", *said ? ": " : "", said);
    } else if (!stopped) {
        char *file = strstr(c->e->arguments, "{rows}") ? read_file(c->rows) : NULL;
        collect(c, file ? file : process.printed[0].at, queue, turn);
        free(file);
    }
    processes_forget(&process);
    free(argv);
    report_free_words(&words);
    return stopped;
}

/* All runs, another kind first in each turn. */
static int run_all(struct collection *c, struct progress *progress, char *why, size_t size)
{
    struct words queues = report_queues(c->e);
    size_t kinds = queues.n ? queues.n : 1;
    unsigned turns = c->e->turns[c->length] ? c->e->turns[c->length] : 1, cpus = report_cpus();
    bool each = strstr(c->e->arguments, "{workers}");
    int stopped = 0;
    *why = '\0';
    c->is_swept = queues.n || turns > 1 || each;
    for (unsigned turn = 1; turn <= turns && !stopped && !*why; turn++)
        for (unsigned workers = each ? 1 : cpus;;
             workers = 2 * workers < cpus ? 2 * workers : cpus) {
            for (size_t i = 0; i < kinds && !stopped && !*why; i++)
                stopped = run_once(c, queues.n ? queues.at[(i + turn - 1) % kinds] : NULL, workers,
                                   turn, progress, why, size);
            if (stopped || *why || workers == cpus)
                break;
        }
    report_free_words(&queues);
    return stopped;
}

char *report_rows_path(const char *output, const struct experiment *e)
{
    size_t size = strlen(output) + strlen(e->name) + sizeof "/rows/.csv";
    char *path = malloc(size);
    if (!path)
        bench_fail("out of memory");
    snprintf(path, size, "%s/rows/%s.csv", output, e->name);
    return path;
}

/* Whether it could be read, all of it. */
static bool check(const struct text *rows, char *why, size_t size)
{
    char trouble[128];
    struct table t;
    char *copy = strdup(rows->at ? rows->at : "");
    if (!copy)
        bench_fail("out of memory");
    bool right = table_parse(&t, copy, trouble, sizeof trouble);
    if (!right)
        snprintf(why, size, "it printed something else than rows: %s", trouble);
    table_free(&t);
    return right;
}

static void keep(const struct collection *c, const char *path, double seconds)
{
    char *command = report_shown(c->e, c->length, false);
    FILE *f = report_begin_file(path);
    fwrite(c->text.at, 1, c->text.n, f);
    fprintf(f, "# " REPORT_CPU ": %s\n# " REPORT_DATE ": %s\n", bench_fact("cpu"),
            bench_fact("date"));
    fprintf(f, "# " REPORT_COMMAND ": %s\n# " REPORT_SECONDS ": %.1f\n", command, seconds);
    report_end_file(f, path);
    free(command);
}

static int run_experiment(const struct report_options *o, struct result *r,
                          struct progress *progress)
{
    char *path = report_rows_path(o->output, r->experiment), rows[4096];
    snprintf(rows, sizeof rows, "%s.part", path);
    struct collection c = {.e = r->experiment,
                           .length = o->length,
                           .program = report_program(r->experiment),
                           .rows = rows};
    progress->experiment_began = clock_ns();
    int stopped = run_all(&c, progress, r->why, sizeof r->why);
    unlink(rows);
    double seconds = seconds_since(progress->experiment_began);
    r->outcome = FAILED;
    if (!stopped && !*r->why && check(&c.text, r->why, sizeof r->why)) {
        keep(&c, path, seconds);
        report_load(o, r);
    }
    progress->took += seconds;
    progress->done += progress->guess;
    free(c.text.at);
    free(c.program);
    free(path);
    return stopped;
}

/* ---- What there is, and what is missing ---- */

void report_load(const struct report_options *o, struct result *r)
{
    char *path = report_rows_path(o->output, r->experiment), trouble[128];
    r->outcome = NOT_RUN;
    if (table_read(&r->table, path, trouble, sizeof trouble)) {
        r->outcome = MEASURED;
    } else if (*trouble) {
        r->outcome = FAILED;
        snprintf(r->why, sizeof r->why, "'%s': %s; --again measures it anew", path, trouble);
    }
    free(path);
}

/* Whether the rows in the directory are of the command that would be run now. */
static bool is_there(const struct report_options *o, const struct result *r)
{
    char *command = report_shown(r->experiment, o->length, false);
    bool same =
        r->outcome == MEASURED && strcmp(table_fact(&r->table, REPORT_COMMAND), command) == 0;
    free(command);
    return same;
}

/* By what it took before, if that was the same. */
static double guess(const struct report_options *o, const struct result *r)
{
    double before = is_there(o, r) ? atof(table_fact(&r->table, REPORT_SECONDS)) : 0;
    return before > 0 ? before : r->experiment->seconds[o->length];
}

/* Whether it is to be run now. If it should but can't, or its rows are broken, the result says
   so. */
static bool is_due(const struct report_options *o, struct result *r)
{
    if (!report_is_wanted(o, r->experiment) || (is_there(o, r) && !o->again))
        return false;
    const char *obstacle = report_obstacle(r->experiment);
    if (obstacle && r->outcome != MEASURED) {
        r->outcome = IMPOSSIBLE;
        snprintf(r->why, sizeof r->why, "%s", obstacle);
    }
    return !obstacle && (r->outcome != FAILED || o->again);
}

int report_run(const struct report_options *o, struct result *results)
{
    struct progress progress = {.options = o, .began = clock_ns()};
    int stopped = 0;
    size_t n = 0;
    while (report_experiments[n].name)
        n++;
    bool *due = calloc(n, sizeof *due);
    if (!due)
        bench_fail("out of memory");
    for (size_t i = 0; i < n; i++) {
        due[i] = is_due(o, &results[i]);
        progress.all += due[i];
        progress.left += due[i] ? guess(o, &results[i]) : 0;
    }
    for (size_t i = 0; i < n && !stopped; i++) {
        struct result *r = &results[i];
        if (!due[i])
            continue;
        progress.number++;
        progress.name = r->experiment->name;
        progress.guess = guess(o, r);
        progress.left -= progress.guess;
        table_free(&r->table);
        stopped = run_experiment(o, r, &progress);
        if (r->outcome == FAILED && !stopped) {
            bench_clear_progress();
            fprintf(stderr, REPORT_TOOL ": %s: %s\n", r->experiment->name, r->why);
        }
    }
    bench_clear_progress();
    free(due);
    return stopped;
}
