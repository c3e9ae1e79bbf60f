/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "finddup.h"

void must(int heist_error)
{
    if (heist_error)
        bench_fail("Heist: %s", strerror(-heist_error));
}

void *allocate(size_t n, size_t size)
{
    void *memory = n > SIZE_MAX / size ? NULL : malloc(n ? n * size : 1);
    if (!memory)
        bench_fail("out of memory");
    return memory;
}

/* Each worker has many files open. */
static void allow_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv)
{
    struct finder finder = {.files = NULL};
    (void)argc;
    bench_tool = "finddup";
    read_options(&finder.options, argv);
    allow_files();
    const heist_pool_opts opts = {.size = sizeof opts, .workers = finder.options.workers};
    must(heist_pool_new(&finder.pool, &opts));
    progress_begin(finder.options.progress);
    walk(&finder);
    classes_by_size(&finder);
    hash_first_blocks(&finder);
    hash_wholes(&finder);
    compare_classes(&finder);
    progress_end();
    report(&finder);
    must(heist_pool_free(finder.pool));
    int status = problems_number() ? EXIT_FAILED : 0;
    forget_names(&finder);
    forget_problems();
    free(finder.items);
    free(finder.classes);
    free(finder.options.paths);
    return status;
}
