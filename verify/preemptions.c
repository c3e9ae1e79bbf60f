/* SPDX-License-Identifier: MIT */
#include "preemptions.h"

struct place {
    int of[CHECK_THREADS]; /* how many of the thread's events have come */
};

/* Lets a thread go on as far as it can: what it could do later, it can do now. */
static void go_on(const struct graph *g, struct place *p, int thread)
{
    for (; p->of[thread] < g->count[thread]; p->of[thread]++) {
        const struct event *e = &g->e[g->by_thread[thread][p->of[thread]]];
        if (e->kind != READ || e->source < 0)
            continue;
        const struct event *w = &g->e[e->source];
        if (p->of[w->thread] <= w->index)
            return;
    }
}

static bool within(const struct graph *g, const struct place *p, int thread, unsigned most)
{
    struct place next = *p;
    go_on(g, &next, thread);
    bool at_end = next.of[thread] == g->count[thread], all = true;
    for (int t = 0; t < CHECK_THREADS; t++)
        all &= next.of[t] == g->count[t];
    if (all)
        return true;
    if (next.of[thread] == p->of[thread] || (!at_end && !most))
        return false;
    for (int t = 0; t < CHECK_THREADS; t++)
        if (t != thread && next.of[t] < g->count[t] && within(g, &next, t, most - !at_end))
            return true;
    return false;
}

bool preemptions_within(const struct graph *g, unsigned most)
{
    struct place start = {{0}};
    for (int t = 0; t < CHECK_THREADS; t++)
        if (g->count[t] && within(g, &start, t, most))
            return true;
    return g->n == 0;
}
