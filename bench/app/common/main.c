/* SPDX-License-Identifier: MIT */
/* The command line of every program, and its rows. */
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "program.h"

enum { WORKERS, SIZE, SHAPE, SEED, REPEAT, WARMUP, TURNS, LOOPS, STATS, LIST, HELP };

static const struct bench_option options[] = {
    [WORKERS] = {"--workers", "N", "how many workers; 1"},
    [SIZE] = {"--size", "N", "how large an input; see above"},
    [SHAPE] = {"--shape", "NAME", "which of the shapes above; the first"},
    [SEED] = {"--seed", "N", "another input of that shape; 1"},
    [REPEAT] = {"--repeat", "N", "how often it is solved and timed; 1"},
    [WARMUP] = {"--warmup", "N", "how often before that, without a row; 1"},
    [TURNS] = {"--turns", NULL, "it stops itself before each repetition, until SIGCONT comes"},
    [LOOPS] = {"--loops", "NAME",
               "lazy: cut up when another worker asks; eager: at once, down to parts of a "
               "microsecond; for the layers of Heist; lazy"},
    [STATS] = {"--stats", NULL, "the workers' statistics in each row; for the layers of Heist"},
    [LIST] = {"--list", NULL, "the shapes, one in a line, each with the default size"},
    [HELP] = {"--help", NULL, "this text"},
};
enum { OPTIONS = sizeof options / sizeof *options, WORKERS_MOST = 1024, REPEAT_MOST = 1000000 };

struct request {
    unsigned workers, shape;
    uint64_t size, seed, repeat, warmup;
    bool turns, stats, is_eager;
};

static void print_help(void)
{
    printf("%s: %s\n\nUsage: %s [option]...\n\n", bench_tool, program.about, bench_tool);
    printf("Size: %s; at most %zu.\nShapes, and the size unless it is given:\n", program.unit,
           program.size_most);
    for (unsigned i = 0; program.shapes[i].name; i++)
        printf("  %-18s %10zu %s\n", program.shapes[i].name, program.sizes[i],
               program.shapes[i].about);
    printf("\nOptions:\n");
    bench_print_options(options, OPTIONS);
    printf("\nEach repetition gives a row: "
           "program,layer,workers,size,shape,seed,repeat,seconds,checksum,ok"
           "\nThe checksum is of the result, and the same on every layer. ok is 1 if a serial "
           "check finds the"
           "\nresult right, which is not in the seconds; 0 also gives a line on stderr and exit "
           "status 1."
           "\n\nExamples:\n  %s --workers 2 --repeat 7\n  %s --shape %s --size 1000 --seed 42\n",
           bench_tool, bench_tool,
           program.shapes[1].name ? program.shapes[1].name : program.shapes->name);
    if (strncmp(layer.name, "heist", 5) == 0)
        printf("  HEIST_QUEUE=chaselev HEIST_STATS=1 %s --workers 2\n", bench_tool);
}

static unsigned find_shape(const char *option, const char *name)
{
    char all[256] = "";
    for (unsigned i = 0; program.shapes[i].name; i++) {
        size_t used = strlen(all);
        if (strcmp(program.shapes[i].name, name) == 0)
            return i;
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", program.shapes[i].name);
    }
    bench_usage_error("%s '%s': no such shape; there are %s", option, name, all);
}

static bool is_eager(const char *option, const char *name)
{
    bool eager = strcmp(name, "eager") == 0;
    if (!eager && strcmp(name, "lazy") != 0)
        bench_usage_error("%s '%s': it is eager or lazy", option, name);
    return eager;
}

static uint64_t read_number(char **given, int option, uint64_t unless_given, uint64_t least,
                            uint64_t most)
{
    return bench_read_number_or(unless_given, options[option].name, given[option], least, most);
}

static struct request read_request(char **given)
{
    struct request r = {
        .workers = (unsigned)read_number(given, WORKERS, 1, 1, WORKERS_MOST),
        .shape = given[SHAPE] ? find_shape(options[SHAPE].name, given[SHAPE]) : 0,
        .seed = read_number(given, SEED, 1, 0, UINT64_MAX),
        .repeat = read_number(given, REPEAT, 1, 1, REPEAT_MOST),
        .warmup = read_number(given, WARMUP, 1, 0, REPEAT_MOST),
        .turns = given[TURNS],
        .stats = given[STATS],
        .is_eager = given[LOOPS] && is_eager(options[LOOPS].name, given[LOOPS]),
    };
    r.size = read_number(given, SIZE, program.sizes[r.shape], 1, program.size_most);
    if (r.workers != 1 && strncmp(layer.name, "serial", 6) == 0)
        bench_usage_error("--workers %u: the serial one has 1", r.workers);
    if (r.stats && !layer.stats)
        bench_usage_error("--stats: the layer %s has none", layer.name);
    if (given[LOOPS] && !layer.is_eager)
        bench_usage_error("--loops: the layer %s has no choice", layer.name);
    return r;
}

static void print_list(void)
{
    for (unsigned i = 0; program.shapes[i].name; i++)
        printf("%s %zu\n", program.shapes[i].name, program.sizes[i]);
}

/* What is wrong, or NULL. A result with the checksum of one that is right needs no other check. */
static const char *judge(const void *job, uint64_t checksum)
{
    static uint64_t right;
    static bool known;
    if (known && checksum == right)
        return NULL;
    const char *wrong = program.check(job);
    if (!wrong && !known) {
        known = true;
        right = checksum;
    }
    return wrong;
}

/* Workers without work look for some in vain, and count that, before they sleep. */
static void await_rest(void)
{
    uint64_t before[STATS_MOST] = {0}, now[STATS_MOST] = {0};
    for (int tries = 0; tries < 50; tries++) {
        layer.stats(now);
        if (memcmp(before, now, sizeof now) == 0)
            return;
        memcpy(before, now, sizeof now);
        usleep(2000);
    }
}

/* What was counted since the last call. */
static void print_stats(bool visible)
{
    static uint64_t before[STATS_MOST];
    uint64_t now[STATS_MOST];
    await_rest();
    layer.stats(now);
    for (int i = 0; layer.stats_names[i]; i++) {
        if (visible)
            printf(",%llu", (unsigned long long)(now[i] - before[i]));
        before[i] = now[i];
    }
}

static void print_header(const struct request *r)
{
    printf("program,layer,workers,size,shape,seed,repeat,seconds,checksum,ok");
    for (int i = 0; r->stats && layer.stats_names[i]; i++)
        printf(",%s", layer.stats_names[i]);
    putchar('\n');
}

/* Whether the result is right. Repetition 0 is one without a row. */
static bool measure(const struct request *r, void *job, uint64_t repetition)
{
    uint64_t began = clock_ns();
    layer.solve(job);
    double seconds = (double)(clock_ns() - began) / 1e9;
    uint64_t checksum = checksum_of(job);
    const char *wrong = judge(job, checksum);
    if (repetition) {
        printf("%s,%s,%u,%llu,%s,%llu,%llu,%.9f,%016llx,%d", program.name, layer.name, r->workers,
               (unsigned long long)r->size, program.shapes[r->shape].name,
               (unsigned long long)r->seed, (unsigned long long)repetition, seconds,
               (unsigned long long)checksum, !wrong);
        if (r->stats)
            print_stats(true);
        putchar('\n');
        fflush(stdout);
    }
    if (wrong)
        fprintf(stderr, "%s: repetition %llu: %s\n", bench_tool, (unsigned long long)repetition,
                wrong);
    if (repetition == r->repeat && program.skipped && program.skipped(job))
        fprintf(stderr, "%s: %llu of %llu %s can't be used, and were skipped\n", bench_tool,
                (unsigned long long)program.skipped(job), (unsigned long long)r->size,
                program.unit);
    program.forget(job);
    return !wrong;
}

int main(int argc, char **argv)
{
    char name[64], *given[OPTIONS] = {NULL};
    bool right = true;
    (void)argc;
    snprintf(name, sizeof name, "%s-%s", program.name, layer.name);
    bench_tool = name;
    if (!bench_read_arguments(options, OPTIONS, argv, given)) {
        print_help();
        return 0;
    }
    const struct request r = read_request(given);
    if (given[LIST]) {
        print_list();
        return 0;
    }
    /* Memory that was freed stays, so that only the first solution waits for the system's pages.
       The last is for the heaps of threads: a free one is given back unless it is padding. */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_TOP_PAD, 64 << 20);
    void *job = program.make(r.size, r.shape, r.seed);
    if (layer.is_eager)
        *layer.is_eager = r.is_eager;
    layer.start(r.workers);
    for (uint64_t i = 0; i < r.warmup; i++)
        right &= measure(&r, job, 0);
    print_header(&r);
    if (r.stats)
        print_stats(false);
    for (uint64_t i = 1; i <= r.repeat; i++) {
        if (r.turns)
            raise(SIGSTOP); /* the process, all its threads */
        right &= measure(&r, job, i);
    }
    layer.stop();
    program.drop(job);
    if (fflush(stdout) || ferror(stdout))
        bench_fail("not all rows could be written");
    return right ? 0 : EXIT_FAILED;
}
