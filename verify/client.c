/* SPDX-License-Identifier: MIT */
/*
 * What every queue must do, as programs for the model checker, compiled once per kind: an owner
 * that follows a script of puts and gets, thieves that steal, and at the end every item was taken
 * exactly once, with what was written before it was put. The clients of a kind are in clients.h.
 */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define QUEUE JOIN(heist_, KIND)
#define OP(verb) JOIN(JOIN(heist_, KIND), _##verb)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#include HEADER

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"
#include "clients.h"
#include "orders.h"
#include "state.h"

enum { ITEMS = 32, MANY = 4, EXIT_USAGE = 2 };

/* Set by the command line, and so kept from run to run. */
static const struct client *client CHECK_STATE = NULL;

static QUEUE queue;
static int payload[ITEMS]; /* not atomic: a missing publication is a race */
static int items;          /* put so far */
static uint64_t accepted, taken[CHECK_THREADS];

static void put(int n)
{
    while (n-- > 0) {
        int *item = &payload[items];
        *item = items;
        if (OP(put)(&queue, item))
            accepted |= (uint64_t)1 << items;
        items++;
    }
}

static void take(int who, void *item)
{
    size_t i = (size_t)((int *)item - payload);
    check_assert(i < ITEMS);
    check_assert(payload[i] == (int)i);
    check_assert(!(taken[who] >> i & 1));
    taken[who] |= (uint64_t)1 << i;
}

static bool get(void)
{
    void *item = OP(get)(&queue);
    if (item)
        take(0, item);
    return item;
}

/* "P3G2": three puts, two gets. */
static void follow(const char *script)
{
    while (*script) {
        char what = *script++;
        int n = (int)strtol(script, (char **)&script, 10);
        if (what == 'P')
            put(n);
        else
            while (n-- > 0)
                get();
    }
}

static void setup(void)
{
    static const heist_memory memory = {check_alloc, check_free, NULL};
    heist_queue_opts opts = client->opts;
    opts.size = sizeof opts;
    opts.memory = &memory;
    check_assert(OP(init)(&queue, &opts) == 0);
    if (client->before)
        follow(client->before);
}

static void owner(void) { follow(client->owner); }

/* "S1M2": one steal, and two of many at once. */
static void steal(int who)
{
    for (const char *script = client->thief[who - 1]; *script;) {
        char what = *script++;
        int n = (int)strtol(script, (char **)&script, 10);
        for (void *got[MANY]; n-- > 0;) {
            size_t m = what == 'M' ? OP(steal_many)(&queue, got, MANY)
                                   : OP(steal)(&queue, got) == HEIST_STEAL_OK;
            for (size_t i = 0; i < m; i++)
                take(who, got[i]);
        }
    }
}

static void thief1(void) { steal(1); }
static void thief2(void) { steal(2); }
static void thief3(void) { steal(3); }

static void finish(void)
{
    while (get())
        continue;
    uint64_t all = 0;
    for (int i = 0; i < CHECK_THREADS; i++) {
        check_assert(!(all & taken[i])); /* nothing twice */
        all |= taken[i];
    }
    check_assert(all == accepted); /* nothing lost */
    OP(fini)(&queue);
}

static struct check_result run(const struct client *which, enum check_model model, double seconds)
{
    struct check_program program = {setup, {owner}, finish};
    static void (*const thieves[])(void) = {thief1, thief2, thief3};
    struct check_options options = {.model = model, .seconds = seconds};
    client = which;
    for (int i = 0; i < 3 && which->thief[i]; i++)
        program.thread[i + 1] = thieves[i];
    return check(&program, &options);
}

static const char *const models[] = {"rc11", "tso", "sc"};
static const char *const verdicts[] = {"ok", "failed", "unfinished"};

static void print_row(const struct client *which, enum check_model model, const char *weakened,
                      const struct check_result *r)
{
    printf("%s,%s,%s,%s,%llu,%llu,%s,%.2f\n", TEXT(KIND), which->name, models[model], weakened,
           (unsigned long long)r->executions, (unsigned long long)r->runs, verdicts[r->verdict],
           r->seconds);
    fflush(stdout);
}

static int usage(const char *what, const char *word)
{
    fprintf(stderr, "verify-%s: %s '%s'; see verify-%s --help\n", TEXT(KIND), what, word,
            TEXT(KIND));
    return EXIT_USAGE;
}

static void help(void)
{
    printf("usage: verify-%s [OPTION]...\n"
           "Checks the clients of the queue %s under a memory model, one CSV row each.\n"
           "  --client NAME    only this one (--list names them)\n"
           "  --full           also those that take minutes\n"
           "  --model MODEL    rc11 (default), tso or sc\n"
           "  --seconds N      give each client up after so long; its verdict is 'unfinished'\n"
           "  --weaken ORDER   with this order of the ledger relaxed (--orders names them)\n"
           "  --mutants        weaken each order in turn: some client must fail, else exit 1\n"
           "  --trace          print the execution that failed\n"
           "Exit status: 0 all well, 1 a client failed or did not finish, 2 bad usage.\n",
           TEXT(KIND), TEXT(KIND));
}

/* Whether some client fails with the order weakened. */
static bool caught(const char *order, bool full, enum check_model model, double seconds, bool trace)
{
    check_weaken(order);
    for (const struct client *k = clients; k->name; k++) {
        if (k->full && !full)
            continue;
        struct check_result r = run(k, model, seconds);
        if (r.verdict == CHECK_FAILED) {
            print_row(k, model, order, &r);
            if (trace)
                printf("%s", r.failure);
            free(r.failure);
            check_weaken(NULL);
            return true;
        }
    }
    printf("%s,-,%s,%s,0,0,not caught,0\n", TEXT(KIND), models[model], order);
    check_weaken(NULL);
    return false;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"client", 1, 0, 'c'},   {"full", 0, 0, 'f'},   {"model", 1, 0, 'm'},
        {"seconds", 1, 0, 's'},  {"weaken", 1, 0, 'w'}, {"mutants", 0, 0, 'M'},
        {"trace", 0, 0, 't'},    {"list", 0, 0, 'l'},   {"orders", 0, 0, 'o'},
        {"progress", 0, 0, 'p'}, {"help", 0, 0, 'h'},   {NULL, 0, NULL, 0},
    };
    const char *only = NULL, *weakened = "";
    enum check_model model = CHECK_RC11;
    double seconds = 0;
    bool full = false, mutants = false, trace = false, found = false;
    int failures = 0;
    char *end;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'c':
            only = optarg;
            break;
        case 'f':
            full = true;
            break;
        case 'm':
            for (model = CHECK_RC11; model <= CHECK_SC && strcmp(models[model], optarg); model++)
                continue;
            if (model > CHECK_SC)
                return usage("no such model", optarg);
            break;
        case 's':
            seconds = strtod(optarg, &end);
            if (*end || end == optarg || !(seconds > 0))
                return usage("not a number of seconds", optarg);
            break;
        case 'w':
            weakened = optarg;
            if (!check_weaken(weakened))
                return usage("no such order", optarg);
            break;
        case 'M':
            mutants = true;
            break;
        case 'p':
            break;
        case 't':
            trace = true;
            break;
        case 'l':
            for (const struct client *k = clients; k->name; k++)
                printf("%s %s\n", k->name, k->full ? "full" : "quick");
            return 0;
        case 'o':
            for (const struct order *o = check_orders; o->name; o++)
                printf("%s\n", o->name);
            return 0;
        case 'h':
            help();
            return 0;
        default:
            return EXIT_USAGE;
        }
    if (optind < argc)
        return usage("stray argument", argv[optind]);
    if (mutants) {
        for (const struct order *o = check_orders; o->name; o++)
            failures += !caught(o->name, full, model, seconds, trace);
        return failures > 0;
    }
    for (const struct client *k = clients; k->name; k++) {
        if (only ? strcmp(only, k->name) : k->full && !full)
            continue;
        found = true;
        struct check_result r = run(k, model, seconds);
        print_row(k, model, weakened, &r);
        if (trace && r.failure)
            printf("%s", r.failure);
        free(r.failure);
        failures += r.verdict != CHECK_OK;
    }
    if (!found)
        return usage("no such client", only ? only : "");
    return failures > 0;
}
