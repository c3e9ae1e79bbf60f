/* SPDX-License-Identifier: MIT */
/* Of command_line.c: the commands whose headers do not go with the others'. */
#include <getopt.h>

#include "fuzz.h"
#include "report.h"
#include "tool.h"
#include "verify.h"

void fuzz_read_report(int argc, char **argv);
void fuzz_read_verify(int argc, char **argv);

void fuzz_read_report(int argc, char **argv)
{
    struct report_options o;
    report_read_options(&o, argc, argv);
    FUZZ_REQUIRE(o.output && *o.output && o.length < LENGTHS);
    bool wanted = false;
    for (const struct experiment *e = report_experiments; e->name; e++)
        wanted |= report_is_wanted(&o, e);
    FUZZ_REQUIRE(wanted);
    free(o.only);
}

void fuzz_read_verify(int argc, char **argv)
{
    struct verify_options o;
    memset(&o, 0, sizeof o);
    optind = 0; /* GNU's getopt begins anew */
    int status = verify_read_options(&o, argc, argv);
    FUZZ_REQUIRE(status == VERIFY_GO_ON || status == TOOL_USAGE || !status); /* 0: --h is --help */
    FUZZ_REQUIRE(o.models_number <= VERIFY_MODELS && o.passed_number <= 2 * VERIFY_PASSED);
    if (status == VERIFY_GO_ON) /* else it has done so */
        free(o.kinds);
}
