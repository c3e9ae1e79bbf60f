/* SPDX-License-Identifier: MIT */
/* The clients of one kind (scripted.h), from the command line: compiled once per kind. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checker.h"
#include "history.h"
#include "orders.h"
#include SCRIPTS /* scripted.h for a queue: it has the clients, and makes programs of them */
#include "state.h"

enum { EXIT_USAGE = 2 };

/* Set by the command line, and so kept from run to run. */
static struct {
    const struct client *client; /* the one that runs */
    const char *only;
    const char *weakened;
    struct check_options options;
    bool full, trace;
} s CHECK_STATE = {.weakened = ""};

static void setup(void) { script_setup(s.client); }
static void owner(void) { script_owner(s.client); }
static void thief1(void) { script_thief(s.client, 1); }
static void thief2(void) { script_thief(s.client, 2); }
static void thief3(void) { script_thief(s.client, 3); }

static struct check_result run(const struct client *which)
{
    struct check_program program = {setup, {owner}, script_finish};
    static void (*const thieves[])(void) = {thief1, thief2, thief3};
    struct check_options options = s.options;
    options.buffering = true;
    if (!options.random)
        options.random = which->random;
    s.client = which;
    if (which->program)
        return check(which->program, &options);
    for (int i = 0; i < 3 && which->thief[i]; i++)
        program.thread[i + 1] = thieves[i];
    return check(&program, &options);
}

static const char *const models[] = {"rc11", "tso", "sc"};
static const char *const verdicts[] = {"ok", "failed", "unfinished"};

static void print_row(const struct client *which, const struct check_result *r)
{
    printf("%s,%s,%s,%s,%llu,%llu,%s,%.2f\n", SCRIPT_TEXT(KIND), which->name,
           models[s.options.model], s.weakened, (unsigned long long)r->executions,
           (unsigned long long)r->runs, verdicts[r->verdict], r->seconds);
    if (s.trace && r->failure) {
        printf("%sagain: verify-%s --client %s --model %s", r->failure, SCRIPT_TEXT(KIND),
               which->name, models[s.options.model]);
        if (*s.weakened)
            printf(" --weaken %s", s.weakened);
        if (s.options.bounded)
            printf(" --preemptions %u", s.options.preemptions);
        if (s.options.random || which->random)
            printf(" --random 1");
        printf(" --replay %llu\n", (unsigned long long)r->replay);
    }
    fflush(stdout);
}

static bool chosen(const struct client *k)
{
    return s.only ? !strcmp(s.only, k->name) : s.full || !(k->full || k->random);
}

/* How many of the clients failed or did not finish; -1: there is none of that name. */
static int run_clients(void)
{
    int failures = 0, found = 0;
    for (const struct client *k = clients; k->name; k++) {
        if (!chosen(k))
            continue;
        found++;
        struct check_result r = run(k);
        print_row(k, &r);
        free(r.failure);
        failures += r.verdict != CHECK_OK;
        if (s.options.replay && !s.options.random && !k->random && r.runs < s.options.replay) {
            fprintf(stderr, "verify-%s: there is no run %llu: the client has %llu\n",
                    SCRIPT_TEXT(KIND), (unsigned long long)s.options.replay,
                    (unsigned long long)r.runs);
            failures++;
        }
    }
    return found ? failures : -1;
}

/* Whether some client fails with the order weakened, or none comes to it. */
static bool caught(const char *what)
{
    bool used = false;
    s.weakened = what;
    for (const struct client *k = clients; k->name; k++) {
        if (!chosen(k) && (s.only || !k->random))
            continue;
        check_weaken(what);
        struct check_result r = run(k);
        used |= check_weakened_used();
        if (r.verdict == CHECK_FAILED) {
            print_row(k, &r);
            free(r.failure);
            return true;
        }
    }
    printf("%s,-,%s,%s,0,0,%s,0\n", SCRIPT_TEXT(KIND), models[s.options.model], what,
           used ? "not caught" : "not used");
    fflush(stdout);
    return !used;
}

/* How many orders can be weakened, and no client fails. */
static int run_mutants(void)
{
    int failures = 0;
    for (const struct order *o = check_orders; o->name; o++)
        for (const char *const *weaker = check_weaker(o->value); *weaker; weaker++) {
            char what[128];
            snprintf(what, sizeof what, "%s=%s", o->name, *weaker);
            failures += !caught(what);
        }
    return failures;
}

static void progress(uint64_t executions, void *unused)
{
    static struct timespec last CHECK_STATE;
    struct timespec now;
    (void)unused;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000 < 200)
        return;
    last = now;
    fprintf(stderr, "progress %llu\n", (unsigned long long)executions);
}

static int usage(const char *what, const char *word)
{
    fprintf(stderr, "verify-%s: %s '%s'; see verify-%s --help\n", SCRIPT_TEXT(KIND), what, word,
            SCRIPT_TEXT(KIND));
    return EXIT_USAGE;
}

static bool number_of(const char *text, uint64_t least, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *number >= least;
}

static void help(void)
{
    printf("usage: verify-%s [OPTION]...\n"
           "Checks the clients of the queue %s under a memory model, one CSV row each:\n"
           "kind,client,model,weakened,executions,runs,verdict,seconds\n"
           "  --client NAME      only this one (--list names them)\n"
           "  --full             also those that take minutes, or are drawn at random\n"
           "  --model MODEL      rc11 (default), tso or sc\n"
           "  --seconds N        give each client up after so long: 'unfinished'\n"
           "  --preemptions N    only executions with so many preemptions (and some with more)\n"
           "  --random N         N executions drawn at random instead of all\n"
           "  --seed N           the first of their seeds (default 1)\n"
           "  --replay N         only the run of this number, or with --random of this seed;\n"
           "                     with --client; for gdb: break check_replayed\n"
           "  --estimate N       only guess how many executions there are, by N random descents\n"
           "  --weaken ORDER     with this order of the ledger relaxed (--orders names them), or\n"
           "                     ORDER=release, acquire, acq_rel\n"
           "  --mutants          weaken each order in turn: some client must fail, else exit 1\n"
           "  --trace            print the execution that failed, the shortest found\n"
           "  --progress         say on stderr how far it is\n"
           "  --list             the clients, and whether they are quick, full or random\n"
           "  --orders           the orders of the ledger\n"
           "Exit status: 0 all well, 1 a client failed or did not finish, 2 bad usage.\n",
           SCRIPT_TEXT(KIND), SCRIPT_TEXT(KIND));
}

static void list_clients(void)
{
    for (const struct client *k = clients; k->name; k++)
        printf("%s %s\n", k->name, k->random ? "random" : k->full ? "full" : "quick");
}

static void list_orders(void)
{
    for (const struct order *o = check_orders; o->name; o++)
        printf("%s %s\n", o->name, check_order_name(o->value));
}

int main(int argc, char **argv)
{
    enum { PREEMPTIONS = 256, RANDOM, SEED, REPLAY, ESTIMATE, PROGRESS };
    static const struct option options[] = {
        {"client", 1, 0, 'c'},        {"full", 0, 0, 'f'},      {"model", 1, 0, 'm'},
        {"seconds", 1, 0, 's'},       {"weaken", 1, 0, 'w'},    {"mutants", 0, 0, 'M'},
        {"trace", 0, 0, 't'},         {"list", 0, 0, 'l'},      {"orders", 0, 0, 'o'},
        {"help", 0, 0, 'h'},          {"random", 1, 0, RANDOM}, {"preemptions", 1, 0, PREEMPTIONS},
        {"seed", 1, 0, SEED},         {"replay", 1, 0, REPLAY}, {"progress", 0, 0, PROGRESS},
        {"estimate", 1, 0, ESTIMATE}, {NULL, 0, NULL, 0},
    };
    bool mutants = false;
    uint64_t number;
    char *end;
    s.options.seed = 1;
    opterr = 0; /* usage() says it */
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'c':
            s.only = optarg;
            break;
        case 'f':
            s.full = true;
            break;
        case 'm':
            for (s.options.model = CHECK_RC11;
                 s.options.model <= CHECK_SC && strcmp(models[s.options.model], optarg);)
                s.options.model++;
            if (s.options.model > CHECK_SC)
                return usage("no such model", optarg);
            break;
        case 's':
            s.options.seconds = strtod(optarg, &end);
            if (*end || end == optarg || !(s.options.seconds > 0))
                return usage("not a number of seconds", optarg);
            break;
        case PREEMPTIONS:
            if (!number_of(optarg, 0, &number) || number > 100)
                return usage("not a number of preemptions", optarg);
            s.options.bounded = true;
            s.options.preemptions = (unsigned)number;
            break;
        case RANDOM:
            if (!number_of(optarg, 1, &s.options.random))
                return usage("not a number of executions", optarg);
            break;
        case SEED:
            if (!number_of(optarg, 1, &s.options.seed))
                return usage("the seed is not a number from 1 on:", optarg);
            break;
        case REPLAY:
            if (!number_of(optarg, 1, &s.options.replay))
                return usage("not the number of a run, nor a seed:", optarg);
            break;
        case ESTIMATE:
            if (!number_of(optarg, 1, &number) || number > UINT32_MAX)
                return usage("not a number of descents", optarg);
            s.options.estimate = (unsigned)number;
            break;
        case 'w':
            s.weakened = optarg;
            if (!check_weaken(s.weakened))
                return usage("no such order, or not a weaker one:", optarg);
            break;
        case PROGRESS:
            s.options.progress = progress;
            break;
        case 'M':
            mutants = true;
            break;
        case 't':
            s.trace = true;
            break;
        case 'l':
            list_clients();
            return 0;
        case 'o':
            list_orders();
            return 0;
        case 'h':
            help();
            return 0;
        default:
            return usage("unknown option, or one without its value,", argv[optind - 1]);
        }
    if (optind < argc)
        return usage("stray argument", argv[optind]);
    if (s.options.replay && !s.only)
        return usage("which client? --client is missing for", "--replay");
    if (s.options.replay) {
        s.trace = true;
        if (s.options.random)
            s.options.seed = s.options.replay;
    }
    if (mutants)
        return run_mutants() > 0;
    int failures = run_clients();
    return failures < 0 ? usage("no such client", s.only) : failures > 0;
}
