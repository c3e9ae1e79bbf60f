/* SPDX-License-Identifier: MIT */
#include <heist/split.h>

#include <errno.h>
#include <signal.h>

#include "memory.h"
#include "split_signal.h"

typedef heist_split queue;

#define POSITIONS ((uint64_t)HEIST_SPLIT_POSITIONS_)
#define COUNT_MAX 0xffffu
#define OPEN 256 /* see heist_split.open */
#define STEPS 8  /* of the capacity; a queue of fewer than twice as many items has one */
#define POISON_LIMIT ((uintptr_t)0)
#define POISON_FLOOR UINTPTR_MAX

static uint64_t word_of(uint32_t tag, uint64_t index) { return (uint64_t)tag << 40 | index; }
static uint64_t get_exposed(const queue *q) { return heist_load(&q->exposed, __ATOMIC_RELAXED); }
static void set_exposed(queue *q, uint64_t e) { heist_store(&q->exposed, e, __ATOMIC_RELAXED); }

static uintptr_t address(const queue *q, uint64_t position)
{
    return heist_load(&q->base, __ATOMIC_RELAXED) + position * sizeof(heist_aptr);
}

static uint64_t get_bottom(const queue *q) /* as a position */
{
    return (uint64_t)(heist_split_private_(q) + (int64_t)get_exposed(q));
}

static void set_bottom(queue *q, uint64_t position)
{
    heist_store(&q->bottom, address(q, position), __ATOMIC_RELAXED);
}

static uint64_t index_now(const queue *q)
{
    return HEIST_SPLIT_INDEX_(heist_load(&q->word, __ATOMIC_RELAXED));
}

static uintptr_t limit_of(const queue *q, uint64_t bottom)
{
    uint64_t room = index_now(q) + q->capacity;
    uint64_t end = q->grows || room > q->last ? q->last : room;
    return address(q, bottom + q->step < end ? bottom + q->step : end);
}

/* Also in the handler: there a get that finds nothing may have lowered bottom already. */
static void set_about(queue *q, uint64_t bottom, uint64_t exposed)
{
    int64_t own = (int64_t)(bottom - exposed);
    heist_store(&q->about, own > 0 ? (uint64_t)own : 0, __ATOMIC_RELAXED);
}

static uintptr_t floor_of(const queue *q, uint64_t bottom, uint64_t exposed)
{
    uint64_t end = exposed > q->first ? exposed : q->first;
    int64_t above = (int64_t)(bottom - q->step - end);
    return address(q, above > 0 ? end + (uint64_t)above : end);
}

/* Makes the segment in which position `i` lies the current one, and that position bottom. */
static void enter_segment(queue *q, uint64_t i)
{
    if (i < q->first_segment) {
        q->first = 0;
        q->last = q->first_segment;
    } else {
        q->first = q->first_segment;
        while (i >= 2 * q->first)
            q->first *= 2;
        q->last = 2 * q->first;
    }
    if (q->last > POSITIONS)
        q->last = POSITIONS;
    heist_store(&q->base, (uintptr_t)heist_split_slot_(q, q->first) - q->first * sizeof(heist_aptr),
                __ATOMIC_RELAXED);
    set_bottom(q, i);
}

/* A segment, and the slot that put may write before it looks at the limit. */
static heist_aptr *new_segment(queue *q, uint64_t slots)
{
    return (heist_aptr *)alloc_array(&q->memory, sizeof(heist_aptr), slots, sizeof(heist_aptr));
}

static void free_segment(queue *q, void *segment, uint64_t slots)
{
    free_bytes(&q->memory, segment, (slots + 1) * sizeof(heist_aptr));
}

int heist_split_init(queue *q, const heist_queue_opts *opts)
{
    heist_queue_opts o;
    int error = heist_queue_opts_read_(&o, opts);
    if (error)
        return error;
    uint64_t capacity = o.capacity ? o.capacity : HEIST_CAPACITY_DEFAULT;
    if (capacity > POSITIONS)
        return -EINVAL;
    q->grows = o.bound == HEIST_BOUND_GROWS;
    q->capacity = capacity;
    q->step = capacity < 2 * STEPS ? capacity : capacity / STEPS;
    q->mode = (enum heist_split_mode)o.mode;
    copy_struct(&q->memory, o.memory);
    /* Twice the capacity: then put has to move items only once per capacity of stolen ones. */
    q->first_segment = q->grows ? power_of_two(capacity) : 2 * capacity;
    if (q->first_segment > POSITIONS)
        q->first_segment = POSITIONS;
    q->signal = o.mode == HEIST_SPLIT_USER                  ? 0
                : o.mode == HEIST_SPLIT_SIGNAL && !o.signal ? SIGURG
                                                            : o.signal;
    for (size_t k = 0; k < sizeof q->segments / sizeof *q->segments; k++)
        heist_store(&q->segments[k], NULL, __ATOMIC_RELAXED);
    heist_aptr *items = new_segment(q, q->first_segment);
    if (!items)
        return -ENOMEM;
    heist_store(&q->segments[0], items, __ATOMIC_RELAXED);
    q->tag = (uint32_t)o.origin;
    q->open = 0;
    set_exposed(q, 0);
    enter_segment(q, 0);
    heist_store(&q->word, word_of(q->tag, 0), __ATOMIC_RELAXED);
    heist_store(&q->asked, 0, __ATOMIC_RELAXED);
    heist_store(&q->guard, 0, __ATOMIC_RELAXED);
    heist_store(&q->deferred, 0, __ATOMIC_RELAXED);
    heist_store(&q->exposures, 0, __ATOMIC_RELAXED);
    heist_store(&q->about, 0, __ATOMIC_RELAXED);
    heist_split_tell(q, NULL, NULL);
    /* The first put takes the slow path, where the owner makes itself known. */
    heist_store(&q->limit, address(q, 0), __ATOMIC_RELAXED);
    heist_store(&q->floor, address(q, 0), __ATOMIC_RELAXED);
    error = q->signal ? heist_split_signal_attach_(q) : 0;
    if (error)
        free_segment(q, items, q->first_segment);
    return error;
}

void heist_split_fini(queue *q)
{
    if (q->signal)
        heist_split_signal_detach_(q);
    uint64_t slots = q->first_segment;
    for (size_t k = 0; k < sizeof q->segments / sizeof *q->segments; k++) {
        free_segment(q, heist_load(&q->segments[k], __ATOMIC_RELAXED), slots);
        if (k > 0)
            slots *= 2;
    }
}

static uint64_t exposures(const queue *q) { return heist_load(&q->exposures, __ATOMIC_RELAXED); }

static void expose(queue *q)
{
    int64_t own = heist_split_private_(q);
    int64_t n = q->mode == HEIST_SPLIT_HALF           ? (own + 1) / 2
                : q->mode == HEIST_SPLIT_CONSERVATIVE ? own >= 2
                                                      : own >= 1;
    int64_t room = COUNT_MAX - HEIST_SPLIT_COUNT_(heist_load(&q->word, __ATOMIC_RELAXED));
    if (n > room)
        n = room;
    if (n <= 0)
        return;
    HEIST_WINDOW("expose");
    set_exposed(q, get_exposed(q) + (uint64_t)n);
    HEIST_WINDOW("expose-word");
    heist_add(&q->word, (uint64_t)n * HEIST_SPLIT_ONE_, HEIST_SP_EXPOSE);
    heist_store(&q->exposures, exposures(q) + (uint64_t)n, __ATOMIC_RELAXED);
}

void heist_split_tell(queue *q, void (*tell)(void *context), void *context)
{
    q->tell = tell;
    q->tell_context = context;
}

/* For a thief that may be asleep by now. */
static void tell_since(const queue *q, uint64_t before)
{
    if (q->tell && exposures(q) != before)
        q->tell(q->tell_context);
}

void heist_split_handle_(queue *q)
{
    uint64_t before = exposures(q);
    if (heist_load(&q->guard, __ATOMIC_RELAXED)) {
        HEIST_WINDOW("defer");
        heist_store(&q->deferred, 1, __ATOMIC_RELAXED);
        return;
    }
    expose(q);
    uint64_t bottom = get_bottom(q), exposed = get_exposed(q);
    set_about(q, bottom, exposed);
    HEIST_WINDOW("handle");
    heist_store(&q->floor, floor_of(q, bottom, exposed), __ATOMIC_RELAXED);
    HEIST_WINDOW("handled");
    heist_store(&q->asked, 0, __ATOMIC_RELAXED);
    tell_since(q, before);
}

/* Sets a word that thieves may poison; true if one had. An exchange, so that no request goes
   unseen. */
static bool set_watched(heist_auptr *word, uintptr_t value, uintptr_t poison)
{
    if (heist_load(word, __ATOMIC_RELAXED) == value)
        return false;
    HEIST_WINDOW("notice");
    return heist_exchange(word, value, __ATOMIC_RELAXED) == poison;
}

/* Gives the fast paths their limits again; true if a thief has asked meanwhile. A request for which
   there is nothing yet stays in limit: the next put comes here again, and answers. */
static bool settle(queue *q)
{
    uint64_t bottom = get_bottom(q), exposed = get_exposed(q);
    uintptr_t limit = limit_of(q, bottom), floor = floor_of(q, bottom, exposed);
    set_about(q, bottom, exposed);
    bool is_poisoned = heist_load(&q->limit, __ATOMIC_RELAXED) == POISON_LIMIT;
    if (is_poisoned && !heist_split_can_expose_(q)) {
        HEIST_WINDOW("leave-asked");
        heist_store(&q->floor, floor, __ATOMIC_RELAXED);
        return false;
    }
    if (q->signal) {
        heist_store(&q->limit, limit, __ATOMIC_RELAXED);
        HEIST_WINDOW("settle-signal");
        heist_store(&q->floor, floor, __ATOMIC_RELAXED);
        return is_poisoned || heist_load(&q->asked, __ATOMIC_RELAXED);
    }
    bool asked = set_watched(&q->limit, limit, POISON_LIMIT);
    HEIST_WINDOW("settle");
    return set_watched(&q->floor, floor, POISON_FLOOR) || asked;
}

/* Between these two the owner's handler changes nothing; it leaves a note instead. */
static void enter_slow_path(queue *q)
{
    heist_store(&q->guard, 1, __ATOMIC_RELAXED);
    heist_signal_fence();
    HEIST_WINDOW("guard");
}

static void leave_slow_path(queue *q)
{
    do {
        heist_store(&q->guard, 1, __ATOMIC_RELAXED);
        heist_store(&q->deferred, 0, __ATOMIC_RELAXED);
        heist_signal_fence();
        while (settle(q)) {
            expose(q);
            HEIST_WINDOW("answer");
            heist_store(&q->asked, 0, HEIST_SP_ANSWER);
        }
        heist_signal_fence();
        HEIST_WINDOW("guarded");
        heist_store(&q->guard, 0, __ATOMIC_RELAXED);
        heist_signal_fence();
        HEIST_WINDOW("unguarded");
    } while (heist_load(&q->deferred, __ATOMIC_RELAXED));
}

/* Makes all items private; what is public is the empty range at `index`. How many come back. */
static uint32_t take_back(queue *q)
{
    uint64_t s = heist_load(&q->word, HEIST_SP_EMPTIED);
    if (HEIST_SPLIT_COUNT_(s)) {
        HEIST_WINDOW("take-back");
        s = heist_exchange(&q->word, word_of(++q->tag, 0), HEIST_SP_TAKE);
        HEIST_WINDOW("taken");
    }
    uint64_t index = HEIST_SPLIT_INDEX_(s);
    set_exposed(q, index);
    heist_store(&q->word, word_of(q->tag, index), __ATOMIC_RELAXED);
    return HEIST_SPLIT_COUNT_(s);
}

/* While there are thieves the oldest item stays public, as if one had asked for it again. */
static void stay_open(queue *q, uint32_t came_back)
{
    q->open = came_back ? q->open - (q->open > 0) : OPEN;
    if (came_back && q->open)
        heist_store(&q->limit, POISON_LIMIT, __ATOMIC_RELAXED);
}

/* Moves all items to the front, where thieves have left room. */
static void compact(queue *q)
{
    take_back(q);
    HEIST_WINDOW("compact");
    uint64_t from = get_exposed(q), n = get_bottom(q) - from;
    for (uint64_t i = 0; i < n; i++)
        heist_store(heist_split_slot_(q, i),
                    heist_load(heist_split_slot_(q, from + i), __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    HEIST_WINDOW("compacted");
    heist_store(&q->word, word_of(++q->tag, 0), __ATOMIC_RELAXED);
    set_exposed(q, 0);
    enter_segment(q, n);
}

/* Sees to it that position `b`, the first behind the current segment, has a slot. */
static bool extend(queue *q, uint64_t b)
{
    if (!q->grows || b >= POSITIONS)
        return false;
    size_t k = 0;
    for (uint64_t from = q->first_segment; from <= b; from *= 2)
        k++;
    if (heist_load(&q->segments[k], __ATOMIC_RELAXED))
        return true;
    heist_aptr *items = new_segment(q, b);
    HEIST_WINDOW("extend");
    heist_store(&q->segments[k], items, __ATOMIC_RELAXED);
    return items;
}

/* Whether there is a slot for one more item, in the current segment then. */
static bool make_room(queue *q)
{
    uint64_t b = get_bottom(q), index = index_now(q);
    if (!q->grows && b - index >= q->capacity)
        return false;
    if (b < q->last)
        return true;
    if (2 * index <= b && extend(q, b))
        enter_segment(q, b);
    else if (index)
        compact(q);
    else
        return false;
    return true;
}

HEIST_COLD bool heist_split_put_slow_(queue *q, void *item)
{
    if (!item)
        return false;
    enter_slow_path(q);
    if (q->signal && !heist_split_signal_has_owner_(q))
        heist_split_signal_own_(q);
    bool ok = make_room(q);
    if (ok) {
        uint64_t b = get_bottom(q);
        heist_store((heist_aptr *)address(q, b), item, __ATOMIC_RELAXED);
        HEIST_WINDOW("put-slow");
        set_bottom(q, b + 1);
    }
    leave_slow_path(q);
    return ok;
}

HEIST_COLD void *heist_split_get_slow_(queue *q)
{
    enter_slow_path(q);
    uint64_t b = get_bottom(q) + 1; /* what the fast path had subtracted */
    uint64_t before = exposures(q);
    void *item = NULL;
    set_bottom(q, b);
    HEIST_WINDOW("get-slow");
    if (b == get_exposed(q) && b > 0)
        stay_open(q, take_back(q));
    if (b > get_exposed(q)) {
        item = heist_load(heist_split_slot_(q, b - 1), __ATOMIC_RELAXED);
        HEIST_WINDOW("get-entered");
        enter_segment(q, b - 1);
    } else if (b > 0) {
        heist_store(&q->word, word_of(++q->tag, 0), __ATOMIC_RELAXED);
        HEIST_WINDOW("restart");
        set_exposed(q, 0);
        enter_segment(q, 0);
    }
    leave_slow_path(q);
    tell_since(q, before);
    return item;
}

bool heist_split_expose(queue *q)
{
    if (HEIST_SPLIT_COUNT_(heist_load(&q->word, __ATOMIC_RELAXED)))
        return true;
    uint64_t before = exposures(q);
    enter_slow_path(q);
    expose(q);
    leave_slow_path(q);
    return exposures(q) != before;
}

void heist_split_adopt(queue *q)
{
    if (q->signal)
        heist_split_signal_own_(q);
}

static void poison(queue *q)
{
    HEIST_WINDOW("poison-limit");
    heist_store(&q->limit, POISON_LIMIT, __ATOMIC_RELAXED);
    HEIST_WINDOW("poison-floor");
    heist_store(&q->floor, POISON_FLOOR, __ATOMIC_RELAXED);
}

/* One thief at a time asks: else the answer to one would leave `asked` set by the other. */
HEIST_COLD void heist_split_ask_(queue *q)
{
    if (heist_load(&q->asked, __ATOMIC_RELAXED))
        return;
    /* A signal costs so much that a look at the owner's line is worth it. */
    if (q->signal && !heist_split_is_unasked_(q))
        return;
    HEIST_WINDOW("ask");
    if (heist_exchange(&q->asked, 1, HEIST_SP_ASK))
        return;
    if (!q->signal)
        poison(q);
    else if (!heist_split_signal_send_(q))
        heist_store(&q->asked, 0, __ATOMIC_RELAXED);
}

/* Not by a signal: nobody waits yet. The owner may overlook it then. */
HEIST_COLD void heist_split_ask_for_next_(queue *q) { q->signal ? poison(q) : heist_split_ask_(q); }
