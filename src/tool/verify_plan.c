/* SPDX-License-Identifier: MIT */
/* Finds the programs, asks them for their clients, and makes a job of each that was asked for. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "tool.h"
#include "verify.h"

/* The path of the kind's program; empty if there is none. */
static struct text find_program(const char *kind)
{
    const char *folder = getenv("HEIST_VERIFY_DIR"), *found = NULL;
    char name[64], path[4096];
    struct text program = {NULL, 0};
    snprintf(name, sizeof name, "verify-%s", kind);
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "", name);
    if (!folder)
        found = bench_program_beside("verify", name);
    else if (access(path, X_OK) == 0)
        found = path;
    if (found)
        text_add(&program, found, strlen(found));
    return program;
}

static int add_subject(struct verify_plan *plan, const char *kind)
{
    const char *folder = getenv("HEIST_VERIFY_DIR");
    struct text program = find_program(kind);
    if (program.at) {
        plan->subjects[plan->subjects_number++] =
            (struct verify_subject){.kind = kind, .program = program.at};
        return VERIFY_GO_ON;
    }
    fprintf(stderr,
            VERIFY ": there is no program verify-%s in %s; the checker is built with the tests, by "
                   "gcc on x86_64 or aarch64: run make in Heist's sources\n",
            kind, folder ? folder : "verify/ or ../libexec/heist/ beside this command");
    return TOOL_USAGE;
}

static int find_subjects(struct verify_plan *plan, const struct verify_options *o)
{
    const char *const *kinds = o->number ? o->kinds : verify_kinds();
    size_t n = o->number;
    int status = VERIFY_GO_ON;
    while (!o->number && kinds[n])
        n++;
    plan->subjects = tool_realloc(NULL, n * sizeof *plan->subjects);
    for (size_t i = 0; i < n && status == VERIFY_GO_ON; i++)
        status = add_subject(plan, kinds[i]);
    return status;
}

/* The subjects as a pool's context: those that have not been asked yet. */
struct to_ask {
    struct verify_subject *at, *end;
};

static struct process *next_list(void *context)
{
    struct to_ask *rest = context;
    if (rest->at == rest->end)
        return NULL;
    struct verify_subject *s = rest->at++;
    s->argv[0] = s->program;
    s->argv[1] = "--list";
    s->list = (struct process){.argv = s->argv, .patience = 60};
    return &s->list;
}

static void list_ended(void *context, struct process *p)
{
    (void)context;
    (void)p;
}

static void add_jobs(struct verify_plan *plan, const struct verify_options *o,
                     const struct verify_subject *s, const char *client, enum verify_cost cost)
{
    plan->jobs = tool_realloc(plan->jobs, (plan->number + o->models_number) * sizeof *plan->jobs);
    for (size_t i = 0; i < o->models_number; i++)
        plan->jobs[plan->number++] = (struct verify_job){
            .subject = s, .client = client, .cost = cost, .model = o->models[i]};
}

/* A line of --list: a name and what it costs. Its blank becomes the end of the name. */
static bool read_client(char *line, enum verify_cost *cost)
{
    static const char *const costs[] = {"full", "random", "quick"};
    char *blank = strchr(line, ' ');
    for (*cost = COST_FULL; blank && *cost <= COST_QUICK; ++*cost)
        if (strcmp(blank + 1, costs[*cost]) == 0) {
            *blank = '\0';
            return blank != line;
        }
    return false;
}

/* Adds the clients of the list that were asked for. */
static int add_clients(struct verify_plan *plan, const struct verify_options *o,
                       struct verify_subject *s)
{
    bool bad = !WIFEXITED(s->list.status) || WEXITSTATUS(s->list.status);
    for (char *line = s->list.printed[0].at, *next; !bad && line && *line; line = next) {
        enum verify_cost cost;
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        bad = !read_client(line, &cost);
        text_add(&s->clients, ", ", s->clients.n ? 2 : 0);
        text_add(&s->clients, line, strlen(line));
        if (o->client ? strcmp(o->client, line) == 0 : o->full || cost == COST_QUICK)
            add_jobs(plan, o, s, line, cost);
    }
    if (!bad && s->clients.n)
        return VERIFY_GO_ON;
    fprintf(stderr, VERIFY ": %s --list did not list its clients; build it anew\n", s->program);
    return TOOL_USAGE;
}

static bool has_job(const struct verify_plan *plan, const struct verify_subject *s)
{
    size_t i = 0;
    while (i < plan->number && plan->jobs[i].subject != s)
        i++;
    return i < plan->number;
}

/* Each kind that was named must have the client; if none was named, some kind. */
static int check_client(const struct verify_plan *plan, const struct verify_options *o)
{
    if (o->client && !plan->number && !o->number)
        return tool_usage_error(VERIFY, "no kind has a client", o->client);
    for (size_t i = 0; i < plan->subjects_number && o->client && o->number; i++) {
        const struct verify_subject *s = &plan->subjects[i];
        if (!has_job(plan, s)) {
            fprintf(stderr, VERIFY ": %s has no client '%s', only %s\n", s->kind, o->client,
                    s->clients.at);
            return TOOL_USAGE;
        }
    }
    return VERIFY_GO_ON;
}

static int list_clients(struct verify_plan *plan, const struct verify_options *o)
{
    struct to_ask rest = {plan->subjects, plan->subjects + plan->subjects_number};
    struct pool pool = {.context = &rest, .next = next_list, .ended = list_ended};
    int status = VERIFY_GO_ON;
    plan->stopped = processes_run(&pool, o->jobs);
    if (plan->stopped)
        return VERIFY_GO_ON;
    for (size_t i = 0; i < plan->subjects_number && status == VERIFY_GO_ON; i++)
        status = add_clients(plan, o, &plan->subjects[i]);
    return status == VERIFY_GO_ON ? check_client(plan, o) : status;
}

int verify_make_plan(struct verify_plan *plan, const struct verify_options *o)
{
    *plan = (struct verify_plan){.subjects = NULL};
    int status = find_subjects(plan, o);
    if (status != VERIFY_GO_ON)
        return status;
    if (!o->mutants)
        return list_clients(plan, o);
    for (size_t i = 0; i < plan->subjects_number; i++)
        add_jobs(plan, o, &plan->subjects[i], NULL, COST_FULL);
    return VERIFY_GO_ON;
}

static void free_process(struct process *p)
{
    free(p->printed[0].at);
    free(p->printed[1].at);
}

void verify_free_plan(struct verify_plan *plan)
{
    for (size_t i = 0; i < plan->subjects_number; i++) {
        free(plan->subjects[i].program);
        free_process(&plan->subjects[i].list);
        free(plan->subjects[i].clients.at);
    }
    for (size_t i = 0; i < plan->number; i++) {
        free_process(&plan->jobs[i].process);
        free(plan->jobs[i].remarks.at);
        free(plan->jobs[i].rows);
    }
    free(plan->subjects);
    free(plan->jobs);
}
