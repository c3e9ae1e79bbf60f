/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "contestant.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_NO_PART = 3 };
enum { SLEEPY_NS = 3000000 }; /* after so long an idle pool sleeps */

struct sample {
    double seconds;
    uint64_t result;
    double p99; /* seconds; 0: none */
    long rss;   /* KiB; 0: none */
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double began;
static void begin(void) { began = now(CLOCK_MONOTONIC); }
static double seconds(void) { return now(CLOCK_MONOTONIC) - began; }

static void pause_ns(uint64_t ns)
{
    struct timespec t = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    nanosleep(&t, NULL);
}

static void *allocate(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (memory)
        return memory;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

static struct sample measure_fib(uint64_t size)
{
    begin();
    uint64_t result = kernels.fib(size);
    return (struct sample){.seconds = seconds(), .result = result};
}

static struct sample measure_queens(uint64_t size)
{
    begin();
    uint64_t result = kernels.queens(size);
    return (struct sample){.seconds = seconds(), .result = result};
}

static struct sample measure_uts(uint64_t size)
{
    begin();
    uint64_t result = kernels.uts(size);
    return (struct sample){.seconds = seconds(), .result = result};
}

static struct sample measure_sum(uint64_t size)
{
    begin();
    uint64_t result = kernels.sum(size);
    return (struct sample){.seconds = seconds(), .result = result};
}

static int64_t *random_numbers(size_t n)
{
    int64_t *a = allocate(n, sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] = (int64_t)mix(i);
    return a;
}

/* Depends on the order; 0 if they are not sorted. */
static uint64_t check_sorted(const int64_t *a, size_t n)
{
    uint64_t result = 0;
    for (size_t i = 0; i < n; i++) {
        if (i && a[i - 1] > a[i])
            return 0;
        result += mix((uint64_t)a[i] + i);
    }
    return result;
}

static struct sample measure_quicksort(uint64_t size)
{
    int64_t *a = random_numbers(size);
    begin();
    kernels.quicksort(a, size);
    struct sample s = {.seconds = seconds(), .result = check_sorted(a, size)};
    free(a);
    return s;
}

static struct sample measure_mergesort(uint64_t size)
{
    int64_t *a = random_numbers(size), *scratch = random_numbers(size);
    begin();
    kernels.mergesort(a, scratch, size);
    struct sample s = {.seconds = seconds(), .result = check_sorted(a, size)};
    free(a);
    free(scratch);
    return s;
}

/* Small whole numbers, so that the result is exact in whatever order it is summed up. */
static struct sample measure_matmul(uint64_t size)
{
    uint64_t blocks = size / MATRIX_LEAF;
    if (size % MATRIX_LEAF || (blocks & (blocks - 1))) {
        fprintf(stderr, "--size '%llu': not %d times a power of 2\n", (unsigned long long)size,
                MATRIX_LEAF);
        exit(EXIT_USAGE);
    }
    size_t cells = size * matrix_stride(size);
    /* One after the other, as in all languages: so they come to lie in memory. */
    double *a = allocate(cells, sizeof *a), *b = allocate(cells, sizeof *b);
    double *c = allocate(cells, sizeof *c);
    for (size_t i = 0; i < cells; i++)
        a[i] = (double)(mix(i) % 10);
    for (size_t i = 0; i < cells; i++)
        b[i] = (double)(mix(i + GOLDEN) % 10);
    for (size_t i = 0; i < cells; i++)
        c[i] = (double)(i >> 60); /* 0; but compilers know that it is 0 already, and leave it out */
    const struct product p = {c, a, b, size, matrix_stride(size)};
    begin();
    kernels.matmul(&p);
    struct sample s = {.seconds = seconds()};
    for (size_t i = 0; i < cells; i++)
        s.result += mix((uint64_t)c[i] + i);
    free(a);
    free(b);
    free(c);
    return s;
}

static uint64_t sum_of(const uint64_t *a, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

static struct sample measure_skewed(uint64_t size)
{
    uint64_t *out = allocate(size, sizeof *out);
    memset(out, 1, size * sizeof *out);
    begin();
    kernels.skewed(out, size);
    struct sample s = {.seconds = seconds(), .result = sum_of(out, size)};
    free(out);
    return s;
}

static struct sample measure_tiny(uint64_t size)
{
    static uint64_t out[TINY];
    memset(out, 0, sizeof out);
    begin();
    kernels.tiny(out, size);
    return (struct sample){.seconds = seconds(), .result = sum_of(out, TINY)};
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t n, double part)
{
    return sorted[(size_t)(part * (double)(n - 1) + 0.5)];
}

static struct sample measure_submit(uint64_t size)
{
    double *times = allocate(size, sizeof *times);
    for (uint64_t i = 0; i < size; i++) {
        pause_ns(SLEEPY_NS);
        begin();
        kernels.submit();
        times[i] = seconds();
    }
    qsort(times, size, sizeof *times, compare);
    struct sample s = {
        .seconds = quantile(times, size, 0.5), .result = size, .p99 = quantile(times, size, 0.99)};
    free(times);
    return s;
}

static struct sample measure_idle(uint64_t size)
{
    kernels.fib(20); /* all threads are there */
    pause_ns(100 * (uint64_t)SLEEPY_NS);
    double used = now(CLOCK_PROCESS_CPUTIME_ID);
    pause_ns(size * 1000000);
    return (struct sample){.seconds = now(CLOCK_PROCESS_CPUTIME_ID) - used, .result = size};
}

static long resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static unsigned workers;

/* The memory is that of the first start: later ones find what it left. */
static struct sample measure_start(uint64_t size)
{
    static long grown;
    double *times = allocate(size, sizeof *times);
    struct sample s = {.result = 0};
    for (uint64_t i = 0; i < size; i++) {
        long before = resident();
        begin();
        kernels.start(workers);
        s.result += kernels.fib(10);
        double first = seconds();
        if (!grown)
            grown = resident() - before;
        begin();
        kernels.stop();
        times[i] = first + seconds();
    }
    qsort(times, size, sizeof *times, compare);
    s.seconds = quantile(times, size, 0.5);
    s.rss = grown;
    free(times);
    return s;
}

#define HAS(kernel) \
    static bool has_##kernel(void) { return kernels.kernel; }
HAS(fib)
HAS(queens)
HAS(uts)
HAS(quicksort)
HAS(mergesort)
HAS(matmul)
HAS(skewed)
HAS(tiny)
HAS(sum)
HAS(submit)
HAS(stop)

static const struct bench {
    const char *name;
    bool (*has)(void);
    struct sample (*measure)(uint64_t size);
    uint64_t least, most;
    enum { ON_A_POOL, STARTS_ITSELF } pool;
} benches[] = {
    {"fib", has_fib, measure_fib, 0, 90, ON_A_POOL},
    {"queens", has_queens, measure_queens, 1, 30, ON_A_POOL},
    {"uts", has_uts, measure_uts, 0, 30, ON_A_POOL},
    {"quicksort", has_quicksort, measure_quicksort, 0, 1 << 30, ON_A_POOL},
    {"mergesort", has_mergesort, measure_mergesort, 0, 1 << 30, ON_A_POOL},
    {"matmul", has_matmul, measure_matmul, MATRIX_LEAF, 1 << 15, ON_A_POOL},
    {"skewed", has_skewed, measure_skewed, 1, 1 << 26, ON_A_POOL},
    {"tiny", has_tiny, measure_tiny, 1, 1 << 30, ON_A_POOL},
    {"sum", has_sum, measure_sum, 0, UINT64_C(1) << 50, ON_A_POOL},
    {"submit", has_submit, measure_submit, 1, 1 << 20, ON_A_POOL},
    {"idle", has_stop, measure_idle, 1, 1 << 20, ON_A_POOL},
    {"start", has_stop, measure_start, 1, 1 << 20, STARTS_ITSELF},
};

static _Noreturn void refuse(const char *option, const char *value, const char *what)
{
    fprintf(stderr, "%s '%s': %s; usage: --bench NAME --size N --workers W --repeat R\n", option,
            value, what);
    exit(EXIT_USAGE);
}

static uint64_t read_number(const char *option, const char *value, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || n < least || n > most) {
        char what[80];
        snprintf(what, sizeof what, "not a whole number from %llu to %llu",
                 (unsigned long long)least, (unsigned long long)most);
        refuse(option, value, what);
    }
    return n;
}

static const struct bench *find_bench(const char *name)
{
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (strcmp(benches[i].name, name) == 0)
            return &benches[i];
    refuse("--bench", name, "no such benchmark");
}

int main(int argc, char **argv)
{
    const char *const options[] = {"--bench", "--size", "--workers", "--repeat"};
    const char *value[4] = {"", "", "1", "1"};
    for (int i = 1; i < argc; i += 2) {
        int option = 0;
        while (option < 4 && strcmp(options[option], argv[i]) != 0)
            option++;
        if (option == 4 || !argv[i + 1])
            refuse(argv[i], argv[i + 1] ? argv[i + 1] : "",
                   option == 4 ? "unknown option" : "a value is missing");
        value[option] = argv[i + 1];
    }
    const struct bench *b = find_bench(value[0]);
    uint64_t size = read_number("--size", value[1], b->least, b->most);
    workers = (unsigned)read_number("--workers", value[2], 1, 1024);
    uint64_t repeat = read_number("--repeat", value[3], 1, 1000000);
    if (!b->has())
        return EXIT_NO_PART;

    printf("# %s\n", kernels.about);
    if (b->pool == ON_A_POOL && kernels.start)
        kernels.start(workers);
    for (uint64_t i = 0; i < repeat; i++) {
        struct sample s = b->measure(size);
        printf("%s %.9f %llu", b->name, s.seconds, (unsigned long long)s.result);
        if (s.p99 > 0)
            printf(" p99=%.9f", s.p99);
        if (s.rss)
            printf(" rss=%ld", s.rss);
        putchar('\n');
        fflush(stdout);
    }
    if (b->pool == ON_A_POOL && kernels.stop)
        kernels.stop();
    return 0;
}
