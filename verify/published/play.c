/* SPDX-License-Identifier: MIT */
/* A row of errors.c as a program under check: every item put is taken, once, as it was put. */
#include "errors.h"

#include <heist/atomic.h>

#include <stdio.h>
#include <string.h>

#include "state.h"

enum { ITEMS = 8, OWNER = 0, THIEF = 1, THREADS = 2 };

/* What outlives a run. */
static const struct published *error CHECK_STATE = NULL;
static bool repaired CHECK_STATE = false;

/* What every run finds as it was. */
struct item {
    void *link;  /* a bulk list's */
    int payload; /* not atomic: a missing publication is a race */
};

static struct item items[ITEMS];
static void *queue;
static int fresh;            /* items used so far */
static int got = -1;         /* what `r` puts again */
static int put_times[ITEMS]; /* those that were accepted */
static int taken_times[THREADS][ITEMS];

/* ---- Faults ---- */

static const struct {
    unsigned fault;
    const char *begins; /* the text of the failure */
} signs[] = {
    {DUPLICATE, "taken twice"}, {LOST, "lost"},    {JUNK, "junk"},
    {STUCK, "stuck"},           {FREED, "memory"}, {UNPUBLISHED, "data race"},
};

enum { SIGNS = sizeof signs / sizeof *signs };

unsigned published_fault(const struct check_result *result)
{
    for (int i = 0; i < SIGNS && result->failure; i++)
        if (strncmp(result->failure, signs[i].begins, strlen(signs[i].begins)) == 0)
            return signs[i].fault;
    return 0;
}

/* One queue may have several faults, its row is about one; the repaired queue must have none. */
static void fault_with(enum fault what, const char *detail)
{
    if (!(what & (repaired ? ANY_FAULT : error->faults)))
        return;
    for (int i = 0; i < SIGNS; i++)
        if (signs[i].fault == what) {
            char text[128];
            snprintf(text, sizeof text, "%s: %s", signs[i].begins, detail);
            check_fail(text, __FILE__, __LINE__);
        }
}

void fault(enum fault what) { fault_with(what, "a slot outside of the array"); }

/* The checker itself watches memory that was freed. */
bool item_is_queued(const void *item)
{
    (void)item;
    return true;
}

/* ---- Operations ---- */

static bool put(int i)
{
    bool done = error->small->put(queue, &items[i]);
    put_times[i] += done;
    return done;
}

static bool put_fresh(void)
{
    items[fresh].payload = fresh;
    return put(fresh++);
}

static int taken(int who, const void *item)
{
    uintptr_t offset = (uintptr_t)item - (uintptr_t)items;
    int i = (int)(offset / sizeof *items);
    if (offset >= sizeof items || items[i].payload != i) {
        fault_with(JUNK, "what was taken had not been put");
        return -1;
    }
    taken_times[who][i]++;
    if (error->client.frees)
        check_free(NULL, &items[i], sizeof items[i]);
    return i;
}

static bool get(void)
{
    void *item = error->small->get(queue);
    if (item)
        got = taken(OWNER, item);
    return item;
}

static bool steal(int who)
{
    void *stolen[MOST_STOLEN];
    size_t n = error->small->steal(queue, stolen);
    for (size_t i = 0; i < n; i++)
        taken(who, stolen[i]);
    return n > 0;
}

static bool do_one(int who, char op)
{
    switch (op) {
    case 'p':
    case 'P':
        return put_fresh();
    case 'r':
        return got < 0 || put(got);
    case 'g':
    case 'G':
        return get();
    case 'x':
        error->small->expose(queue);
        return true;
    default:
        return steal(who);
    }
}

static void follow(int who, const char *script)
{
    for (; script && *script; script++)
        if (!do_one(who, *script) && strchr("PGS", *script))
            fault_with(STUCK, *script == 'P' ? "put was refused" : "nothing was found");
}

/* ---- The program ---- */

/* Of the thread that a handler may interrupt, not NULL until it has. */
HEIST_THREAD_POINTER(interruptible)

/* Before every access to a shared word. */
void step(void)
{
    if (*interruptible() && check_choose(2)) {
        *interruptible() = NULL;
        error->small->expose(queue);
    }
}

static void setup(void)
{
    queue = error->small->make(repaired ? RIGHT : error->error);
    check_name(items, sizeof items, sizeof *items, "item");
    for (const struct field *f = error->small->fields; f->name; f++)
        check_name((char *)queue + f->offset, f->size, f->each, f->name);
    follow(OWNER, error->client.before);
}

static void owner(void)
{
    if (error->client.handler)
        *interruptible() = queue;
    follow(OWNER, error->client.owner);
    step();
}

static void thief(void) { follow(THIEF, error->client.thief); }

static void finish(void)
{
    follow(OWNER, error->client.after);
    /* A queue that gives without end gives duplicates; enough is enough. */
    for (int i = 0; i < 2 * ITEMS && get();)
        i++;
    for (int i = 0; i < 2 * ITEMS && steal(OWNER);)
        i++;
    for (int i = 0; i < fresh; i++) {
        char detail[64];
        int own = taken_times[OWNER][i], stolen = taken_times[THIEF][i];
        snprintf(detail, sizeof detail, "item %d, put %dx, got %dx, stolen %dx", i, put_times[i],
                 own, stolen);
        if (own + stolen != put_times[i])
            fault_with(own + stolen > put_times[i] ? DUPLICATE : LOST, detail);
    }
}

struct check_result published_check(const struct published *which, bool without,
                                    enum check_model model)
{
    struct check_program program = {setup, {owner, thief}, finish};
    struct check_options options = {.model = model, .whole = true};
    error = which;
    repaired = without;
    return check(&program, &options);
}
