/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "environment.h"

#include <heist/bwos.h>
#include <heist/kinds.h>
#include <heist/pool.h>
#include <heist/queue.h>

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "HEIST_"
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* ---- Values ---- */

/* Digits only: no sign, no space, nothing behind. */
static bool parse_number(const char *text, unsigned long least, unsigned long most,
                         unsigned long *out)
{
    if (!isdigit((unsigned char)*text))
        return false;
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (errno || *end || n < least || n > most)
        return false;
    *out = n;
    return true;
}

static const struct {
    const char *name;
    enum heist_split_mode mode;
} split_modes[] = {{"user", HEIST_SPLIT_USER},
                   {"signal", HEIST_SPLIT_SIGNAL},
                   {"conservative", HEIST_SPLIT_CONSERVATIVE},
                   {"half", HEIST_SPLIT_HALF}};

static bool parse_split_mode(const char *text, int *mode)
{
    for (size_t i = 0; i < sizeof split_modes / sizeof *split_modes; i++)
        if (!strcmp(split_modes[i].name, text)) {
            *mode = split_modes[i].mode;
            return true;
        }
    return false;
}

static const char *find_kind(const char *text, size_t length)
{
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++)
        if (strlen(*kind) == length && !memcmp(*kind, text, length))
            return *kind;
    return NULL;
}

int heist_parse_queue_(const char *text, struct heist_queue_choice_ *out)
{
    if (!text)
        return -EINVAL;
    size_t length = strcspn(text, ":");
    struct heist_queue_choice_ choice = {find_kind(text, length), -1, 0};
    if (!choice.kind)
        return -EINVAL;
    if (text[length]) {
        const char *option = text + length + 1;
        unsigned long block;
        if (!strcmp(choice.kind, "split") && parse_split_mode(option, &choice.split_mode))
            ;
        else if (!strncmp(choice.kind, "bwos_", 5) &&
                 parse_number(option, 1, HEIST_BWOS_BLOCK_MAX, &block))
            choice.block = block;
        else
            return -EINVAL;
    }
    *out = choice;
    return 0;
}

/* Those that a program can go on after, and that a queue does not need (URG). The numbers between
   them and RTMIN are the C library's. */
#define SIGNAL(NAME) #NAME, SIG##NAME
static const struct {
    const char *name;
    int number;
} signals[] = {
    {SIGNAL(HUP)},  {SIGNAL(INT)},  {SIGNAL(QUIT)}, {SIGNAL(USR1)},   {SIGNAL(USR2)},
    {SIGNAL(PIPE)}, {SIGNAL(ALRM)}, {SIGNAL(TERM)}, {SIGNAL(CHLD)},   {SIGNAL(CONT)},
    {SIGNAL(TSTP)}, {SIGNAL(TTIN)}, {SIGNAL(TTOU)}, {SIGNAL(XCPU)},   {SIGNAL(XFSZ)},
    {SIGNAL(PROF)}, {SIGNAL(IO)},   {SIGNAL(PWR)},  {SIGNAL(VTALRM)}, {SIGNAL(WINCH)},
};

/* `base` alone, or with a sign and a number of further real-time signals. */
static bool parse_real_time(const char *text, const char *base, char sign, unsigned long *offset)
{
    size_t length = strlen(base);
    *offset = 0;
    if (strncmp(text, base, length))
        return false;
    text += length;
    return !*text || (*text == sign &&
                      parse_number(text + 1, 0, (unsigned long)(SIGRTMAX - SIGRTMIN), offset));
}

/* USR1, SIGUSR1, RTMIN, RTMIN+3, RTMAX-3 or a number; 0: none of them. */
static int parse_signal(const char *text)
{
    unsigned long n = 0, offset;
    bool is_number = parse_number(text, 1, (unsigned long)SIGRTMAX, &n);
    if (!strncmp(text, "SIG", 3))
        text += 3;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (is_number ? (int)n == signals[i].number : !strcmp(signals[i].name, text))
            return signals[i].number;
    if (parse_real_time(text, "RTMIN", '+', &offset))
        return SIGRTMIN + (int)offset;
    if (parse_real_time(text, "RTMAX", '-', &offset))
        return SIGRTMAX - (int)offset;
    return (int)n >= SIGRTMIN ? (int)n : 0;
}

/* ---- The variables ---- */

static bool take_workers(const char *text, struct heist_environment_ *out)
{
    unsigned long n;
    bool ok = parse_number(text, 1, HEIST_WORKERS_MAX_, &n);
    if (ok)
        out->workers = (unsigned)n;
    return ok;
}

static bool take_queue(const char *text, struct heist_environment_ *out)
{
    return !heist_parse_queue_(text, &out->queue);
}

static bool take_victim(const char *text, struct heist_environment_ *out)
{
    return !heist_victim_parse(text, &out->victim);
}

static bool take_batch(const char *text, struct heist_environment_ *out)
{
    return !heist_batch_parse(text, &out->batch);
}

static bool take_pin(const char *text, struct heist_environment_ *out)
{
    return !heist_pin_parse(text, &out->pin);
}

static bool take_stats(const char *text, struct heist_environment_ *out)
{
    unsigned long n = HEIST_STATS_FORKS;
    bool ok = !strcmp(text, "forks") || parse_number(text, 0, HEIST_STATS_CHEAP, &n);
    if (ok)
        out->stats = (unsigned)n;
    return ok;
}

/* A copy: the program may change its environment. */
static bool take_trace(const char *text, struct heist_environment_ *out)
{
    out->trace = strdup(text);
    return out->trace;
}

static bool take_dump_signal(const char *text, struct heist_environment_ *out)
{
    out->dump_signal = parse_signal(text);
    return out->dump_signal;
}

#define KIND_(K) " " #K

const struct heist_variable_ heist_variables_[] = {
    {PREFIX "WORKERS", "a number from 1 to " TEXT(HEIST_WORKERS_MAX_),
     "one per CPU that this process may use, by its affinity and its cgroups' quota",
     "how many workers a pool has whose options do not say", take_workers},
    {PREFIX "QUEUE",
     "a kind of queue:" HEIST_QUEUE_KINDS(KIND_) "; or split:MODE, MODE being user, signal, "
                                                 "conservative or half; or bwos_lifo:BLOCK, "
                                                 "bwos_fifo:BLOCK, BLOCK being items in a block",
     "the runtime's own", "the queues of a pool whose options do not say", take_queue},
    {PREFIX "VICTIM",
     "a policy: random, sequential, last, best_of_two, best_of_many or numa; each also with +prob, "
     "as "
     "in numa+prob",
     "random", "whom the workers of a pool steal from whose options do not say", take_victim},
    {PREFIX "BATCH", "one, half, block or all-of-block, which is the same as block", "one",
     "how much a thief takes at once, in a pool whose options do not say", take_batch},
    {PREFIX "PIN", "none, compact or spread", "none",
     "where the threads of a pool run whose options do not say: wherever the system wants, as near "
     "to "
     "each other as can be, or as far",
     take_pin},
    {PREFIX "STATS", "0, 1 or forks", "0",
     "1 prints a table of what the workers of a pool did, when it ends; forks does too, and counts "
     "every fork, which makes forks slower",
     take_stats},
    {PREFIX "TRACE", "a file name", "no trace",
     "writes what happened to this file, for Perfetto or Chrome's about:tracing", take_trace},
    {PREFIX "DUMP_SIGNAL",
     "a signal: USR1, SIGUSR2, RTMIN+3 or a number; not URG, which split has, nor those "
     "that mean a fault or can't be handled",
     "no signal", "this signal makes every pool print who runs what and who waits for whom",
     take_dump_signal},
    {PREFIX "VERIFY_DIR", "a directory", "beside the command",
     "where `heist verify` looks for its programs", NULL},
    {PREFIX "STRESS_SECONDS", "a number", "3", "how long each stress test of the sources runs",
     NULL},
    {PREFIX "STRESS_SEED", "a number", "another each time",
     "where the random numbers of the stress tests begin", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ---- Mistakes ---- */

enum { SHOWN = 80 }; /* bytes of what somebody typed */

/* Fit for one line: what can't be printed is a question mark, what is too long ends in dots. */
static const char *shown(char out[SHOWN], const char *text)
{
    snprintf(out, SHOWN, "%s", text);
    if (strlen(text) >= SHOWN)
        memcpy(out + SHOWN - 4, "...", 4);
    for (char *p = out; *p; p++)
        if (!isprint((unsigned char)*p))
            *p = '?';
    return out;
}

/* Letters to insert, remove or replace on the way from one to the other. */
static size_t distance(const char *name, const char *known)
{
    size_t cost[32]; /* from the name so far to each beginning of the known one */
    size_t length = strnlen(known, sizeof cost / sizeof *cost - 1);
    for (size_t j = 0; j <= length; j++)
        cost[j] = j;
    for (size_t i = 0; name[i]; i++) {
        size_t diagonal = cost[0];
        cost[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t best = diagonal + (name[i] != known[j]);
            diagonal = cost[j + 1];
            best = best < cost[j] + 1 ? best : cost[j] + 1;
            cost[j + 1] = best < diagonal + 1 ? best : diagonal + 1;
        }
    }
    return cost[length];
}

static const char *nearest(const char *name)
{
    const char *best = NULL;
    size_t least = SIZE_MAX;
    for (const struct heist_variable_ *v = heist_variables_; v->name; v++) {
        size_t d = distance(name, v->name);
        if (d < least) {
            least = d;
            best = v->name;
        }
    }
    return best;
}

static bool is_known(const char *name)
{
    const struct heist_variable_ *v = heist_variables_;
    while (v->name && strcmp(v->name, name))
        v++;
    return v->name;
}

static void report_unknown(const char *entry, FILE *complaints)
{
    char out[SHOWN];
    const char *value = strchr(entry, '=');
    char *name = value ? strndup(entry, (size_t)(value - entry)) : NULL;
    /* The same text, or the environment is not to be trusted, or has the name twice. */
    if (name && !is_known(name) && secure_getenv(name) == value + 1)
        fprintf(complaints,
                "heist: %s is no variable of Heist and does nothing; the nearest is %s\n",
                shown(out, name), nearest(name));
    free(name);
}

/* ---- All of it ---- */

/* secure_getenv: a program with more rights than its caller does not do what the caller's
   environment says, such as writing to a file. An empty value is as good as none. */
void heist_environment_read_(struct heist_environment_ *out, FILE *complaints)
{
    char value[SHOWN];
    *out = (struct heist_environment_){.queue.split_mode = -1};
    for (const struct heist_variable_ *v = heist_variables_; v->name; v++) {
        const char *text = v->parse ? secure_getenv(v->name) : NULL;
        if (text && *text && !v->parse(text, out))
            fprintf(complaints, "heist: %s=%s: it takes %s; using the default, %s\n", v->name,
                    shown(value, text), v->takes, v->otherwise);
    }
    for (char *const *entry = environ; entry && *entry; entry++)
        if (!strncmp(*entry, PREFIX, strlen(PREFIX)))
            report_unknown(*entry, complaints);
}

void heist_environment_complain_(const char *variable, const char *why)
{
    char value[SHOWN];
    const char *text = secure_getenv(variable);
    fprintf(stderr, "heist: %s=%s: %s\n", variable, shown(value, text ? text : ""), why);
}

static struct heist_environment_ environment;

static void read_environment(void) { heist_environment_read_(&environment, stderr); }

const struct heist_environment_ *heist_environment_(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_environment);
    return &environment;
}
