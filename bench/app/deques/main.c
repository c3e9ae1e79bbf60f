/* SPDX-License-Identifier: MIT */
/* The deques report's experiments, on every kind of queue. */
#include <stdlib.h>

#include "clock.h"
#include "command.h"

static const char *name_of(const struct experiment *e)
{
    static char name[64];
    snprintf(name, sizeof name, "%s, %u threads", e->kind, e->threads);
    return name;
}

/* Everything has a turn in each round, with the tasks of that round. Whether all is right. */
static bool run_rounds(const struct options *o, struct outcome *outcomes, FILE *csv)
{
    struct circumstances how = o->how;
    uint64_t began = clock_ns();
    bool ok = true;
    for (uint64_t round = 0; round < o->rounds; round++, how.seed++)
        for (size_t i = 0; i < o->number; i++) {
            size_t at = round * o->number + i;
            char line[64];
            snprintf(line, sizeof line, "round %llu of %llu", (unsigned long long)round + 1,
                     (unsigned long long)o->rounds);
            bench_show_progress((double)at / (double)(o->rounds * o->number), began,
                                name_of(&o->experiments[i]), line);
            outcomes[at] = run_experiment(&o->experiments[i], &how);
            ok &= outcomes[at].ok;
            if (csv)
                print_csv_row(csv, o, i, round, &outcomes[at]);
        }
    bench_clear_progress();
    return ok;
}

int main(int argc, char **argv)
{
    struct options o = {.number = 0};
    bench_tool = "deques";
    bench_machine_command(argc, argv);
    read_options(&o, argv);
    FILE *csv = bench_open_output("--csv", o.csv);
    struct outcome *outcomes = calloc(o.rounds * o.number, sizeof *outcomes);
    if (!outcomes)
        bench_fail("out of memory");
    bench_machine_begin();
    bench_empty_output(csv);
    if (csv)
        print_csv_head(csv);
    bool ok = run_rounds(&o, outcomes, csv);
    bench_machine_end();
    if (!bench_is_stdout(o.csv))
        print_table(stdout, &o, outcomes);
    bench_close_output("--csv", o.csv, csv);
    for (size_t i = 0; i < o.rounds * o.number; i++)
        free(outcomes[i].done);
    free(outcomes);
    free(o.experiments);
    if (!ok)
        bench_fail("a task was lost, or run twice");
    return 0;
}
