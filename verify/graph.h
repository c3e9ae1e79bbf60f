/* SPDX-License-Identifier: MIT */
/*
 * An execution so far: events in the order in which they were added, reads-from, and for each
 * location the coherence order of its writes. A clock says of each thread how many of its events
 * are before.
 */
#ifndef HEIST_VERIFY_GRAPH_H
#define HEIST_VERIFY_GRAPH_H

#include "checker.h"

enum { EVENTS = 512, LOCATIONS = 256, INITIAL = -1, NONE = -2 };

struct clock {
    uint16_t of[CHECK_THREADS];
};

enum kind { READ, WRITE, FENCE }; /* a relaxed fence is a mark, or a choice */

/* FENCE: one of the pair of <heist/fences.h>, whose light one is a
   fence towards heavy ones only. */
enum weight { ORDINARY, LIGHT, HEAVY };

struct event {
    uint8_t kind, thread, order;
    uint8_t weight;   /* FENCE */
    uint8_t asked;    /* READ: the order that the program gave it; a CAS that fails is relaxed */
    bool locked, cas; /* READ: of a read-modify-write; of one that writes only what it expects */
    bool weak;        /* READ: of one that may fail for no reason; */
    bool spurious;    /*       and does */
    bool used;        /* READ: the program has done something by its value (check_used) */
    bool exclusive;   /* one of the two halves of a read-modify-write that writes */
    uint64_t expected;
    uint16_t index; /* in its thread */
    int16_t location;
    int16_t source; /* READ: the write it reads from, or INITIAL */
    int16_t before,
        after;     /* WRITE: neighbours in coherence order; INITIAL begins it, NONE ends it */
    uint16_t rank; /* WRITE: its place in coherence order, from 1 on; the initial value has 0 */
    int line;
    const char *file;
    uint64_t value;
    struct clock hb, porf; /* what happens before; what it depends on: this event included */
    struct clock seen;     /* what an acquire fence would add here */
    struct clock fenced;   /* what happens before the last release fence */
    struct clock released; /* WRITE: what its reader acquires */
};

struct graph {
    int n;
    int count[CHECK_THREADS];
    int16_t by_thread[CHECK_THREADS][EVENTS];
    int16_t first[LOCATIONS], last[LOCATIONS]; /* writes in coherence order; NONE: there is none */
    struct event e[EVENTS];
};

void graph_clear(struct graph *g);
struct graph *graph_copy(const struct graph *g); /* the caller frees it; NULL: no memory */

/* Whether event b depends on, or happens after, event a. */
static inline bool depends(const struct graph *g, int b, int a)
{
    return g->e[b].porf.of[g->e[a].thread] > g->e[a].index;
}

static inline bool happens_before(const struct graph *g, int a, int b)
{
    return a != b && g->e[b].hb.of[g->e[a].thread] > g->e[a].index;
}

/* Appends an event, its clocks as after the last one of its thread. A read has no source yet, a
   write no place in coherence order. */
int graph_add(struct graph *g, const struct event *event, enum check_model model);

/* Completes a read: what it is follows from the value. */
void graph_set_source(struct graph *g, int read, int source, uint64_t value,
                      enum check_model model);

/* Puts a write behind another of its location (or INITIAL). */
void graph_place(struct graph *g, int write, int behind);

/* Whether `read` may read from `source`, as far as coherence goes. */
bool graph_may_read(const struct graph *g, int read, int source);

/* Whether `write` may stand right behind `behind`: coherence, and atomicity of read-modify-
   writes. */
bool graph_may_place(const struct graph *g, int write, int behind);

/* Whether a read-modify-write has read from `write`. */
bool graph_overwritten(const struct graph *g, int location, int write);

/*
 * Whether some read whose value is used could take a write that follows from it, if only it were
 * delayed: it does not happen before that write. RC11 itself has no load buffering; ARM and RISC-V
 * delay loads past later stores, but for dependencies, on which a program in C can't rely.
 */
bool graph_load_buffered(const struct graph *g, int *read, int *write);

/* Whether the model allows the graph; coherence and atomicity have been seen to already. */
bool graph_consistent(const struct graph *g, enum check_model model);

/* The graph without the events marked, where `read` reads from `write`; NULL: no memory. *read
   and *write become their new numbers. */
struct graph *graph_without(const struct graph *g, const bool *deleted, int *read, int *write);

/* Whether `event` was added as the newest thing possible, seen from what comes with `write`: the
   condition under which an execution is reached in one way only. */
bool graph_added_maximally(const struct graph *g, int event, int write);

#endif
