/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <inttypes.h>
#include <string.h>

#include "state.h"

/* Addresses differ from process to process; what has a name is shown by its name. */
static struct {
    uintptr_t from;
    size_t size, each;
    const char *name;
} names[16] CHECK_STATE;
static int number_of_names CHECK_STATE = 0;

void trace_forget_names(void) { number_of_names = 0; }

void check_name(const void *from, size_t size, size_t each, const char *name)
{
    if (number_of_names < (int)(sizeof names / sizeof *names)) {
        names[number_of_names].from = (uintptr_t)from;
        names[number_of_names].size = size;
        names[number_of_names].each = each;
        names[number_of_names++].name = name;
    }
}

static void write_value(FILE *out, uint64_t value)
{
    for (int i = number_of_names - 1; i >= 0; i--) { /* the newest: it may name a part of another */
        uint64_t offset = value - names[i].from;
        if (value < names[i].from || offset >= names[i].size)
            continue;
        if (names[i].each && offset % names[i].each == 0)
            fprintf(out, "%s %" PRIu64, names[i].name, offset / names[i].each);
        else if (!names[i].each && offset == 0)
            fputs(names[i].name, out);
        else
            fprintf(out, "%s+%" PRIu64, names[i].name, offset);
        return;
    }
    fprintf(out, value < 1000 ? "%" PRIu64 : "%#" PRIx64, value);
}

static const char *order_name(int order)
{
    switch (order) {
    case __ATOMIC_RELAXED:
        return "relaxed";
    case __ATOMIC_CONSUME:
        return "consume";
    case __ATOMIC_ACQUIRE:
        return "acquire";
    case __ATOMIC_RELEASE:
        return "release";
    case __ATOMIC_ACQ_REL:
        return "acq_rel";
    default:
        return "seq_cst";
    }
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static bool is_mark(const struct event *e)
{
    return e->kind == FENCE && e->order == __ATOMIC_RELAXED && !e->value;
}

static void write_event(FILE *out, const struct graph *g, int i, void *const *word)
{
    const struct event *e = &g->e[i];
    fprintf(out, "  #%-3d thread %d  ", i, e->thread);
    if (e->kind == FENCE && e->value) {
        fprintf(out, "chooses %" PRIu64 "\n", e->value);
        return;
    }
    if (e->kind == FENCE)
        fprintf(out, "%sfence %s",
                e->weight == LIGHT   ? "light "
                : e->weight == HEAVY ? "heavy "
                                     : "",
                order_name(e->order));
    else {
        fprintf(out, "%s ", e->kind == READ ? "reads" : "writes");
        write_value(out, (uintptr_t)word[e->location]);
        fprintf(out, " = ");
        write_value(out, e->value);
        fprintf(out, "  %s%s", order_name(e->order), e->exclusive ? " rmw" : "");
        if (e->spurious)
            fprintf(out, " fails for no reason");
    }
    if (e->kind == READ && e->source >= 0)
        fprintf(out, "  from #%d of thread %d", e->source, g->e[e->source].thread);
    else if (e->kind == READ)
        fprintf(out, "  the initial value");
    fprintf(out, "  %s:%d\n", base_name(e->file), e->line);
}

/* Whether all that comes before an event has been told: in its thread, and what it reads; if
   `interleaved`, also what its write follows, and those who read that. */
static bool ready(const struct graph *g, const bool *told, int i, bool interleaved)
{
    const struct event *e = &g->e[i];
    if (told[i] || (e->index > 0 && !told[g->by_thread[e->thread][e->index - 1]]))
        return false;
    if (e->kind == READ)
        return e->source < 0 || told[e->source];
    if (e->kind == FENCE || e->before == NONE || !interleaved)
        return true;
    for (int r = 0; r < g->n; r++)
        if (g->e[r].kind == READ && g->e[r].location == e->location &&
            g->e[r].source == e->before && !told[r])
            return false;
    return e->before == INITIAL || told[e->before];
}

/* The next event to tell: of the same thread as before, if that can be. */
static int next_event(const struct graph *g, const bool *told, int thread, bool interleaved)
{
    int next = -1;
    for (int i = g->n - 1; i >= 0; i--)
        if (ready(g, told, i, interleaved) &&
            (next < 0 || g->e[next].thread != thread || g->e[i].thread == thread))
            next = i;
    return next;
}

void trace_write(FILE *out, const struct graph *g, void *const *word)
{
    bool told[EVENTS] = {false};
    for (int n = 0, thread = 0; n < g->n; n++) {
        int i = next_event(g, told, thread, true);
        if (i < 0) /* no interleaving of the threads explains it */
            i = next_event(g, told, thread, false);
        if (!is_mark(&g->e[i]))
            write_event(out, g, i, word);
        told[i] = true;
        thread = g->e[i].thread;
    }
}
