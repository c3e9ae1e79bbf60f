/* SPDX-License-Identifier: MIT */
/*
 * finddup-tree: makes a directory tree for tests and measurements, the same for the same numbers.
 * Of the files a third are copies of others; some differ from another one in the last byte or in
 * the middle only, which is what the stages of a finder are for. Sizes are spread over the powers
 * of 2.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../test/random.h"
#include "common.h"

enum { FILES, DIRECTORIES, MEAN_SIZE, SEED, HELP };

static const struct bench_option list[] = {
    [FILES] = {"--files", "N", "how many files; 2500"},
    [DIRECTORIES] = {"--directories", "N", "in how many directories; 600"},
    [MEAN_SIZE] = {"--mean-size", "BYTES", "of a file; 107374, so 256 MiB in all"},
    [SEED] = {"--seed", "N", "another tree; 1"},
    [HELP] = {"--help", NULL, "this text"},
};
enum { OPTIONS = sizeof list / sizeof *list, CHUNK = 64 << 10 };

/* A content: random bytes from a seed, perhaps with one byte changed. */
struct content {
    uint64_t seed, size, change; /* where the change is; none if not below the size */
};

static void print_help(void)
{
    printf("%s: makes a directory tree with duplicate files\n\n"
           "Usage: %s [option]... DIRECTORY\n\nThe directory must not exist.\n\nOptions:\n",
           bench_tool, bench_tool);
    bench_print_options(list, OPTIONS);
    printf("\nExample:\n  %s --files 20000 --directories 2000 --mean-size 16384 /tmp/tree\n",
           bench_tool);
}

static void fill(unsigned char *data, const struct content *c, uint64_t offset, size_t length)
{
    uint64_t state = c->seed + offset;
    for (size_t i = 0; i < length; i += sizeof state) {
        uint64_t word = random_next(&state);
        memcpy(data + i, &word, length - i < sizeof word ? length - i : sizeof word);
    }
    if (c->change >= offset && c->change - offset < length)
        data[c->change - offset] ^= 1;
}

static void write_file(const char *path, const struct content *c)
{
    static unsigned char data[CHUNK];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool right = fd >= 0;
    for (uint64_t offset = 0; right && offset < c->size; offset += CHUNK) {
        size_t length = c->size - offset < CHUNK ? (size_t)(c->size - offset) : CHUNK;
        fill(data, c, offset, length);
        right = write(fd, data, length) == (ssize_t)length;
    }
    if (!right || close(fd))
        bench_fail("'%s': %s", path, strerror(errno));
}

/* The paths of all directories, which are made; directory i is in directory (i - 1) / 4. */
static char **make_directories(const char *root, uint64_t number)
{
    char **paths = malloc(number * sizeof *paths);
    if (!paths || !(paths[0] = strdup(root)))
        bench_fail("out of memory");
    for (uint64_t i = 0; i < number; i++) {
        if (i && asprintf(&paths[i], "%s/d%llu", paths[(i - 1) / 4], (unsigned long long)i) < 0)
            bench_fail("out of memory");
        if (mkdir(paths[i], 0777))
            bench_fail("'%s': %s", paths[i], strerror(errno));
    }
    return paths;
}

/* As likely below the mean / 8 as above it, and the mean what it should be, about. */
static uint64_t random_size(uint64_t *state, uint64_t mean)
{
    static const double factor[] = {0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 4.1};
    double most = (double)mean * factor[random_below(state, 8)] * 2;
    return most < 1 ? 1 : random_below(state, (uint64_t)most) + 1;
}

static struct content new_content(uint64_t *state, const struct content *old, uint64_t number,
                                  uint64_t mean)
{
    uint64_t kind = random_below(state, 12);
    if (number && kind < 6) {
        struct content c = old[random_below(state, number)];
        if (kind == 4)
            c.change = c.size - 1;
        else if (kind == 5)
            c.change = c.size / 2;
        return c;
    }
    struct content c = {.seed = random_next(state), .size = random_size(state, mean)};
    c.change = c.size;
    return c;
}

static void make_tree(const char *root, uint64_t files, uint64_t directories, uint64_t mean,
                      uint64_t seed)
{
    char path[4200], **paths = make_directories(root, directories);
    struct content *contents = malloc(files * sizeof *contents);
    if (!contents)
        bench_fail("out of memory");
    for (uint64_t i = 0; i < files; i++) {
        contents[i] = new_content(&seed, contents, i, mean);
        snprintf(path, sizeof path, "%s/f%llu", paths[random_below(&seed, directories)],
                 (unsigned long long)i);
        write_file(path, &contents[i]);
    }
    for (uint64_t i = 0; i < directories; i++)
        free(paths[i]);
    free(paths);
    free(contents);
}

int main(int argc, char **argv)
{
    uint64_t numbers[] = {[FILES] = 2500, [DIRECTORIES] = 600, [MEAN_SIZE] = 107374, [SEED] = 1};
    const char *root = NULL;
    (void)argc;
    bench_tool = "finddup-tree";
    for (int i = 1; argv[i]; i++) {
        char *value;
        if (*argv[i] != '-' && !root) {
            root = argv[i];
            continue;
        }
        int option = bench_next_option(list, OPTIONS, argv, &i, &value);
        if (option == HELP) {
            print_help();
            return 0;
        }
        numbers[option] = bench_read_number(list[option].name, value, option == SEED ? 0 : 1,
                                            option == SEED ? UINT64_MAX : 1 << 30);
    }
    if (!root)
        bench_usage_error("no directory given");
    if (access(root, F_OK) == 0)
        bench_usage_error("'%s': it is there already", root);
    make_tree(root, numbers[FILES], numbers[DIRECTORIES], numbers[MEAN_SIZE], numbers[SEED]);
    return 0;
}
