/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "lcws.h"

int bench_lcws(int argc, char **argv)
{
    struct lcws_options o;
    bench_tool = LCWS_TOOL;
    bench_machine_command(argc, argv);
    lcws_read_options(&o, argv);
    FILE *csv = bench_open_output("--csv", o.csv);
    bench_empty_output(csv);
    bench_machine_begin();
    bench_machine_add("cpus", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    bench_machine_add("loops", "%s", o.loops);
    bench_machine_add("sizes", "%u%% of the programs' own", o.percent);
    struct lcws_cases cases = lcws_make_cases(&o);
    size_t bad = lcws_run(&cases, &o, csv);
    bench_machine_end();
    if (csv)
        bench_write_csv_machine(csv);
    if (!bench_is_stdout(o.csv)) {
        lcws_print_figures(stdout, &cases, &o);
        fputc('\n', stdout);
        bench_print_machine(stdout);
        bench_close_output("output", "-", stdout);
    }
    bench_close_output("--csv", o.csv, csv);
    lcws_free_cases(&cases);
    lcws_free_options(&o);
    return bad ? EXIT_FAILED : 0;
}
