/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum option {
    KINDS,
    THREADS,
    TASKS,
    LOAD,
    GENERATE,
    STEAL,
    FIB,
    INTERVAL,
    VICTIM,
    CAPACITY,
    BLOCK,
    ROUNDS,
    SEED,
    CSV,
    HELP,
    OPTIONS
};

static const struct bench_option options[OPTIONS] = {
    [KINDS] = {"--kinds", "LIST", "kinds of queues; default: abp, chaselev, then all others"},
    [THREADS] = {"--threads", "LIST", "how many threads, each with a deque; default: 4"},
    [TASKS] = {"--tasks", "N", "of each thread; default: 100"},
    [LOAD] = {"--load", "LIST",
              "even, skewed: half of the threads have empty tasks; default: both"},
    [GENERATE] = {"--generate", "LIST",
                  "batch: all tasks before the start; live: one by one; default: batch"},
    [STEAL] = {"--steal", "LIST", "on, off; default: both"},
    [FIB] = {"--fib", "N",
             "even tasks: the N-th to (N+4)-th Fibonacci number; skewed: the N-th; default: 25"},
    [INTERVAL] = {"--interval", "US", "live: between two tasks, in the mean; default: 500"},
    [VICTIM] = {"--victim", "NAME", "whom to steal from, as HEIST_VICTIM; default: random"},
    [CAPACITY] = {"--capacity", "N", "of a deque; default: the kind's"},
    [BLOCK] = {"--block", "N", "items in a block of a BWoS queue; default: the kind's"},
    [ROUNDS] = {"--rounds", "N", "how often everything has a turn; default: 7"},
    [SEED] = {"--seed", "N", "of the first round; default: 1"},
    [CSV] = {"--csv", "FILE", "write all points as CSV; -: to stdout, instead of the table"},
    [HELP] = {"--help", NULL, "this text"},
};

static void print_help(void)
{
    printf("usage: deques [OPTION]...\n\n"
           "The experiments of the deques report: threads with a deque each, and tasks that "
           "compute Fibonacci\nnumbers. A thread without tasks steals from others, or ends. "
           "Prints medians of the total time, the\ntasks stolen, and how long a task waited from "
           "its generation until it began. Exit status 0; 1 if a\ntask was lost or run twice; 2 "
           "for bad input.\n\n");
    bench_print_options(options, OPTIONS);
    printf("\nKinds:");
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++)
        printf(" %s", *kind);
    printf("\n\nExamples:\n"
           "  deques --kinds abp,chaselev --threads 4,8,16\n"
           "  deques --threads 2 --load skewed --csv rows.csv\n"
           "  deques --generate live --interval 200 --steal on\n"
           "  deques --kinds bwos_lifo --block 8 --victim best_of_two\n");
}

/* ---- Lists ---- */

struct words {
    const char **at;
    size_t n;
};

static void add_word(struct words *list, const char *option, const char *word)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i], word) == 0)
            bench_usage_error("%s: '%s' is named twice", option, word);
    list->at = bench_grow(list->at, list->n, sizeof *list->at);
    list->at[list->n++] = word;
}

static void add_kind(void *kinds, const char *option, char *word)
{
    const char *const *kind = heist_queue_kinds();
    while (*kind && strcmp(*kind, word) != 0)
        kind++;
    if (!*kind)
        bench_usage_error("%s '%s': no such kind of queue", option, word);
    add_word(kinds, option, word);
}

static void read_kinds(struct words *kinds, char *text)
{
    static const char *const first[] = {"abp", "chaselev"};
    bench_read_list(kinds, options[KINDS].name, text, add_kind);
    if (text)
        return;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        add_word(kinds, options[KINDS].name, first[i]);
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++)
        if (strcmp(*kind, first[0]) != 0 && strcmp(*kind, first[1]) != 0)
            add_word(kinds, options[KINDS].name, *kind);
}

/* An option that takes one of two words, or both. */
struct choice {
    const char *words[2];
    bool values[2]; /* whether it is the second word, in the order given */
    size_t n;
};

static void add_choice(void *choice, const char *option, char *word)
{
    struct choice *c = choice;
    bool second = strcmp(word, c->words[1]) == 0;
    if (!second && strcmp(word, c->words[0]) != 0)
        bench_usage_error("%s '%s': it takes %s, %s", option, word, c->words[0], c->words[1]);
    if (c->n && (c->n == 2 || c->values[0] == second))
        bench_usage_error("%s: '%s' is named twice", option, word);
    c->values[c->n++] = second;
}

static struct choice read_choice(int option, char *text, const char *first, const char *second,
                                 size_t unless_given)
{
    struct choice c = {.words = {first, second}, .values = {false, true}};
    bench_read_list(&c, options[option].name, text, add_choice);
    if (!text)
        c.n = unless_given;
    return c;
}

/* ---- All ---- */

static void add_experiment(struct options *o, struct experiment e)
{
    o->experiments = bench_grow(o->experiments, o->number, sizeof *o->experiments);
    o->experiments[o->number++] = e;
}

static void make_experiments(struct options *o, char **given)
{
    struct words kinds = {NULL, 0};
    struct numbers threads = {NULL, 0};
    struct choice load = read_choice(LOAD, given[LOAD], "even", "skewed", 2),
                  generate = read_choice(GENERATE, given[GENERATE], "batch", "live", 1),
                  steal = read_choice(STEAL, given[STEAL], "on", "off", 2);
    read_kinds(&kinds, given[KINDS]);
    bench_read_list(&threads, options[THREADS].name, given[THREADS], bench_add_workers);
    if (!threads.n)
        bench_add_number(&threads, 4);
    for (size_t t = 0; t < threads.n; t++)
        for (size_t l = 0; l < load.n; l++)
            for (size_t g = 0; g < generate.n; g++)
                for (size_t k = 0; k < kinds.n; k++)
                    for (size_t s = 0; s < steal.n; s++)
                        add_experiment(o, (struct experiment){.kind = kinds.at[k],
                                                              .threads = (unsigned)threads.at[t],
                                                              .is_skewed = load.values[l],
                                                              .is_live = generate.values[g],
                                                              .steals = !steal.values[s]});
    free(kinds.at);
    free((uint64_t *)threads.at);
}

/* Not in the middle of the run. */
static void try_queues(const struct options *o)
{
    for (size_t i = 0; i < o->number; i++) {
        const char *kind = o->experiments[i].kind;
        heist_queue *queue;
        if (heist_queue_new(&queue, kind, &o->how.queue))
            bench_usage_error("--capacity %zu --block %zu: %s can't be so", o->how.queue.capacity,
                              o->how.queue.block, kind);
        heist_queue_free(queue);
    }
}

void read_options(struct options *o, char **argv)
{
    char *given[OPTIONS] = {NULL};
    if (!bench_read_arguments(options, OPTIONS, argv, given)) {
        print_help();
        exit(0);
    }
#define NUMBER(option, unless_given, least, most) \
    bench_read_number_or(unless_given, options[option].name, given[option], least, most)
    o->how = (struct circumstances){
        .tasks = NUMBER(TASKS, 100, 1, 10000000),
        .fib = (unsigned)NUMBER(FIB, 25, FIB_LEAST, FIB_MOST),
        .interval = 1000 * NUMBER(INTERVAL, 500, 0, 1000000),
        .seed = NUMBER(SEED, 1, 0, UINT64_MAX),
        .queue = {.size = sizeof(heist_queue_opts),
                  .capacity = NUMBER(CAPACITY, 0, 1, (size_t)1 << 30),
                  .block = NUMBER(BLOCK, 0, 1, 32768)},
    };
    const char *victim = given[VICTIM] ? given[VICTIM] : "random";
    if (heist_victim_parse(victim, &o->how.victim))
        bench_usage_error("--victim '%s': no such policy; see docs/policies.md", victim);
    o->rounds = NUMBER(ROUNDS, 7, 1, 100000);
#undef NUMBER
    o->csv = given[CSV];
    make_experiments(o, given);
    try_queues(o);
}
