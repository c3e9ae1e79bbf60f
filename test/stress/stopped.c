/* SPDX-License-Identifier: MIT */
/*
 * stopped-KIND: a thief is stopped for long in the middle of a steal. The owner must go on as if
 * nothing had happened, other thieves too, and the stopped one must not come home with what another
 * has taken.
 *
 * Two forms promise less, and what they do promise is tested: counted BWoS between claim and count
 * keeps one block (FIFO: put ends there; with GROWS never), bulk keeps the chain that the stealer
 * walks.
 */
#define _GNU_SOURCE
#include "../kind.h"
#include "../memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { CAPACITY = 16, BLOCK = 4, TURNS = 100, ITEMS = 16 * CAPACITY * TURNS };

struct item {
    heist_au32 put, taken;
};

static queue q;
static struct item items[ITEMS];
static size_t fresh;
static const char *what; /* is tried, for messages */

static void expect(bool ok, const char *claim, int line)
{
    if (!ok) {
        fprintf(stderr, "stopped: " KIND_NAME " %s, line %d: not true that %s\n", what, line,
                claim);
        exit(1);
    }
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void take(void *got)
{
    struct item *i = got;
    EXPECT(i >= items && i < items + ITEMS);
    EXPECT(heist_load(&i->put, __ATOMIC_RELAXED) == 1);
    EXPECT(heist_add(&i->taken, 1, __ATOMIC_RELAXED) == 0); /* never twice */
}

static bool put(void)
{
    struct item *i = &items[fresh];
    EXPECT(fresh < ITEMS);
    heist_store(&i->put, 1, __ATOMIC_RELAXED);
    if (Q(put)(&q, i))
        fresh++;
    else
        heist_store(&i->put, 0, __ATOMIC_RELAXED);
    return heist_load(&i->put, __ATOMIC_RELAXED);
}

static bool get(void)
{
    void *got = Q(get)(&q);
    if (got)
        take(got);
    return got;
}

static size_t put_until_full(size_t n)
{
    size_t done = 0;
    while (done < n && put())
        done++;
    return done;
}

static size_t get_until_empty(void)
{
    size_t n = 0;
    while (get())
        n++;
    return n;
}

static enum heist_steal steal(void)
{
    void *got = NULL;
    enum heist_steal result = Q(steal)(&q, &got);
    if (result == HEIST_STEAL_OK)
        take(got);
    return result;
}

/* --- the thief that is stopped --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const char *stop; /* in this window */
static bool arrived, released, done;
static enum heist_steal brought;
static pthread_t thread;
static __thread bool is_thief;

void test_window(struct window *w)
{
    if (!is_thief || strcmp(w->name, stop))
        return;
    pthread_mutex_lock(&lock);
    arrived = true;
    pthread_cond_broadcast(&changed);
    while (!released)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *thief(void *unused)
{
    (void)unused;
    is_thief = true;
    brought = steal();
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void send_thief(const char *stop_at)
{
    stop = stop_at;
    arrived = released = done = false;
    EXPECT(pthread_create(&thread, NULL, thief, NULL) == 0);
    pthread_mutex_lock(&lock);
    while (!arrived && !done)
        pthread_cond_wait(&changed, &lock);
    EXPECT(arrived); /* else it found nothing to steal, and nothing is tested */
    pthread_mutex_unlock(&lock);
}

static enum heist_steal release_thief(void)
{
    pthread_mutex_lock(&lock);
    released = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return brought;
}

/* --- what the owner does meanwhile --- */

static size_t holds(void) { return room(CAPACITY, BLOCK); }

/* Fills the queue so that thieves find something. Half of it: nothing depends on a full one. */
static void prepare(void)
{
    EXPECT(put_until_full(CAPACITY / 2) == CAPACITY / 2);
    if (traits.asks) {
        while (steal() == HEIST_STEAL_OK)
            ;
        EXPECT(put()); /* the owner answers */
        EXPECT(get());
    }
}

/* 100 times through the whole queue, `n` items each time. */
static void go_on(size_t n)
{
    for (int turn = 0; turn < TURNS; turn++) {
        EXPECT(put_until_full(n) == n);
        EXPECT(get_until_empty() == n);
    }
}

/* The thief has looked, and claimed nothing: nobody notices it. */
static void try_looking(const heist_queue_opts *o)
{
    size_t n = o->bound == HEIST_BOUND_FIXED ? holds() : 4 * CAPACITY;
    prepare();
    send_thief("steal");
    if (!traits.asks)
        EXPECT(steal() == HEIST_STEAL_OK); /* another thief goes on, too */
    EXPECT(get_until_empty() > 0);
    go_on(n);
    EXPECT(put_until_full(n) == n); /* it wakes up to another queue than it had seen */
    EXPECT(release_thief() == HEIST_STEAL_BUSY);
    EXPECT(get_until_empty() == n);
}

/* Counted: the thief has claimed an item, and has not yet said that it has copied it. */
static void try_claimed(const heist_queue_opts *o)
{
    prepare();
    send_thief("steal-claimed");
    EXPECT(steal() == HEIST_STEAL_OK);
    EXPECT(get_until_empty() > 0);
    if (o->bound == HEIST_BOUND_GROWS) {
        go_on(4 * CAPACITY);
    } else if (!traits.fifo) {
        go_on(holds() - BLOCK);
    } else {
        /* A FIFO goes round: at that block it is full and empty at once, but not before. */
        size_t n = 0;
        while (put()) {
            n++;
            EXPECT(get());
        }
        EXPECT(n >= holds() - 2 * BLOCK);
        EXPECT(Q(size)(&q) == 0);
        EXPECT(!get());
    }
    EXPECT(release_thief() == HEIST_STEAL_OK);
    EXPECT(!get()); /* here a LIFO finds out that it has the whole block again */
    go_on(holds());
}

/* bulk: the stealer has a chain in its hands. */
static void try_walking(const heist_queue_opts *o)
{
    (void)o;
    prepare();
    send_thief("steal-walk");
    EXPECT(steal() == HEIST_STEAL_BUSY);
    get_until_empty();
    go_on(4 * CAPACITY);
    EXPECT(Q(size)(&q) > 0); /* what it will give back is not forgotten */
    EXPECT(release_thief() == HEIST_STEAL_OK);
    EXPECT(get_until_empty() > 0);
    EXPECT(Q(size)(&q) == 0);
    go_on(4 * CAPACITY);
}

static void with_queue(const heist_queue_opts *given, void (*test)(const heist_queue_opts *),
                       const char *name)
{
    struct purse purse;
    heist_queue_opts o = *given;
    purse_open(&purse);
    memset(items, 0, sizeof items);
    fresh = 0;
    what = name;
    o.capacity = CAPACITY;
    o.block = BLOCK;
    o.memory = &purse.hooks;
    EXPECT(Q(init)(&q, &o) == 0);
    test(&o);
    for (size_t i = 0; i < fresh; i++)
        EXPECT(heist_load(&items[i].taken, __ATOMIC_RELAXED) == 1);
    Q(fini)(&q);
    EXPECT(purse_held(&purse) == 0);
    printf("%s %s: ok\n", KIND_NAME, name);
}

int main(void)
{
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++) {
        char name[96];
        if (strcmp(KIND_NAME, "bulk") == 0) {
            with_queue(&o, try_walking, "walking");
            continue;
        }
        snprintf(name, sizeof name, "%s, looking", form_name(&o));
        with_queue(&o, try_looking, name);
        if (o.form == HEIST_FORM_COUNTED) {
            snprintf(name, sizeof name, "%s, claimed", form_name(&o));
            with_queue(&o, try_claimed, name);
        }
    }
    return 0;
}
