/* SPDX-License-Identifier: MIT */
/*
 * The files that say in which cgroups a process is and what these allow. The input is one file
 * after another: a line "=== NAME" begins each, below a root of our own. Names are only those of
 * the list.
 */
#define _GNU_SOURCE
#include "../src/runtime/cgroups.h"

#include <sys/stat.h>
#include <unistd.h>

#include "../src/runtime/budget.h"
#include "fuzz.h"

static const char *const names[] = {
    "proc/self/cgroup",    "proc/self/mountinfo",  "cg/cpu.max",  "cg/a/cpu.max",
    "cg/cpu.cfs_quota_us", "cg/cpu.cfs_period_us", "cg/pids.max", "cg/a/pids.max"};
enum { NAMES = sizeof names / sizeof *names };
static const char *const directories[] = {"proc", "proc/self", "cg", "cg/a"};

static char root[] = "/tmp/fuzz-cgroups-XXXXXX";

static void remove_root(void)
{
    char path[256];
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        unlink(path);
    }
    for (size_t i = sizeof directories / sizeof *directories; i-- > 0;) {
        snprintf(path, sizeof path, "%s/%s", root, directories[i]);
        rmdir(path);
    }
    rmdir(root);
}

static void make_root(void)
{
    char path[256];
    FUZZ_REQUIRE(mkdtemp(root));
    atexit(remove_root);
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        snprintf(path, sizeof path, "%s/%s", root, directories[i]);
        FUZZ_REQUIRE(mkdir(path, 0700) == 0);
    }
}

static FILE *open_file(const char *name)
{
    char path[256];
    for (size_t i = 0; i < NAMES; i++)
        if (strcmp(names[i], name) == 0) {
            snprintf(path, sizeof path, "%s/%s", root, names[i]);
            return fopen(path, "w");
        }
    return NULL;
}

static void write_files(const uint8_t *data, size_t size)
{
    static const char begin[] = "=== ";
    char *text = fuzz_text(data, size), *rest = text, *line;
    FILE *f = NULL;
    for (size_t i = 0; i < NAMES; i++)
        if ((f = open_file(names[i])))
            fclose(f);
    f = NULL;
    while ((line = fuzz_line(&rest))) {
        if (strncmp(line, begin, strlen(begin)) == 0) {
            if (f)
                fclose(f);
            f = open_file(line + strlen(begin));
        } else if (f) {
            fprintf(f, "%s\n", line);
        }
    }
    if (f)
        fclose(f);
    free(text);
}

static unsigned limit_of_pids(const char *directory)
{
    uint64_t n;
    return heist_cgroup_read_(directory, "pids.max", &n) && n < 1000 ? (unsigned)n : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct heist_cgroup_limits_ pids = {"pids", limit_of_pids, limit_of_pids};
    static bool begun;
    if (!begun)
        make_root();
    begun = true;
    write_files(data, size);
    struct heist_budget_ b = heist_budget_read_(root);
    FUZZ_REQUIRE(b.affinity >= 1 && b.workers >= 1 && b.workers <= b.affinity);
    FUZZ_REQUIRE(!b.quota || b.workers <= b.quota);
    FUZZ_REQUIRE(heist_cgroup_least_(root, &pids) < 1000);
    return 0;
}
