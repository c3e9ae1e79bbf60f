/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "dump.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../queue/signals.h"
#include "symbol.h"

/* ---- the text ---- */

/* Not on the stack: a handler may have a small one. */
static struct {
    heist_au32 taken;
    struct heist_symbol_ symbol;
    struct heist_text_ text;
    char buffer[4096];
} scratch;

static void string(const char *s) { heist_text_string_(&scratch.text, s); }
static void decimal(uint64_t n) { heist_text_decimal_(&scratch.text, n); }

static void counted(uint64_t n, const char *what)
{
    decimal(n);
    string(" ");
    string(what);
}

static const char *state_name(enum heist_dump_state_ state)
{
    switch (state) { /* as wide as the widest, and two spaces */
    case HEIST_DUMP_IDLE_:
        return "idle       ";
    case HEIST_DUMP_PARKED_:
        return "parked     ";
    case HEIST_DUMP_RUNNING_:
        return "runs       ";
    case HEIST_DUMP_WAITING_:
        return "waits      ";
    case HEIST_DUMP_BENCHED_:
        return "benched    ";
    case HEIST_DUMP_NO_THREAD_:
        return "no thread  ";
    case HEIST_DUMP_LENDER_:
        return "not lent   ";
    }
    return "?          ";
}

/* NAME (MODULE+OFFSET), or the address for a name. */
static void print_function(uintptr_t address)
{
    struct heist_symbol_ *s = &scratch.symbol;
    heist_symbol_find_(s, address);
    if (*s->name)
        string(s->name);
    else
        heist_text_hex_(&scratch.text, address);
    if (*s->module) {
        string(" (");
        string(s->module);
        string("+");
        heist_text_hex_(&scratch.text, s->offset);
        string(")");
    }
}

static void print_worker(unsigned number, const struct heist_dump_worker_ *w)
{
    string("  worker ");
    decimal(number);
    string(number < 10 ? "   " : number < 100 ? "  " : " ");
    string(state_name(w->state));
    if (w->state == HEIST_DUMP_WAITING_ && w->waits_for >= 0) {
        string("for worker ");
        decimal((uint64_t)w->waits_for);
        string(", ");
    }
    if (w->function) {
        string(w->state == HEIST_DUMP_RUNNING_ ? "" : "runs ");
        print_function(w->function);
        string(", ");
    }
    counted(w->depth, w->depth == 1 ? "frame, " : "frames, ");
    counted(w->public_tasks, "public, ");
    counted(w->queued, "queued\n");
}

/* ---- hints ---- */

/* The worker that this one waits for; -1: it does not wait, or not for one of the pool's. */
static int next_of(const struct heist_dump_pool_ *pool, unsigned number)
{
    struct heist_dump_worker_ w = pool->worker(pool->context, number);
    bool waits =
        w.state == HEIST_DUMP_WAITING_ && w.waits_for >= 0 && (unsigned)w.waits_for < pool->seats;
    return waits ? w.waits_for : -1;
}

/* Whether following the waits from `first` leads back to it, and through none before it: so that
   each cycle is told once. It may change while we look, so there is an end to looking. */
static bool begins_cycle(const struct heist_dump_pool_ *pool, unsigned first)
{
    int at = next_of(pool, first);
    for (unsigned steps = 0; at > (int)first && steps < pool->seats; steps++)
        at = next_of(pool, (unsigned)at);
    return at == (int)first;
}

static void print_cycle(const struct heist_dump_pool_ *pool, unsigned first)
{
    int at = (int)first;
    string("  a cycle: worker ");
    decimal(first);
    for (unsigned steps = 0; steps < pool->seats; steps++) {
        at = next_of(pool, (unsigned)at);
        if (at < 0)
            break;
        string(" waits for ");
        decimal((uint64_t)at);
        if (at == (int)first)
            break;
    }
    string("\n");
}

static void print_hints(const struct heist_dump_pool_ *pool)
{
    unsigned waiting = 0, running = 0, asleep = 0;
    for (unsigned i = 0; i < pool->seats; i++) {
        enum heist_dump_state_ state = pool->worker(pool->context, i).state;
        waiting += state == HEIST_DUMP_WAITING_;
        running += state == HEIST_DUMP_RUNNING_;
        asleep += state == HEIST_DUMP_PARKED_;
        if (state == HEIST_DUMP_WAITING_ && begins_cycle(pool, i))
            print_cycle(pool, i);
    }
    if (waiting && !running) {
        string("  nobody runs anything: ");
        counted(waiting, waiting == 1 ? "worker waits\n" : "workers wait\n");
    }
    if (pool->jobs_queued && asleep && !running && !waiting)
        string("  jobs are queued, but nobody runs anything\n");
}

bool heist_dump_print_(int fd, const struct heist_dump_pool_ *pool)
{
    if (heist_exchange(&scratch.taken, 1, HEIST_DP_PRINT))
        return false;
    heist_text_begin_(&scratch.text, fd, scratch.buffer, sizeof scratch.buffer);
    string("heist: process ");
    decimal((uint64_t)getpid());
    string(", pool ");
    string(pool->name);
    string(", kind ");
    string(pool->kind);
    string(", ");
    counted(pool->workers, pool->workers == 1 ? "worker, " : "workers, ");
    counted(pool->jobs_queued, pool->jobs_queued == 1 ? "job queued, " : "jobs queued, ");
    counted(pool->jobs_running, "running\n");
    for (unsigned i = 0; i < pool->seats; i++) {
        struct heist_dump_worker_ w = pool->worker(pool->context, i);
        print_worker(i, &w);
    }
    print_hints(pool);
    heist_text_flush_(&scratch.text);
    heist_store(&scratch.taken, 0, HEIST_DP_DONE);
    return true;
}

/* ---- the signal ---- */

static heist_auptr dumper;  /* what a handler calls; 0: nothing */
static heist_au32 handlers; /* that are under way */

/* Of install and uninstall. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int installed; /* the signal; 0: none */

static void handler(int signal)
{
    (void)signal;
    int error = errno;
    heist_add(&handlers, 1, HEIST_DP_ENTER);
    void (*dump)(int) = (void (*)(int))heist_load(&dumper, HEIST_DP_ENTER);
    if (dump)
        dump(STDERR_FILENO);
    heist_add(&handlers, -1u, HEIST_DP_LEAVE);
    errno = error;
}

static bool handled_by(int signal, void (*by)(int))
{
    struct sigaction now;
    return !sigaction(signal, NULL, &now) && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == by;
}

static int install(int signal, void (*dump)(int fd))
{
    if (!heist_signal_usable_(signal) || !dump)
        return -EINVAL;
    if (installed || !handled_by(signal, SIG_DFL))
        return -EBUSY;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    heist_store(&dumper, (uintptr_t)dump, HEIST_DP_CHANGE);
    if (sigaction(signal, &action, NULL)) {
        heist_store(&dumper, 0, HEIST_DP_CHANGE);
        return -EINVAL;
    }
    installed = signal;
    return 0;
}

int heist_dump_install_(int signal, void (*dump)(int fd))
{
    pthread_mutex_lock(&lock);
    int error = install(signal, dump);
    pthread_mutex_unlock(&lock);
    return error;
}

void heist_dump_uninstall_(void)
{
    pthread_mutex_lock(&lock);
    if (installed && handled_by(installed, handler))
        signal(installed, SIG_DFL);
    installed = 0;
    heist_store(&dumper, 0, HEIST_DP_CHANGE);
    heist_dump_wait_();
    pthread_mutex_unlock(&lock);
}

void heist_dump_wait_(void) { heist_await(!heist_load(&handlers, HEIST_DP_WAIT)); }

void heist_dump_in_child_(void)
{
    heist_store(&handlers, 0, __ATOMIC_RELAXED);
    heist_store(&scratch.taken, 0, __ATOMIC_RELAXED);
}
