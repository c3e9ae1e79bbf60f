/* SPDX-License-Identifier: MIT */
/*
 * Master and workers: for solvers that expand nodes into batches of nodes, such as branch and
 * bound.
 *
 *   struct node { heist_bulk_node link; ... };            the caller's memory
 *
 *   static int expand(heist_master_worker *w, heist_bulk_node *node, heist_bulk_chain *batch,
 *                     void *context)
 *   {
 *       ... heist_master_add(batch, &child->link); ...     any number of times
 *       free(node);                                        the node is the function's own
 *       return 0;
 *   }
 *   ... heist_bulk_chain roots = {NULL, NULL, 0};
 *       heist_master_add(&roots, &root->link);
 *       heist_master_opts opts = {.size = sizeof opts, .expand = expand};
 *       heist_master_run(NULL, &opts, &roots);              returns when no node is left
 *
 * Each worker has a bulk queue (heist/bulk.h): a batch goes in as a whole, by two stores, and comes
 * out newest first. Whatever is older than the newest few is public. While everybody is busy,
 * nothing moves. When a worker has run out of nodes, the master takes a proportion of what the
 * fullest worker has and hands it over; a function may say to whom. The master is a role, not a
 * thread: one at a time has it, the worker that has run out, or one with nodes that sees that
 * another has; so that no long node of a certain worker keeps the others waiting.
 *
 * All runs on the threads of a pool (heist/pool.h): the caller's, and as many of its workers as are
 * free. A worker without nodes gives its thread back to the pool. If fewer threads are free than
 * there are workers, the queues of the workers take turns: nothing waits for a thread that does not
 * come.
 *
 * Who may call what: heist_master_cancel and heist_master_number inside of expand, heist_master_add
 * on chains of one's own; the bound and the word `cancel` from any thread. One worker calls expand
 * for one node at a time, mostly but not always on the same thread; a worker sees what it did
 * before.
 */
#ifndef HEIST_MASTER_H
#define HEIST_MASTER_H

#include <heist/bulk.h>
#include <heist/pool.h>

HEIST_BEGIN_DECLS

/* Who calls expand; what follows in memory is the library's. */
typedef struct heist_master_worker {
    unsigned number; /* see heist_master_number */
} heist_master_worker;

/*
 * Adds the nodes that follow from `node` to `batch`, which is empty. The node is the function's: to
 * be freed, kept, or added again. 0, or a negative errno: the run ends, and heist_master_run
 * returns it; the batch is dropped then, as what is queued. It may fork, run loops, and call
 * heist_master_run.
 */
typedef int heist_master_expand_fn(heist_master_worker *w, heist_bulk_node *node,
                                   heist_bulk_chain *batch, void *context);
/* A node that is not going to be expanded: its memory is the caller's again. */
typedef void heist_master_drop_fn(heist_bulk_node *node, void *context);
/* Which of the `number` workers in `hungry` gets a chain that is taken from worker `from`: an index
   into it; anything else is the first, who waits longest. They are those who have no node; if there
   are none such, those below the low-water mark. Called by the master, so never by two at once;
   short. */
typedef unsigned heist_master_affinity_fn(const heist_bulk_chain *chain, unsigned from,
                                          const unsigned *hungry, unsigned number, void *context);

/* What one worker has done. */
typedef struct heist_master_count {
    uint64_t expanded; /* nodes */
    uint64_t received; /* nodes, from other workers */
    uint64_t idle_ns;  /* without a node, or waiting for a thread */
} heist_master_count;

/* What came of a run. */
typedef struct heist_master_stats {
    size_t size;              /* sizeof(heist_master_stats), set by the caller */
    heist_master_count *each; /* NULL, or the caller's array: worker by worker, `number` at most */
    unsigned number;          /* of the array's elements */
    unsigned workers;         /* how many there were */
    uint64_t redistributions; /* chains handed from one worker to another */
    uint64_t moved;           /* nodes in them */
    uint64_t in_vain;         /* nothing was public: the worker was asked, and publishes soon */
    uint64_t expanded;        /* nodes, by all */
    uint64_t dropped;         /* nodes, after an error or cancellation */
    uint64_t threads;         /* times that a thread of the pool came to help */
} heist_master_stats;

/* Zero means the default; fields are only ever added at the end. */
typedef struct heist_master_opts {
    size_t size;                        /* sizeof(heist_master_opts), as the caller was compiled */
    heist_master_expand_fn *expand;     /* never NULL */
    heist_master_drop_fn *drop;         /* NULL: nodes that are left are forgotten */
    heist_master_affinity_fn *affinity; /* NULL: who has just run out, whose thread is there;
                                           else who waits longest */
    void *context;                      /* for the three */
    unsigned workers;                   /* 0: as many as the pool has; at most 1024 */
    unsigned percent;   /* of what is public that a redistribution takes; 1 to 100; 0: 50 */
    size_t low_water;   /* a worker that takes one of its last nodes, fewer than this being left, is
                             given more, after those who have none. 0: only when it has none */
    size_t keep;        /* the newest nodes that are not public while nobody is hungry; 0: 4. More
                           if nodes are short: some 10 microseconds' worth, at most 256 */
    heist_au32 *cancel; /* any thread may store something but 0 there: the run ends. NULL: none */
    heist_master_stats *stats; /* filled in the end, also after an error. NULL: none */
} heist_master_opts;

/*
 * Expands the nodes of `roots`, and what follows from them, until none is left. `roots` is made
 * empty. pool NULL: the default pool. Any number of runs may go on at once, also inside of each
 * other. 0; -EINVAL: options, or a pool that can't be, and -ENOMEM: nothing was done, `roots` is as
 * it was; -ECANCELED: it was cancelled; what expand returned; -ENOMEM also if expand's forks were
 * too deep: then the node that it had is lost. In the last three cases all nodes that were left
 * have been dropped.
 */
HEIST_API HEIST_MUST_CHECK int heist_master_run(heist_pool *pool, const heist_master_opts *opts,
                                                heist_bulk_chain *roots);

/* The worker's number: from 0, and below the number of workers. */
static inline unsigned heist_master_number(const heist_master_worker *w) { return w->number; }
/* No node is begun any more; what is left is dropped. */
HEIST_API void heist_master_cancel(heist_master_worker *w);

/* Puts a node in front of a chain, so that it is expanded before those that are in it. */
static inline void heist_master_add(heist_bulk_chain *chain, heist_bulk_node *node)
{
    node->next = chain->first;
    chain->first = node;
    if (!chain->count++)
        chain->last = node;
}

/* ---- The best that anybody has found ---- */

/*
 * Orders nothing but itself: whoever reads a bound need not see yet what belongs to it. A solution
 * is kept under a lock of its own, and compared there again.
 */
typedef struct heist_master_bound {
    heist_au64 value;
} heist_master_bound;

/* Before anybody else uses it. */
static inline void heist_master_bound_init(heist_master_bound *b, int64_t value)
{
    heist_store(&b->value, (uint64_t)value, __ATOMIC_RELAXED);
}

/* The best so far, as far as this thread sees. */
static inline int64_t heist_master_bound_get(const heist_master_bound *b)
{
    return (int64_t)heist_load(&b->value, __ATOMIC_RELAXED);
}

/* To maximise. True: it is better than all before. */
static inline bool heist_master_bound_raise(heist_master_bound *b, int64_t value)
{
    uint64_t old = heist_load(&b->value, __ATOMIC_RELAXED);
    while (value > (int64_t)old)
        if (heist_cas_weak(&b->value, &old, (uint64_t)value, __ATOMIC_RELAXED))
            return true;
    return false;
}

/* To minimise. True: it is better than all before. */
static inline bool heist_master_bound_lower(heist_master_bound *b, int64_t value)
{
    uint64_t old = heist_load(&b->value, __ATOMIC_RELAXED);
    while (value < (int64_t)old)
        if (heist_cas_weak(&b->value, &old, (uint64_t)value, __ATOMIC_RELAXED))
            return true;
    return false;
}

HEIST_END_DECLS

#endif
