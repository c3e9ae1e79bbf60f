/* SPDX-License-Identifier: MIT */
#include "right.h"

#include <heist/bulk.h>
#include <heist/queue.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* --- Every kind, by name. Locks are left out: nobody can run in the middle of them. --- */

#define BLOCKS_OF_2 .capacity = 4, .block = 2
#define BLOCKS_OF_1 .capacity = 2, .block = 1
#define GROWS .bound = HEIST_BOUND_GROWS
#define COUNTED .form = HEIST_FORM_COUNTED

static const struct {
    const char *name, *kind;
    heist_queue_opts opts;
} forms[] = {
    {"abp", "abp", {.capacity = 4}},
    {"chaselev", "chaselev", {.capacity = 1}},
    {"chaselev fixed", "chaselev", {.capacity = 4, .bound = HEIST_BOUND_FIXED}},
    {"bwos_lifo", "bwos_lifo", {BLOCKS_OF_1}},
    {"bwos_lifo block 2", "bwos_lifo", {BLOCKS_OF_2}},
    {"bwos_lifo grows", "bwos_lifo", {BLOCKS_OF_1, GROWS}},
    {"bwos_lifo counted", "bwos_lifo", {BLOCKS_OF_1, COUNTED}},
    {"bwos_lifo counted block 2", "bwos_lifo", {BLOCKS_OF_2, COUNTED}},
    {"bwos_lifo counted grows", "bwos_lifo", {BLOCKS_OF_1, COUNTED, GROWS}},
    {"bwos_fifo", "bwos_fifo", {BLOCKS_OF_1}},
    {"bwos_fifo block 2", "bwos_fifo", {BLOCKS_OF_2}},
    {"bwos_fifo grows", "bwos_fifo", {BLOCKS_OF_1, GROWS}},
    {"bwos_fifo counted", "bwos_fifo", {BLOCKS_OF_1, COUNTED}},
    {"bwos_fifo counted block 2", "bwos_fifo", {BLOCKS_OF_2, COUNTED}},
    {"bwos_fifo counted grows", "bwos_fifo", {BLOCKS_OF_1, COUNTED, GROWS}},
    {"split", "split", {.capacity = 2}},
    {"split conservative", "split", {.capacity = 2, .mode = HEIST_SPLIT_CONSERVATIVE}},
    {"split half", "split", {.capacity = 4, .mode = HEIST_SPLIT_HALF}},
    {"split grows", "split", {.capacity = 1, GROWS}},
    {"split signal", "split", {.capacity = 2, .mode = HEIST_SPLIT_SIGNAL}},
    {"split signal half grows",
     "split",
     {.capacity = 1, .mode = HEIST_SPLIT_HALF, .signal = SIGURG, GROWS}},
    {"bulk", "bulk", {.capacity = 4}},
    {"heist", "heist", {.capacity = 1}},
    {"heist fixed", "heist", {.capacity = 2, .bound = HEIST_BOUND_FIXED}},
};

enum { FORMS = sizeof forms / sizeof *forms };

/* What a queue has given back must not be looked at any more: then it finds no item there. */
static void *give(void *none, size_t size, size_t align)
{
    (void)none;
    return aligned_alloc(align, (size + align - 1) / align * align);
}

static void spoil(void *none, void *memory, size_t size)
{
    (void)none;
    memset(memory, 0xdd, size);
    free(memory);
}

static const heist_memory spoiling = {give, spoil, NULL};

static void set_signals(int how)
{
    sigset_t urgent;
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    pthread_sigmask(how, &urgent, NULL);
}

static void *make(unsigned form)
{
    heist_queue *q;
    heist_queue_opts opts = forms[form].opts;
    opts.memory = &spoiling;
    if (heist_queue_new(&q, forms[form].kind, &opts))
        abort();
    return q;
}

static bool put(void *q, void *item) { return heist_queue_put(q, item); }

static void *get(void *q) { return heist_queue_get(q); }

static size_t steal(void *q, void **items) { return heist_queue_steal(q, items) == HEIST_STEAL_OK; }

static void ask(void *q)
{
    void *item;
    if (heist_queue_steal(q, &item) == HEIST_STEAL_OK)
        abort(); /* a script asks only where there is nothing to steal yet */
}

static void drop(void *q) { heist_queue_free(q); }

/* Thieves and owner are one thread here: the signal waits until the script lets it in. */
static void expose(void *q)
{
    (void)q;
    set_signals(SIG_UNBLOCK);
    set_signals(SIG_BLOCK);
}

static void *make_signalled(unsigned form)
{
    set_signals(SIG_BLOCK);
    return make(form);
}

static void drop_signalled(void *q)
{
    set_signals(SIG_UNBLOCK); /* else fini waits for a signal that is on its way */
    drop(q);
}

static struct subject subject_of(unsigned form)
{
    struct subject s = {.name = forms[form].name,
                        .make = make,
                        .drop = drop,
                        .put = put,
                        .get = get,
                        .steal = steal,
                        .variant = form,
                        .poison = true};
    if (strstr(s.name, "signal")) {
        s.make = make_signalled;
        s.drop = drop_signalled;
        s.expose = expose;
        s.ask = ask;
    }
    /* A thread has one hazard slot. */
    s.one_thief = strcmp(s.name, "chaselev") == 0 || strcmp(s.name, "heist") == 0;
    return s;
}

/* --- bulk by its own interface: the items are the nodes --- */

static void *bulk_make(unsigned none)
{
    (void)none;
    heist_bulk *q = malloc(sizeof *q);
    if (!q || heist_bulk_init(q, NULL))
        abort();
    return q;
}

static void bulk_drop(void *q)
{
    heist_bulk_fini(q);
    free(q);
}

static bool bulk_put(void *q, void *item)
{
    heist_bulk_push(q, item, item, 1);
    return true;
}

static void *bulk_get(void *q) { return heist_bulk_pop(q); }

static size_t bulk_steal(void *q, void **items)
{
    heist_bulk_chain chain;
    if (heist_bulk_steal_part(q, 50, &chain) != HEIST_STEAL_OK)
        return 0;
    size_t n = 0;
    for (heist_bulk_node *node = chain.first; node; node = node->next)
        items[n++] = node;
    if (n != chain.count || items[n - 1] != chain.last)
        fault(JUNK);
    return n;
}

static void bulk_ask(void *q)
{
    heist_bulk_chain chain;
    if (heist_bulk_steal_part(q, 50, &chain) == HEIST_STEAL_OK)
        abort();
}

static const struct subject bulk_native = {.name = "bulk native",
                                           .make = bulk_make,
                                           .drop = bulk_drop,
                                           .put = bulk_put,
                                           .get = bulk_get,
                                           .steal = bulk_steal,
                                           .ask = bulk_ask,
                                           .poison = true};

unsigned right_subjects(const char *kind, void (*each)(const struct subject *, void *),
                        void *context)
{
    unsigned n = 0;
    for (unsigned form = 0; form < FORMS; form++)
        if (!kind || strcmp(kind, forms[form].kind) == 0) {
            struct subject s = subject_of(form);
            each(&s, context);
            n++;
        }
    if (!kind || strcmp(kind, "bulk") == 0) {
        each(&bulk_native, context);
        n++;
    }
    return n;
}

struct wanted {
    const char *name;
    struct subject found;
};

static void compare(const struct subject *subject, void *context)
{
    struct wanted *w = context;
    if (strcmp(subject->name, w->name) == 0)
        w->found = *subject;
}

struct subject right_subject(const char *name)
{
    struct wanted w = {.name = name};
    right_subjects(NULL, compare, &w);
    if (!w.found.name)
        abort();
    return w.found;
}
