/* SPDX-License-Identifier: MIT */
/* What the program under check calls, each access of its atomics above all, and how it fails. */
#define _GNU_SOURCE
#include <heist_model.h>

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "execution.h"
#include "posix.h"
#include "races.h"
#include "state.h"
#include "switch.h"
#include "trace.h"

/* Fills memory that is allocated: the same in every run, and nothing sensible. */
enum { JUNK = 0xdb };
enum { OWN_STEPS = 1 << 16 }; /* of a thread, on words that only it uses */

static struct checker *const c = &checker;

/* ---- Failure ---- */

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

void checker_fail(const char *format, ...)
{
    if (c->failed)
        return;
    c->failed = true;
    if (c->result.failure && c->graph.n >= c->shortest)
        return;
    c->shortest = c->graph.n;
    c->result.replay = c->options.random ? c->seed : c->result.runs;
    free(c->result.failure);
    size_t size;
    void *words[LOCATIONS];
    for (int l = 0; l < c->number_of_locations; l++)
        words[l] = c->locations[l]->address;
    FILE *out = open_memstream(&c->result.failure, &size);
    va_list args;
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fprintf(out, "\nexecution, as an interleaving of the threads as far as there is one:\n");
    trace_write(out, &c->graph, words);
    fclose(out);
}

void checker_fail_endless(int steps)
{
    checker_fail("no end after %d steps: a loop that waits says so by heist_await", steps);
}

void checker_leave(void) { check_switch(&c->threads[c->running].context, c->scheduler); }

void check_fail(const char *what, const char *file, int line)
{
    checker_fail("%s (%s:%d, %s)", what, base_name(file), line,
                 c->running == MAIN ? "after all threads" : "in a thread");
    for (;;)
        checker_leave();
}

/* A wild access of the program's: a failure of the program, not of the checker. */
static void on_fault(int signal)
{
    (void)signal;
    races_stop();
    check_race("memory that is not there was accessed");
}

void checker_catch_faults(void)
{
    static char stack[1 << 16] CHECK_STATE;
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fault;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaltstack(&alternate, NULL);
    (sigaction)(SIGSEGV, &action, NULL); /* the system's: the program's is a macro */
    (sigaction)(SIGBUS, &action, NULL);
}

void check_race(const char *what)
{
    checker_fail("%s, in thread %d", what, c->running);
    for (;;)
        checker_leave();
}

/* ---- What the program calls ---- */

struct word *checker_word_at(void *address, unsigned size)
{
    size_t i = ((uintptr_t)address >> 2) * 0x9e3779b97f4a7c15u >> 52;
    while (c->words[i].address && c->words[i].address != address)
        i = (i + 1) % WORDS;
    if (!c->words[i].address)
        c->words[i] = (struct word){address, c->options.whole ? MAIN : c->running, NONE, size};
    return &c->words[i];
}

/* At once, where nobody else looks: before and after the threads, and on words of one thread
   only, but for what may end in two ways. */
static struct request natively(struct request r)
{
    r.result = peek(r.word, r.size);
    r.wrote = writes(&r, r.result);
    if (r.wrote)
        poke(r.word, r.size, written(&r, r.result));
    return r;
}

static bool accesses(const struct request *r) { return r->what < FENCE_; }

static struct request ask(struct request r)
{
    if (c->running == MAIN)
        return accesses(&r) ? natively(r) : r;
    posix_deliver();
    if (accesses(&r)) {
        races_atomic(r.word, r.size, r.what != LOAD);
        struct word *w = checker_word_at(r.word, r.size);
        if (w->thread == c->running && r.what != WEAK_CAS) {
            if (++c->threads[c->running].own_steps > OWN_STEPS) {
                checker_fail_endless(OWN_STEPS);
                for (;;)
                    checker_leave();
            }
            r = natively(r);
            /* On x86 it would be a barrier all the same. */
            bool locked = r.what != LOAD && (r.what != STORE || r.order == __ATOMIC_SEQ_CST);
            if (c->options.model == CHECK_TSO && locked)
                check_fence(__ATOMIC_SEQ_CST, r.file, r.line);
            return r;
        }
        if (w->thread != MAIN) { /* it must have events after all: begin anew, and know it */
            w->thread = MAIN;
            c->again = true;
        }
    }
    struct thread *t = &c->threads[c->running];
    t->request = r;
    checker_leave();
    return t->request;
}

static struct request request_for(const void *word, unsigned size, int order, const char *file,
                                  int line)
{
    struct request r = {LOAD,    (void *)(uintptr_t)word, size, order, 0, 0, file, line, 0, false,
                        ORDINARY};
    return r;
}

uint64_t check_load(const void *word, unsigned size, int order, const char *file, int line)
{
    return ask(request_for(word, size, order, file, line)).result;
}

void check_store(void *word, unsigned size, uint64_t value, int order, const char *file, int line)
{
    struct request r = request_for(word, size, order, file, line);
    r.what = STORE;
    r.value = value;
    ask(r);
}

uint64_t check_exchange(void *word, unsigned size, uint64_t value, int order, const char *file,
                        int line)
{
    struct request r = request_for(word, size, order, file, line);
    r.what = EXCHANGE;
    r.value = value;
    return ask(r).result;
}

uint64_t check_add(void *word, unsigned size, uint64_t n, int order, const char *file, int line)
{
    struct request r = request_for(word, size, order, file, line);
    r.what = ADD;
    r.value = n;
    return ask(r).result;
}

bool check_cas(void *word, unsigned size, void *expected, uint64_t desired, bool weak, int order,
               const char *file, int line)
{
    struct request r = request_for(word, size, order, file, line);
    r.what = weak ? WEAK_CAS : CAS;
    r.value = desired;
    r.expected = peek(expected, size);
    r = ask(r);
    if (!r.wrote)
        poke(expected, size, r.result);
    return r.wrote;
}

static void fence(int order, enum weight weight, const char *file, int line)
{
    struct request r = request_for(NULL, 0, order, file, line);
    r.what = FENCE_;
    r.weight = weight;
    ask(r);
}

void check_fence(int order, const char *file, int line) { fence(order, ORDINARY, file, line); }
void check_light_fence(int order, const char *file, int line) { fence(order, LIGHT, file, line); }
void check_heavy_fence(int order, const char *file, int line) { fence(order, HEAVY, file, line); }

unsigned check_choose(unsigned n)
{
    struct request r = request_for(NULL, 0, __ATOMIC_RELAXED, __FILE__, __LINE__);
    r.what = CHOICE;
    r.value = n;
    return n > 1 ? (unsigned)ask(r).result : 0;
}

void check_mark(uint16_t before[CHECK_THREADS])
{
    struct request r = request_for(NULL, 0, __ATOMIC_RELAXED, __FILE__, __LINE__);
    r.what = FENCE_;
    ask(r);
    memset(before, 0, CHECK_THREADS * sizeof *before);
    const struct thread *t = &c->threads[c->running];
    if (c->running != MAIN) {
        const struct event *e = &c->graph.e[c->graph.by_thread[c->running][t->replayed - 1]];
        memcpy(before, e->hb.of, sizeof e->hb.of);
    }
}

void check_used(const void *value)
{
    struct graph *g = &c->graph;
    if (c->running == MAIN)
        return;
    for (int i = c->threads[c->running].replayed; i-- > 0;) {
        struct event *e = &g->e[g->by_thread[c->running][i]];
        if (e->kind == READ && e->value == (uintptr_t)value) {
            e->used = true;
            return;
        }
    }
}

void check_wait_begins(void)
{
    struct thread *t = &c->threads[c->running];
    t->waits_from = t->replayed;
}

void check_wait(const char *file, int line)
{
    if (c->running == MAIN)
        check_fail("waits, and there is nobody to wait for", file, line);
    struct request r = request_for(NULL, 0, __ATOMIC_RELAXED, file, line);
    r.what = WAIT;
    for (;;)
        ask(r);
}

/* Whether the thread has done in [middle, end) the same as in [from, middle), and seen the same. */
static bool same_turns(const struct thread *t, int from, int middle, int end)
{
    const int16_t *events = c->graph.by_thread[t - c->threads];
    if (middle - from != end - middle)
        return false;
    for (; middle < end; from++, middle++) {
        const struct event *a = &c->graph.e[events[from]], *b = &c->graph.e[events[middle]];
        if (a->kind != b->kind || a->location != b->location || a->value != b->value)
            return false;
    }
    return true;
}

void check_pause(const char *file, int line)
{
    struct thread *t = &c->threads[c->running];
    int from = t->turns[0], middle = t->turns[1];
    if (from >= 0 && same_turns(t, from, middle, t->replayed)) {
        t->waits_from = middle;
        check_wait(file, line);
    }
    t->turns[0] = middle;
    t->turns[1] = t->replayed;
}

void check_goes_on(void)
{
    struct thread *t = &c->threads[c->running];
    t->turns[0] = t->turns[1] = -1;
}

void *check_alloc(void *context, size_t size, size_t align)
{
    (void)context;
    struct thread *t = &c->threads[c->running];
    t->used = (t->used + align - 1) / align * align;
    if (t->used + size > ARENA)
        return NULL;
    void *memory = t->arena + t->used;
    t->used += size;
    return memset(memory, JUNK, size);
}

void check_free(void *context, void *memory, size_t size)
{
    (void)context;
    races_free(memory, size);
}

void check_alone(void (*routine)(void))
{
    bool on = races_pause();
    routine();
    races_resume(on);
}

int check_memalign(void **memory, size_t align, size_t size)
{
    void *p = check_alloc(NULL, size, align);
    if (!p)
        return ENOMEM;
    *memory = p;
    return 0;
}

void *check_map(size_t size)
{
    void *p = check_alloc(NULL, size, 64);
    return p ? memset(p, 0, size) : MAP_FAILED;
}

int check_self(void) { return c->running; }

void **check_thread_local(const char *name)
{
    int i = 0;
    while (i < LOCALS && c->local_names[i] && strcmp(c->local_names[i], name))
        i++;
    if (i == LOCALS)
        abort();
    c->local_names[i] = name;
    return &c->threads[c->running].local[i];
}
