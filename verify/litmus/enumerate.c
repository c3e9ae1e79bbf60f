/* SPDX-License-Identifier: MIT */
/*
 * The executions of a litmus program by brute force, with the axioms of the models written down as
 * in the papers: nothing is shared with the checker, neither code nor algorithm, so that the two
 * are unlikely to be wrong in the same way.
 *
 * RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11, PLDI
 * 2017; release sequences as in C++20. TSO: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS
 * 2014, with x86's locked instructions.
 */
#include <string.h>

#include "program.h"

enum { NODES = 2 * STEPS, ABSENT = -1 };

typedef uint32_t set;
typedef struct {
    set to[NODES];
} relation;

struct node {
    enum { READ, WRITE, BARRIER } kind;
    int step, thread, word, order;
    bool locked; /* part of what is a locked instruction on x86 */
};

struct execution {
    const struct litmus *litmus;
    int n;
    struct node node[NODES];
    int source[NODES];        /* of a read: the write, or ABSENT: the initial value */
    int rank[NODES];          /* of a write, in coherence order, from 1 on */
    bool rmw[NODES];          /* of a read: the next node is the write that belongs to it */
    uint64_t value[NODES];    /* read or written */
    int writes[WORDS][NODES]; /* in coherence order */
    int number[WORDS];
};

/* ---- Relations ---- */

static set bit(int i) { return (set)1 << i; }
static bool in(const relation *r, int a, int b) { return r->to[a] >> b & 1; }
static void put(relation *r, int a, int b) { r->to[a] |= bit(b); }

static relation either(const relation *a, const relation *b)
{
    relation r;
    for (int i = 0; i < NODES; i++)
        r.to[i] = a->to[i] | b->to[i];
    return r;
}

static relation then(const relation *a, const relation *b)
{
    relation r = {{0}};
    for (int i = 0; i < NODES; i++)
        for (set s = a->to[i]; s; s &= s - 1)
            r.to[i] |= b->to[__builtin_ctz(s)];
    return r;
}

static relation maybe(relation r)
{
    for (int i = 0; i < NODES; i++)
        put(&r, i, i);
    return r;
}

static relation closure(relation r)
{
    for (int k = 0; k < NODES; k++)
        for (int i = 0; r.to[k] && i < NODES; i++)
            if (in(&r, i, k))
                r.to[i] |= r.to[k];
    return r;
}

static relation only(relation r, set from, set to)
{
    for (int i = 0; i < NODES; i++)
        r.to[i] = from >> i & 1 ? r.to[i] & to : 0;
    return r;
}

static bool irreflexive(const relation *r)
{
    for (int i = 0; i < NODES; i++)
        if (in(r, i, i))
            return false;
    return true;
}

static bool acyclic(relation r)
{
    r = closure(r);
    return irreflexive(&r);
}

/* ---- The basic ones ---- */

static bool same_word(const struct execution *e, int a, int b)
{
    return e->node[a].kind != BARRIER && e->node[b].kind != BARRIER &&
           e->node[a].word == e->node[b].word;
}

static relation program_order(const struct execution *e)
{
    relation r = {{0}};
    for (int a = 0; a < e->n; a++)
        for (int b = a + 1; b < e->n; b++)
            if (e->node[a].thread == e->node[b].thread)
                put(&r, a, b);
    return r;
}

static relation reads_from(const struct execution *e)
{
    relation r = {{0}};
    for (int i = 0; i < e->n; i++)
        if (e->node[i].kind == READ && e->source[i] != ABSENT)
            put(&r, e->source[i], i);
    return r;
}

static relation coherence(const struct execution *e)
{
    relation r = {{0}};
    for (int a = 0; a < e->n; a++)
        for (int b = 0; b < e->n; b++)
            if (e->node[a].kind == WRITE && e->node[b].kind == WRITE && same_word(e, a, b) &&
                e->rank[a] < e->rank[b])
                put(&r, a, b);
    return r;
}

static relation from_read(const struct execution *e)
{
    relation r = {{0}};
    for (int a = 0; a < e->n; a++)
        for (int b = 0; b < e->n; b++)
            if (e->node[a].kind == READ && e->node[b].kind == WRITE && same_word(e, a, b) &&
                (e->source[a] == ABSENT || e->rank[e->source[a]] < e->rank[b]))
                put(&r, a, b);
    return r;
}

static relation rmw_pairs(const struct execution *e)
{
    relation r = {{0}};
    for (int i = 0; i < e->n; i++)
        if (e->node[i].kind == READ && e->rmw[i])
            put(&r, i, i + 1);
    return r;
}

static set of_kind(const struct execution *e, int kind)
{
    set s = 0;
    for (int i = 0; i < e->n; i++)
        if ((int)e->node[i].kind == kind)
            s |= bit(i);
    return s;
}

static relation where(const struct execution *e, relation r, bool same)
{
    for (int a = 0; a < e->n; a++)
        for (int b = 0; b < e->n; b++)
            if (same_word(e, a, b) != same)
                r.to[a] &= ~bit(b);
    return r;
}

static bool atomic(const struct execution *e)
{
    for (int i = 0; i < e->n; i++)
        if (e->node[i].kind == READ && e->rmw[i] &&
            e->rank[i + 1] != (e->source[i] == ABSENT ? 0 : e->rank[e->source[i]]) + 1)
            return false;
    return true;
}

/* ---- The models ---- */

static bool is_fence(const struct execution *e, int i, char which)
{
    return e->node[i].kind == BARRIER && e->litmus->step[e->node[i].step].where == which;
}

/* A light fence is one only to heavy ones. */
static relation between_fences_that_meet(const struct execution *e, relation r)
{
    for (int a = 0; a < e->n; a++)
        for (int b = 0; b < e->n; b++)
            if ((is_fence(e, a, 'l') && !is_fence(e, b, 'h')) ||
                (is_fence(e, b, 'l') && !is_fence(e, a, 'h')))
                r.to[a] &= ~bit(b);
    return r;
}

static bool rc11(const struct execution *e)
{
    const set all = ~(set)0, reads = of_kind(e, READ), writes = of_kind(e, WRITE);
    const set fences = of_kind(e, BARRIER);
    set acquire = 0, release = 0, sc = 0;
    for (int i = 0; i < e->n; i++) {
        int order = e->node[i].order;
        if (order == __ATOMIC_SEQ_CST)
            sc |= bit(i);
        if (is_fence(e, i, 'l'))
            continue;
        if (order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST)
            acquire |= bit(i) & ~writes;
        if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST)
            release |= bit(i) & ~reads;
    }
    relation sb = program_order(e), rf = reads_from(e), mo = coherence(e), rb = from_read(e);
    relation rmw = rmw_pairs(e);
    relation sb_rf = either(&sb, &rf);
    if (!acyclic(sb_rf))
        return false;
    relation eco = either(&rf, &mo);
    eco = either(&eco, &rb);
    eco = closure(eco);

    /* sw = [rel] ; ([F] ; sb)? ; [W] ; (rf ; rmw)* ; rf ; [R] ; (sb ; [F])? ; [acq] */
    relation links = then(&rf, &rmw);
    relation sequence = maybe(closure(links));
    relation sw = maybe(only(sb, fences, writes));
    sw = only(sw, release, writes);
    sw = then(&sw, &sequence);
    sw = then(&sw, &rf);
    relation fence_behind = maybe(only(sb, reads, fences));
    sw = then(&sw, &fence_behind);
    sw = only(sw, all, acquire);
    relation sb_sw = either(&sb, &sw);
    relation hb = closure(sb_sw);

    relation eco_maybe = maybe(eco);
    relation coherent = then(&hb, &eco_maybe);
    if (!irreflexive(&coherent))
        return false;

    relation sb_elsewhere = where(e, sb, false), hb_here = where(e, hb, true);
    relation scb = then(&sb_elsewhere, &hb);
    scb = then(&scb, &sb_elsewhere);
    scb = either(&scb, &sb);
    scb = either(&scb, &hb_here);
    scb = either(&scb, &mo);
    scb = either(&scb, &rb);
    relation hb_maybe = maybe(hb), self = maybe((relation){{0}});
    relation left = only(self, sc, all), left_fence = only(hb_maybe, sc & fences, all);
    left = either(&left, &left_fence);
    relation right = only(self, all, sc), right_fence = only(hb_maybe, all, sc & fences);
    right = either(&right, &right_fence);
    relation psc = then(&left, &scb);
    psc = then(&psc, &right);
    relation through = then(&hb, &eco);
    through = then(&through, &hb);
    through = only(through, sc & fences, sc & fences);
    psc = either(&psc, &through);
    psc = between_fences_that_meet(e, psc);
    relation hb_of_fences = only(hb, sc & fences, sc & fences);
    psc = either(&psc, &hb_of_fences);
    return acyclic(psc);
}

static bool total_order(const struct execution *e, bool tso)
{
    relation po = program_order(e), rf = reads_from(e), co = coherence(e), fr = from_read(e);
    if (tso) {
        relation here = where(e, po, true);
        here = either(&here, &rf);
        here = either(&here, &co);
        here = either(&here, &fr);
        if (!acyclic(here))
            return false;
        for (int a = 0; a < e->n; a++)
            for (int b = 0; b < e->n; b++) {
                bool strong = false;
                for (int c = 0; c < e->n; c++)
                    strong |=
                        e->node[c].locked && (c == a || in(&po, a, c)) && (c == b || in(&po, c, b));
                /* A store passes the loads behind it; a fence that is none orders nothing. */
                if (!strong && ((e->node[a].kind == WRITE && e->node[b].kind == READ) ||
                                e->node[a].kind == BARRIER || e->node[b].kind == BARRIER))
                    po.to[a] &= ~bit(b);
                if (e->node[a].thread == e->node[b].thread)
                    rf.to[a] &= ~bit(b);
            }
    }
    relation r = either(&po, &rf);
    r = either(&r, &co);
    r = either(&r, &fr);
    return acyclic(r);
}

static bool consistent(const struct execution *e, enum check_model model)
{
    return atomic(e) && (model == CHECK_RC11 ? rc11(e) : total_order(e, model == CHECK_TSO));
}

/* ---- All executions ---- */

static int word_of(char where) { return where == 'w' ? 3 : where - 'x'; }

static void add_node(struct execution *e, int step, int kind, int order, bool locked)
{
    const struct step *s = &e->litmus->step[step];
    e->node[e->n].kind = (unsigned)kind;
    e->node[e->n].step = step;
    e->node[e->n].thread = s->thread;
    e->node[e->n].word = kind == BARRIER ? ABSENT : word_of(s->where);
    e->node[e->n].order = order;
    e->node[e->n].locked = locked;
    e->source[e->n] = ABSENT;
    e->rmw[e->n] = false;
    if (kind == WRITE) {
        int w = e->node[e->n].word;
        e->writes[w][e->number[w]++] = e->n;
    }
    e->n++;
}

/* The nodes, given which compare-and-swaps succeed; one that fails is a relaxed load. */
static void add_nodes(struct execution *e, set successes)
{
    for (int i = 0; i < e->litmus->steps; i++) {
        const struct step *s = &e->litmus->step[i];
        bool writes = s->verb != SWAP || successes >> i & 1, sc = s->order == __ATOMIC_SEQ_CST;
        switch (s->verb) {
        case LOAD:
            add_node(e, i, READ, s->order, false);
            break;
        case STORE:
            add_node(e, i, WRITE, s->order, sc);
            break;
        case FENCE:
            add_node(e, i, BARRIER, s->order, sc);
            break;
        default:
            add_node(e, i, READ, writes ? s->order : __ATOMIC_RELAXED, true);
            e->rmw[e->n - 1] = writes;
            if (writes)
                add_node(e, i, WRITE, s->order, true);
        }
    }
}

/* The values, and whether they fit which compare-and-swaps succeed. No write depends on itself. */
static bool evaluate(struct execution *e, uint64_t *left)
{
    for (int round = 0; round < e->n; round++)
        for (int i = 0; i < e->n; i++) {
            const struct step *s = &e->litmus->step[e->node[i].step];
            if (e->node[i].kind == READ)
                e->value[i] = e->source[i] == ABSENT ? 0 : e->value[e->source[i]];
            else
                e->value[i] = s->verb == ADD ? e->value[i - 1] + s->value : s->value;
        }
    for (int i = 0; i < e->n; i++) {
        const struct step *s = &e->litmus->step[e->node[i].step];
        if (s->verb == SWAP && e->node[i].kind == READ && e->rmw[i] != (e->value[i] == s->expected))
            return false;
    }
    for (int w = 0; w < WORDS; w++)
        left[w] = e->number[w] ? e->value[e->writes[w][e->number[w] - 1]] : 0;
    return true;
}

struct count {
    enum check_model model;
    struct outcomes *seen;
    uint64_t executions;
};

static void complete(struct execution *e, struct count *count)
{
    uint64_t left[WORDS];
    int64_t read[STEPS];
    char text[OUTCOME];
    for (int w = 0; w < WORDS; w++)
        for (int i = 0; i < e->number[w]; i++)
            e->rank[e->writes[w][i]] = i + 1;
    if (!consistent(e, count->model) || !evaluate(e, left))
        return;
    for (int i = 0; i < e->n; i++)
        if (e->node[i].kind == READ)
            read[e->node[i].step] = (int64_t)e->value[i];
    outcome_write(text, e->litmus, read, left);
    outcomes_add(count->seen, text);
    count->executions++;
}

/* Every coherence order of the words from `w` on, the first `fixed` writes of `w` being chosen. */
static void order_writes(struct execution *e, int w, int fixed, struct count *count)
{
    if (w == WORDS) {
        complete(e, count);
    } else if (fixed >= e->number[w]) {
        order_writes(e, w + 1, 0, count);
    } else {
        int *writes = e->writes[w];
        for (int i = fixed; i < e->number[w]; i++) {
            int chosen = writes[i], read = chosen - 1;
            bool rmw = read >= 0 && e->node[read].kind == READ && e->rmw[read];
            if (rmw && e->source[read] != (fixed ? writes[fixed - 1] : ABSENT))
                continue; /* not atomic: atomic() would say so, but much later */
            writes[i] = writes[fixed];
            writes[fixed] = chosen;
            order_writes(e, w, fixed + 1, count);
            writes[fixed] = writes[i];
            writes[i] = chosen;
        }
    }
}

/* Every source of the reads from `read` on. */
static void choose_sources(struct execution *e, int read, struct count *count)
{
    while (read < e->n && e->node[read].kind != READ)
        read++;
    if (read == e->n) {
        relation sb = program_order(e), rf = reads_from(e);
        relation sb_rf = either(&sb, &rf);
        if (acyclic(sb_rf)) /* all models want that: before, since it saves much */
            order_writes(e, 0, 0, count);
        return;
    }
    e->source[read] = ABSENT;
    choose_sources(e, read + 1, count);
    for (int w = 0; w < e->n; w++)
        if (e->node[w].kind == WRITE && same_word(e, read, w) &&
            !(e->node[w].thread == e->node[read].thread && w > read)) {
            e->source[read] = w;
            choose_sources(e, read + 1, count);
        }
}

uint64_t litmus_enumerate(const struct litmus *litmus, enum check_model model,
                          struct outcomes *seen)
{
    struct count count = {model, seen, 0};
    set swaps = 0;
    for (int i = 0; i < litmus->steps; i++)
        if (litmus->step[i].verb == SWAP)
            swaps |= bit(i);
    seen->n = 0;
    for (set successes = swaps;; successes = (successes - 1) & swaps) {
        struct execution e;
        memset(&e, 0, sizeof e);
        e.litmus = litmus;
        add_nodes(&e, successes);
        choose_sources(&e, 0, &count);
        if (!successes)
            return count.executions;
    }
}
