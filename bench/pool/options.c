/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "pool.h"

static void add_kind(void *context, const char *option, char *word)
{
    struct pool_options *o = context;
    struct entrant e = bench_read_kind(option, word);
    if (!e.contestant->pool)
        bench_usage_error("%s '%s': a plain queue has no thieves", option, word);
    for (size_t i = 0; i < o->number_of_kinds; i++)
        if (strcmp(o->kinds[i].name, word) == 0)
            bench_usage_error("%s: '%s' is named twice", option, word);
    o->kinds = bench_grow(o->kinds, o->number_of_kinds, sizeof *o->kinds);
    o->kinds[o->number_of_kinds++] = e;
}

/* heist_victim_default's, whichever that is for the kind and the batch. */
#define DEFAULT_POLICY "default"

static void add_policy(void *context, const char *option, char *word)
{
    struct pool_options *o = context;
    heist_victim_policy policy;
    if (strcmp(word, DEFAULT_POLICY) != 0 && heist_victim_parse(word, &policy))
        bench_usage_error("%s '%s': no such policy; there are: %s, %s; or all, alone", option, word,
                          DEFAULT_POLICY, BENCH_ALL_NAMES(heist_victim_names()));
    for (size_t i = 0; i < o->number_of_policies; i++)
        if (strcmp(o->policies[i], word) == 0)
            bench_usage_error("%s: '%s' is named twice", option, word);
    o->policies = bench_grow(o->policies, o->number_of_policies, sizeof *o->policies);
    o->policies[o->number_of_policies++] = word;
}

static void add_batch(void *context, const char *option, char *word)
{
    struct pool_options *o = context;
    enum heist_batch batch;
    if (heist_batch_parse(word, &batch))
        bench_usage_error("%s '%s': no such batch; there are: %s", option, word,
                          BENCH_ALL_NAMES(heist_batch_names()));
    for (size_t i = 0; i < o->number_of_batches; i++)
        if (o->batches[i] == batch)
            bench_usage_error("%s: '%s' is named twice", option, word);
    o->batches = bench_grow(o->batches, o->number_of_batches, sizeof *o->batches);
    o->batches[o->number_of_batches++] = batch;
}

static bool counts_attempts(const char *option, const char *name)
{
    bool attempts = strcmp(name, "attempts") == 0;
    if (!attempts && strcmp(name, "items") != 0)
        bench_usage_error("%s '%s': it is items or attempts", option, name);
    return attempts;
}

static void add_balance(void *context, const char *option, char *word)
{
    struct pool_options *o = context;
    uint64_t percent = bench_read_number(option, word, 0, 100);
    for (size_t i = 0; i < o->balance.n; i++)
        if (o->balance.at[i] == percent)
            bench_usage_error("%s: '%s' is named twice", option, word);
    bench_add_number(&o->balance, percent);
}

enum {
    KINDS,
    POLICIES,
    BATCH,
    BALANCE,
    THREADS,
    CAPACITY,
    BLOCK,
    TURN,
    COUNT,
    FREE_REFUSALS,
    ROUNDS,
    TIME,
    QUICK,
    CSV,
    PLOT,
    HELP,
    OPTIONS
};

static const struct bench_option options[OPTIONS] = {
    [KINDS] = {"--kinds", "LIST", "kinds, of those below; default: abp,bwos_lifo,bwos_fifo"},
    [POLICIES] = {"--policies", "LIST", "policies, of those below, or all; default: all"},
    [BATCH] = {"--batches", "LIST",
               "how much an attempt takes: one, half, block; default: one,block"},
    [BALANCE] = {"--balance", "LIST",
                 "percentages of the capacity to steal; default: 0,20,...,100"},
    [THREADS] = {"--threads", "N", "queues, and threads; default: 8"},
    [CAPACITY] = {"--capacity", "N", "items that a queue holds; default: 8192"},
    [BLOCK] = {"--block", "N",
               "items in a block of a BWoS queue; default: an eighth of the capacity"},
    [TURN] = {"--turn", "N",
              "operations after which a thread that shares its CPU yields it;\n"
              "                                default: four times the capacity; 0: it does not"},
    [COUNT] = {"--count", "NAME",
               "what makes up the percentage: items, or attempts in vain too; default: items"},
    [FREE_REFUSALS] = {"--free-refusals", NULL,
                       "with attempts: queues that +prob looked at and refused are none"},
    [ROUNDS] = {"--rounds", "N",
                "rounds, each with one trial of everything; default: 7, with --quick 3"},
    [TIME] = {"--time", "MS", "length of one measurement; default: 40, with --quick 10"},
    [QUICK] = {"--quick", NULL, "short measurements of 0, 50 and 100 percent: some ten seconds"},
    [CSV] = {"--csv", "FILE", "write all points as CSV; -: to stdout, instead of the tables"},
    [PLOT] = {"--plot", "FILE.svg", "draw throughput against percentage with gnuplot"},
    [HELP] = {"--help", NULL, "show this"},
};

static _Noreturn void help(void)
{
    printf("usage: " POOL_TOOL " [OPTION]...\n\n"
           "A pool of queues, each with a thread that in a loop puts until its queue is full, gets "
           "until\nit is empty, and then tries to steal a percentage of the capacity from the "
           "others. Shows\nmedians for all kinds, policies and batches given, and their ratio to "
           "the first. Exit status:\n0; 1 if a queue lost or invented an item; 2 for bad "
           "arguments.\n\n");
    bench_print_options(options, OPTIONS);
    bench_print_kinds();
    printf("\n\nPolicies: %s, %s\n", DEFAULT_POLICY, BENCH_ALL_NAMES(heist_victim_names()));
    printf("\nExamples:\n"
           "  " POOL_TOOL " --quick\n"
           "  " POOL_TOOL " --kinds abp,bwos_lifo --policies random,numa+prob --plot pool.svg\n"
           "  " POOL_TOOL
           " --kinds bwos_lifo --policies random --batches one,half,block --csv r.csv\n"
           "  " POOL_TOOL " --threads 2 --balance 0,100\n\n"
           "What is measured, and what was found: docs/bench-pool.md.\n");
    bench_close_output("output", "-", stdout);
    exit(0);
}

static bool has_blocks(const struct entrant *kind) { return strncmp(kind->name, "bwos_", 5) == 0; }

static enum heist_victim_reach reach_of(const struct entrant *kind)
{
    return has_blocks(kind) || strncmp(kind->name, "bulk", 4) == 0 ? HEIST_REACH_BLOCKS
                                                                   : HEIST_REACH_ITEMS;
}

static heist_victim_policy policy_of(const struct pool_entrant *e)
{
    heist_victim_policy policy;
    if (heist_victim_parse(e->policy_name, &policy))
        policy = heist_victim_default(reach_of(e->kind), e->batch);
    return policy;
}

static void combine(struct pool_options *o)
{
    for (size_t k = 0; k < o->number_of_kinds; k++)
        for (size_t p = 0; p < o->number_of_policies; p++)
            for (size_t b = 0; b < o->number_of_batches; b++) {
                o->entrants = bench_grow(o->entrants, o->number, sizeof *o->entrants);
                struct pool_entrant *e = &o->entrants[o->number++];
                e->kind = &o->kinds[k];
                e->policy_name = o->policies[p];
                e->batch = o->batches[b];
                e->policy = policy_of(e);
                e->keep_batch = has_blocks(e->kind) ? 0 : HEIST_VICTIM_KEEP_BATCH;
                snprintf(e->name, sizeof e->name, "%s %s %s", e->kind->name, e->policy_name,
                         heist_batch_name(e->batch));
            }
}

static void add_all_policies(struct pool_options *o)
{
    static char by_default[] = DEFAULT_POLICY;
    add_policy(o, options[POLICIES].name, by_default);
    for (const char *const *name = heist_victim_names(); *name; name++)
        add_policy(o, options[POLICIES].name, (char *)*name);
}

static void add_default_batches(struct pool_options *o)
{
    add_batch(o, options[BATCH].name, (char *)heist_batch_name(HEIST_BATCH_ONE));
    add_batch(o, options[BATCH].name, (char *)heist_batch_name(HEIST_BATCH_BLOCK));
}

static void add_default_kinds(struct pool_options *o)
{
    static char names[][16] = {"abp", "bwos_lifo", "bwos_fifo"}; /* those of the paper */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_kind(o, options[KINDS].name, names[i]);
}

void pool_read_options(struct pool_options *o, int argc, char **argv)
{
    char *given[OPTIONS] = {NULL};
    memset(o, 0, sizeof *o);
    for (int i = 1; i < argc; i++) {
        char *value;
        int option = bench_next_option(options, OPTIONS, argv, &i, &value);
        if (option == HELP)
            help();
        given[option] = value;
    }

#define LIST(option, each) bench_read_list(o, options[option].name, given[option], each)
#define NUMBER(option, unless_given, least, most)                                        \
    (given[option] ? bench_read_number(options[option].name, given[option], least, most) \
                   : (unless_given))

    if (given[KINDS])
        LIST(KINDS, add_kind);
    else
        add_default_kinds(o);
    if (given[POLICIES] && strcmp(given[POLICIES], "all") != 0)
        LIST(POLICIES, add_policy);
    else
        add_all_policies(o);
    if (given[BATCH])
        LIST(BATCH, add_batch);
    else
        add_default_batches(o);
    if (given[BALANCE])
        LIST(BALANCE, add_balance);
    for (uint64_t percent = 0; !given[BALANCE] && percent <= 100; percent += given[QUICK] ? 50 : 20)
        bench_add_number(&o->balance, percent);
    o->threads = (unsigned)NUMBER(THREADS, 8, 2, POOL_THREADS_MAX);
    o->capacity = NUMBER(CAPACITY, HEIST_CAPACITY_DEFAULT, 1, 1 << 24);
    o->block = NUMBER(BLOCK, 0, 1, 1 << 24);
    o->turn = NUMBER(TURN, 4 * o->capacity, 0, 1u << 30);
    o->counts_attempts = given[COUNT] && counts_attempts(options[COUNT].name, given[COUNT]);
    o->free_refusals = given[FREE_REFUSALS];
    if (o->free_refusals && !o->counts_attempts)
        bench_usage_error("--free-refusals needs --count attempts");
    o->rounds = (unsigned)NUMBER(ROUNDS, given[QUICK] ? 3 : 7, 1, 1000);
    o->seconds = (double)NUMBER(TIME, given[QUICK] ? 10 : 40, 1, 600000) / 1000;
    o->csv = given[CSV];
    o->plot = given[PLOT];
    for (size_t i = 0; i < o->number_of_kinds; i++)
        bench_check_room(&o->kinds[i], o->capacity, o->block);
    size_t length = o->plot ? strlen(o->plot) : 0;
    if (o->plot && (length < 5 || strcmp(o->plot + length - 4, ".svg") != 0))
        bench_usage_error("--plot '%s': the name of a plot ends in .svg", o->plot);
    bench_check_gnuplot(o->plot);
    combine(o);
}

void pool_free_options(struct pool_options *o)
{
    free(o->kinds);
    free(o->policies);
    free(o->batches);
    free(o->entrants);
    free((void *)o->balance.at);
}
