/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "runtime.h"

static struct numbers sizes_of(const struct runtime_options *o, const struct runtime_benchmark *b)
{
    return o->sizes.n ? o->sizes : o->quick ? b->quick : b->full;
}

static size_t count_contests(const struct runtime_options *o)
{
    size_t n = 0;
    for (const struct runtime_benchmark **b = o->benchmarks; *b; b++)
        n += sizes_of(o, *b).n;
    return n;
}

/* Those who could take part, in one line. */
static void name_missing(void)
{
    const char *begin = RUNTIME_TOOL ": not built, left out:";
    for (const struct runtime_contestant *c = runtime_contestants(); c->name; c++)
        if (!c->program) {
            fprintf(stderr, "%s %s (%s)", begin, c->name, c->packages);
            begin = ",";
        }
    if (*begin == ',')
        fprintf(stderr, "; `make bench` installs these Debian packages and builds them\n");
}

static void add_facts(const struct runtime_options *o)
{
    bench_machine_add("contestants", "C and C++ with %s", CONTESTANT_FLAGS);
    for (size_t i = 0; i < o->number; i++)
        bench_machine_add(o->contestants[i].name, "%s", o->contestants[i].about);
    bench_machine_end();
}

static void print_head(const struct runtime_options *o)
{
    printf("Medians of %u round%s. x serial: times the serial C program; x peer: times the fastest "
           "peer\nwith as many workers; speedup: against the same contestant with one worker.\n",
           o->rounds, o->rounds == 1 ? "" : "s");
}

int bench_runtime(int argc, char **argv)
{
    struct runtime_options o;
    bench_tool = RUNTIME_TOOL;
    bench_machine_command(argc, argv);
    runtime_read_options(&o, argv);
    FILE *csv = bench_open_output("--csv", o.csv);
    FILE *tables = bench_is_stdout(o.csv) ? NULL : stdout;
    bench_empty_output(csv);
    if (o.all)
        name_missing();
    bench_machine_begin();
    bench_machine_add("cpus", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    if (csv)
        runtime_write_csv_header(csv);
    if (tables)
        print_head(&o);

    size_t number = count_contests(&o), n = 0, bad = 0;
    struct runtime_contest *contests = NULL;
    uint64_t began = clock_ns();
    for (const struct runtime_benchmark **b = o.benchmarks; *b; b++)
        for (size_t i = 0; i < sizes_of(&o, *b).n; i++) {
            contests = bench_grow(contests, n, sizeof *contests);
            struct runtime_contest *c = &contests[n];
            struct runtime_progress p = {(double)n / (double)number,
                                         (double)(n + 1) / (double)number, began};
            *c = (struct runtime_contest){.benchmark = *b, .size = sizes_of(&o, *b).at[i]};
            n++;
            bad += runtime_hold(c, &o, &p);
            if (csv)
                runtime_write_csv(csv, c);
            if (tables)
                runtime_print_table(tables, c);
        }
    add_facts(&o);
    if (csv)
        bench_write_csv_machine(csv);
    if (tables) {
        runtime_print_overview(tables, contests, n);
        fputc('\n', tables);
        bench_print_machine(tables);
        bench_close_output("output", "-", tables);
    }
    bench_close_output("--csv", o.csv, csv);
    for (size_t i = 0; i < n; i++)
        runtime_free_contest(&contests[i]);
    free(contests);
    runtime_free_options(&o);
    return bad ? EXIT_FAILED : 0;
}
