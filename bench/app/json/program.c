/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "random.h"

enum { EVEN, SKEWED, BROKEN };
enum { CUT, NO_COLON, EMPTY, NO_RECORD, TRAILING, WAYS }; /* to be broken */
enum { FEW = 4, MANY = 1000, MANY_ONE_IN = 500, BROKEN_ONE_IN = 50 };

static const struct shape shapes[] = {
    [EVEN] = {"even", "all lines about as long, some 200 bytes"},
    [SKEWED] = {"skewed", "one line in 500 is a hundred times as long"},
    [BROKEN] = {"broken", "one line in 50 is no record: cut, empty, not JSON ..."},
    {NULL, NULL},
};

/* --- what is in a line --- */

enum field { AMOUNT, ACTIVE, ITEMS, LENGTH, IS_BROKEN, WAY, PRICES };

static uint32_t field_of(const struct json *job, size_t line, uint64_t field, uint32_t below)
{
    return random_at_below(job->seed + line * 0x9e3779b97f4a7c15, field, below);
}

static uint32_t items_of(const struct json *job, size_t line)
{
    bool many = job->shape == SKEWED && !field_of(job, line, LENGTH, MANY_ONE_IN);
    return field_of(job, line, ITEMS, many ? 2 * MANY : FEW + 1);
}

static bool is_broken(const struct json *job, size_t line)
{
    return job->shape == BROKEN && !field_of(job, line, IS_BROKEN, BROKEN_ONE_IN);
}

static uint32_t price_of(const struct json *job, size_t line, uint32_t item)
{
    return field_of(job, line, PRICES + 2 * (uint64_t)item, 10000);
}

static uint32_t count_of(const struct json *job, size_t line, uint32_t item)
{
    return field_of(job, line, PRICES + 2 * (uint64_t)item + 1, 100);
}

/* --- the file --- */

static void write_record(FILE *f, const struct json *job, size_t line, const char *colon)
{
    fprintf(f,
            "{\"id\"%s %zu, \"name\": \"record \\u00e4 %zu\", \"tags\": [\"one\", \"two\"], "
            "\"ratio\": 0.25, \"amount\": %u, \"items\": [",
            colon, line, line, field_of(job, line, AMOUNT, UINT32_MAX));
    for (uint32_t i = 0; i < items_of(job, line); i++)
        fprintf(f, "%s{\"price\": %u, \"count\": %u}", i ? ", " : "", price_of(job, line, i),
                count_of(job, line, i));
    fprintf(f, "], \"active\": %s}", field_of(job, line, ACTIVE, 4) ? "true" : "false");
}

static void write_line(FILE *f, const struct json *job, size_t line)
{
    switch (is_broken(job, line) ? field_of(job, line, WAY, WAYS) : WAYS) {
    case CUT:
        fprintf(f, "{\"id\": %zu, \"name\": \"rec", line);
        break;
    case NO_COLON:
        write_record(f, job, line, "");
        break;
    case EMPTY:
        break;
    case NO_RECORD:
        fprintf(f, "[%zu, {}]", line);
        break;
    case TRAILING:
        write_record(f, job, line, ":");
        fprintf(f, " x");
        break;
    default:
        write_record(f, job, line, ":");
    }
    fputc('\n', f);
}

/* An unnamed file in the directory for such, mapped as a program maps its input. */
static void make_file(struct json *job)
{
    FILE *f = tmpfile();
    if (!f)
        bench_fail("no temporary file: %s", strerror(errno));
    for (size_t i = 0; i < job->lines; i++)
        write_line(f, job, i);
    long length = ftell(f);
    if (fflush(f) || ferror(f) || length < 0)
        bench_fail("a temporary file: %s", strerror(errno));
    job->length = (size_t)length;
    void *text = mmap(NULL, job->length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fileno(f), 0);
    if (text == MAP_FAILED)
        bench_fail("a temporary file: %s", strerror(errno));
    job->text = text;
    fclose(f);
}

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct json *job = allocate_zeroed(1, sizeof *job);
    job->lines = size;
    job->shape = shape;
    job->seed = seed;
    make_file(job);
    return job;
}

/* --- the result --- */

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct json *job = arg;
    spans[0] = (struct span){&job->totals, sizeof job->totals};
    return 1;
}

/* From what the lines were made of: nothing is parsed. */
static const char *check(const void *arg)
{
    const struct json *job = arg;
    struct totals right = {0, 0, 0};
    for (size_t line = 0; line < job->lines; line++) {
        if (is_broken(job, line)) {
            right.broken++;
            continue;
        }
        right.records++;
        if (!field_of(job, line, ACTIVE, 4))
            continue;
        right.sum += field_of(job, line, AMOUNT, UINT32_MAX);
        for (uint32_t i = 0; i < items_of(job, line); i++)
            right.sum += (uint64_t)price_of(job, line, i) * count_of(job, line, i);
    }
    if (job->totals.records != right.records)
        return "the number of records is wrong";
    if (job->totals.broken != right.broken)
        return "the number of broken lines is wrong";
    return job->totals.sum == right.sum ? NULL : "the sum is wrong";
}

static uint64_t skipped(const void *arg)
{
    const struct json *job = arg;
    return job->totals.broken;
}

static void forget(void *arg)
{
    struct json *job = arg;
    job->totals = (struct totals){0, 0, 0};
}

static void drop(void *arg)
{
    struct json *job = arg;
    munmap((void *)(uintptr_t)job->text, job->length);
    free(job);
}

const struct program program = {
    .name = "json",
    .about = "parses a file of JSON lines, by cJSON, and sums up what is in it",
    .unit = "lines",
    .sizes = (const size_t[]){100000, 50000, 100000},
    .size_most = 1 << 30,
    .shapes = shapes,
    .make = make,
    .result = result,
    .check = check,
    .skipped = skipped,
    .forget = forget,
    .drop = drop,
};
