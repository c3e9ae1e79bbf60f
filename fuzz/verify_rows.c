/* SPDX-License-Identifier: MIT */
/* What a program of the model checker prints, as heist verify reads it. The first byte says
   whether it was asked for one client or for mutants, and how it has ended. */
#include "verify.h"

#include "fuzz.h"
#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    if (!size)
        return 0;
    struct verify_subject subject = {.kind = "abp"};
    bool mutants = data[0] & 1;
    struct verify_job job = {.subject = &subject,
                             .client = mutants ? NULL : "last",
                             .model = "rc11",
                             .process = {.status = (data[0] >> 1) % 4 << 8,
                                         .killed = data[0] > 250,
                                         .printed = {{fuzz_text(data + 1, size - 1), size - 1}}}};
    struct verify_plan plan = {
        .subjects = &subject, .subjects_number = 1, .jobs = &job, .number = 1};
    job.argv[0] = "verify-abp";
    verify_judge(&job);
    FUZZ_REQUIRE(job.over && job.status >= 0 && job.status <= TOOL_USAGE);
    FUZZ_REQUIRE(job.number || (mutants && !job.status));
    verify_write_csv(nowhere, &job);
    verify_print_table(nowhere, &plan, mutants);
    verify_print_troubles(nowhere, &plan);
    verify_print_totals(nowhere, &plan, mutants, 0);
    free(job.rows);
    free(job.process.printed[0].at);
    return 0;
}
