/* SPDX-License-Identifier: MIT */
/*
 * The bulk queue: a linked list to which a ready chain of any length is pushed in O(1), and from
 * which one stealer cuts a proportion. Take it for solvers whose tasks come in batches, with a
 * master that redistributes.
 *
 * The owner has a private list. When the stealer asks, the owner publishes what it has, but for its
 * newest node or batch, at its next push or pop: a whole chain changes hands by one store. The
 * stealer takes it by one exchange, walks to the cut, keeps the older part and gives the newer one
 * back. An owner that takes that over publishes again at once, since the stealer will come again.
 * Nobody ever touches a chain that another may touch.
 *
 * Two interfaces; a queue uses one of them. Intrusive: the caller's objects contain a
 * heist_bulk_node; push, pop, steal_part. Common, as for every kind: items are wrapped in nodes
 * that the queue allocates, and takes back from the stealer.
 *
 * Who may call what at the same time: one owner calls push, pop, offer, put, put_many, get; any
 * thread calls steal_part, steal, steal_many, but only one at a time gets in, a second one gets
 * BUSY (steal_many: none); any thread calls sample, size; init and fini are alone.
 * Order: the owner LIFO; thieves the oldest. A chain from steal_part goes from newer to older.
 * Progress: push and pop are wait-free, O(1). steal_part is wait-free and walks over what it gives
 * back; steal and steal_many walk over what they take. While a stealer walks, the owner does not
 * see the nodes that will come back: pop may say empty, and finds them later.
 * Natively: put_many, steal_many (one cut). sample is size against capacity, random % capacity <
 * size. size is exact when nobody moves.
 * steal says EMPTY when nothing is public; it has then asked.
 *
 * Encoding. The first node of a chain that changes hands holds its length, and in `back` its last
 * node. In the other nodes `back` is the one before, which the common interface uses; push keeps it
 * up between chains, and does not care for it inside. `open` has what the owner published, `rest`
 * what the stealer gave back.
 * Invariants: each node is in exactly one of: the private list, open, rest, the stealer's hands.
 *   open and rest are older than the private list, rest older than open
 *   only the owner fills open, when it is empty; only the stealer fills rest, when it is empty
 *   size == net - stolen
 * Linearisation: push at the store of head; pop at the store of head or at an exchange; steal_part
 * at its exchange, with the part given back pushed (behind open) when it is stored.
 *
 * Source: the bulk queue paper. Its Listings 2-4 lose and duplicate nodes even under sequential
 * consistency (docs/errata.md, test/known_bugs), since owner and stealer work on one list. The
 * paper's early return, which saves the walk over the stolen part if the owner did not move, is the
 * only way here: the length and the end of a chain are always known.
 * Init takes capacity (default 8192; only what sample measures against), memory. FIXED: -EINVAL.
 * Memory: sizeof(heist_bulk); common interface: 32 to 64 bytes per item that it ever held at once.
 */
#ifndef HEIST_BULK_H
#define HEIST_BULK_H

#include <heist/atomic.h>

/* The ledger of orders. */
/* the owner: a chain before `open`; pairs with STEAL; else the stealer walks junk */
#ifndef HEIST_BU_PUBLISH
#define HEIST_BU_PUBLISH __ATOMIC_RELEASE
#endif
/* the stealer: `open` or `rest` before the chain; pairs with PUBLISH */
#ifndef HEIST_BU_STEAL
#define HEIST_BU_STEAL __ATOMIC_ACQUIRE
#endif
/* the stealer: the cut before `rest`; pairs with TAKE; else the owner follows a link that was
   cut */
#ifndef HEIST_BU_RETURN
#define HEIST_BU_RETURN __ATOMIC_RELEASE
#endif
/* the owner: `rest` before the chain; pairs with RETURN */
#ifndef HEIST_BU_TAKE
#define HEIST_BU_TAKE __ATOMIC_ACQUIRE
#endif
/* a stealer: the flag before the queue; pairs with UNLOCK; else two walk one chain */
#ifndef HEIST_BU_LOCK
#define HEIST_BU_LOCK __ATOMIC_ACQUIRE
#endif
/* a stealer: the queue before the flag; pairs with LOCK */
#ifndef HEIST_BU_UNLOCK
#define HEIST_BU_UNLOCK __ATOMIC_RELEASE
#endif
/* a stealer: the item read before its wrapper is handed back; pairs with REFILL */
#ifndef HEIST_BU_RECYCLE
#define HEIST_BU_RECYCLE __ATOMIC_RELEASE
#endif
/* the owner: the wrappers handed back before their use; pairs with RECYCLE */
#ifndef HEIST_BU_REFILL
#define HEIST_BU_REFILL __ATOMIC_ACQUIRE
#endif

HEIST_BEGIN_DECLS

/* What an object begins with, or contains, that is pushed. */
typedef struct heist_bulk_node {
    struct heist_bulk_node *next; /* the caller links a chain by it */
    struct heist_bulk_node *back; /* the queue's */
    size_t count;                 /* the queue's */
} heist_bulk_node;

/* Nodes that go from hand to hand as one. */
typedef struct heist_bulk_chain {
    heist_bulk_node *first, *last; /* linked by next, newest first; last->next is NULL */
    size_t count;                  /* of nodes */
} heist_bulk_chain;

typedef struct heist_bulk {
    /* The owner's line. */
    heist_bulk_node *head, *tail;   /* the private list */
    size_t count;                   /* of it */
    heist_au64 net;                 /* pushed - popped */
    struct heist_bulk_item_ *spare; /* wrappers */
    /* Where they meet. */
    heist_aptr open HEIST_ALIGNED;
    heist_aptr rest;
    heist_au32 want;
    /* The stealer's line. */
    heist_au32 stealing HEIST_ALIGNED;
    heist_au64 stolen;
    heist_aptr used; /* wrappers on their way back */
    size_t capacity HEIST_ALIGNED;
    struct heist_bulk_slab_ *slabs;
    heist_memory memory;
} heist_bulk;

/* Makes an empty queue. 0, -EINVAL, -ENOMEM; it is usable only after 0. */
HEIST_API HEIST_MUST_CHECK int heist_bulk_init(heist_bulk *q, const heist_queue_opts *opts);
/* Frees its memory; items left in it are forgotten. */
HEIST_API void heist_bulk_fini(heist_bulk *q);

/*
 * Cuts `percent` (1 to 100, else EMPTY) of what is public, rounded up, off its older end. OK:
 * *chain is the stealer's; its nodes can be pushed to another queue as they are.
 */
HEIST_API enum heist_steal heist_bulk_steal_part(heist_bulk *q, unsigned percent,
                                                 heist_bulk_chain *chain);

HEIST_API bool heist_bulk_put(heist_bulk *q, void *item);
HEIST_API size_t heist_bulk_put_many(heist_bulk *q, void *const *items, size_t n);
HEIST_API void *heist_bulk_get(heist_bulk *q);
HEIST_API enum heist_steal heist_bulk_steal(heist_bulk *q, void **item);
HEIST_API size_t heist_bulk_steal_many(heist_bulk *q, void **items, size_t max);
HEIST_API heist_bulk_node *heist_bulk_refill_(heist_bulk *q);

static inline bool heist_bulk_asked_(const heist_bulk *q)
{
    return HEIST_UNLIKELY(heist_load(&q->want, __ATOMIC_RELAXED)) &&
           !heist_load(&q->open, __ATOMIC_RELAXED);
}

static inline void heist_bulk_publish_(heist_bulk *q, heist_bulk_node *first, heist_bulk_node *last,
                                       size_t count)
{
    first->back = last;
    first->count = count;
    HEIST_WINDOW("publish");
    heist_store(&q->want, 0, __ATOMIC_RELAXED);
    HEIST_WINDOW("publish-open");
    heist_store(&q->open, first, HEIST_BU_PUBLISH);
}

/* Pushes a chain of `count` nodes from `first` to `last`, linked by next; first becomes the
   newest. */
static inline void heist_bulk_push(heist_bulk *q, heist_bulk_node *first, heist_bulk_node *last,
                                   size_t count)
{
    heist_bulk_node *old = q->head;
    if (old && heist_bulk_asked_(q)) {
        heist_bulk_publish_(q, old, q->tail, q->count);
        old = NULL;
    }
    last->next = old;
    q->head = first;
    if (old) {
        old->back = last;
        q->count += count;
    } else {
        q->tail = last;
        q->count = count;
    }
    heist_store(&q->net, heist_load(&q->net, __ATOMIC_RELAXED) + count, __ATOMIC_RELAXED);
}

/* The newest node, or NULL. */
static inline heist_bulk_node *heist_bulk_pop(heist_bulk *q)
{
    heist_bulk_node *node = q->head;
    if (HEIST_UNLIKELY(!node)) {
        node = heist_bulk_refill_(q);
        if (!node)
            return NULL;
    }
    q->head = node->next;
    q->count--;
    heist_store(&q->net, heist_load(&q->net, __ATOMIC_RELAXED) - 1, __ATOMIC_RELAXED);
    if (q->head && heist_bulk_asked_(q)) {
        heist_bulk_publish_(q, q->head, q->tail, q->count);
        q->head = NULL;
    }
    return node;
}

/*
 * The owner publishes all but its newest `keep` nodes (at least 1), unless less than twice as many
 * are private or something is public already: so that a stealer need not ask, and the walk over
 * what is kept costs little per node. True if it has.
 */
static inline bool heist_bulk_offer(heist_bulk *q, size_t keep)
{
    if (!q->head || q->count < 2 * keep || heist_load(&q->open, __ATOMIC_RELAXED))
        return false;
    heist_bulk_node *last = q->head;
    for (size_t i = 1; i < keep; i++)
        last = last->next;
    heist_bulk_node *first = last->next, *end = q->tail;
    last->next = NULL;
    q->tail = last;
    size_t count = q->count - keep;
    q->count = keep;
    heist_bulk_publish_(q, first, end, count);
    return true;
}

static inline size_t heist_bulk_size(const heist_bulk *q)
{
    uint64_t stolen = heist_load(&q->stolen, __ATOMIC_RELAXED);
    int64_t n = (int64_t)(heist_load(&q->net, __ATOMIC_RELAXED) - stolen);
    return n > 0 ? (size_t)n : 0;
}

static inline bool heist_bulk_sample(const heist_bulk *q, uint64_t random)
{
    return random % q->capacity < heist_bulk_size(q);
}

HEIST_END_DECLS

#endif
