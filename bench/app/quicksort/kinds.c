/* SPDX-License-Identifier: MIT */
/*
 * The program quicksort on pools with several kinds of queues and sizes of blocks, in turn, and the
 * serial one beside them: times, stolen tasks, context switches.
 */
#include <heist/pool.h>
#include <heist/stats.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"
#include "program.h"

extern const struct layer serial_layer; /* of the same algorithm, compiled once more */

static const char serial[] = "serial";

struct entrant {
    const char *kind; /* as HEIST_QUEUE takes it; or `serial` */
    unsigned workers;
};

struct point {
    double seconds;
    uint64_t steals, voluntary, involuntary, checksum;
    bool ok;
};

struct options {
    struct entrant *entrants;
    size_t number;
    unsigned shape;
    uint64_t size, seed, rounds;
    const char *csv;
};

/* ---- Options ---- */

enum { KINDS, WORKERS, SIZE, SHAPE, SEED, ROUNDS, CSV, HELP, OPTIONS };

static const struct bench_option options[OPTIONS] = {
    [KINDS] = {"--kinds", "LIST", "as HEIST_QUEUE takes them, with :BLOCK or :MODE; see below"},
    [WORKERS] = {"--workers", "LIST", "workers of the pools; default: 2"},
    [SIZE] = {"--size", "N", "numbers; default: 10000000"},
    [SHAPE] = {"--shape", "NAME", "random, exponential, nearly-sorted, few; default: random"},
    [SEED] = {"--seed", "N", "of the numbers; default: 1"},
    [ROUNDS] = {"--rounds", "N", "how often everybody has a turn; default: 7"},
    [CSV] = {"--csv", "FILE", "write all points as CSV; -: to stdout, instead of the table"},
    [HELP] = {"--help", NULL, "this text"},
};

static char default_kinds[] =
    "heist,chaselev,abp,locked,bwos_lifo:8,bwos_lifo:16,bwos_lifo:64,bwos_lifo:256";

static void print_help(void)
{
    printf("usage: %s [OPTION]...\n\n"
           "Sorts numbers by a quicksort whose halves are tasks, down to 32 numbers, on a pool of "
           "each kind of\nqueue in turn, and serially. Prints the mean and the median time, tasks "
           "stolen and voluntary context\nswitches. Exit status 0; 1 if a result is wrong; 2 for "
           "bad input.\n\n",
           bench_tool);
    bench_print_options(options, OPTIONS);
    printf("\nDefault kinds: %s\n\nExamples:\n"
           "  %s\n"
           "  %s --kinds bwos_lifo:8,bwos_lifo:64,split:signal --workers 1,2 --rounds 10\n"
           "  %s --size 1000000 --csv rows.csv\n",
           default_kinds, bench_tool, bench_tool, bench_tool);
}

static void add_entrant(struct options *o, const char *kind, unsigned workers)
{
    o->entrants = bench_grow(o->entrants, o->number, sizeof *o->entrants);
    o->entrants[o->number++] = (struct entrant){kind, workers};
}

struct reading {
    struct options *to;
    struct numbers workers;
};

static void add_kind(void *context, const char *option, char *word)
{
    struct reading *r = context;
    const heist_pool_opts opts = {.size = sizeof opts, .workers = 1, .queue = word};
    heist_pool *pool;
    if (heist_pool_new(&pool, &opts))
        bench_usage_error("%s '%s': no such kind of queue", option, word);
    heist_pool_free(pool);
    for (size_t i = 0; i < r->to->number; i++)
        if (strcmp(r->to->entrants[i].kind, word) == 0)
            bench_usage_error("%s: '%s' is named twice", option, word);
    for (size_t i = 0; i < r->workers.n; i++)
        add_entrant(r->to, word, (unsigned)r->workers.at[i]);
}

static unsigned find_shape(const char *name)
{
    for (unsigned i = 0; program.shapes[i].name; i++)
        if (strcmp(program.shapes[i].name, name) == 0)
            return i;
    bench_usage_error("%s '%s': no such shape", options[SHAPE].name, name);
}

static void read_options(struct options *o, char **argv)
{
    char *given[OPTIONS] = {NULL};
    struct reading r = {o, {NULL, 0}};
    if (!bench_read_arguments(options, OPTIONS, argv, given)) {
        print_help();
        exit(0);
    }
#define NUMBER(option, unless_given, least, most) \
    bench_read_number_or(unless_given, options[option].name, given[option], least, most)
    o->shape = given[SHAPE] ? find_shape(given[SHAPE]) : 0;
    o->size = NUMBER(SIZE, program.sizes[o->shape], 1, program.size_most);
    o->seed = NUMBER(SEED, 1, 0, UINT64_MAX);
    o->rounds = NUMBER(ROUNDS, 7, 1, 100000);
#undef NUMBER
    o->csv = given[CSV];
    bench_read_list(&r.workers, options[WORKERS].name, given[WORKERS], bench_add_workers);
    if (!r.workers.n)
        bench_add_number(&r.workers, 2);
    add_entrant(o, serial, 1);
    bench_read_list(&r, options[KINDS].name, given[KINDS] ? given[KINDS] : default_kinds, add_kind);
    free((uint64_t *)r.workers.at);
}

/* ---- Points ---- */

static uint64_t steals_so_far(const struct layer *on)
{
    heist_stats stats = {0};
    if (on->stats)
        on->stats((uint64_t *)&stats);
    return stats.steals;
}

static struct rusage usage_so_far(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage))
        bench_fail("no getrusage");
    return usage;
}

static struct point measure(const struct entrant *e, void *job)
{
    static uint64_t right;
    static bool known;
    const struct layer *on = e->kind == serial ? &serial_layer : &layer;
    struct point point = {.ok = true};
    layer_queue = e->kind;
    on->start(e->workers);
    struct rusage before = usage_so_far();
    uint64_t began = clock_ns();
    on->solve(job);
    point.seconds = (double)(clock_ns() - began) * 1e-9;
    struct rusage after = usage_so_far();
    point.voluntary = (uint64_t)(after.ru_nvcsw - before.ru_nvcsw);
    point.involuntary = (uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
    point.steals = steals_so_far(on);
    on->stop();
    point.checksum = checksum_of(job);
    if (!known || point.checksum != right) {
        point.ok = !program.check(job);
        known |= point.ok;
        right = point.ok ? point.checksum : right;
    }
    program.forget(job);
    return point;
}

/* ---- Output ---- */

static void print_row(FILE *f, const struct options *o, size_t entrant, uint64_t round,
                      const struct point *p)
{
    typedef unsigned long long number;
    const struct entrant *e = &o->entrants[entrant];
    fprintf(f, "%s,%s,%u,%llu,%s,%llu,%llu,%.9f,%llu,%llu,%llu,%016llx,%d\n", program.name, e->kind,
            e->workers, (number)o->size, program.shapes[o->shape].name, (number)o->seed,
            (number)round + 1, p->seconds, (number)p->steals, (number)p->voluntary,
            (number)p->involuntary, (number)p->checksum, p->ok);
    fflush(f);
}

struct line {
    struct summary seconds;
    double mean, steals, voluntary;
};

static struct line line_of(const struct options *o, const struct point *points, size_t entrant)
{
    struct line line = {.mean = 0};
    double *seconds = allocate(o->rounds, sizeof *seconds);
    for (uint64_t round = 0; round < o->rounds; round++) {
        const struct point *p = &points[round * o->number + entrant];
        seconds[round] = p->seconds;
        line.mean += p->seconds / (double)o->rounds;
        line.steals += (double)p->steals / (double)o->rounds;
        line.voluntary += (double)p->voluntary / (double)o->rounds;
    }
    line.seconds = bench_summarize(seconds, o->rounds);
    free(seconds);
    return line;
}

/* The least median of the kinds with so many workers. */
static double best_of(const struct options *o, const struct point *points, unsigned workers)
{
    double best = 1e300;
    for (size_t i = 1; i < o->number; i++) {
        double median = line_of(o, points, i).seconds.median;
        if (o->entrants[i].workers == workers && median < best)
            best = median;
    }
    return best;
}

static void print_table(const struct options *o, const struct point *points)
{
    double alone = line_of(o, points, 0).seconds.median;
    printf(
        "%llu numbers, %s, %llu round%s. ms: mean, median, least and greatest; x serial: its "
        "median by this one;\nx best: this median by the best kind's with as many workers. Stolen "
        "tasks and voluntary context\nswitches: means.\n\n  %-16s %7s %9s %9s %18s %9s %7s %9s "
        "%10s\n",
        (unsigned long long)o->size, program.shapes[o->shape].name, (unsigned long long)o->rounds,
        o->rounds == 1 ? "" : "s", "kind", "workers", "mean", "median", "least-greatest",
        "x serial", "x best", "stolen", "voluntary");
    for (size_t i = 0; i < o->number; i++) {
        const struct entrant *e = &o->entrants[i];
        struct line line = line_of(o, points, i);
        char range[40], best[16] = "";
        snprintf(range, sizeof range, "%.1f-%.1f", line.seconds.min * 1e3, line.seconds.max * 1e3);
        if (i)
            snprintf(best, sizeof best, "%.2f",
                     line.seconds.median / best_of(o, points, e->workers));
        printf("  %-16s %7u %9.1f %9.1f %18s %9.2f %7s %9.0f %10.0f\n", e->kind, e->workers,
               line.mean * 1e3, line.seconds.median * 1e3, range, alone / line.seconds.median, best,
               line.steals, line.voluntary);
    }
    putchar('\n');
    bench_print_machine(stdout);
}

int main(int argc, char **argv)
{
    struct options o = {.number = 0};
    bool ok = true;
    bench_tool = "quicksort-kinds";
    bench_machine_command(argc, argv);
    read_options(&o, argv);
    FILE *csv = bench_open_output(options[CSV].name, o.csv);
    struct point *points = allocate(o.rounds * o.number, sizeof *points);
    mallopt(M_MMAP_MAX, 0); /* as in the programs: freed memory stays */
    mallopt(M_TRIM_THRESHOLD, -1);
    void *job = program.make(o.size, o.shape, o.seed);
    bench_machine_begin();
    bench_empty_output(csv);
    if (csv) {
        bench_write_csv_machine(csv);
        fprintf(csv, "program,kind,workers,size,shape,seed,round,seconds,steals,voluntary,"
                     "involuntary,checksum,ok\n");
    }
    serial_layer.solve(job); /* so that the memory is there */
    program.forget(job);
    uint64_t began = clock_ns();
    for (uint64_t round = 0; round < o.rounds; round++)
        for (size_t i = 0; i < o.number; i++) {
            size_t at = round * o.number + i;
            char line[64];
            snprintf(line, sizeof line, "round %llu of %llu", (unsigned long long)round + 1,
                     (unsigned long long)o.rounds);
            bench_show_progress((double)at / (double)(o.rounds * o.number), began,
                                o.entrants[i].kind, line);
            points[at] = measure(&o.entrants[i], job);
            ok &= points[at].ok;
            if (csv)
                print_row(csv, &o, i, round, &points[at]);
        }
    bench_clear_progress();
    bench_machine_end();
    if (!bench_is_stdout(o.csv))
        print_table(&o, points);
    bench_close_output(options[CSV].name, o.csv, csv);
    program.drop(job);
    free(points);
    free(o.entrants);
    if (!ok)
        bench_fail("not sorted");
    return 0;
}
