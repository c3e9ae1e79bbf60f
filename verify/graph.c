/* SPDX-License-Identifier: MIT */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"

void graph_clear(struct graph *g)
{
    g->n = 0;
    memset(g->count, 0, sizeof g->count);
    for (int i = 0; i < LOCATIONS; i++)
        g->first[i] = g->last[i] = NONE;
}

static void copy_head(struct graph *to, const struct graph *from)
{
    memcpy(to->first, from->first, sizeof to->first);
    memcpy(to->last, from->last, sizeof to->last);
    memcpy(to->count, from->count, sizeof to->count);
    for (int t = 0; t < CHECK_THREADS; t++)
        memcpy(to->by_thread[t], from->by_thread[t],
               (size_t)from->count[t] * sizeof **to->by_thread);
}

struct graph *graph_copy(const struct graph *g)
{
    struct graph *copy = malloc(offsetof(struct graph, e) + (size_t)(g->n + 1) * sizeof *g->e);
    if (copy) {
        copy->n = g->n;
        copy_head(copy, g);
        memcpy(copy->e, g->e, (size_t)g->n * sizeof *g->e);
    }
    return copy;
}

static void join(struct clock *to, const struct clock *from)
{
    for (int t = 0; t < CHECK_THREADS; t++)
        if (from->of[t] > to->of[t])
            to->of[t] = from->of[t];
}

static bool acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST ||
           order == __ATOMIC_CONSUME;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* The clocks of an event from its predecessor in the thread. */
static void begin_clocks(struct graph *g, int i)
{
    struct event *e = &g->e[i];
    memset(&e->hb, 0, sizeof e->hb);
    e->porf = e->seen = e->fenced = e->released = e->hb;
    if (e->index > 0) {
        const struct event *previous = &g->e[g->by_thread[e->thread][e->index - 1]];
        e->hb = previous->hb;
        e->porf = previous->porf;
        e->seen = previous->seen;
        e->fenced = previous->fenced;
    }
    e->hb.of[e->thread] = e->porf.of[e->thread] = (uint16_t)(e->index + 1);
}

int graph_add(struct graph *g, const struct event *event, enum check_model model)
{
    int i = g->n++;
    struct event *e = &g->e[i];
    *e = *event;
    e->index = (uint16_t)g->count[e->thread]++;
    g->by_thread[e->thread][e->index] = (int16_t)i;
    e->before = e->after = NONE;
    e->source = NONE;
    begin_clocks(g, i);
    if (e->kind == FENCE && e->weight != LIGHT) {
        if (acquires(e->order))
            join(&e->hb, &e->seen);
        if (releases(e->order))
            e->fenced = e->hb;
    } else if (e->kind == WRITE) {
        e->released = releases(e->order) || model != CHECK_RC11 ? e->hb : e->fenced;
        if (e->exclusive) { /* a release sequence goes through it */
            int source = g->e[g->by_thread[e->thread][e->index - 1]].source;
            if (source >= 0)
                join(&e->released, &g->e[source].released);
        }
    }
    return i;
}

void graph_set_source(struct graph *g, int read, int source, uint64_t value, enum check_model model)
{
    struct event *e = &g->e[read];
    begin_clocks(g, read);
    e->source = (int16_t)source;
    e->value = value;
    e->exclusive = e->locked && !e->spurious && (!e->cas || value == e->expected);
    e->order = e->cas && !e->exclusive ? __ATOMIC_RELAXED : e->asked;
    if (source < 0)
        return;
    const struct event *w = &g->e[source];
    join(&e->porf, &w->porf);
    join(&e->seen, &w->released);
    if (acquires(e->order) || model != CHECK_RC11)
        join(&e->hb, &w->released);
}

void graph_place(struct graph *g, int write, int behind)
{
    struct event *w = &g->e[write];
    int location = w->location;
    w->before = (int16_t)behind;
    w->after = behind == INITIAL ? g->first[location] : g->e[behind].after;
    if (behind == INITIAL)
        g->first[location] = (int16_t)write;
    else
        g->e[behind].after = (int16_t)write;
    if (w->after == NONE)
        g->last[location] = (int16_t)write;
    else
        g->e[w->after].before = (int16_t)write;
    uint16_t rank = behind == INITIAL ? 0 : g->e[behind].rank;
    for (int i = write; i != NONE; i = g->e[i].after)
        g->e[i].rank = ++rank;
}

/* Whether `event` knows of `write`: it happens after it, or after one that read it. */
static bool knows(const struct graph *g, int event, int write)
{
    if (happens_before(g, write, event))
        return true;
    for (int i = 0; i < g->n; i++)
        if (g->e[i].kind == READ && g->e[i].source == write && happens_before(g, i, event))
            return true;
    return false;
}

static int next_write(const struct graph *g, int location, int write)
{
    return write == INITIAL ? g->first[location] : g->e[write].after;
}

static bool knows_of_later(const struct graph *g, int event, int write)
{
    for (int w = next_write(g, g->e[event].location, write); w != NONE; w = g->e[w].after)
        if (w != event && knows(g, event, w))
            return true;
    return false;
}

bool graph_may_read(const struct graph *g, int read, int source)
{
    return !knows_of_later(g, read, source);
}

static int source_of_exclusive(const struct graph *g, int write)
{
    const struct event *w = &g->e[write];
    return g->e[g->by_thread[w->thread][w->index - 1]].source;
}

bool graph_overwritten(const struct graph *g, int location, int write)
{
    int after = next_write(g, location, write);
    return after != NONE && g->e[after].exclusive && source_of_exclusive(g, after) == write;
}

bool graph_may_place(const struct graph *g, int write, int behind)
{
    const struct event *w = &g->e[write];
    if (w->exclusive && source_of_exclusive(g, write) != behind)
        return false;
    return !graph_overwritten(g, w->location, behind) && !knows_of_later(g, write, behind);
}

struct graph *graph_without(const struct graph *g, const bool *deleted, int *read, int *write)
{
    int16_t now[EVENTS];
    struct graph *r = malloc(offsetof(struct graph, e) + (size_t)(g->n + 1) * sizeof *g->e);
    if (!r)
        return NULL;
    graph_clear(r);
    for (int i = 0; i < g->n; i++) {
        if (deleted[i])
            continue;
        now[i] = (int16_t)r->n;
        struct event *e = &r->e[r->n];
        *e = g->e[i];
        /* What is deleted of a thread is its end: indices stay as they are. */
        r->by_thread[e->thread][e->index] = (int16_t)r->n++;
        r->count[e->thread]++;
    }
    for (int i = 0; i < g->n; i++)
        if (!deleted[i] && g->e[i].kind == READ && i != *read && g->e[i].source >= 0)
            r->e[now[i]].source = now[g->e[i].source];
    for (int l = 0; l < LOCATIONS; l++) {
        int behind = INITIAL;
        for (int w = g->first[l]; w != NONE; w = g->e[w].after)
            if (!deleted[w]) {
                graph_place(r, now[w], behind);
                behind = now[w];
            }
    }
    *read = now[*read];
    *write = now[*write];
    r->e[*write].before = r->e[*write].after = NONE;
    return r;
}

static bool in_previous(const struct graph *g, int e, int event, int write)
{
    return e <= event || depends(g, write, e);
}

bool graph_added_maximally(const struct graph *g, int event, int write)
{
    const struct event *e = &g->e[event];
    int newest = event;
    if (e->kind == FENCE)
        return e->value == 0; /* of a choice, the first */
    if (e->spurious)
        return false;
    if (e->kind == WRITE) {
        for (int i = 0; i < g->n; i++)
            if (g->e[i].kind == READ && g->e[i].source == event && in_previous(g, i, event, write))
                return false;
    } else {
        newest = e->source;
        if (newest >= 0 && !in_previous(g, newest, event, write))
            return false;
    }
    for (int w = next_write(g, e->location, newest); w != NONE; w = g->e[w].after)
        if (w != write && in_previous(g, w, event, write))
            return false;
    return true;
}

/* Whether coherence would let `read` take `write`, which is not where it reads from. */
static bool coherent_source(const struct graph *g, int read, int write)
{
    const struct event *r = &g->e[read];
    unsigned rank = g->e[write].rank;
    for (int i = 0; i < g->n; i++) {
        const struct event *e = &g->e[i];
        if (e->kind == FENCE || e->location != r->location || i == read)
            continue;
        unsigned at = e->kind == WRITE ? e->rank : e->source < 0 ? 0 : g->e[e->source].rank;
        if (happens_before(g, read, i) && (e->kind == WRITE ? at <= rank : at < rank))
            return false;
        if (happens_before(g, i, read) && at > rank)
            return false;
    }
    return true;
}

bool graph_load_buffered(const struct graph *g, int *read, int *write)
{
    for (int r = 0; r < g->n; r++) {
        if (g->e[r].kind != READ || !g->e[r].used)
            continue;
        for (int w = g->first[g->e[r].location]; w != NONE; w = g->e[w].after)
            if (w != g->e[r].source && depends(g, w, r) && coherent_source(g, r, w)) {
                *read = r;
                *write = w;
                return true;
            }
    }
    return false;
}

/* ---- What the models add to coherence: sequential consistency of some kind ---- */

/* Of the same location, a comes before b in extended coherence order iff rank2(a) < rank2(b). */
static int rank2(const struct graph *g, int i)
{
    const struct event *e = &g->e[i];
    if (e->kind == WRITE)
        return 2 * e->rank;
    return e->source < 0 ? 1 : 2 * g->e[e->source].rank + 1;
}

static bool eco(const struct graph *g, int a, int b)
{
    return g->e[a].kind != FENCE && g->e[b].kind != FENCE && g->e[a].location == g->e[b].location &&
           rank2(g, a) < rank2(g, b);
}

static bool in_program_order(const struct graph *g, int a, int b)
{
    return g->e[a].thread == g->e[b].thread && g->e[a].index < g->e[b].index;
}

/* A relation over some events as bits, and whether it has a cycle. */
struct relation {
    int n;
    uint64_t bits[EVENTS][EVENTS / 64];
};

static struct relation relation CHECK_STATE; /* too large for a stack; the checker has one thread */

static void relate(int a, int b) { relation.bits[a][b / 64] |= (uint64_t)1 << (b % 64); }

static void clear_relation(int n)
{
    relation.n = n;
    for (int i = 0; i < n; i++)
        memset(relation.bits[i], 0, (size_t)(n + 63) / 64 * sizeof(uint64_t));
}

static bool cyclic_from(int i, uint8_t *state)
{
    state[i] = 1;
    for (int word = 0; word < (relation.n + 63) / 64; word++)
        for (uint64_t bits = relation.bits[i][word]; bits; bits &= bits - 1) {
            int next = word * 64 + __builtin_ctzll(bits);
            if (state[next] == 1 || (!state[next] && cyclic_from(next, state)))
                return true;
        }
    state[i] = 2;
    return false;
}

static bool cyclic(void)
{
    uint8_t state[EVENTS] = {0};
    for (int i = 0; i < relation.n; i++)
        if (!state[i] && cyclic_from(i, state))
            return true;
    return false;
}

/* Whether two sequentially consistent events are that to each other. */
static bool meet(const struct graph *g, int a, int b)
{
    unsigned x = g->e[a].weight, y = g->e[b].weight;
    return (x != LIGHT && y != LIGHT) || x == HEAVY || y == HEAVY;
}

/* RC11's psc where all that is sequentially consistent are fences: hb, or hb; eco; hb, between
   them. */
static bool fences_consistent(const struct graph *g, const int *fence, int n)
{
    static int low[64][LOCATIONS] CHECK_STATE, high[64][LOCATIONS] CHECK_STATE;
    int locations = 0;
    for (int i = 0; i < g->n; i++)
        if (g->e[i].kind != FENCE && g->e[i].location >= locations)
            locations = g->e[i].location + 1;
    for (int f = 0; f < n; f++) {
        for (int l = 0; l < locations; l++) {
            low[f][l] = INT32_MAX;
            high[f][l] = -1;
        }
        for (int i = 0; i < g->n; i++) {
            if (g->e[i].kind == FENCE)
                continue;
            int l = g->e[i].location, rank = rank2(g, i);
            if (happens_before(g, fence[f], i) && rank < low[f][l])
                low[f][l] = rank;
            if (happens_before(g, i, fence[f]) && rank > high[f][l])
                high[f][l] = rank;
        }
    }
    clear_relation(n);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            bool related = happens_before(g, fence[a], fence[b]);
            int met = meet(g, fence[a], fence[b]) ? locations : 0;
            for (int l = 0; !related && a != b && l < met; l++)
                related = low[a][l] < high[b][l];
            if (related)
                relate(a, b);
        }
    return !cyclic();
}

/* RC11's scb: what orders two sequentially consistent events, but for fences around them. */
static bool scb(const struct graph *g, int x, int y)
{
    if (in_program_order(g, x, y))
        return true;
    if (g->e[x].kind != FENCE && g->e[y].kind != FENCE && g->e[x].location == g->e[y].location) {
        if (happens_before(g, x, y))
            return true;
        if (g->e[y].kind == WRITE && eco(g, x, y)) /* co, or fr */
            return true;
    }
    /* po to another location; hb; po from another location */
    const struct event *ex = &g->e[x], *ey = &g->e[y];
    for (int i = ex->index + 1; i < g->count[ex->thread]; i++) {
        int a = g->by_thread[ex->thread][i];
        if (ex->kind != FENCE && g->e[a].kind != FENCE && g->e[a].location == ex->location)
            continue;
        for (int j = ey->index - 1; j >= 0; j--) {
            int b = g->by_thread[ey->thread][j];
            if (ey->kind != FENCE && g->e[b].kind != FENCE && g->e[b].location == ey->location)
                continue;
            if (a == b || happens_before(g, a, b))
                return true;
        }
    }
    return false;
}

/* The whole of psc, for programs with sequentially consistent accesses; they are small. */
static bool accesses_consistent(const struct graph *g, const int *sc, int n)
{
    clear_relation(n);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            bool related = false, fa = g->e[sc[a]].kind == FENCE, fb = g->e[sc[b]].kind == FENCE;
            if (fa && fb && happens_before(g, sc[a], sc[b]))
                related = true;
            for (int x = 0; !related && meet(g, sc[a], sc[b]) && x < g->n; x++) {
                if (x != sc[a] && !(fa && happens_before(g, sc[a], x)))
                    continue;
                for (int y = 0; !related && y < g->n; y++) {
                    if (y != sc[b] && !(fb && happens_before(g, y, sc[b])))
                        continue;
                    if (x != y && scb(g, x, y))
                        related = true;
                    if (fa && fb && x != sc[a] && y != sc[b] && eco(g, x, y))
                        related = true;
                }
            }
            if (related)
                relate(a, b);
        }
    return !cyclic();
}

static bool rc11_consistent(const struct graph *g)
{
    int sc[EVENTS], n = 0;
    bool accesses = false;
    for (int i = 0; i < g->n; i++)
        if (g->e[i].order == __ATOMIC_SEQ_CST) {
            sc[n++] = i;
            accesses |= g->e[i].kind != FENCE;
        }
    if (n < 2)
        return true;
    return accesses || n > 64 ? accesses_consistent(g, sc, n) : fences_consistent(g, sc, n);
}

static bool nothing_on_x86(const struct event *e)
{
    return e->kind == FENCE && e->order != __ATOMIC_SEQ_CST;
}

/*
 * On x86 a store may pass the loads behind it. A full fence, or a locked instruction, also one that
 * fails to write, stops it; other fences are nothing.
 */
static bool buffered(const struct event *e)
{
    return e->kind == WRITE && !e->exclusive && e->order != __ATOMIC_SEQ_CST;
}

static bool passes(const struct event *a, const struct event *b)
{
    return buffered(a) && b->kind == READ && !b->locked;
}

/* A total order of all events that the threads and the locations agree on; for TSO, but for what
   passes. */
static bool total_order(const struct graph *g, bool tso)
{
    clear_relation(g->n);
    for (int i = 0; i < g->n; i++) {
        const struct event *e = &g->e[i];
        if (tso && nothing_on_x86(e))
            continue;
        for (int k = e->index + 1; k < g->count[e->thread]; k++) {
            int next = g->by_thread[e->thread][k];
            if (tso && (passes(e, &g->e[next]) || nothing_on_x86(&g->e[next])))
                continue;
            relate(i, next);
            if (!(tso && buffered(&g->e[next])))
                break; /* else what comes behind it need not come after it */
        }
        if (e->kind == WRITE && e->after != NONE)
            relate(i, e->after);
        if (e->kind == READ) {
            if (e->source >= 0 && !(tso && g->e[e->source].thread == e->thread))
                relate(e->source, i);
            int later = next_write(g, e->location, e->source);
            if (later != NONE && g->e[later].exclusive &&
                source_of_exclusive(g, later) == e->source && g->e[later].thread == e->thread &&
                g->e[later].index == e->index + 1)
                later = g->e[later].after;
            if (later != NONE)
                relate(i, later);
        }
    }
    return !cyclic();
}

bool graph_consistent(const struct graph *g, enum check_model model)
{
    return model == CHECK_RC11 ? rc11_consistent(g) : total_order(g, model == CHECK_TSO);
}
