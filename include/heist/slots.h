/* SPDX-License-Identifier: MIT */
/*
 * The stack of task slots under heist_fork and heist_join: the runtime's own queue. A fork fills the
 * next slot, a join empties it; both are one comparison as long as no thief comes.
 *
 * The upper part of the stack is private. When a thief asks, the owner publishes the older half of it;
 * thieves claim public slots, oldest first, by a CAS, run them in place, and say so in the slot. A slot
 * is not used again before its join, so nothing is copied, and a claim needs no tag: whoever wins it
 * reads the slot afterwards. A join that finds its slot public takes all that is public back.
 *
 * Who may call what at the same time: one owner forks and joins; any number of threads claim and ask.
 * Progress: all are wait-free, but for a join whose slot was claimed: that waits for the thief.
 *
 * Encoding. word is end:32 | next:32: public are the slots with these numbers, next <= i < end.
 * A request is one comparison on the owner's path: the thief sets limit to 0 and base to the largest
 * number, so that a fork believes the stack is full and a join that its slot is public.
 * Invariants (outside of the slow paths):
 *   private slots begin at floor, and the public end there too: floor == &first[end]
 *   limit is 0 or `last`; base is the largest number or floor
 *   a slot below floor that is not public was claimed; its `done` tells when it was run
 * Linearisation: fork at its look at limit; a claim at its CAS; a join at its comparison, at the
 * exchange that takes back, or when it sees `done`.
 *
 * Source: Lace (van Dijk and van de Pol 2014), LCWS; the packed word is ours.
 */
#ifndef HEIST_SLOTS_H
#define HEIST_SLOTS_H

#include <heist/atomic.h>

/* The ledger of orders. The owner's common path has none. */
/* publish: what is in the slots before the word; pairs with CLAIM; else a thief runs junk */
#ifndef HEIST_SL_PUBLISH
#define HEIST_SL_PUBLISH __ATOMIC_RELEASE
#endif
/* claim: the word before the slot; pairs with PUBLISH */
#ifndef HEIST_SL_CLAIM
#define HEIST_SL_CLAIM __ATOMIC_ACQUIRE
#endif
/* a thief has run a slot: what the task did before `done`; pairs with DONE; else the owner reads an
   old result */
#ifndef HEIST_SL_FINISH
#define HEIST_SL_FINISH __ATOMIC_RELEASE
#endif
/* a join sees `done` before the result; pairs with FINISH */
#ifndef HEIST_SL_DONE
#define HEIST_SL_DONE __ATOMIC_ACQUIRE
#endif
/* the owner has answered: limit and base as they should be before `asked` is 0; pairs with ASK */
#ifndef HEIST_SL_ANSWER
#define HEIST_SL_ANSWER __ATOMIC_RELEASE
#endif
/* a thief asks: `asked` is 0 before it writes limit and base; pairs with ANSWER; else the owner's
   last answer overwrites the new request */
#ifndef HEIST_SL_ASK
#define HEIST_SL_ASK __ATOMIC_ACQUIRE
#endif

HEIST_BEGIN_DECLS

struct heist_worker;
typedef struct heist_slot heist_slot;

/* Runs the slot `self`, with the slots from `head` on for its own forks. */
typedef void heist_slot_run(struct heist_worker *w, heist_slot *head, heist_slot *self);

enum { HEIST_SLOT_BYTES = 48 };

struct heist_slot {
    heist_slot_run *run;
    heist_auptr done; /* of a slot that is public, or was claimed: 0; 1 when it was run, 2 when that
                         failed; else who claimed it */
    unsigned char data[HEIST_SLOT_BYTES] __attribute__((aligned(8))); /* arguments, then result */
} HEIST_ALIGNED;

typedef struct heist_slots {
    /* The owner's line; thieves write limit and base when they ask. */
    heist_auptr limit; /* a fork at or above it takes the slow path */
    heist_auptr base;  /* so does a join below it */
    uintptr_t last;    /* what limit is while nobody asks */
    heist_slot *floor; /* private slots begin here */
    heist_slot *first;
    /* The thieves' line. */
    heist_au64 word HEIST_ALIGNED;
    heist_au32 asked;
} heist_slots;

#define HEIST_SLOTS_ONE_ ((uint64_t)1 << 32) /* of `end` */
#define HEIST_SLOTS_NEXT_(s) ((uint32_t)(s))
#define HEIST_SLOTS_END_(s) ((uint32_t)((s) >> 32))
#define HEIST_SLOTS_FULL_LIMIT_ ((uintptr_t)0)
#define HEIST_SLOTS_FULL_BASE_ UINTPTR_MAX

/* `number` slots and one to spare, which a fork fills before it looks at limit. */
static inline void heist_slots_init_(heist_slots *q, heist_slot *first, size_t number)
{
    q->first = q->floor = first;
    q->last = (uintptr_t)(first + number);
    heist_store(&q->limit, q->last, __ATOMIC_RELAXED);
    heist_store(&q->base, (uintptr_t)first, __ATOMIC_RELAXED);
    heist_store(&q->word, 0, __ATOMIC_RELAXED);
    heist_store(&q->asked, 0, __ATOMIC_RELAXED);
}

/* After a slot was filled: whether the slow path has something to do. */
static inline bool heist_slots_fork_(heist_slots *q, heist_slot *filled)
{
    return HEIST_UNLIKELY((uintptr_t)filled >= heist_load(&q->limit, __ATOMIC_RELAXED));
}

/* Whether the slot, the newest, is still the owner's to run; else see heist_slots_take_. */
static inline bool heist_slots_is_private_(heist_slots *q, heist_slot *newest)
{
    return HEIST_LIKELY((uintptr_t)newest >= heist_load(&q->base, __ATOMIC_RELAXED));
}

/* Publishes the older half of the private slots below `end`, rounded up. Returns how many. */
static inline size_t heist_slots_publish_(heist_slots *q, heist_slot *end)
{
    size_t n = end > q->floor ? ((size_t)(end - q->floor) + 1) / 2 : 0;
    for (size_t i = 0; i < n; i++)
        heist_store(&q->floor[i].done, 0, __ATOMIC_RELAXED);
    q->floor += n;
    if (n)
        heist_add(&q->word, n * HEIST_SLOTS_ONE_, HEIST_SL_PUBLISH);
    return n;
}

/* The slow path of a fork: answers a request with private slots, the one just filled included.
   Returns how many. */
static inline size_t heist_slots_answer_(heist_slots *q, heist_slot *filled)
{
    size_t n = heist_slots_publish_(q, filled + 1);
    heist_store(&q->limit, q->last, __ATOMIC_RELAXED);
    heist_store(&q->base, (uintptr_t)q->floor, __ATOMIC_RELAXED);
    heist_store(&q->asked, 0, HEIST_SL_ANSWER);
    return n;
}

/* Private slots begin at `floor` from now on, and nothing is public. */
static inline void heist_slots_set_floor_(heist_slots *q, heist_slot *floor)
{
    uint64_t number = (uint64_t)(floor - q->first);
    q->floor = floor;
    heist_store(&q->word, number * HEIST_SLOTS_ONE_ + number, __ATOMIC_RELAXED);
    /* An exchange, so that no request goes unseen. */
    if (heist_exchange(&q->base, (uintptr_t)floor, __ATOMIC_RELAXED) == HEIST_SLOTS_FULL_BASE_)
        heist_store(&q->base, HEIST_SLOTS_FULL_BASE_, __ATOMIC_RELAXED);
}

/*
 * The slow path of a join, of the newest slot: true if it is the owner's to run. A request is
 * answered here too, with the slots below; if there is none, the next fork will answer it.
 */
static inline bool heist_slots_take_(heist_slots *q, heist_slot *newest)
{
    if (heist_load(&q->base, __ATOMIC_RELAXED) == HEIST_SLOTS_FULL_BASE_) {
        if (newest > q->floor)
            heist_slots_answer_(q, newest - 1);
        else
            heist_store(&q->base, (uintptr_t)q->floor, __ATOMIC_RELAXED);
    }
    if (newest < q->floor) {
        uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
        if (HEIST_SLOTS_NEXT_(s) < HEIST_SLOTS_END_(s)) {
            s = heist_exchange(&q->word, 0, __ATOMIC_RELAXED);
            heist_slots_set_floor_(q, q->first + HEIST_SLOTS_NEXT_(s));
        }
    }
    return newest >= q->floor;
}

/* Whether the thief who claimed the slot has run it. */
static inline bool heist_slots_is_done_(const heist_slot *slot)
{
    uintptr_t done = heist_load(&slot->done, HEIST_SL_DONE);
    return done == 1 || done == 2;
}

static inline bool heist_slots_failed_(const heist_slot *slot)
{
    return heist_load(&slot->done, __ATOMIC_RELAXED) == 2;
}

/* Who claimed the slot, if that can be seen already. */
static inline bool heist_slots_thief_(const heist_slot *slot, unsigned *thief)
{
    uintptr_t done = heist_load(&slot->done, __ATOMIC_RELAXED);
    *thief = (unsigned)(done - 3);
    return done > 2;
}

/* Thieves: the oldest public slot, or NULL; *lost says that another was faster. */
static inline heist_slot *heist_slots_claim_(heist_slots *q, bool *lost)
{
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    *lost = false;
    if (HEIST_SLOTS_NEXT_(s) >= HEIST_SLOTS_END_(s))
        return NULL;
    HEIST_WINDOW("claim");
    if (heist_cas(&q->word, &s, s + 1, HEIST_SL_CLAIM))
        return q->first + HEIST_SLOTS_NEXT_(s);
    *lost = true;
    return NULL;
}

/* Thieves: says who has claimed the slot. */
static inline void heist_slots_mark_(heist_slot *slot, unsigned thief)
{
    heist_store(&slot->done, (uintptr_t)thief + 3, __ATOMIC_RELAXED);
}

static inline void heist_slots_finish_(heist_slot *slot, bool ok)
{
    heist_store(&slot->done, ok ? 1 : 2, HEIST_SL_FINISH);
}

/* Thieves: one at a time asks. */
static inline void heist_slots_ask_(heist_slots *q)
{
    if (heist_load(&q->asked, __ATOMIC_RELAXED) || heist_exchange(&q->asked, 1, HEIST_SL_ASK))
        return;
    heist_store(&q->limit, HEIST_SLOTS_FULL_LIMIT_, __ATOMIC_RELAXED);
    heist_store(&q->base, HEIST_SLOTS_FULL_BASE_, __ATOMIC_RELAXED);
}

HEIST_END_DECLS

#endif
