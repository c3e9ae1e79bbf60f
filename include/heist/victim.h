/* SPDX-License-Identifier: MIT */
/*
 * Whom to steal from, and how much. Usable without the runtime: what the queues are, their owner
 * says by a few functions. A thief has a heist_victim, asks it for the next queue to try, and tells
 * it what came of it:
 *
 *   unsigned i = heist_victim_next(&victim);
 *   if (i != HEIST_VICTIM_NONE)
 *       heist_victim_result(&victim, i, try_to_steal_from(i));
 *
 * The policies, by name:
 *   random        any other queue, all as likely
 *   sequential    one after the other, round and round, beginning behind the thief's own
 *   last          the queue where the last steal succeeded, until one fails there; else random
 *   best_of_two   of two random queues the one with more
 *   best_of_many  of half of the pool (neighbours in the numbering, from a random one on) the one
 *                 with most
 *   numa          near ones first: all queues of the nearest level, from a random one on, then
 *                 those of the next ...; after a success, and after the farthest, from the
 *                 nearest on again
 * Each also with +prob: the candidate is accepted with probability size/capacity, else another is
 * drawn. So, with random+prob, queue i is chosen with probability size_i / (sum of all sizes), if
 * all have the same capacity. After heist_victim_redraws(candidates) refusals there is none.
 * numa+prob draws within a level, and goes on to the next level after as many refusals as that
 * one's members allow: with p the mean of size/capacity in the level and R its redraws, that is
 * with probability (1 - p)^R; within a level queue i has the share size_i / (sum of the level's
 * sizes). best_of_...+prob draws as many as it compares, each one of those redraws, and compares
 * the sizes of those that are accepted: of more than 32 others best_of_many samples 16, not half.
 * last+prob stays where the last steal succeeded without a sample, as `last` does.
 * size/capacity is never computed: one `sample` says yes or no, of BWoS queues by a look at
 * one block, which is never the owner's.
 *
 * Keeping. A sample can cost as much as a steal, and most of what is drawn is refused. So what
 * +prob has accepted is good for `keep` steals of one item (see heist_victim_set): it is tried
 * again without a sample until it has given so many, or none. A batch counts as `keep_batch` of
 * them: it leaves most of a long queue, but nothing of a block. Queues are chosen with the same
 * probabilities as without it.
 *
 * Leaving. A batch from a queue without blocks that gave less than was wanted (see
 * heist_victim_result_of): another thief is there, or the owner, or it is empty now. Who goes on
 * there shares its lines with them for each item. So the thief leaves; and +prob refuses this queue
 * the next HEIST_VICTIM_SHUN times that it is drawn, unless something was stolen elsewhere before.
 *
 * Weights. If the owners are not equally fast, an item in a slow one's queue waits longer, and
 * counts more: best_of_... compare size * weight, and +prob accepts with size/capacity *
 * weight/1024.
 *
 * Who may call what at the same time: a heist_victim is its thief's alone; the functions of the
 * set, and a user's own policy, are called by all thieves. Nothing here blocks; next looks at as
 * many queues as the policy says, and with +prob at no more than 16 per level.
 */
#ifndef HEIST_VICTIM_H
#define HEIST_VICTIM_H

#include <heist/queue.h>
#include <limits.h>

HEIST_BEGIN_DECLS

#define HEIST_VICTIM_NONE UINT_MAX /* no queue */

/* The policies, as above. */
enum heist_victim_rule {
    HEIST_VICTIM_RANDOM = 0,
    HEIST_VICTIM_SEQUENTIAL,
    HEIST_VICTIM_LAST,
    HEIST_VICTIM_BEST_OF_TWO,
    HEIST_VICTIM_BEST_OF_MANY,
    HEIST_VICTIM_NUMA,
    HEIST_VICTIM_OWN = 1000 /* the user's function */
};

/* Limits. */
enum {
    HEIST_VICTIM_LEVELS = 64,    /* levels of nearness; what is farther is as far as the last */
    HEIST_VICTIM_WEIGHT = 1024,  /* of a queue whose owner is as slow as any; the greatest */
    HEIST_VICTIM_QUEUES = 65536, /* more are -EINVAL */
    HEIST_VICTIM_REDRAWS = 16,   /* candidates that +prob refuses at most */
    HEIST_VICTIM_KEEP = 8,       /* `keep` of heist_victim_queues: a cache line of items */
    HEIST_VICTIM_KEEP_BATCH = 4, /* of heist_victim_steal, for kinds without blocks */
    HEIST_VICTIM_SHUN = 6        /* see above */
};

/* A thief's state. */
typedef struct heist_victim heist_victim;

/*
 * A user's own policy: a queue below victim->number that is not victim->self, or HEIST_VICTIM_NONE;
 * whatever else it returns is taken for that. It may use what is below, such as heist_victim_draw.
 */
typedef unsigned heist_victim_fn(void *context, heist_victim *victim);

/* Which policy, and with +prob or not. */
typedef struct heist_victim_policy {
    unsigned rule;       /* enum heist_victim_rule */
    bool prob;           /* +prob */
    heist_victim_fn *fn; /* HEIST_VICTIM_OWN: this, */
    void *context;       /* with this context */
} heist_victim_policy;

/* The queues, seen from a thief. A function that no policy in use needs may be NULL. */
typedef struct heist_victim_set {
    unsigned number; /* the most there can be */
    void *context;   /* for the functions */
    /* True with probability about size/capacity; for +prob. */
    bool (*sample)(void *context, unsigned i, uint64_t random);
    /* For best_of_...; an estimate. */
    size_t (*size)(void *context, unsigned i);
    /* How far from the thief, 0 is nearest; for numa. NULL: all are as near. */
    unsigned (*level)(void *context, unsigned thief, unsigned i);
    /* 1 to HEIST_VICTIM_WEIGHT, see above. NULL: all are as fast. */
    unsigned (*weight)(void *context, unsigned i);
    /* Steals of one item that a queue is good for once +prob has accepted it. 0, as 1: each attempt
       has a sample of its own, which is right where queues have few items. */
    unsigned keep;
    unsigned keep_batch; /* as how many of them a steal of more counts. 0: it uses up all, and also
                            one that gives less than was wanted is no reason to leave */
} heist_victim_set;

struct heist_victim {
    /* To read. */
    const heist_victim_set *set; /* the queues */
    heist_victim_policy policy;  /* a copy */
    unsigned number;             /* of queues now */
    unsigned self;               /* the thief's own queue, which it does not steal from */
    unsigned last;    /* where the last steal succeeded, unless the thief has left; or NONE */
    bool is_sampled;  /* the last candidate was sampled, */
    uint64_t sampled; /* with this number: for steal_from */
    /* Internal. */
    uint64_t random_;
    unsigned good_for_;      /* steals that what was sampled last is still good for */
    unsigned again_;         /* where the next steal is to be, without another choice; or NONE */
    unsigned shunned_;       /* +prob refuses this one */
    unsigned shuns_;         /* so many times more */
    unsigned place_;         /* sequential: the last candidate; numa: steps in the level */
    unsigned level_, start_; /* numa: where this round is, and where it began in the level */
    unsigned levels_;        /* numa: that have any queue */
    unsigned refused_;       /* numa+prob: rounds since the queues were put in order */
    unsigned *order_;        /* numa: the queues, near ones first; allocated */
    unsigned end_[HEIST_VICTIM_LEVELS]; /* numa: the end of each level in it */
};

/*
 * The policy with this name. -EINVAL, with `out` unchanged: there is none. "own" has no name: it is
 * a function.
 */
HEIST_API HEIST_MUST_CHECK int heist_victim_parse(const char *name, heist_victim_policy *out);
/* Its name; "own" or "own+prob" for a function of the user's. */
HEIST_API const char *heist_victim_name(const heist_victim_policy *policy);
HEIST_API const char *const *heist_victim_names(void); /* all but "own", NULL at the end */

/*
 * A thief's state. The set must stay; the policy is copied. `self` is the number of the thief's own
 * queue, HEIST_VICTIM_NONE if it has none. Equal seeds give equal choices.
 * 0; -ENOMEM; -EINVAL: no such rule, a function that the policy needs is missing, too many queues,
 * or a weight that is out of range.
 */
HEIST_API HEIST_MUST_CHECK int heist_victim_init(heist_victim *victim, const heist_victim_set *set,
                                                 const heist_victim_policy *policy, unsigned self,
                                                 uint64_t seed);
/* Frees what init has allocated. */
HEIST_API void heist_victim_fini(heist_victim *victim);

/* How many queues there are now, at most set->number: the first ones. */
HEIST_API void heist_victim_resize(heist_victim *victim, unsigned number);

HEIST_API unsigned heist_victim_choose_(heist_victim *victim);
HEIST_API void heist_victim_report_(heist_victim *victim, unsigned i, size_t got, unsigned batch);
HEIST_API void heist_victim_leave_(heist_victim *victim, unsigned i);

/* The queue to try now, or HEIST_VICTIM_NONE: +prob has refused all that were drawn, or there is no
   other queue. */
static inline unsigned heist_victim_next(heist_victim *victim)
{
    unsigned again = victim->again_;
    return HEIST_LIKELY(again < victim->number) ? again : heist_victim_choose_(victim);
}

/* The same, but nothing is refused: for a thief that must find the last item too. */
HEIST_API unsigned heist_victim_any(heist_victim *victim);

/* What came of trying queue i: how many items. */
static inline void heist_victim_result(heist_victim *victim, unsigned i, size_t got)
{
    /* `last` stays, which is the usual case and changes nothing. */
    if (HEIST_UNLIKELY(!got || i != victim->again_ || victim->is_sampled))
        heist_victim_report_(victim, i, got, victim->set->keep_batch);
}

/* The same of a batch: `got` of `wanted` items. */
static inline void heist_victim_result_of(heist_victim *victim, unsigned i, size_t got,
                                          size_t wanted)
{
    heist_victim_result(victim, i, got);
    if (HEIST_UNLIKELY(got && got < wanted) && victim->set->keep_batch)
        heist_victim_leave_(victim, i);
}

/* A random number below n, which is not 0. */
static inline unsigned heist_victim_draw(heist_victim *victim, unsigned n)
{
    uint64_t r = victim->random_;
    r ^= r << 13;
    r ^= r >> 7;
    r ^= r << 17;
    victim->random_ = r;
    return (unsigned)((r >> 32) * n >> 32);
}

/* How many candidates of so many +prob draws before it gives up. */
static inline unsigned heist_victim_redraws(unsigned candidates)
{
    return candidates < HEIST_VICTIM_REDRAWS / 2 ? 2 * candidates : (unsigned)HEIST_VICTIM_REDRAWS;
}

/* ---- How much ---- */

/* How much one attempt takes. */
enum heist_batch {
    HEIST_BATCH_ONE = 0,
    HEIST_BATCH_HALF, /* of what the queue has, rounded up; but no more than a claim can take */
    HEIST_BATCH_BLOCK /* all that one block has, in one claim; of a kind without blocks up to
                         HEIST_BATCH_PLAIN items */
};
enum { HEIST_BATCH_PLAIN = 64 }; /* see HEIST_BATCH_BLOCK */

/* What thieves can get of a queue. */
enum heist_victim_reach {
    HEIST_REACH_ITEMS = 0, /* item after item: abp, chaselev, heist, split, locked, global */
    HEIST_REACH_BLOCKS     /* as much as a block at once, or what is cut off: BWoS, bulk */
};

/*
 * Whom to steal from if nothing else is known, for queues that are long and that their owners use
 * all the time: last+prob, since where an item was there are more; but random+prob where a batch
 * leaves little behind, since it is a whole block. docs/bench-pool.md has the figures. Pools, in
 * whose queues there is little, have `random`.
 */
HEIST_API heist_victim_policy heist_victim_default(enum heist_victim_reach reach,
                                                   enum heist_batch batch);

/* "one", "half", "block" or its other name "all-of-block". -EINVAL: none of them. */
HEIST_API HEIST_MUST_CHECK int heist_batch_parse(const char *name, enum heist_batch *out);
/* Its name. */
HEIST_API const char *heist_batch_name(enum heist_batch batch);
HEIST_API const char *const *heist_batch_names(void); /* NULL at the end */

/* How many items to ask steal_many for: of a queue with `size` items (needed for HALF only), and
   `block` of them in a block (0: it has no blocks). At least 1. */
static inline size_t heist_batch_items(enum heist_batch batch, size_t size, size_t block)
{
    if (batch == HEIST_BATCH_HALF)
        return size / 2 + (size & 1) + !size;
    if (batch == HEIST_BATCH_BLOCK)
        return block ? block : (size_t)HEIST_BATCH_PLAIN;
    return 1;
}

/* ---- Queues of heist/queue.h ---- */

/* Fills `set` for these queues; without levels and weights. The array must stay. */
HEIST_API void heist_victim_queues(heist_victim_set *set, heist_queue *const *queues,
                                   unsigned number);

/*
 * Steals from queue i of such a set, which `next` has just returned, as much as the batch says and
 * `max` allows, and reports the result. With +prob on FIFO BWoS queues from the very block that was
 * sampled. Returns how many.
 */
HEIST_API size_t heist_victim_steal(heist_victim *victim, unsigned i, enum heist_batch batch,
                                    void **items, size_t max);

HEIST_END_DECLS

#endif
