/* SPDX-License-Identifier: MIT */
/* Plain memory set and copied as a whole, and reads that hardware may delay. */
#include <string.h>

#include "feature.h"

enum { LONGS = 6 };
static struct block {
    long at[LONGS];
} * block;
static long sum;

static void allocate(void)
{
    block = check_alloc(NULL, sizeof *block, 8);
    memset(block, 0, sizeof *block);
}

/* The size is not known to the compiler, which must not make plain accesses of them. */
static size_t all_of_it(void)
{
    static volatile size_t size = sizeof *block;
    return size;
}

static void set_all(void) { memset(block, 0, sizeof *block); }
static void set_all_by_call(void) { memset(block, 0, all_of_it()); }
static void set_8(void) { memset(&block->at[5], 0, 8); }
static void set_first(void) { memset(block, 0, 5 * sizeof *block->at); }
static void read_last(void) { sum += block->at[5]; }
static void write_last(void) { block->at[5] = 1; }

static void set_local(void)
{
    struct block local;
    memset(&local, 0, all_of_it());
    check_assert(local.at[3] == 0);
}

static void copy_out(void)
{
    struct block local;
    memcpy(&local, block, sizeof local);
    check_assert(local.at[0] == 0);
}

static void copy_in(void)
{
    struct block local = {{0}};
    memcpy(block, &local, sizeof local);
}

static void move_up(void) { memmove(block->at + 1, block->at, (LONGS - 1) * sizeof *block->at); }
static void move_down(void) { memmove(block->at, block->at + 1, (LONGS - 1) * sizeof *block->at); }

static void assign(void)
{
    struct block local = {{0}};
    *block = local;
}

static void set_freed(void)
{
    check_free(NULL, block, sizeof *block);
    set_all();
}

/* ---- What is in memory before it is written to ---- */

static heist_au64 *word;
static int found;

static void allocate_word(void) { word = check_alloc(NULL, sizeof *word, 8); }

static void look_and_write(void)
{
    found = (int)(heist_load(word, __ATOMIC_RELAXED) & 0xff);
    heist_store(word, 1, __ATOMIC_RELAXED);
}

static void look(void) { (void)heist_load(word, __ATOMIC_RELAXED); }
static void tell_found(void) { outcome("%x", (unsigned)found); }

/*
 * ---- A claim, and the reuse of what it has claimed ----
 *
 * The thief reads the slot, then claims it; the owner that sees the claim puts another item there.
 * A thief's read that is delayed past the claim would take that one.
 */

static int items[2];
static heist_aptr slot;
static heist_au32 claimed;

static void fill(void) { slot.v_ = &items[0]; }

static void *claim(int order)
{
    void *item = heist_load(&slot, __ATOMIC_RELAXED);
    uint32_t no = 0;
    check_assert(heist_cas(&claimed, &no, 1, order));
    return item;
}

static void claim_relaxed(void) { check_used(claim(__ATOMIC_RELAXED)); }
static void claim_release(void) { check_used(claim(__ATOMIC_RELEASE)); }
static void claim_and_forget(void) { claim(__ATOMIC_RELAXED); }

static void refill(int order)
{
    if (heist_load(&claimed, order))
        heist_store(&slot, &items[1], __ATOMIC_RELAXED);
}

static void use(void) { check_used(heist_load(&slot, __ATOMIC_RELAXED)); }
static void replace(void) { heist_store(&slot, &items[1], __ATOMIC_RELAXED); }

static void refill_relaxed(void) { refill(__ATOMIC_RELAXED); }
static void refill_acquire(void) { refill(__ATOMIC_ACQUIRE); }

#define DELAYED                                          \
    {                                                    \
        "#0 may be delayed, and then take #", NULL, NULL \
    }

const struct feature memory_features[] = {
    {"memset", {allocate, {set_all, read_last}, nothing}, .failure = EVERY("data race")},
    {"memset, size unknown",
     {allocate, {set_all_by_call, read_last}, nothing},
     .failure = EVERY("data race")},
    {"memset of a word", {allocate, {set_8, read_last}, nothing}, .failure = EVERY("data race")},
    {"memset of another part", {allocate, {set_first, read_last}, nothing}, .executions = EVERY(1)},
    {"memset of a local", {allocate, {set_local, set_local}, nothing}, .executions = EVERY(1)},
    {"memset of freed memory",
     {allocate, {set_freed}, nothing},
     .failure = EVERY("memory used after it was freed")},
    {"memcpy from", {allocate, {copy_out, write_last}, nothing}, .failure = EVERY("data race")},
    {"memcpy from, both", {allocate, {copy_out, copy_out}, nothing}, .executions = EVERY(1)},
    {"memcpy to", {allocate, {copy_in, read_last}, nothing}, .failure = EVERY("data race")},
    {"memmove to", {allocate, {move_up, read_last}, nothing}, .failure = EVERY("data race")},
    {"memmove from", {allocate, {move_down, write_last}, nothing}, .failure = EVERY("data race")},
    {"memmove from, read", {allocate, {move_down, read_last}, nothing}, .executions = EVERY(1)},
    {"assignment", {allocate, {assign, read_last}, nothing}, .failure = EVERY("data race")},

    {"the same junk in every run",
     {allocate_word, {look_and_write, look}, tell_found},
     .executions = EVERY(2),
     .outcomes = "db"},

    /* The owner sees the claim, or does not: 2 executions. */
    {"claim relaxed",
     {fill, {claim_relaxed, refill_acquire}, nothing},
     .options = {.buffering = true},
     .failure = DELAYED,
     .executions = EVERY(2)},
    {"claim seen relaxed",
     {fill, {claim_release, refill_relaxed}, nothing},
     .options = {.buffering = true},
     .failure = DELAYED,
     .executions = EVERY(2)},
    {"claim release",
     {fill, {claim_release, refill_acquire}, nothing},
     .options = {.buffering = true},
     .executions = EVERY(2)},
    {"claim relaxed, item not used",
     {fill, {claim_and_forget, refill_acquire}, nothing},
     .options = {.buffering = true},
     .executions = EVERY(2)},
    {"claim relaxed, not asked",
     {fill, {claim_relaxed, refill_acquire}, nothing},
     .executions = EVERY(2)},
    {"no claim", /* a write that does not follow from the read: that may take it anyway */
     {fill, {use, replace}, nothing},
     .options = {.buffering = true},
     .executions = EVERY(2)},
    {.name = NULL},
};
