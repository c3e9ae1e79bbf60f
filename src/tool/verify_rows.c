/* SPDX-License-Identifier: MIT */
/* What the programs print: reads it, and shows it as CSV and as a table. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tool.h"
#include "verify.h"

static const char *const names[V_FIELDS] = {
    [V_KIND] = "kind",         [V_CLIENT] = "client",         [V_MODEL] = "model",
    [V_WEAKENED] = "weakened", [V_EXECUTIONS] = "executions", [V_RUNS] = "runs",
    [V_VERDICT] = "verdict",   [V_SECONDS] = "seconds",
};

static struct verify_row *add_row(struct verify_job *j)
{
    j->rows = tool_realloc(j->rows, (j->number + 1) * sizeof *j->rows);
    return &j->rows[j->number++];
}

/* For what has no row of its own, or none that can be believed. */
static void make_row(struct verify_job *j, const char *verdict)
{
    snprintf(j->made[0], sizeof j->made[0], "%llu", (unsigned long long)j->executions);
    snprintf(j->made[1], sizeof j->made[1], "%.2f", j->process.seconds);
    *add_row(j) = (struct verify_row){{
        [V_KIND] = j->subject->kind,
        [V_CLIENT] = j->client ? j->client : "-",
        [V_MODEL] = j->model,
        [V_WEAKENED] = j->client ? "" : "-",
        [V_EXECUTIONS] = j->made[0],
        [V_RUNS] = "",
        [V_VERDICT] = verdict,
        [V_SECONDS] = j->made[1],
    }};
}

static bool is_whole(const char *number)
{
    return *number && !number[strspn(number, "0123456789")];
}

/* Takes a line to pieces; whether it is a row of this job. */
static bool read_row(const struct verify_job *j, char *line, struct verify_row *r)
{
    for (int i = 0; i < V_FIELDS; i++) {
        char *comma = strchr(line, ',');
        if (!comma != (i == V_FIELDS - 1))
            return false;
        r->field[i] = line;
        if (comma) {
            *comma = '\0';
            line = comma + 1;
        }
    }
    return strcmp(r->field[V_KIND], j->subject->kind) == 0 &&
           strcmp(r->field[V_MODEL], j->model) == 0 && is_whole(r->field[V_EXECUTIONS]) &&
           (!j->client || strcmp(r->field[V_CLIENT], j->client) == 0);
}

static bool is(const struct verify_row *r, const char *verdict)
{
    return strcmp(r->field[V_VERDICT], verdict) == 0;
}

/* One row for a client, and behind it the execution that failed; for mutants one per weakened
 * order, of which a kind may have none. */
static bool read_rows(struct verify_job *j)
{
    char *next;
    for (char *line = j->process.printed[0].at; line && *line; line = next) {
        struct verify_row r;
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        if (!read_row(j, line, &r))
            return false;
        *add_row(j) = r;
        if (j->client) {
            j->execution = *next ? next : NULL;
            break;
        }
    }
    return j->number || !j->client;
}

/* Whether the verdict of a client and the exit status say the same.
   For mutants the program knows. */
static bool agree(const struct verify_job *j, int status)
{
    return j->client ? is(j->rows, "ok") == (status == 0) : j->number || status == 0;
}

void verify_judge(struct verify_job *j)
{
    const struct process *p = &j->process;
    j->over = true;
    j->status = TOOL_FAILED;
    if (p->killed) {
        make_row(j, "unfinished");
    } else if (WIFSIGNALED(p->status)) {
        snprintf(j->trouble, sizeof j->trouble, "ended by signal %d (%s)", WTERMSIG(p->status),
                 strsignal(WTERMSIG(p->status)));
        make_row(j, "crashed");
    } else if (WEXITSTATUS(p->status) == TOOL_USAGE) {
        j->status = TOOL_USAGE;
        make_row(j, "refused");
    } else if (WEXITSTATUS(p->status) > TOOL_USAGE || !read_rows(j) ||
               !agree(j, WEXITSTATUS(p->status))) {
        snprintf(j->trouble, sizeof j->trouble, "exit status %d without the rows that go with it",
                 WEXITSTATUS(p->status));
        j->number = 0;
        make_row(j, "broken");
    } else {
        j->status = WEXITSTATUS(p->status);
    }
}

void verify_judge_unstarted(struct verify_job *j)
{
    j->over = true;
    j->status = TOOL_FAILED;
    make_row(j, "unfinished");
}

void verify_write_csv_header(FILE *f)
{
    for (int i = 0; i < V_FIELDS; i++)
        fprintf(f, "%s%s", i ? "," : "", names[i]);
    fputc('\n', f);
}

void verify_write_csv(FILE *f, const struct verify_job *j)
{
    for (size_t row = 0; row < j->number; row++) {
        for (int i = 0; i < V_FIELDS; i++)
            fprintf(f, "%s%s", i ? "," : "", j->rows[row].field[i]);
        fputc('\n', f);
    }
    fflush(f);
}

/* A mutant shall fail: then it was caught. */
static const char *shown(const struct verify_row *r, int field, bool mutants)
{
    return mutants && field == V_VERDICT && is(r, "failed") ? "caught" : r->field[field];
}

/* Calls `each` for all rows, in the order of the plan. */
static void for_rows(const struct verify_plan *plan,
                     void (*each)(void *context, const struct verify_row *r), void *context)
{
    for (const struct verify_job *j = plan->jobs; j != plan->jobs + plan->number; j++)
        for (size_t i = 0; j->over && i < j->number; i++)
            each(context, &j->rows[i]);
}

struct table {
    FILE *file;
    bool mutants;
    int width[V_FIELDS];
};

static bool has_column(const struct table *t, int field)
{
    return field != V_RUNS && (t->mutants || field != V_WEAKENED);
}

static void widen(void *context, const struct verify_row *r)
{
    struct table *t = context;
    for (int i = 0; i < V_FIELDS; i++) {
        int width = (int)strlen(shown(r, i, t->mutants));
        t->width[i] = width > t->width[i] ? width : t->width[i];
    }
}

static void print_row(void *context, const struct verify_row *r)
{
    const struct table *t = context;
    for (int i = 0; i < V_FIELDS; i++) {
        bool number = i == V_EXECUTIONS || i == V_SECONDS;
        if (has_column(t, i))
            fprintf(t->file, "%s%*s", i ? "  " : "", number ? t->width[i] : -t->width[i],
                    shown(r, i, t->mutants));
    }
    fputc('\n', t->file);
}

void verify_print_table(FILE *f, const struct verify_plan *plan, bool mutants)
{
    struct table t = {.file = f, .mutants = mutants};
    struct verify_row head;
    memcpy(head.field, names, sizeof names);
    widen(&t, &head);
    for_rows(plan, widen, &t);
    print_row(&t, &head);
    for_rows(plan, print_row, &t);
}

/* An execution that failed comes with how to have it again. */
static void print_command(FILE *f, const struct verify_job *j)
{
    fputs("again:", f);
    for (char *const *argument = j->argv; *argument; argument++)
        fprintf(f, " %s", *argument);
    fputc('\n', f);
}

void verify_print_troubles(FILE *f, const struct verify_plan *plan)
{
    for (const struct verify_job *j = plan->jobs; j != plan->jobs + plan->number; j++) {
        if (!j->over || !j->status || !(j->execution || *j->trouble || j->remarks.n))
            continue;
        fprintf(f, "\n%s %s %s: %s%s%s\n%s", j->subject->kind, j->client ? j->client : "--mutants",
                j->model, j->rows[j->number - 1].field[V_VERDICT], *j->trouble ? ", " : "",
                j->trouble, j->remarks.at ? j->remarks.at : "");
        if (j->execution)
            fputs(j->execution, f);
        else
            print_command(f, j);
    }
}

struct totals {
    bool mutants;
    size_t rows;
    uint64_t executions;
    const char *verdict[16]; /* as they come up; more than there are */
    size_t count[16];
};

static void count(void *context, const struct verify_row *r)
{
    struct totals *t = context;
    const char *verdict = shown(r, V_VERDICT, t->mutants);
    size_t i = 0;
    while (i < 15 && t->verdict[i] && strcmp(t->verdict[i], verdict) != 0)
        i++;
    t->verdict[i] = verdict;
    t->count[i]++;
    t->rows++;
    t->executions += strtoull(r->field[V_EXECUTIONS], NULL, 10);
}

void verify_print_totals(FILE *f, const struct verify_plan *plan, bool mutants, double seconds)
{
    struct totals t = {.mutants = mutants};
    for_rows(plan, count, &t);
    fprintf(f, "%zu %s%s of %zu kind%s", t.rows, mutants ? "weakened order" : "check",
            t.rows == 1 ? "" : "s", plan->subjects_number, plan->subjects_number == 1 ? "" : "s");
    for (size_t i = 0; i < 16 && t.verdict[i]; i++)
        fprintf(f, "%s %zu %s", i ? "," : ":", t.count[i], t.verdict[i]);
    fprintf(f, "; %llu executions in %.1f s\n", (unsigned long long)t.executions, seconds);
}
