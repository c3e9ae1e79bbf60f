/* SPDX-License-Identifier: MIT */
/* The ring of blocks under both BWoS queues, as their owners use it. */
#ifndef HEIST_QUEUE_BLOCKS_H
#define HEIST_QUEUE_BLOCKS_H

#include <heist/bwos.h>

static inline uint64_t block_word(uint32_t tag, uint32_t limit, uint32_t index)
{
    return (uint64_t)tag << 32 | limit << 16 | index;
}

static inline bool block_closed(uint64_t s) { return HEIST_BWOS_INDEX_(s) == HEIST_BWOS_LIMIT_(s); }

static inline heist_bwos_block *block_after(const heist_bwos_block *b)
{
    return (heist_bwos_block *)heist_load(&b->next, __ATOMIC_RELAXED);
}

/* For the owner, when it goes on to another block. */
static inline void count_change(heist_au64 *changes)
{
    heist_store(changes, heist_load(changes, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

int heist_blocks_init_(heist_bwos_blocks *bs, const heist_queue_opts *opts, bool fifo);
void heist_blocks_free_(heist_bwos_blocks *bs);

/* Links as many fresh blocks as there are behind `b`; false: no memory, or as many as can be. */
bool heist_blocks_grow_(heist_bwos_blocks *bs, heist_bwos_block *b);

/* Whether the owner may write into `b`: no items in it, no thief that still copies. */
bool heist_block_reusable_(const heist_bwos_blocks *bs, const heist_bwos_block *b);

/* Before the owner fills `b`, which is reusable: fetches what thieves took. */
void heist_block_fetch_(const heist_bwos_block *b);

/* Takes `b` back from thieves. What is left for the owner: from b->first up to the limit
   returned. */
uint32_t heist_block_take_over_(heist_bwos_block *b);

/* A thief has found nothing: whether it shall write so over the owner's limits. */
bool heist_blocks_ask_(heist_bwos_blocks *bs);

/* Sum of what the blocks have for thieves. */
size_t heist_blocks_available_(const heist_bwos_blocks *bs);

#endif
