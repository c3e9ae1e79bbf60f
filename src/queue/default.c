/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <heist/default.h>

#include <errno.h>
#include <time.h>

#include "fetch.h"
#include "hazard.h"
#include "memory.h"

typedef heist_heist queue;
typedef heist_heist_array array;

enum { DEFAULT_START = 1024, LEAST_WORTH_SHRINKING = 8192, COUNT_MAX = 0xfff };

#define POISON_LIMIT ((uintptr_t)0)
#define POISON_BASE UINTPTR_MAX
#define SLOTS_MAX ((size_t)1 << 27)

/* What the word says while the owner moves its items: nothing is public, nor can it become so. */
#define CLOSED 0xfffffff

enum { NOBODY, ASKED, PUBLISHING }; /* of queue.asked */

/*
 * For how many nanoseconds a thief waits for the owner's answer before it helps itself. An owner
 * that is not inside a task answers within one; to help itself costs the thief several thousand,
 * and the owner an interrupt. 0: always at the second try, and no look at a clock; so for the model
 * checker.
 */
#ifndef HEIST_HEIST_PATIENCE
#define HEIST_HEIST_PATIENCE (HEIST_MODEL || HEIST_PORTABLE ? 0 : 5000)
#endif

static uint64_t word_of(uint64_t tag, uint64_t count, uint64_t index)
{
    return tag << 40 | count << 28 | index;
}

static uint64_t next_tag(uint64_t word) { return (word >> 40) + 1; }

static uintptr_t address(const array *a, int64_t position)
{
    return (uintptr_t)a->items + (uintptr_t)position * sizeof(heist_aptr);
}

/* The owner's. One less than the end of the public part in a get that found nothing private. */
static int64_t position(const queue *q)
{
    return heist_heist_private_(q, 0, heist_load(&q->pos, __ATOMIC_RELAXED));
}

static array *new_array(const heist_memory *memory, size_t slots)
{
    array *a = (array *)heist_hazard_alloc_(memory, offsetof(array, items), slots + 1);
    if (a)
        a->slots = slots;
    return a;
}

/* How far put may go while the public part begins at `index`. */
static uintptr_t limit_from(const queue *q, int64_t index)
{
    const array *a = heist_heist_array_(q);
    int64_t slots = (int64_t)a->slots, room = index + (int64_t)q->capacity;
    return address(a, q->grows || room > slots ? slots : room);
}

/* What the fast paths may do while the public part is [index, end). */
static void set_limits(queue *q, int64_t index, int64_t end)
{
    array *a = heist_heist_array_(q);
    heist_store(&q->limit, limit_from(q, index), __ATOMIC_RELAXED);
    HEIST_WINDOW("limits");
    heist_store(&q->base, address(a, end > q->low ? end : q->low), __ATOMIC_RELAXED);
}

/* Takes the array into use, with `n` items in it, all private. The word is closed, or nothing was
   left. */
static void open_array(queue *q, array *a, int64_t n, uint64_t tag)
{
    bool may_shrink = q->frees && a->slots >= LEAST_WORTH_SHRINKING && a->slots > q->least;
    q->low = may_shrink ? (int64_t)(a->slots / 8) : 0;
    heist_store(&q->array, a, __ATOMIC_RELAXED);
    heist_store(&q->pos, address(a, n), __ATOMIC_RELAXED);
    HEIST_WINDOW("open");
    set_limits(q, 0, 0);
    HEIST_WINDOW("opened");
    heist_store(&q->word, word_of(tag, 0, 0), HEIST_HE_OPEN);
}

/* Sends the owner's next put and get into its slow path. */
static void poison(queue *q)
{
    HEIST_WINDOW("poison-limit");
    heist_store(&q->limit, POISON_LIMIT, __ATOMIC_RELAXED);
    HEIST_WINDOW("poison-base");
    heist_store(&q->base, POISON_BASE, __ATOMIC_RELAXED);
}

/* After limit and base are as they should be: a request that came before was served with that. */
static void end_requests(queue *q)
{
    HEIST_WINDOW("answer");
    heist_store(&q->asked, NOBODY, HEIST_HE_ANSWER);
}

int heist_heist_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (error)
        return error;
    bool grows = o.bound != HEIST_BOUND_FIXED;
    size_t capacity = o.capacity ? o.capacity
                      : grows    ? (size_t)DEFAULT_START
                                 : HEIST_CAPACITY_DEFAULT;
    if (capacity > SLOTS_MAX)
        return -EINVAL;
    /* Twice the capacity: then put has to move items only once per capacity of stolen ones. */
    size_t slots = grows ? power_of_two(capacity) : 2 * capacity;
    array *a = new_array(o.memory, slots);
    if (!a)
        return -ENOMEM;
    copy_struct(&q->memory, o.memory);
    q->grows = grows;
    q->frees = grows && heist_has_heavy_fence();
    q->capacity = capacity;
    q->least = slots;
    q->retired = NULL;
    heist_store(&q->since, 0, __ATOMIC_RELAXED);
    open_array(q, a, 0, o.origin);
    end_requests(q);
    return 0;
}

void heist_heist_fini(queue *q)
{
    heist_hazard_retire_(&q->retired, &heist_heist_array_(q)->head);
    heist_hazard_free_(&q->memory, q->retired);
}

/* Moves all items, public or not, to the front of `a`, which may be the array they are in. */
static void move_to(queue *q, array *a)
{
    array *old = heist_heist_array_(q);
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    HEIST_WINDOW("close");
    s = heist_exchange(&q->word, word_of(next_tag(s), 0, CLOSED), HEIST_HE_CLOSE);
    int64_t from = HEIST_HEIST_INDEX_(s), n = position(q) - from;
    HEIST_WINDOW("closed");
    for (int64_t i = 0; i < n; i++)
        heist_store(&a->items[i], heist_load(&old->items[from + i], __ATOMIC_RELAXED),
                    __ATOMIC_RELAXED);
    open_array(q, a, n, next_tag(s) + 1);
    if (a != old) {
        heist_hazard_retire_(&q->retired, &old->head);
        /* Either a thief sees that there is another array, or we see its hazard. */
        if (q->frees && heist_fence_heavy())
            heist_hazard_collect_(&q->memory, &q->retired);
    }
}

static bool resize(queue *q, size_t slots)
{
    array *a = new_array(&q->memory, slots);
    if (a)
        move_to(q, a);
    return a;
}

/* Whether there is a slot for one more item. */
static bool make_room(queue *q)
{
    int64_t p = position(q), slots = (int64_t)heist_heist_array_(q)->slots;
    int64_t index = HEIST_HEIST_INDEX_(heist_load(&q->word, __ATOMIC_RELAXED));
    if (!q->grows && p - index >= (int64_t)q->capacity)
        return false;
    if (p < slots)
        return true;
    if (q->grows && 2 * index <= p && 2 * (size_t)slots <= SLOTS_MAX &&
        resize(q, 2 * (size_t)slots))
        return true;
    if (!index)
        return false;
    move_to(q, heist_heist_array_(q));
    return true;
}

/*
 * Ends a slow path: takes the public items back if pos is among them, publishes the older half of
 * what is private then if a thief is hungry, gives the fast paths their limits, and says by another
 * tag that the owner was here. A request for which there is nothing to give stays: the next put
 * will answer it. False: pos is below all items, since nothing was left; then nothing was done.
 */
static bool settle(queue *q, bool hungry)
{
    bool given;
    for (int64_t p = position(q);;) {
        uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
        int64_t index = HEIST_HEIST_INDEX_(s), count = HEIST_HEIST_COUNT_(s);
        if (p < index)
            return false;
        if (p < index + count)
            count = 0;
        int64_t half = hungry ? (p - index - count + 1) / 2 : 0;
        count += half < COUNT_MAX - count ? half : COUNT_MAX - count;
        given = !hungry || count;
        if (given)
            set_limits(q, index, index + count);
        else
            poison(q); /* again, since the last turn of this loop may have taken it away */
        HEIST_WINDOW("settle");
        if (heist_cas(&q->word, &s, word_of(next_tag(s), (uint64_t)count, (uint64_t)index),
                      HEIST_HE_SETTLE))
            break;
    }
    if (given)
        end_requests(q);
    return true;
}

static bool is_hungry(const queue *q) { return heist_load(&q->asked, __ATOMIC_RELAXED) != NOBODY; }

/* Lets put go on where thieves made room; the word is theirs. False: a request came meanwhile, and
   may be overwritten now, or when all items were moved. */
static bool widen(queue *q)
{
    int64_t index = HEIST_HEIST_INDEX_(heist_load(&q->word, __ATOMIC_RELAXED));
    HEIST_WINDOW("widen");
    uintptr_t was = heist_exchange(&q->limit, limit_from(q, index), __ATOMIC_RELAXED);
    HEIST_WINDOW("widened");
    return was != POISON_LIMIT && !is_hungry(q);
}

HEIST_COLD bool heist_heist_put_slow_(queue *q, void *item)
{
    if (!item)
        return false;
    bool hungry = is_hungry(q), ok = make_room(q);
    if (ok) {
        uintptr_t p = heist_load(&q->pos, __ATOMIC_RELAXED);
        heist_store((heist_aptr *)p, item, __ATOMIC_RELAXED);
        HEIST_WINDOW("put-slow");
        heist_store(&q->pos, p + sizeof(heist_aptr), HEIST_HE_PUT);
    }
    if (hungry || (ok && !widen(q)))
        settle(q, true);
    return ok;
}

/* pos is below all items. A request stays. */
static void restart(queue *q)
{
    array *a = heist_heist_array_(q);
    uint64_t s = heist_load(&q->word, HEIST_HE_EMPTIED);
    bool hungry = is_hungry(q);
    if (!HEIST_HEIST_INDEX_(s)) {
        heist_store(&q->pos, address(a, 0), __ATOMIC_RELAXED);
        return;
    }
    fetch(a->items, (size_t)HEIST_HEIST_INDEX_(s) * sizeof *a->items);
    HEIST_WINDOW("restart");
    open_array(q, a, 0, next_tag(s));
    if (hungry)
        poison(q);
    else
        end_requests(q);
}

/* With few items left in a large array. No memory to shrink into: not again before all is empty. */
static void shrink(queue *q)
{
    bool hungry = is_hungry(q);
    if (!resize(q, heist_heist_array_(q)->slots / 2))
        q->low = 0;
    settle(q, hungry);
}

HEIST_COLD void *heist_heist_get_slow_(queue *q)
{
    uintptr_t p = heist_load(&q->pos, __ATOMIC_RELAXED);
    void *item = NULL;
    HEIST_WINDOW("get-slow");
    if (settle(q, is_hungry(q)))
        item = heist_load((heist_aptr *)p, __ATOMIC_RELAXED);
    else
        restart(q);
    if (position(q) < q->low)
        shrink(q);
    return item;
}

/* --- thieves --- */

#if HEIST_MODEL || HEIST_PORTABLE
static uint64_t now(void) { return 0; }
#else
static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
#endif

static bool has_waited(const queue *q)
{
    return HEIST_HEIST_PATIENCE == 0 ||
           (int64_t)(now() - heist_load(&q->since, __ATOMIC_RELAXED)) >= HEIST_HEIST_PATIENCE;
}

static int64_t private_now(const queue *q, uint64_t s)
{
    return heist_heist_private_(q, s, heist_load(&q->pos, HEIST_HE_LOOK));
}

/* Publishes what is private, in the owner's place; see the header. Whether it did. */
static bool publish(queue *q)
{
    uint64_t s = heist_load(&q->word, HEIST_HE_ENTER);
    poison(q);
    if (!heist_fence_heavy())
        return false;
    HEIST_WINDOW("publish-look");
    int64_t n = private_now(q, s), most = COUNT_MAX - (int64_t)HEIST_HEIST_COUNT_(s);
    if (n <= 0)
        return false;
    HEIST_WINDOW("publish");
    return heist_cas(&q->word, &s, s + (uint64_t)(n < most ? n : most) * HEIST_HEIST_ONE_,
                     HEIST_HE_PUBLISH);
}

HEIST_COLD bool heist_heist_ask_(queue *q)
{
    uint32_t asked = heist_load(&q->asked, __ATOMIC_RELAXED);
    HEIST_WINDOW("ask");
    if (asked == NOBODY && heist_cas(&q->asked, &asked, ASKED, HEIST_HE_ASK)) {
        poison(q);
        if (HEIST_HEIST_PATIENCE)
            heist_store(&q->since, now(), __ATOMIC_RELAXED);
        return false;
    }
    /* The heavy fence costs so much that a look at the owner's line is worth it. */
    if (asked != ASKED || !has_waited(q) || !heist_has_heavy_fence() ||
        private_now(q, heist_load(&q->word, __ATOMIC_RELAXED)) <= 0 ||
        !heist_cas(&q->asked, &asked, PUBLISHING, __ATOMIC_RELAXED))
        return false;
    bool published = publish(q);
    HEIST_WINDOW("published");
    /* No store: the owner may have answered meanwhile, and who asks then must see that it has. */
    asked = PUBLISHING;
    heist_cas(&q->asked, &asked, NOBODY, __ATOMIC_RELAXED);
    return published;
}
