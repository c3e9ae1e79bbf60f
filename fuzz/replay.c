/* SPDX-License-Identifier: MIT */
/* fuzz-NAME DIRECTORY: calls the target with every file in it, whole and cut short at every
   byte, so that the seeds are of use where there is no libFuzzer. */
#define _GNU_SOURCE
#include <dirent.h>

#include "fuzz.h"

enum { CUTS_MOST = 256 };

static size_t replay_file(const char *directory, const char *name)
{
    char *path;
    uint8_t data[1 << 16];
    FUZZ_REQUIRE(asprintf(&path, "%s/%s", directory, name) > 0);
    FILE *f = fopen(path, "re");
    free(path);
    FUZZ_REQUIRE(f);
    size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    for (size_t n = 0; n < size && n < CUTS_MOST; n++) {
        /* A copy, so that valgrind and AddressSanitizer see where it ends. */
        uint8_t *cut = malloc(n + 1);
        FUZZ_REQUIRE(cut);
        memcpy(cut, data, n);
        LLVMFuzzerTestOneInput(cut, n);
        free(cut);
    }
    LLVMFuzzerTestOneInput(data, size);
    return size > 0;
}

int main(int argc, char **argv)
{
    DIR *directory = argc == 2 ? opendir(argv[1]) : NULL;
    size_t files = 0;
    if (!directory) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    for (const struct dirent *e; (e = readdir(directory));)
        if (e->d_name[0] != '.')
            files += replay_file(argv[1], e->d_name);
    closedir(directory);
    printf("%zu seeds\n", files);
    return files ? 0 : 1;
}
