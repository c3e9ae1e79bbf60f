/* SPDX-License-Identifier: MIT */
/*
 * stats PAGE: counters are read while they are written, by callers of older and newer versions; the
 * table of HEIST_STATS; and the table of fields in the page, which must be the one in
 * heist/stats.h.
 */
#define _GNU_SOURCE
#include "../../src/runtime/counters.h"
#include "../../src/runtime/stats_table.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

enum { WORKERS = 3, READS = 1000, FIELDS = sizeof(heist_stats) / sizeof(uint64_t) };

static struct heist_counters_ counters[WORKERS];

static heist_stats of(const void *pool, unsigned worker)
{
    return heist_counters_read_((const struct heist_counters_ *)pool + worker);
}

static int read_stats(heist_stats *sum, heist_stats *each, unsigned number, size_t size)
{
    return heist_stats_collect_(of, counters, WORKERS, sum, each, number, size);
}

static heist_au32 enough;

/* Until the reader has seen it counting. */
static void *work(void *worker)
{
    struct heist_counters_ *c = worker;
    uintptr_t counts = 0;
    while (!heist_load(&enough, __ATOMIC_RELAXED)) {
        heist_count_(c, forks);
        heist_count_by_(c, jobs, 2);
        counts++;
    }
    return (void *)counts;
}

static void test_while_counting(void)
{
    pthread_t thread[WORKERS];
    heist_stats sum = {0}, each[WORKERS];
    uint64_t before = 0, all = 0;
    void *counts[WORKERS];
    for (unsigned i = 0; i < WORKERS; i++)
        check(!pthread_create(&thread[i], NULL, work, &counters[i]));
    for (unsigned grown = 0; grown < READS; before = sum.forks) {
        check(!read_stats(&sum, NULL, 0, sizeof sum));
        check(sum.forks >= before);
        grown += sum.forks > before;
    }
    heist_store(&enough, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < WORKERS; i++) {
        pthread_join(thread[i], &counts[i]);
        all += (uintptr_t)counts[i];
    }
    check(!read_stats(&sum, each, WORKERS, sizeof sum));
    check(sum.forks == all && sum.jobs == 2 * all);
    check(sum.tasks == 0 && sum.steals == 0);
    for (unsigned i = 0; i < WORKERS; i++)
        check(each[i].forks == (uintptr_t)counts[i] && each[i].jobs == 2 * each[i].forks);
}

/* Fields in the order of the list, and nothing but them. */
static void test_versions(void)
{
    enum { OLD = 2, NEW = FIELDS + 3, ROOM = WORKERS + 1 };
    static const uint64_t forks_of[WORKERS] = {7, 8, 9};
    uint64_t old[ROOM][OLD], new[ROOM][NEW];
    heist_stats sum;
    memset(counters, 0, sizeof counters);
    for (unsigned i = 0; i < WORKERS; i++)
        heist_count_by_(&counters[i], forks, forks_of[i]);
    memset(old, 0xff, sizeof old);
    memset(new, 0xff, sizeof new);
    check(!read_stats(NULL, (heist_stats *)old, ROOM, sizeof old[0]));
    check(!read_stats(NULL, (heist_stats *)new, ROOM, sizeof new[0]));
    for (unsigned i = 0; i < ROOM; i++) {
        check(old[i][0] == 0 && old[i][1] == (i < WORKERS ? forks_of[i] : 0));
        check(new[i][1] == old[i][1]);
        for (unsigned j = 2; j < NEW; j++)
            check(new[i][j] == 0);
    }
    memset(old, 0xff, sizeof old);
    check(!read_stats((heist_stats *)old, NULL, 0, sizeof old[0]));
    check(old[0][1] == 24 && old[1][0] == UINT64_MAX);
    check(!read_stats(&sum, (heist_stats *)old, 1, sizeof(uint64_t)));

    check(read_stats(NULL, NULL, 0, sizeof sum) == -EINVAL);
    check(read_stats(&sum, NULL, 1, sizeof sum) == -EINVAL);
    check(read_stats(&sum, &sum, 0, sizeof sum) == -EINVAL);
    check(read_stats(&sum, NULL, 0, 0) == -EINVAL);
    check(read_stats(&sum, NULL, 0, sizeof sum + 1) == -EINVAL);
}

/* A socket keeps what was written by different calls apart. */
static void test_table(void)
{
    heist_stats each[2] = {{.tasks = 12345678901u, .steals = 3}, {.tasks = 9, .jobs = 4}};
    char text[4096], *rest = text, *line[8] = {NULL};
    int pair[2];
    unsigned lines = 0, columns = 0;
    check(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair));
    FILE *out = fdopen(pair[0], "w");
    setvbuf(out, NULL, _IONBF, 0);
    struct heist_stats_of_ of = {"mine", "chaselev", 3, 1234567890, false};
    check(!heist_stats_table_(out, &of, each, 2));
    fclose(out);
    ssize_t n = read(pair[1], text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    check(n > 0 && text[n - 1] == '\n' && read(pair[1], text + n, 1) <= 0);
    close(pair[1]);
    while (lines < 8 && (line[lines] = strsep(&rest, "\n")) && *line[lines])
        lines++;
    if (!check(lines == 5))
        return;
    check(!strcmp(line[0], "heist: pool mine, kind chaselev, 3 workers, 1.235 s"));
    for (unsigned i = 2; i < lines; i++)
        check(strlen(line[i]) == strlen(line[1])); /* aligned */
    static const char *const name[] = {"0", "1", "sum"};
    static const uint64_t tasks[] = {12345678901u, 9, 12345678910u};
    for (unsigned i = 0; i < 3; i++) {
        char first[8], forks[8];
        unsigned long long number;
        check(sscanf(line[2 + i], "%7s %llu %7s", first, &number, forks) == 3);
        check(!strcmp(first, name[i]) && number == tasks[i] && !strcmp(forks, "-"));
    }
    for (char *word = strtok(line[1], " "); word; word = strtok(NULL, " "))
        columns++;
    check(columns == 1 + FIELDS);

    FILE *full = fopen("/dev/full", "w");
    if (check(full != NULL)) {
        check(heist_stats_table_(full, &of, each, 2) == -ENOSPC);
        fclose(full);
    }
}

/* The rows of the section, one for each field, in their order. */
static void test_page(const char *page)
{
#define ROW(name, text) "| `" #name "` | " text " |\n",
    static const char *const row[] = {HEIST_STATS_FIELDS(ROW)};
    FILE *in = fopen(page, "r");
    char line[512];
    unsigned rows = 0;
    bool inside = false;
    if (!check(in != NULL))
        return;
    while (fgets(line, sizeof line, in)) {
        if (!strncmp(line, "## ", 3))
            inside = !strcmp(line, "## Statistics\n");
        if (!inside || strncmp(line, "| `", 3))
            continue;
        if (rows >= FIELDS || strcmp(line, row[rows])) {
            printf("%s: not as in heist/stats.h: %s", page, line);
            printf("it should be: %s", rows < FIELDS ? row[rows] : "nothing\n");
            check(!"the page is up to date");
            break;
        }
        rows++;
    }
    check(rows == FIELDS);
    fclose(in);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: stats docs/observing.md\n");
        return 2;
    }
    test_while_counting();
    test_versions();
    test_table();
    test_page(argv[1]);
    return check_status();
}
