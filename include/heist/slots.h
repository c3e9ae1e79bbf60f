/* SPDX-License-Identifier: MIT */
/*
 * The stack of task slots under heist_fork and heist_join: the runtime's own queue. A fork fills
 * the next slot, a join empties it; both are a comparison as long as no thief comes, and a second
 * one where a fork looks at the C stack.
 *
 * The upper part of the stack is private. When a thief asks, the owner publishes the older half of
 * it; thieves claim public slots, oldest first, by a CAS, run them in place, and say so in the
 * slot. A slot is not used again before its join, so nothing is copied, and a claim needs no tag:
 * whoever wins it reads the slot afterwards. A join that finds its slot public takes all that is
 * public back.
 *
 * An owner in a long task does not answer. Then the thief who has waited publishes for it: with
 * the lock of the slow paths it raises base, makes every processor execute a fence (membarrier),
 * and looks which slots are open: forked, and not joined. The owner's join says that it has begun
 * before it reads base; so it has either seen the new base, or the thief sees that the slot is not
 * open.
 *
 * What says so is in the slot: `run`, which a fork writes, and of which a join sets a bit. A typed
 * task so has its head, the next free slot, in a register only. Plain forks need it in memory, and
 * write it anyway; so it says for theirs what is open, and their joins set no bit.
 *
 * Who may call what at the same time: one owner forks and joins; any number of threads claim, ask
 * and grant. Progress: all are wait-free, but for a join whose slot was claimed: that waits for the
 * thief; and for the slow paths, which wait while a thief grants.
 *
 * Encoding. word is end:32 | next:32: public are the slots with these numbers, next <= i < end.
 * limit is for two things at once: a fork at or above it looks closer, since either somebody asks,
 * or the slots end. A thief asks by the limit 0, and the largest base, so that a join believes that
 * its slot is public. asked is 0, 1 (somebody asks) or 2 (locked: the owner is in a slow path, or a
 * thief grants). run is a function's address, whose upper two bits are free.
 * Invariants (outside of the slow paths):
 *   private slots begin at floor, and the public end there too: floor == &first[end]
 *   limit is 0 or `last`; base is the largest number or floor
 *   a slot below floor that is not public was claimed; its `done` tells when it was run
 *   all private slots belong to the task that the owner runs now
 *   slots from the owner's next free one on are not open, those of its task below it are
 *   a plain slot that is not open is not below head
 * Linearisation: fork at its look at limit; a claim at its CAS; a join at its comparison, at the
 * exchange that takes back, or when it sees `done`.
 *
 * Source: Lace (van Dijk and van de Pol 2014), LCWS; the packed word and the grant are ours.
 */
#ifndef HEIST_SLOTS_H
#define HEIST_SLOTS_H

#include <heist/fences.h>

/* The ledger of orders. Those of the owner's common path cost nothing on x86. */
/* a typed fork: what is in the slot, and those below, before `run`; pairs with LOOK; else a thief
   that grants publishes junk */
#ifndef HEIST_SL_FILL
#define HEIST_SL_FILL __ATOMIC_RELEASE
#endif
/* a plain fork or join: what is in the slots before head; pairs with LOOK_HEAD; else the same */
#ifndef HEIST_SL_HEAD
#define HEIST_SL_HEAD __ATOMIC_RELEASE
#endif
/* grant: `run` before what is in the slots up to it; pairs with FILL */
#ifndef HEIST_SL_LOOK
#define HEIST_SL_LOOK __ATOMIC_ACQUIRE
#endif
/* grant: head before what is in the slots below it; pairs with HEAD */
#ifndef HEIST_SL_LOOK_HEAD
#define HEIST_SL_LOOK_HEAD __ATOMIC_ACQUIRE
#endif
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
/* slow paths and grants begin: the last one's floor, limit and base before this one's; pairs with
   UNLOCK; else two of them mix */
#ifndef HEIST_SL_LOCK
#define HEIST_SL_LOCK __ATOMIC_ACQUIRE
#endif
/* slow paths and grants end: pairs with LOCK, ASK */
#ifndef HEIST_SL_UNLOCK
#define HEIST_SL_UNLOCK __ATOMIC_RELEASE
#endif
/* a thief asks: `asked` is 0 before it writes limit and base; pairs with UNLOCK; else the owner's
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

/* What `done` says of a slot that is public, or was claimed. Below HEIST_SLOT_THIEF: whose it
   was. */
enum {
    HEIST_SLOT_RUN = 1, /* it was run */
    HEIST_SLOT_FAILED,  /* it was run, and there was no room for its forks */
    HEIST_SLOT_THIEF    /* and above: the number of the thief who has claimed it */
};
#define HEIST_SLOT_WAITED ((uintptr_t)1 << 16)   /* with a thief's number: the owner sleeps */
#define HEIST_SLOT_CONTEXTS ((uintptr_t)1 << 17) /* and above, or 0: not claimed, its context */

/* Beside a function's address in `run`. */
#define HEIST_SLOT_JOINED ((uintptr_t)1 << 63) /* a typed task, which was joined */
#define HEIST_SLOT_PLAIN ((uintptr_t)1 << 62)  /* a heist_fn, for the pointer in data */
#define HEIST_SLOT_FUNCTION (HEIST_SLOT_PLAIN - 1)

struct heist_slot {
    heist_auptr run;                                                  /* see above */
    heist_auptr done;                                                 /* see above */
    unsigned char data[HEIST_SLOT_BYTES] __attribute__((aligned(8))); /* arguments, then result */
} HEIST_ALIGNED;

typedef struct heist_slots {
    /* The owner's line; thieves write limit and base when they ask. */
    heist_auptr limit;   /* see above */
    heist_auptr base;    /* a join below it takes the slow path */
    heist_auptr head;    /* of plain functions: the next free slot */
    heist_auptr context; /* of all private slots: what a thief should know of them */
    uintptr_t last;      /* what limit is while nobody asks: the end of the slots */
    heist_slot *floor;   /* private slots begin here */
    heist_slot *first;
    uintptr_t stack_end; /* of the owner's C stack: a fork below it gives up */
    /* The thieves' line. */
    heist_au64 word HEIST_ALIGNED;
    heist_au32 asked;
    size_t number; /* of slots */
} heist_slots;

#define HEIST_SLOTS_ONE_ ((uint64_t)1 << 32) /* of `end` */
#define HEIST_SLOTS_NEXT_(s) ((uint32_t)(s))
#define HEIST_SLOTS_END_(s) ((uint32_t)((s) >> 32))
#define HEIST_SLOTS_FULL_BASE_ UINTPTR_MAX

/* About where the owner's C stack is. */
HEIST_FORCED uintptr_t heist_slots_here_(void)
{
#if HEIST_MODEL
    return 0;
#elif defined(__aarch64__) && !HEIST_PORTABLE
    uintptr_t here;
    __asm__("mov %0, sp" : "=r"(here)); /* no frame pointer is needed for it */
    return here;
#else
    return (uintptr_t)__builtin_frame_address(0);
#endif
}

HEIST_FORCED bool heist_slots_stack_is_low_(const heist_slots *q)
{
    return HEIST_UNLIKELY(heist_slots_here_() < q->stack_end);
}

/* `number` slots and one to spare, which a fork fills before it looks at limit. */
static inline void heist_slots_init_(heist_slots *q, heist_slot *first, size_t number)
{
    q->first = q->floor = first;
    q->number = number;
    q->last = (uintptr_t)(first + number);
    heist_store(&q->limit, q->last, __ATOMIC_RELAXED);
    heist_store(&q->base, (uintptr_t)first, __ATOMIC_RELAXED);
    heist_store(&q->head, (uintptr_t)first, __ATOMIC_RELAXED);
    heist_store(&q->context, 0, __ATOMIC_RELAXED);
    heist_store(&q->word, 0, __ATOMIC_RELAXED);
    heist_store(&q->asked, 0, __ATOMIC_RELAXED);
}

/* The owner's, in plain functions. */
HEIST_FORCED heist_slot *heist_slots_head_(const heist_slots *q)
{
    return (heist_slot *)heist_peek(&q->head);
}

/* The end of the open slots from `begin` on, at most `end`. What lies below an open slot of the
   same task is open, and was forked before it. */
static inline heist_slot *heist_slots_open_(const heist_slots *q, heist_slot *begin,
                                            const heist_slot *end)
{
    uintptr_t head = heist_load(&q->head, HEIST_SL_LOOK_HEAD);
    size_t open = 0, most = (size_t)(end - begin);
    while (open < most) {
        size_t middle = 2 * open + 1 < most ? 2 * open : open + (most - open) / 2;
        uintptr_t run = heist_load(&begin[middle].run, HEIST_SL_LOOK);
        if (run & HEIST_SLOT_PLAIN ? (uintptr_t)(begin + middle) < head
                                   : run && !(run & HEIST_SLOT_JOINED))
            open = middle + 1;
        else
            most = middle;
    }
    return begin + open;
}

/*
 * The fast paths by hand: gcc makes more instructions of them, forgets what is likely when it
 * inlines, and takes them for larger than they are when it decides whether to. What is needed only
 * here is computed here, in a register of its own: gcc would keep it, and others on the stack.
 */
#if HEIST_BY_HAND_
#define HEIST_SLOTS_GO_(q, s, code, seldom)                                                     \
    __asm__ inline goto(                                                                        \
        code                                                                                    \
        :                                                                                       \
        : [slot] "r"(s), [head] "m"((q)->head), [limit] "m"((q)->limit), [base] "m"((q)->base), \
          [end] "m"((q)->stack_end), [size] "i"(sizeof *(s))                                    \
        : "r11", "cc", "memory"                                                                 \
        : seldom)
#define HEIST_SLOTS_LIMIT_ "cmp %[limit], %[slot]\n\tjae %l[slow]"
#define HEIST_SLOTS_STACK_ "\n\tcmp %[end], %%rsp\n\tjb %l[slow]"
#define HEIST_SLOTS_NEXT_SLOT_ "lea %c[size](%[slot]), %%r11\n\t"
#else
HEIST_FORCED bool heist_slots_is_limit_(const heist_slots *q, const heist_slot *slot)
{
    heist_fence_light(); /* a thief that asks before it sleeps is seen, or sees the slot */
    return HEIST_UNLIKELY((uintptr_t)slot >= heist_peek(&q->limit));
}

HEIST_FORCED bool heist_slots_is_private_(const heist_slots *q, const heist_slot *slot)
{
    heist_fence_light(); /* a thief that grants is seen, or sees that the slot is not open */
    return HEIST_LIKELY((uintptr_t)slot >= heist_peek(&q->base));
}
#endif

/* A typed fork, after its arguments were written: whether the slow path has something to do. Those
   that do not look at the C stack are few in a row. */
HEIST_FORCED bool heist_slots_fork_(heist_slots *q, heist_slot *slot, heist_slot_run *run,
                                    const bool looks)
{
    heist_poke(&slot->run, (uintptr_t)run, HEIST_SL_FILL);
#if HEIST_BY_HAND_
    if (looks)
        HEIST_SLOTS_GO_(q, slot, HEIST_SLOTS_LIMIT_ HEIST_SLOTS_STACK_, slow);
    else
        HEIST_SLOTS_GO_(q, slot, HEIST_SLOTS_LIMIT_, slow);
    return false;
    HEIST_COLD_LABEL(slow)
    return true;
#else
    return heist_slots_is_limit_(q, slot) || (looks && heist_slots_stack_is_low_(q));
#endif
}

/* Its join, of the newest slot: whether it is the owner's to run; else see heist_slots_take_. */
HEIST_FORCED bool heist_slots_join_(heist_slots *q, heist_slot *newest, heist_slot_run *run)
{
#if HEIST_BY_HAND_
    (void)run; /* the upper byte of an address is 0 */
    HEIST_SLOTS_GO_(q, newest, "movb $0x80, 7(%[slot])\n\tcmp %[base], %[slot]\n\tjb %l[slow]",
                    slow);
    return true;
    HEIST_COLD_LABEL(slow)
    return false;
#else
    heist_poke(&newest->run, (uintptr_t)run | HEIST_SLOT_JOINED, __ATOMIC_RELAXED);
    return heist_slots_is_private_(q, newest);
#endif
}

/* A plain fork, of the function fn. */
HEIST_FORCED bool heist_slots_fork_plain_(heist_slots *q, heist_slot *slot, uintptr_t fn)
{
    heist_poke(&slot->run, fn | HEIST_SLOT_PLAIN, __ATOMIC_RELAXED);
#if HEIST_BY_HAND_
    HEIST_SLOTS_GO_(q, slot,
                    HEIST_SLOTS_NEXT_SLOT_
                    "mov %%r11, %[head]\n\t" HEIST_SLOTS_LIMIT_ HEIST_SLOTS_STACK_,
                    slow);
    return false;
    HEIST_COLD_LABEL(slow)
    return true;
#else
    heist_poke(&q->head, (uintptr_t)(slot + 1), HEIST_SL_HEAD);
    return heist_slots_is_limit_(q, slot) || heist_slots_stack_is_low_(q);
#endif
}

/* Its join. */
HEIST_FORCED bool heist_slots_join_plain_(heist_slots *q, heist_slot *newest)
{
#if HEIST_BY_HAND_
    HEIST_SLOTS_GO_(q, newest, "mov %[slot], %[head]\n\tcmp %[base], %[slot]\n\tjb %l[slow]", slow);
    return true;
    HEIST_COLD_LABEL(slow)
    return false;
#else
    heist_poke(&q->head, (uintptr_t)newest, HEIST_SL_HEAD);
    return heist_slots_is_private_(q, newest);
#endif
}

/* Whether it can be joined, by a plain join; NULL can't. */
HEIST_FORCED bool heist_slots_is_newest_(heist_slots *q, heist_slot *slot)
{
#if HEIST_BY_HAND_
    HEIST_SLOTS_GO_(q, slot, HEIST_SLOTS_NEXT_SLOT_ "cmp %[head], %%r11\n\tjne %l[other]", other);
    return true;
    HEIST_COLD_LABEL(other)
    return false;
#else
    return HEIST_LIKELY((uintptr_t)slot + sizeof *slot == heist_peek(&q->head));
#endif
}

/* ---- The owner's slow paths, and the thieves' grant: one at a time ---- */

/* Returns what asked was: 0 or 1; or 2, and then a thief is at it. */
static inline uint32_t heist_slots_lock_(heist_slots *q)
{
    uint32_t asked = heist_load(&q->asked, __ATOMIC_RELAXED);
    while (asked != 2 && !heist_cas(&q->asked, &asked, 2, HEIST_SL_LOCK))
        continue;
    return asked;
}

static inline bool heist_slots_is_asked_(const heist_slots *q)
{
    return heist_load(&q->asked, __ATOMIC_RELAXED) == 1;
}

/* Limit and base as they should be: whoever has asked was answered. */
static inline void heist_slots_unlock_(heist_slots *q)
{
    heist_store(&q->limit, q->last, __ATOMIC_RELAXED);
    heist_store(&q->base, (uintptr_t)q->floor, __ATOMIC_RELAXED);
    heist_store(&q->asked, 0, HEIST_SL_UNLOCK);
}

/* The same, but a request stays for the next fork to answer. */
static inline void heist_slots_unlock_asked_(heist_slots *q)
{
    heist_store(&q->limit, 0, __ATOMIC_RELAXED);
    heist_store(&q->base, (uintptr_t)q->floor, __ATOMIC_RELAXED);
    heist_store(&q->asked, 1, HEIST_SL_UNLOCK);
}

/* Publishes the private slots below `end`. */
static inline void heist_slots_publish_(heist_slots *q, heist_slot *end)
{
    uintptr_t context = heist_load(&q->context, __ATOMIC_RELAXED);
    size_t n = (size_t)(end - q->floor);
    for (size_t i = 0; i < n; i++)
        heist_store(&q->floor[i].done, context, __ATOMIC_RELAXED);
    q->floor = end;
    heist_add(&q->word, n * HEIST_SLOTS_ONE_, HEIST_SL_PUBLISH);
}

/* The end of the older half, rounded up, of the private slots below `end`; floor if there is
   none. */
static inline heist_slot *heist_slots_half_(const heist_slots *q, heist_slot *end)
{
    return end > q->floor ? q->floor + ((size_t)(end - q->floor) + 1) / 2 : q->floor;
}

/* Locked: answers a request with private slots below `end`. Returns how many. */
static inline size_t heist_slots_answer_(heist_slots *q, heist_slot *end)
{
    heist_slot *half = heist_slots_half_(q, end);
    size_t n = (size_t)(half - q->floor);
    if (n)
        heist_slots_publish_(q, half);
    return n;
}

/* Locked: private slots begin at `floor` from now on, and nothing is public. */
static inline void heist_slots_set_floor_(heist_slots *q, heist_slot *floor)
{
    uint64_t number = (uint64_t)(floor - q->first);
    q->floor = floor;
    heist_store(&q->word, number * HEIST_SLOTS_ONE_ + number, __ATOMIC_RELAXED);
}

static inline bool heist_slots_has_public_(const heist_slots *q)
{
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    return HEIST_SLOTS_NEXT_(s) < HEIST_SLOTS_END_(s);
}

/* Locked: a join of the newest slot: true if it is the owner's to run. Takes back what is
   public. */
static inline bool heist_slots_take_(heist_slots *q, heist_slot *newest)
{
    if (newest < q->floor && heist_slots_has_public_(q)) {
        uint64_t s = heist_exchange(&q->word, 0, __ATOMIC_RELAXED);
        heist_slots_set_floor_(q, q->first + HEIST_SLOTS_NEXT_(s));
    }
    return newest >= q->floor;
}

/* Whether the thief who claimed the slot has run it. */
static inline bool heist_slots_is_done_(const heist_slot *slot)
{
    uintptr_t done = heist_load(&slot->done, HEIST_SL_DONE);
    return done == HEIST_SLOT_RUN || done == HEIST_SLOT_FAILED;
}

static inline bool heist_slots_failed_(const heist_slot *slot)
{
    return heist_load(&slot->done, __ATOMIC_RELAXED) == HEIST_SLOT_FAILED;
}

/* Who claimed the slot, if that can be seen already. */
static inline bool heist_slots_thief_(const heist_slot *slot, unsigned *thief)
{
    uintptr_t done = heist_load(&slot->done, __ATOMIC_RELAXED);
    *thief = (unsigned)((done & ~HEIST_SLOT_WAITED) - HEIST_SLOT_THIEF);
    return done >= HEIST_SLOT_THIEF && done < HEIST_SLOT_CONTEXTS;
}

/* The owner is going to sleep until its slot was run. False: it must not, not yet or not any
   more. */
static inline bool heist_slots_sleep_(heist_slot *slot)
{
    uintptr_t done = heist_load(&slot->done, __ATOMIC_RELAXED);
    if (done & HEIST_SLOT_WAITED && done < HEIST_SLOT_CONTEXTS)
        return true;
    return done >= HEIST_SLOT_THIEF && done < HEIST_SLOT_CONTEXTS &&
           heist_cas(&slot->done, &done, done | HEIST_SLOT_WAITED, __ATOMIC_RELAXED);
}

/* ---- Thieves ---- */

/* The oldest public slot, or NULL; *lost says that another was faster. */
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

/* Says who has claimed the slot, and returns its context. */
static inline uintptr_t heist_slots_mark_(heist_slot *slot, unsigned thief)
{
    uintptr_t context = heist_load(&slot->done, __ATOMIC_RELAXED);
    heist_store(&slot->done, (uintptr_t)thief + HEIST_SLOT_THIEF, __ATOMIC_RELAXED);
    return context;
}

/* True: the owner sleeps, and must be woken. */
static inline bool heist_slots_finish_(heist_slot *slot, bool ok)
{
    uintptr_t before =
        heist_exchange(&slot->done, ok ? HEIST_SLOT_RUN : HEIST_SLOT_FAILED, HEIST_SL_FINISH);
    return before & HEIST_SLOT_WAITED;
}

/* One at a time asks. */
static inline void heist_slots_ask_(heist_slots *q)
{
    uint32_t asked = heist_load(&q->asked, __ATOMIC_RELAXED);
    if (asked || !heist_cas(&q->asked, &asked, 1, HEIST_SL_ASK))
        return;
    heist_store(&q->limit, 0, __ATOMIC_RELAXED);
    heist_store(&q->base, HEIST_SLOTS_FULL_BASE_, __ATOMIC_RELAXED);
}

/* Whether there may be something to grant. */
static inline bool heist_slots_has_private_(const heist_slots *q)
{
    uint64_t s = heist_load(&q->word, __ATOMIC_RELAXED);
    heist_slot *floor = q->first + HEIST_SLOTS_END_(s);
    return heist_slots_open_(q, floor, floor + 1) > floor;
}

/*
 * Publishes the older half of the private slots in the owner's place, if the owner has not answered
 * a request. Returns how many.
 */
static inline size_t heist_slots_grant_(heist_slots *q)
{
    uint32_t asked = 1;
    size_t n = 0;
    if (!heist_cas(&q->asked, &asked, 2, HEIST_SL_LOCK))
        return 0;
    heist_store(&q->base, HEIST_SLOTS_FULL_BASE_, __ATOMIC_RELAXED);
    if (heist_fence_heavy())
        n = heist_slots_answer_(q, heist_slots_open_(q, q->floor, q->first + q->number));
    n ? heist_slots_unlock_(q) : heist_slots_unlock_asked_(q);
    return n;
}

HEIST_END_DECLS

#endif
