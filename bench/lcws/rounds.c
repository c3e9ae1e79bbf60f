/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "lcws.h"
#include "processes.h"

#define LCWS_TEXT_(NAME, text, queue) text,
#define LCWS_QUEUE_(NAME, text, queue) queue,
const char *const lcws_kinds[KINDS] = {LCWS_KINDS(LCWS_TEXT_)};
const char *const lcws_queues[KINDS] = {LCWS_KINDS(LCWS_QUEUE_)};

/* ---- The cases ---- */

struct making {
    const struct lcws_options *o;
    struct lcws_cases cases;
    size_t shapes; /* of this program */
};

static void add_shape(void *context, const struct lcws_program *p, const char *shape, uint64_t size)
{
    struct making *m = context;
    if (m->o->first_shape && m->shapes++)
        return;
    size = size * m->o->percent / 100;
    for (size_t i = 0; i < m->o->workers.n; i++) {
        struct lcws_cases *c = &m->cases;
        c->at = bench_grow(c->at, c->n, sizeof *c->at);
        c->at[c->n] = (struct lcws_case){.program = p,
                                         .shape = strdup(shape),
                                         .size = size ? size : 1,
                                         .workers = (unsigned)m->o->workers.at[i]};
        if (!c->at[c->n++].shape)
            bench_fail("out of memory");
    }
}

struct lcws_cases lcws_make_cases(const struct lcws_options *o)
{
    struct making m = {.o = o};
    for (const struct lcws_program **p = o->programs; *p; p++) {
        m.shapes = 0;
        lcws_each_shape(*p, add_shape, &m);
    }
    return m.cases;
}

void lcws_free_cases(struct lcws_cases *cases)
{
    for (size_t i = 0; i < cases->n; i++) {
        for (int k = 0; k < KINDS; k++)
            free(cases->at[i].kinds[k].samples);
        free(cases->at[i].shape);
    }
    free(cases->at);
}

/* ---- Running ---- */

static void fail_kind(struct lcws_case *c, int kind, const char *why, const char *details)
{
    c->kinds[kind].failed = true;
    bench_clear_progress();
    fprintf(stderr, "%s: %s, %s, with %u worker%s on %s: %s%s%s\n", bench_tool, c->program->name,
            c->shape, c->workers, c->workers == 1 ? "" : "s", lcws_kinds[kind], why,
            *details ? ": " : "", details);
}

/* Whether it is what the first scheduler, or else the first repetition, has computed. */
static bool is_right(const struct lcws_case *c, const struct lcws_sample *samples, unsigned n)
{
    uint64_t right = samples[0].checksum;
    for (int k = 0; k < KINDS; k++)
        if (c->kinds[k].n) {
            right = c->kinds[k].samples[0].checksum;
            break;
        }
    for (unsigned i = 0; i < n; i++)
        if (samples[i].checksum != right)
            return false;
    return true;
}

/* The arguments of a run. */
struct command {
    char workers[16], size[24], repeat[16];
    char *argv[16];
};

static void make_command(struct command *m, const struct lcws_case *c, bool counted,
                         const struct lcws_options *o)
{
    snprintf(m->workers, sizeof m->workers, "%u", c->workers);
    snprintf(m->size, sizeof m->size, "%llu", (unsigned long long)c->size);
    snprintf(m->repeat, sizeof m->repeat, "%u", counted ? 1 : o->turns);
    char *argv[] = {counted ? c->program->counted : c->program->timed,
                    "--stats",
                    "--loops",
                    (char *)o->loops,
                    "--workers",
                    m->workers,
                    "--shape",
                    c->shape,
                    "--size",
                    m->size,
                    "--repeat",
                    m->repeat,
                    counted ? NULL : "--turns",
                    NULL};
    memcpy(m->argv, argv, sizeof argv);
}

/* What a run that has ended has printed. How many samples it has added. */
static unsigned take_samples(struct lcws_case *c, int kind, const struct process *p, bool counted,
                             unsigned round, const struct lcws_options *o)
{
    char why[64];
    unsigned rows = counted ? 1 : o->turns;
    struct lcws_sample samples[LCWS_TURNS_MOST] = {{.round = round, .counted = counted}};
    if (processes_outcome(p, why, sizeof why))
        fail_kind(c, kind, why, p->printed[1].at);
    else if (!lcws_read_rows(p->printed[0].at, samples, rows))
        fail_kind(c, kind, "not the rows, with statistics, that it should print", p->printed[1].at);
    else if (!is_right(c, samples, rows))
        fail_kind(c, kind, "another result than before", "");
    if (c->kinds[kind].failed)
        return 0;
    for (unsigned i = 0; i < rows; i++) {
        struct lcws_sample **all = &c->kinds[kind].samples;
        *all = bench_grow(*all, c->kinds[kind].n, sizeof **all);
        (*all)[c->kinds[kind].n++] = samples[i];
    }
    return rows;
}

static void write_header(FILE *f)
{
    fprintf(f, "program,shape,size,workers,scheduler,counted,round,repeat,seconds,checksum");
    for (int i = 0; i < STATS; i++)
        fprintf(f, ",%s", lcws_stats[i]);
    fprintf(f, ",loops,commit,host\n");
}

/* Where nothing counts them, fences and CAS are not 0 but unknown. */
static void write_sample(FILE *f, const struct lcws_case *c, int kind, const struct lcws_sample *s,
                         const char *loops)
{
    fprintf(f, "%s,%s,%llu,%u,%s,%d,%u,%u,%.9f,%016llx", c->program->name, c->shape,
            (unsigned long long)c->size, c->workers, lcws_kinds[kind], s->counted, s->round,
            s->repetition, s->seconds, (unsigned long long)s->checksum);
    for (int i = 0; i < STATS; i++)
        if (s->counted || (i != STAT_fences && i != STAT_cas))
            fprintf(f, ",%llu", (unsigned long long)s->stats[i]);
        else
            fputc(',', f);
    fprintf(f, ",%s,%s,%s\n", loops, bench_fact("commit"), bench_fact("host"));
    fflush(f);
}

/* All schedulers, in turns; who is first changes. */
static void run_all(struct lcws_case *c, bool counted, unsigned round, const struct lcws_options *o,
                    FILE *csv)
{
    struct command command;
    struct process processes[KINDS];
    char queues[KINDS][64];
    int kinds[KINDS];
    size_t n = 0;
    make_command(&command, c, counted, o);
    for (int i = 0; i < KINDS; i++) {
        int kind = (i + (int)round - 1) % KINDS;
        if (c->kinds[kind].failed)
            continue;
        kinds[n] = kind;
        snprintf(queues[n], sizeof queues[n], "HEIST_QUEUE=%s", lcws_queues[kind]);
        processes[n] =
            (struct process){.argv = command.argv, .variable = queues[n], .patience = o->patience};
        n++;
    }
    size_t at_once = counted ? 1 : n; /* what is counted needs no turns */
    for (size_t i = 0; i < n; i += at_once)
        processes_run_in_turns(&processes[i], at_once);
    for (size_t i = 0; i < n; i++) {
        unsigned added = take_samples(c, kinds[i], &processes[i], counted, round, o);
        processes_forget(&processes[i]);
        for (size_t j = c->kinds[kinds[i]].n - added; csv && j < c->kinds[kinds[i]].n; j++)
            write_sample(csv, c, kinds[i], &c->kinds[kinds[i]].samples[j], o->loops);
    }
}

static void run_round(struct lcws_case *c, unsigned round, const struct lcws_options *o, FILE *csv)
{
    for (int counted = 0; counted <= (round <= o->counted_rounds); counted++)
        run_all(c, counted, round, o, csv);
}

size_t lcws_run(struct lcws_cases *cases, const struct lcws_options *o, FILE *csv)
{
    uint64_t began = clock_ns();
    size_t bad = 0;
    if (csv)
        write_header(csv);
    unsetenv("HEIST_STATS"); /* whatever is set there would be said on stderr */
    unsetenv("HEIST_TRACE");
    for (size_t i = 0; i < cases->n; i++) {
        struct lcws_case *c = &cases->at[i];
        for (unsigned round = 1; round <= o->rounds; round++) {
            char what[96], line[96];
            double part = (round - 1) / (double)o->rounds;
            snprintf(what, sizeof what, "round %u of %u", round, o->rounds);
            snprintf(line, sizeof line, "%s, %s, with %u", c->program->name, c->shape, c->workers);
            bench_show_progress(((double)i + part) / (double)cases->n, began, what, line);
            run_round(c, round, o, csv);
        }
        for (int k = 0; k < KINDS; k++)
            bad += c->kinds[k].failed;
    }
    bench_clear_progress();
    return bad;
}
