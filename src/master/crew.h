/* SPDX-License-Identifier: MIT */
/*
 * The workers of one run of heist_master_run: their queues, who has nodes, who gets some, and when
 * all is over. It knows no pool: threads come to it, the leader (heist_crew_lead_) and helpers
 * (heist_crew_help_).
 *
 * A member is IDLE: it has no node, and no thread; QUEUED: it has nodes, and waits for a thread;
 * RUNNING: a thread has claimed it, and owns its queue. Who has the lock is the master: only there
 * chains are stolen, handed over, and members change their state. So a member that has the lock and
 * finds its queue empty knows that nothing will come back to it, and an IDLE one's queue is the
 * master's to push to.
 *
 * Invariants, outside of the lock: each node is in the queue or the gift of a member that is not
 * IDLE, or is being expanded; busy == members that are not IDLE; it is over when busy == 0, and
 * stays so.
 *
 * Without the lock: push and pop of a member's own queue, and a look at two words for each node:
 * whether somebody is hungry, and whether all is to stop. The first is a hint: who misses it shares
 * at its next node, or has none to share. So there is no ledger of orders: the lock orders all, but
 * for what bulk.h (chains that are stolen) and park.h (the leader's sleep) have in theirs.
 */
#ifndef HEIST_MASTER_CREW_H
#define HEIST_MASTER_CREW_H

#include <heist/master.h>

#include <pthread.h>

#include "../runtime/park.h"

struct crew;

enum member_state { MEMBER_IDLE, MEMBER_QUEUED, MEMBER_RUNNING };

typedef struct member {
    heist_master_worker worker; /* first: what expand sees */
    heist_bulk queue;
    /* Its thread's. */
    struct crew *crew HEIST_ALIGNED;
    bool has_asked; /* to be given more before it has none */
    size_t keep;    /* the newest nodes that it does not offer: adapts */
    uint64_t offered_at;
    heist_master_count count;
    uint64_t dropped;
    /* Under the lock. */
    enum member_state state HEIST_ALIGNED;
    bool is_hungry;
    heist_bulk_chain gift; /* for one that is RUNNING: it looks when it has run out */
    uint64_t idle_since;
} member;

struct crew {
    heist_master_opts opts;          /* no zeros where there is a default */
    bool (*call)(struct crew *crew); /* one more helper has something to do; false: none comes */
    uint32_t helpers_most;
    /* Read for each node, written when somebody runs out. */
    heist_au32 hungry HEIST_ALIGNED;
    heist_au32 empty;    /* of them: have no node at all */
    heist_au32 failed;   /* the first error, negated */
    uint32_t is_watched; /* there is a word `cancel`, or a low-water mark: it never changes */
    /* Where the leader sleeps. */
    heist_au32 leader_waits HEIST_ALIGNED; /* changed under the lock; 0 again: it was called */
    struct parker leader;
    pthread_mutex_t lock HEIST_ALIGNED;
    uint32_t queued; /* members */
    uint32_t coming; /* helpers that were called, and have not found nothing yet */
    unsigned busy;
    uint64_t redistributions, moved, in_vain;
    unsigned *list; /* of hungry members, first the empty ones; who waits longest first */
    member members[];
};

/* How many bytes a crew of so many takes; it is zeroed before init. */
size_t heist_crew_size_(unsigned workers);
int heist_crew_init_(struct crew *c, const heist_master_opts *opts, const heist_bulk_chain *roots);
void heist_crew_fini_(struct crew *c);

/* Works until all is over. Then the members are at rest, and their counts can be read. */
void heist_crew_lead_(struct crew *c, void (*run)(struct crew *, member *));
/* What a helper that was called does: it works as long as a member is QUEUED. */
void heist_crew_help_(struct crew *c, void (*run)(struct crew *, member *));
/* What `run` is to do: expand until the member is IDLE. */
void heist_crew_work_(struct crew *c, member *m);
/* All ends as soon as it can; the first error stays. */
void heist_crew_fail_(struct crew *c, int error);

#endif
