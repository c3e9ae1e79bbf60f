/* SPDX-License-Identifier: MIT */
/*
 * The exploration. One run of the program follows a graph, from the start, and then adds events to
 * it until the threads end; where an event could have been another, the graphs with the others go
 * onto a stack of work. A new write may also be read by reads that came before it: then what came
 * after such a read, and does not belong to the write, is taken away, provided it was added in the
 * one way that makes it ours to do so.
 */
#define _GNU_SOURCE
#include "checker.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "execution.h"
#include "posix.h"
#include "preemptions.h"
#include "races.h"
#include "state.h"
#include "switch.h"
#include "trace.h"

enum { STACK = 1 << 17 };

/* In a section of its own: the rest of the program's data is reset by every run. */
struct checker checker CHECK_STATE;
static struct checker *const c = &checker;

/* ---- The program's own data, as it was before the first run ---- */

extern char __data_start[], _end[], __start_check_state[], __stop_check_state[];

static void save_data(void)
{
    c->saved_size = (size_t)(_end - __data_start);
    c->saved = malloc(c->saved_size);
    memcpy(c->saved, __data_start, c->saved_size);
}

static void restore_data(void)
{
    size_t before = (size_t)(__start_check_state - __data_start);
    size_t behind = (size_t)(__stop_check_state - __data_start);
    memcpy(__data_start, c->saved, before);
    memcpy(__stop_check_state, c->saved + behind, c->saved_size - behind);
}

/* ---- The exploration ---- */

static void push(struct graph *g)
{
    if (!g)
        abort();
    if (c->works == c->work_size) {
        c->work_size = c->work_size ? 2 * c->work_size : 64;
        c->work = realloc(c->work, c->work_size * sizeof *c->work);
        if (!c->work)
            abort();
    }
    c->work[c->works++] = g;
}

/*
 * Worth exploring: within the bound, if there is one. What is taken away by a later write may have
 * cost preemptions, one for each further thread (Marmanis et al., PLDI 2023), so that the bound is
 * not strict here.
 */
static bool within_bound(const struct graph *g)
{
    unsigned slack = c->n > 2 ? (unsigned)c->n - 2 : 0;
    return !c->options.bounded || preemptions_within(g, c->options.preemptions + slack);
}

static void push_if_consistent(const struct graph *g)
{
    if (graph_consistent(g, c->options.model) && within_bound(g))
        push(graph_copy(g));
}

/* A number below n, the next of the random run's (splitmix64). */
static unsigned draw(unsigned n)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % n);
}

static int location_of(void *address, unsigned size)
{
    struct word *w = checker_word_at(address, size);
    if (w->location == NONE) {
        if (c->number_of_locations == LOCATIONS)
            abort();
        c->locations[w->location = c->number_of_locations++] = w;
    }
    return w->location;
}

static uint64_t value_of(const struct graph *g, int location, int write)
{
    const struct word *w = c->locations[location];
    return write == INITIAL ? peek(w->address, w->size) : g->e[write].value;
}

static void read_from(struct graph *g, int read, int source)
{
    uint64_t value = value_of(g, g->e[read].location, source);
    graph_set_source(g, read, source, value, c->options.model);
}

static struct event event_of(const struct request *r, int thread, enum kind kind)
{
    struct event e;
    memset(&e, 0, sizeof e);
    e.kind = (uint8_t)kind;
    e.thread = (uint8_t)thread;
    e.order = e.asked = (uint8_t)r->order;
    e.locked = kind == READ && r->what != LOAD;
    e.cas = kind == READ && is_cas(r);
    e.weak = kind == READ && r->what == WEAK_CAS;
    e.expected = r->expected;
    e.file = r->file;
    e.line = r->line;
    if (kind != FENCE)
        e.location = (int16_t)location_of(r->word, r->size);
    return e;
}

/* In a random run: one of the places, the first of them among those that can't be wrong. */
static bool place_at_random(struct graph *g, int write, const int *places, int n)
{
    for (int tries = n; tries-- > 0;) {
        int behind = places[tries ? draw((unsigned)n) : 0];
        struct graph *copy = graph_copy(g);
        if (!copy)
            abort();
        graph_place(copy, write, behind);
        bool consistent = graph_consistent(copy, c->options.model);
        free(copy);
        if (consistent) {
            graph_place(g, write, behind);
            return true;
        }
    }
    return false;
}

/* All places in coherence order that `write` may have; the last one in place, the others as
   work. */
static bool place(struct graph *g, int write, int reader)
{
    int places[EVENTS], n = 0;
    int location = g->e[write].location;
    for (int w = g->last[location] == NONE ? INITIAL : g->last[location];; w = g->e[w].before) {
        if (graph_may_place(g, write, w))
            places[n++] = w;
        if (w == INITIAL)
            break;
    }
    if (c->options.random)
        return place_at_random(g, write, places, n);
    for (int i = reader == NONE ? 1 : 0; i < n; i++) {
        struct graph *copy = graph_copy(g);
        if (!copy)
            abort();
        graph_place(copy, write, places[i]);
        if ((reader == NONE || graph_may_read(copy, reader, write)) &&
            graph_consistent(copy, c->options.model) && within_bound(copy))
            push(copy);
        else
            free(copy);
    }
    if (reader != NONE || n == 0)
        return false;
    graph_place(g, write, places[0]);
    return true;
}

/* The other thing that a weak compare-and-swap may do, but not twice in a row: whether it may. */
static bool fail_spuriously(struct graph *g, int read)
{
    struct event *e = &g->e[read];
    if (!e->weak || !e->exclusive)
        return false;
    for (int i = e->index; i-- > 0;) {
        const struct event *before = &g->e[g->by_thread[e->thread][i]];
        if (before->weak)
            return e->spurious = !before->spurious;
    }
    return e->spurious = true;
}

/* Reads that came before `write`, and may read from it. */
static void revisit(int write)
{
    const struct graph *g = &c->graph;
    for (int r = 0; r < write && !c->options.random; r++) {
        if (g->e[r].kind != READ || g->e[r].location != g->e[write].location ||
            depends(g, write, r))
            continue;
        bool deleted[EVENTS] = {false}, ours = graph_added_maximally(g, r, write);
        for (int i = r + 1; ours && i < write; i++)
            if (!depends(g, write, i)) {
                deleted[i] = true;
                ours = graph_added_maximally(g, i, write);
            }
        if (!ours)
            continue;
        int read = r, moved = write;
        struct graph *changed = graph_without(g, deleted, &read, &moved);
        if (!changed)
            abort();
        do {
            graph_set_source(changed, read, moved, changed->e[moved].value, c->options.model);
            place(changed, moved, read);
        } while (fail_spuriously(changed, read));
        free(changed);
    }
}

/* Takes the last event away again. */
static void undo(struct graph *g) { g->count[g->e[--g->n].thread]--; }

/*
 * A read-modify-write of what another one has overwritten already: not an execution, but the write
 * that it would make may be read by others, and the other one may read from it.
 */
static void add_second_rmw(int read, const struct request *r)
{
    struct graph *g = &c->graph;
    struct event event = event_of(r, g->e[read].thread, WRITE);
    event.value = written(r, g->e[read].value);
    event.exclusive = true;
    revisit(graph_add(g, &event, c->options.model));
    undo(g);
}

/* Leaves the read as it was. */
static void try_spuriously(int read, int source)
{
    if (!fail_spuriously(&c->graph, read))
        return;
    read_from(&c->graph, read, source);
    push_if_consistent(&c->graph);
    c->graph.e[read].spurious = false;
    read_from(&c->graph, read, source);
}

/* In a random run: one of the sources, or the newest, which can't be wrong. */
static void read_at_random(int read, int newest, const int *sources, int n)
{
    struct graph *g = &c->graph;
    for (int tries = n; tries-- > 0;) {
        unsigned i = draw((unsigned)n + 1);
        int source = i < (unsigned)n ? sources[i] : newest;
        read_from(g, read, source);
        if (!(g->e[read].exclusive && graph_overwritten(g, g->e[read].location, source)) &&
            graph_consistent(g, c->options.model)) {
            newest = source;
            break;
        }
    }
    read_from(g, read, newest);
    if (g->e[read].weak && !draw(4) && fail_spuriously(g, read))
        read_from(g, read, newest);
}

/* The halves of a read-modify-write both have its order, as far as that applies to them. */
static void add_read(int thread, const struct request *r)
{
    struct graph *g = &c->graph;
    struct event event = event_of(r, thread, READ);
    int read = graph_add(g, &event, c->options.model);
    int newest = g->last[event.location] == NONE ? INITIAL : g->last[event.location];
    int sources[EVENTS], n = 0; /* all of them first: reading changes what the reader knows */
    for (int w = newest; w != INITIAL && graph_may_read(g, read, g->e[w].before);)
        sources[n++] = w = g->e[w].before;
    if (c->options.random) {
        read_at_random(read, newest, sources, n);
        return;
    }
    for (int i = 0; i < n; i++) {
        read_from(g, read, sources[i]);
        if (g->e[read].exclusive && graph_overwritten(g, event.location, sources[i]))
            add_second_rmw(read, r);
        else
            push_if_consistent(g);
        try_spuriously(read, sources[i]);
    }
    read_from(g, read, newest);
    try_spuriously(read, newest);
}

static void add_choice(int thread, const struct request *r)
{
    struct event event = event_of(r, thread, FENCE);
    int choice = graph_add(&c->graph, &event, c->options.model);
    for (uint64_t i = r->value; --i > 0 && !c->options.random;) {
        c->graph.e[choice].value = i;
        push(graph_copy(&c->graph));
    }
    c->graph.e[choice].value = c->options.random ? draw((unsigned)r->value) : 0;
}

static bool add_write(int thread, const struct request *r, uint64_t value, bool exclusive)
{
    struct graph *g = &c->graph;
    struct event event = event_of(r, thread, WRITE);
    event.value = value;
    event.exclusive = exclusive;
    int write = graph_add(g, &event, c->options.model);
    revisit(write);
    return place(g, write, NONE);
}

/* The thread's request, when it is in the middle of a read-modify-write: only the write is
   missing. */
static bool must_write(const struct thread *t, int thread)
{
    const struct graph *g = &c->graph;
    if (t->replayed == 0 || t->replayed != g->count[thread])
        return false;
    const struct event *e = &g->e[g->by_thread[thread][t->replayed - 1]];
    return e->kind == READ && e->exclusive;
}

/*
 * Adds the next event of a thread; false if that leads nowhere. A read of the newest write, a write
 * behind all others and a fence have nothing that comes after them: they never make a graph
 * inconsistent.
 */
static bool extend(int thread)
{
    struct thread *t = &c->threads[thread];
    struct request *r = &t->request;
    struct graph *g = &c->graph;
    if (must_write(t, thread)) {
        uint64_t old = g->e[g->by_thread[thread][t->replayed - 1]].value;
        t->replayed++;
        return add_write(thread, r, written(r, old), true);
    }
    t->replayed++;
    if (r->what == CHOICE) {
        add_choice(thread, r);
        return true;
    }
    if (r->what == FENCE_) {
        struct event event = event_of(r, thread, FENCE);
        event.weight = (uint8_t)r->weight;
        graph_add(g, &event, c->options.model);
        return true;
    }
    if (r->what == STORE)
        return add_write(thread, r, cut(r->value, r->size), false);
    add_read(thread, r);
    return true;
}

/* Whether the thread's request is answered by the events of the graph that it has gone through. */
static bool answered(struct thread *t, int thread)
{
    const struct graph *g = &c->graph;
    if (must_write(t, thread))
        return false;
    const struct event *e = &g->e[g->by_thread[thread][t->replayed - 1]];
    t->request.wrote = e->kind == WRITE;
    if (e->kind == WRITE && e->exclusive)
        e = &g->e[g->by_thread[thread][t->replayed - 2]];
    t->request.result = e->value;
    return true;
}

/* Goes on with a thread until it wants something of the checker. */
static void resume(int thread)
{
    c->running = thread;
    races_epoch(thread, &c->graph, c->threads[thread].replayed);
    c->threads[thread].request.what = NOTHING;
    check_switch(&c->scheduler, c->threads[thread].context);
}

/* The event of the graph that the thread comes to next; whether it may, since what it reads is
   there. */
static bool replay(int thread)
{
    struct thread *t = &c->threads[thread];
    struct graph *g = &c->graph;
    struct event *e = &g->e[g->by_thread[thread][t->replayed]];
    if (e->kind == READ && e->source >= 0) {
        const struct event *w = &g->e[e->source];
        if (c->threads[w->thread].replayed <= w->index)
            return false;
    }
    t->replayed++;
    return true;
}

static void begin(void)
{
    int thread = c->running;
    if (thread == MAIN)
        c->program->setup();
    else {
        c->program->thread[thread]();
        posix_thread_ends();
    }
    c->threads[thread].request.what = ENDED;
    for (;;)
        checker_leave();
}

static void finish(void)
{
    c->program->finish();
    c->threads[MAIN].request.what = ENDED;
    for (;;)
        checker_leave();
}

static void run_main(void (*what)(void))
{
    struct thread *t = &c->threads[MAIN];
    t->context = check_coroutine((char *)t->stack + STACK, what);
    c->running = MAIN;
    races_stop();
    check_switch(&c->scheduler, t->context);
}

static void start(void)
{
    restore_data();
    races_start(c->n);
    trace_forget_names();
    c->failed = false;
    for (int i = 0; i <= CHECK_THREADS; i++) {
        struct thread *t = &c->threads[i];
        t->used = 0;
        memset(t->local, 0, sizeof t->local);
        t->turns[0] = t->turns[1] = -1;
        t->replayed = 0;
        t->own_steps = 0;
        t->request.what = NOTHING;
        if (i < c->n)
            t->context = check_coroutine((char *)t->stack + STACK, begin);
    }
    for (int i = 0; i <= CHECK_THREADS; i++)
        check_name(c->threads[i].arena, ARENA, 0, i == MAIN ? "memory" : "own memory");
    c->again = false;
    run_main(begin);
    for (int i = 0; i < c->n && !c->failed; i++)
        resume(i);
}

/* The values that all threads' writes leave behind. */
static void settle(void)
{
    for (int l = 0; l < c->number_of_locations; l++) {
        int last = c->graph.last[l];
        if (last != NONE)
            poke(c->locations[l]->address, c->locations[l]->size, c->graph.e[last].value);
    }
}

static bool may_go_on(int thread) { return c->threads[thread].request.what < WAIT; }

/* One thread that can go a step further, the half-done first; -1: there is none. */
static int choose(void)
{
    int able[CHECK_THREADS], n = 0;
    for (int i = 0; i < c->n; i++) {
        if (may_go_on(i) && must_write(&c->threads[i], i))
            return i;
        if (may_go_on(i))
            able[n++] = i;
    }
    if (!n)
        return -1;
    if (!c->options.random)
        return able[0];
    bool stays = c->last != NONE && may_go_on(c->last);
    if (stays && ((c->options.bounded && c->preemptions >= c->options.preemptions) ||
                  draw(256) >= c->keenness))
        return c->last;
    int chosen = able[draw((unsigned)n)];
    c->preemptions += stays && chosen != c->last;
    return c->last = chosen;
}

/* Whether the thread would find the same if it looked again: all that it saw is the newest there
   is, or was overwritten by itself. */
static bool waits_in_vain(int thread)
{
    const struct graph *g = &c->graph;
    for (int i = c->threads[thread].waits_from; i < c->threads[thread].replayed; i++) {
        const struct event *e = &g->e[g->by_thread[thread][i]];
        int newest = e->kind == READ ? g->last[e->location] : NONE;
        if (newest != NONE && newest != e->source && g->e[newest].thread != thread)
            return false;
    }
    return true;
}

/* What nobody will ever change: all that have not ended wait. */
static bool deadlocked(void)
{
    for (int i = 0; i < c->n; i++)
        if (c->threads[i].request.what != ENDED && !waits_in_vain(i))
            return false;
    return true;
}

static bool all_ended(void)
{
    bool all = true;
    for (int i = 0; i < c->n; i++)
        all &= c->threads[i].request.what == ENDED;
    return all;
}

static void check_load_buffering(void)
{
    int read, write;
    if (c->options.buffering && c->options.model == CHECK_RC11 &&
        graph_load_buffered(&c->graph, &read, &write))
        checker_fail("#%d may be delayed, and then take #%d, which follows from it: "
                     "nothing orders the two but the absence of load buffering",
                     read, write);
}

static bool replay_all(void)
{
    for (bool moved = true; moved && !c->again && !c->failed;) {
        moved = false;
        for (int i = 0; i < c->n; i++)
            while (c->threads[i].replayed < c->graph.count[i] && !c->again && !c->failed &&
                   replay(i)) {
                moved = true;
                if (c->threads[i].replayed < c->graph.count[i] || !must_write(&c->threads[i], i)) {
                    const struct event *e =
                        &c->graph.e[c->graph.by_thread[i][c->threads[i].replayed - 1]];
                    if (e->kind == READ && e->exclusive)
                        continue; /* its write comes next */
                    answered(&c->threads[i], i);
                    resume(i);
                }
            }
    }
    return !c->again && !c->failed;
}

static void run(void)
{
    c->result.runs++;
    start();
    if (!replay_all())
        return;
    while (!c->again && !c->failed) {
        int i = choose();
        if (i < 0)
            break;
        if (c->graph.n + 2 > EVENTS) {
            checker_fail_endless(EVENTS);
            return;
        }
        if (!extend(i))
            return;
        if (answered(&c->threads[i], i))
            resume(i);
    }
    if (c->again || c->failed)
        return;
    if (!all_ended()) {
        c->result.blocked++;
        if (deadlocked())
            checker_fail("deadlock: all threads that have not ended wait");
        return;
    }
    settle();
    run_main(finish);
    if (!c->failed)
        check_load_buffering();
    if (!c->failed)
        c->result.executions++;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void drop_work(void)
{
    while (c->works)
        free(c->work[--c->works]);
}

static bool out_of_time(double began)
{
    return c->options.seconds > 0 && c->result.runs % 256 == 0 &&
           now() - began > c->options.seconds;
}

static void tell_progress(void)
{
    if (c->options.progress && c->result.runs % 1024 == 0)
        c->options.progress(c->result.executions, c->options.context);
}

static void begin_anew(void)
{
    drop_work();
    c->result.executions = c->result.blocked = 0;
    graph_clear(&c->graph);
    push(graph_copy(&c->graph));
}

/* A place for a breakpoint, which inlined it would not be. */
__attribute__((noinline)) void check_replayed(void) { __asm__ volatile(""); }

/* After a failure it goes on for a while, as long again, in search of a shorter one. */
static void explore(double began)
{
    uint64_t first = 0, executions = 0;
    begin_anew();
    while (c->works) {
        struct graph *g = c->work[--c->works];
        memcpy(&c->graph, g, offsetof(struct graph, e) + (size_t)g->n * sizeof *g->e);
        free(g);
        if (first && c->graph.n >= c->shortest)
            continue;
        if (c->options.replay && c->result.runs + 1 == c->options.replay)
            check_replayed();
        run();
        if (c->failed && !first) {
            first = c->result.runs;
            executions = c->result.executions;
        }
        if (c->again && !c->failed)
            begin_anew();
        tell_progress();
        if ((c->options.replay && c->result.runs == c->options.replay) ||
            (first && c->result.runs > 2 * first + 1000) ||
            (c->options.most && c->result.executions >= c->options.most && c->works) ||
            out_of_time(began)) {
            c->result.verdict = CHECK_UNFINISHED;
            break;
        }
    }
    if (first) {
        c->result.verdict = CHECK_FAILED;
        c->result.executions = executions;
    }
    drop_work();
}

/*
 * How many executions there may be (Knuth 1975): from the first run to one of those that it leads
 * to, drawn at random, and so on; an execution on the way stands for as many as there were ways.
 */
static double estimate(unsigned descents)
{
    double sum = 0;
    c->state = c->options.seed;
    for (unsigned i = 0; i < descents && !c->failed; i++) {
        double ways = 1;
        begin_anew();
        while (c->works && !c->failed) {
            uint64_t before = c->result.executions;
            ways *= (double)c->works;
            struct graph *g = c->work[draw((unsigned)c->works)];
            memcpy(&c->graph, g, offsetof(struct graph, e) + (size_t)g->n * sizeof *g->e);
            drop_work();
            run();
            sum += c->result.executions > before ? ways : 0;
            if (c->again)
                begin_anew();
            if (c->again)
                ways = 1;
        }
    }
    drop_work();
    return sum / descents;
}

/* Each run has a number of its own, from which it can be had again. */
static void wander(double began)
{
    uint64_t trials = c->options.random;
    for (c->seed = c->options.seed; trials; c->seed++) {
        c->state = c->seed;
        static const unsigned keenness[] = {8, 32, 128, 255};
        c->keenness = keenness[draw(4)];
        c->preemptions = 0;
        c->last = NONE;
        graph_clear(&c->graph);
        if (c->options.replay)
            check_replayed();
        run();
        if (c->failed)
            break;
        trials--;
        tell_progress();
        if (out_of_time(began))
            break;
    }
    c->result.verdict = c->failed ? CHECK_FAILED : trials ? CHECK_UNFINISHED : CHECK_OK;
}

static void *pages(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

struct check_result check(const struct check_program *program, const struct check_options *options)
{
    double began = now();
    memset(&c->result, 0, sizeof c->result);
    memset(c->words, 0, sizeof c->words);
    c->number_of_locations = 0;
    c->program = program;
    c->options = *options;
    /* What a seed leads to must not depend on what earlier runs have found to be shared. */
    c->options.whole |= options->random > 0;
    c->failed = false;
    if (!c->saved) {
        for (int i = 0; i <= CHECK_THREADS; i++) {
            c->threads[i].stack = pages(STACK);
            races_ignore(c->threads[i].stack, STACK);
            c->threads[i].arena = pages(ARENA);
        }
        checker_catch_faults();
        save_data();
    }
    for (c->n = 0; c->n < CHECK_THREADS && program->thread[c->n];)
        c->n++;
    if (c->options.estimate)
        c->result.executions = (uint64_t)estimate(c->options.estimate);
    else if (c->options.random)
        wander(began);
    else
        explore(began);
    races_stop();
    c->result.seconds = now() - began;
    return c->result;
}
