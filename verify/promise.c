/* SPDX-License-Identifier: MIT */
#include "promise.h"

#include <string.h>

#include "state.h"

/* Each row says what the kind's header says under Order, Progress and Natively, and what its init
   does with the capacity. */
static const struct promise promises[] = {
    {
        .kind = "global",
        .fifo = true,
        .full = FULL_AT_CAPACITY,
        .reach = REACH_ALL,
        .many = MANY_ALL,
        .bound = HEIST_BOUND_GROWS,
    },
    {
        .kind = "locked",
        .full = FULL_AT_CAPACITY,
        .reach = REACH_ALL,
        .many = MANY_ALL,
        .rivals = RIVAL_PUT | RIVAL_GET | RIVAL_STEAL,
        .bound = HEIST_BOUND_GROWS,
    },
    {
        .kind = "abp",
        .full = FULL_AT_THE_END,
        .reach = REACH_ALL,
        .many = MANY_REPEATED,
        .rivals = RIVAL_GET | RIVAL_TOOK,
        .bound = HEIST_BOUND_FIXED,
    },
    {
        .kind = "chaselev",
        .full = FULL_AS_SEEN,
        .reach = REACH_ALL,
        .many = MANY_REPEATED,
        .rivals = RIVAL_GET | RIVAL_TOOK, /* and RIVAL_PUT if it grows */
        .bound = HEIST_BOUND_GROWS,
        .power_of_two = true,
    },
    {
        .kind = "bwos_lifo",
        .full = FULL_BY_BLOCKS,
        .reach = REACH_BLOCKS,
        .many = MANY_ALL,
        .rivals = RIVAL_GET | RIVAL_TOOK,
        .bound = HEIST_BOUND_FIXED,
    },
    {
        .kind = "bwos_fifo",
        .fifo = true,
        .full = FULL_BY_BLOCKS,
        .reach = REACH_BLOCKS,
        .many = MANY_ALL,
        .rivals = RIVAL_PUT | RIVAL_GET | RIVAL_TOOK,
        .bound = HEIST_BOUND_FIXED,
    },
    {
        .kind = "split",
        .full = FULL_AS_SEEN,
        .reach = REACH_PUBLISHED,
        .many = MANY_SOME,
        .rivals = RIVAL_PUT | RIVAL_GET | RIVAL_TOOK,
        .bound = HEIST_BOUND_FIXED,
    },
    {
        .kind = "bulk",
        .full = FULL_NEVER,
        .reach = REACH_PUBLISHED,
        .many = MANY_SOME,
        .rivals = RIVAL_STEAL,
        .keeps_newest = true,
        .lends = true,
        .bound = HEIST_BOUND_GROWS,
    },
    {
        .kind = "heist",
        .full = FULL_AS_SEEN,
        .reach = REACH_PUBLISHED,
        .many = MANY_SOME,
        .rivals = RIVAL_PUT | RIVAL_GET | RIVAL_TOOK,
        .bound = HEIST_BOUND_GROWS,
    },
};

enum { DEFAULT_BLOCKS = 8 }; /* of the BWoS kinds */

bool promise_of(struct promise *p, const char *kind, const heist_queue_opts *opts)
{
    size_t i = 0, n = sizeof promises / sizeof *promises;
    while (i < n && strcmp(promises[i].kind, kind))
        i++;
    if (i == n)
        return false;
    *p = promises[i];
    p->grows = (opts->bound ? opts->bound : p->bound) == HEIST_BOUND_GROWS;
    p->counted = opts->form == HEIST_FORM_COUNTED;
    p->early = p->reach == REACH_BLOCKS && opts->early != HEIST_EARLY_OFF;
    if (p->early) /* which gives more of its block */
        p->rivals |= RIVAL_PUT;
    /* A history has fewer items than any default capacity. */
    size_t capacity = opts->capacity ? opts->capacity : HEIST_CAPACITY_DEFAULT;
    if (capacity > HEIST_CAPACITY_DEFAULT)
        capacity = HEIST_CAPACITY_DEFAULT;
    if (p->full == FULL_BY_BLOCKS) {
        size_t entries =
            opts->block ? opts->block : (capacity + DEFAULT_BLOCKS - 1) / DEFAULT_BLOCKS;
        if (!opts->capacity && opts->block)
            capacity = DEFAULT_BLOCKS * entries;
        size_t blocks = (capacity + entries - 1) / entries;
        p->entries = (int)entries;
        p->blocks = blocks < 2 ? 2 : (int)blocks;
    } else if (p->grows) {
        p->full = FULL_NEVER;
        if (p->rivals & RIVAL_TOOK) /* a thief that loses an array to growth is BUSY */
            p->rivals |= RIVAL_PUT;
    }
    p->capacity = 1;
    while (p->power_of_two && p->capacity < (int)capacity)
        p->capacity *= 2;
    if (!p->power_of_two)
        p->capacity = (int)capacity;
    return true;
}

struct contents contents_of(const struct promise *p)
{
    return (struct contents){.ring = p->blocks};
}

/*
 * The block into which each item was put. Not a part of the contents: a search that goes back and
 * puts the item again writes it again, before it is looked at.
 */
static int32_t block_of[PROMISE_ITEMS] CHECK_STATE = {0};

static uint64_t bit(int item) { return (uint64_t)1 << item; }
static int oldest(uint64_t items) { return __builtin_ctzll(items); }
static int newest(uint64_t items) { return 63 - __builtin_clzll(items); }

static uint64_t in_block(uint64_t items, int block)
{
    uint64_t found = 0;
    for (; items; items &= items - 1)
        if (block_of[oldest(items)] == block)
            found |= items & -items;
    return found;
}

/* What the owner knows of thieves that do not precede it for sure. */
struct look {
    uint64_t loose; /* what they have taken */
    bool late, met; /* whether a thief is asked for that the owner has not seen, and was met */
};

static bool is_late(struct look *look, uint64_t thieves)
{
    if (!look->late || !thieves)
        return false;
    look->met = true;
    return true;
}

/* ---- Blocks ---- */

/* Whether the owner may fill `block` from its beginning. */
static bool reusable(const struct promise *p, const struct contents *c, int block,
                     struct look *look)
{
    uint64_t thieves = in_block(look->loose, block - c->ring);
    if (in_block(c->present, block - c->ring))
        return false;
    if (p->counted)
        thieves |= in_block(look->loose, block);
    else if (p->fifo)
        thieves = 0; /* the owner has taken the block over by then */
    return !is_late(look, thieves);
}

/* FIFO: the block from which the owner gets is full of items that are gone. */
static bool front_is_used_up(const struct promise *p, const struct contents *c)
{
    return p->fifo && c->front != c->back && !in_block(c->present, c->front);
}

/* The owner goes on to fill the next block; false: it can't. */
static bool next_block(const struct promise *p, struct contents *c, struct look *look)
{
    if (front_is_used_up(p, c) && !(p->early && is_late(look, in_block(look->loose, c->front))))
        c->front++;
    int next = c->back + 1;
    if ((p->fifo && next - c->ring == c->front) || !reusable(p, c, next, look)) {
        if (!p->grows)
            return false;
        c->ring *= 2;
    }
    c->back = next;
    c->filled = 0;
    return true;
}

/* ---- Steps ---- */

static bool has_room(const struct promise *p, struct contents *c, struct look *look)
{
    int n = __builtin_popcountll(c->present), loose = __builtin_popcountll(look->loose);
    switch (p->full) {
    case FULL_NEVER:
        break;
    case FULL_AT_CAPACITY:
        return n < p->capacity;
    case FULL_AS_SEEN:
        return n < p->capacity && !(n + loose >= p->capacity && is_late(look, look->loose));
    case FULL_AT_THE_END:
        return c->filled < p->capacity;
    case FULL_BY_BLOCKS:
        return c->filled < p->entries || next_block(p, c, look);
    }
    return true;
}

static bool put(const struct promise *p, struct contents *c, struct look *look)
{
    if (!has_room(p, c, look))
        return false;
    block_of[c->number] = c->back;
    c->present |= bit(c->number++);
    if (p->full == FULL_AT_THE_END || p->full == FULL_BY_BLOCKS)
        c->filled++;
    c->newest_kept = p->keeps_newest;
    return true;
}

static bool get(const struct promise *p, struct contents *c, int item)
{
    if (!c->present || item != (p->fifo ? oldest(c->present) : newest(c->present)))
        return false;
    if (p->full == FULL_BY_BLOCKS && p->fifo) {
        while (front_is_used_up(p, c))
            c->front++;
    } else if (p->full == FULL_BY_BLOCKS) {
        if (block_of[item] != c->back) { /* the owner takes a full block back */
            c->back = block_of[item];
            c->filled = p->entries;
        }
        c->filled--;
    }
    c->present &= ~bit(item);
    if (p->full == FULL_AT_THE_END)
        c->filled = c->present ? c->filled - 1 : 0;
    c->newest_kept = false;
    return true;
}

static bool get_nothing(const struct promise *p, struct contents *c, const struct step *s,
                        struct look *look)
{
    if (c->present)
        return p->lends && s->during_take && !c->newest_kept;
    c->known = c->number;
    if (p->full == FULL_AT_THE_END)
        c->filled = 0;
    else if (p->full == FULL_BY_BLOCKS && p->fifo)
        while (front_is_used_up(p, c))
            c->front++;
    else if (p->full == FULL_BY_BLOCKS &&
             !(p->counted && is_late(look, in_block(look->loose, c->back))))
        c->filled = 0; /* the owner begins its block again */
    return true;
}

static bool is_public(const struct promise *p, const struct contents *c, int block)
{
    return p->fifo ? block > c->front : block < c->back;
}

static bool take(const struct promise *p, struct contents *c, const struct step *s)
{
    uint64_t left = c->present;
    bool all = p->many == MANY_ALL;
    if (p->reach == REACH_BLOCKS) {
        int block = block_of[s->items[0]];
        bool public = is_public(p, c, block);
        left = public || p->early ? in_block(c->present, block) : 0;
        all = public || p->fifo; /* the owner of a LIFO block keeps some of what it has there */
    } else if (c->newest_kept && left) {
        left &= ~bit(newest(left));
    }
    for (int i = 0; i < s->n; i++) {
        if (!left || s->items[i] != oldest(left))
            return false;
        left &= left - 1;
        c->present &= ~bit(s->items[i]);
    }
    return !all || s->n == s->max || !left;
}

bool contents_step(const struct promise *p, struct contents *c, const struct step *s,
                   uint64_t loose, bool late)
{
    /* An owner that has found nothing has seen all steals so far, though not that the thieves have
       left. */
    struct look look = {p->counted ? loose : loose & ~(bit(c->known) - 1), late, false};
    bool ok = false;
    switch (s->kind) {
    case STEP_PUT:
        ok = put(p, c, &look);
        break;
    case STEP_FULL:
        ok = !has_room(p, c, &look);
        break;
    case STEP_GET:
        ok = get(p, c, s->items[0]);
        break;
    case STEP_NULL:
        ok = get_nothing(p, c, s, &look);
        break;
    case STEP_TAKE:
        ok = take(p, c, s);
        break;
    case STEP_EMPTY:
        break;
    }
    return ok && look.met == late;
}

uint64_t contents_reachable(const struct promise *p, const struct contents *c)
{
    uint64_t places = 0;
    switch (p->reach) {
    case REACH_ALL:
        return c->present != 0;
    case REACH_PUBLISHED:
        break;
    case REACH_BLOCKS:
        for (uint64_t items = c->present; items; items &= items - 1)
            if (is_public(p, c, block_of[oldest(items)]))
                places |= bit(block_of[oldest(items)] % c->ring);
    }
    return places;
}
