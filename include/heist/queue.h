/* SPDX-License-Identifier: MIT */
/*
 * Any kind of queue behind one handle, the kind chosen at run time by its name.
 *
 * The functions and their rules are those of the kinds' own headers (who may call what at the same
 * time, progress, order): one owner calls put, put_many and get; any thread calls steal,
 * steal_many, sample and size. An indirect call is the price; a program that knows its kind
 * includes that header. put and put_many refuse a NULL item as if the queue were full, and take
 * nothing.
 */
#ifndef HEIST_QUEUE_H
#define HEIST_QUEUE_H

#include <heist/base.h>

HEIST_BEGIN_DECLS

/* A queue of any kind. */
typedef struct heist_queue heist_queue;

/* Makes an empty queue; opts NULL: all defaults. 0, -EINVAL (no such kind, or options that make no
   sense) or -ENOMEM; *out is written only on 0. */
HEIST_API HEIST_MUST_CHECK int heist_queue_new(heist_queue **out, const char *kind,
                                               const heist_queue_opts *opts);
/* Items left in it are forgotten. NULL is allowed. */
HEIST_API void heist_queue_free(heist_queue *queue);

/* The owner puts an item. False: the queue is full, or the item is NULL; it was not put. */
HEIST_API bool heist_queue_put(heist_queue *queue, void *item);
/* The owner puts items in this order, until the queue is full or one is NULL. Returns how many it
   has put. */
HEIST_API size_t heist_queue_put_many(heist_queue *queue, void *const *items, size_t n);
/* The owner takes the next item, in the order of the kind; NULL: there is none for it now. */
HEIST_API void *heist_queue_get(heist_queue *queue);
/* Any thread takes an item. HEIST_STEAL_OK: *item is the thief's; else it is unchanged. */
HEIST_API enum heist_steal heist_queue_steal(heist_queue *queue, void **item);
/* Any thread takes up to `max` items; of some kinds in one step, of others one by one. Returns how
   many. */
HEIST_API size_t heist_queue_steal_many(heist_queue *queue, void **items, size_t max);
/* After sample has said yes with this number: of bwos_fifo from the block that it looked at, and
   none if just that has nothing; of all other kinds the same as steal_many. */
HEIST_API size_t heist_queue_steal_from(heist_queue *queue, uint64_t random, void **items,
                                        size_t max);
/* A cheap look, by any thread, for policies that like long queues. True with a probability of about
   size/capacity, if `random` is a random number. */
HEIST_API bool heist_queue_sample(const heist_queue *queue, uint64_t random);
/* About how many items there are, for any thread. */
HEIST_API size_t heist_queue_size(const heist_queue *queue);
/* Items in a block; 0: the kind has no blocks. */
HEIST_API size_t heist_queue_block(const heist_queue *queue);

/* The calling thread is the owner from now on; only `split` with signals has to know. */
HEIST_API void heist_queue_adopt(heist_queue *queue);

/* The name of its kind. */
HEIST_API const char *heist_queue_kind(const heist_queue *queue);
HEIST_API const char *const *heist_queue_kinds(void); /* the names, NULL at the end */

HEIST_END_DECLS

#endif
