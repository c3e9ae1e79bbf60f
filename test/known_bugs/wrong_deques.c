/* SPDX-License-Identifier: MIT */
/* ABP, Chase-Lev and the split deque, with the errors of their papers. */
#include "wrong.h"

#include <stdlib.h>
#include <string.h>

void *small_queue(size_t size, unsigned error)
{
    void *q;
    if (posix_memalign(&q, HEIST_LINE, size))
        abort();
    memset(q, 0, size);
    *(unsigned *)q = error;
    return q;
}

/* --- ABP: age is tag:32 | top:32 --- */

struct abp {
    unsigned error;
    heist_au64 bottom, age;
    heist_aptr slot[SLOTS];
};

static void *abp_make(unsigned error) { return small_queue(sizeof(struct abp), error); }

static bool abp_put(void *queue, void *item)
{
    struct abp *q = queue;
    uint64_t b = heist_load(&q->bottom, RLX);
    if (b == SLOTS)
        return false;
    heist_store(&q->slot[b], item, RLX);
    heist_store(&q->bottom, b + 1, REL);
    return true;
}

static void *abp_get(void *queue)
{
    struct abp *q = queue;
    uint64_t b = heist_load(&q->bottom, RLX);
    if (b == 0)
        return NULL;
    heist_store(&q->bottom, --b, REL);
    heist_fence(SEQ);
    void *item = heist_load(&q->slot[b], RLX);
    uint64_t age = heist_load(&q->age, RLX), top = (uint32_t)age;
    if (b > top + (q->error == ABP_BOTTOM_OFF_BY_ONE))
        return item;
    heist_store(&q->bottom, 0, RLX);
    uint64_t tag = (age >> 32) + (q->error != ABP_NO_TAG);
    if ((b == top || q->error == ABP_NO_EMPTY_TEST || q->error == ABP_BOTTOM_OFF_BY_ONE) &&
        heist_cas(&q->age, &age, tag << 32, REL))
        return item;
    heist_store(&q->age, tag << 32, REL);
    return NULL;
}

static size_t abp_steal(void *queue, void **items)
{
    struct abp *q = queue;
    uint64_t age = heist_load(&q->age, RLX), top = (uint32_t)age;
    heist_fence(SEQ);
    if (heist_load(&q->bottom, ACQ) <= top)
        return 0;
    items[0] = heist_load(&q->slot[top], RLX);
    return heist_cas(&q->age, &age, age + 1, REL);
}

static const struct field abp_fields[] = {FIELD(abp, bottom), FIELD(abp, age), FIELDS(abp, slot),
                                          NO_FIELD};

const struct subject small_abp = {.name = "small abp",
                                  .make = abp_make,
                                  .drop = free,
                                  .put = abp_put,
                                  .get = abp_get,
                                  .steal = abp_steal,
                                  .fields = abp_fields};

/* --- Chase-Lev, bounded, counters from 0 --- */

struct chaselev {
    unsigned error;
    heist_au64 bottom, top;
    heist_aptr slot[SLOTS];
};

static void *chaselev_make(unsigned error) { return small_queue(sizeof(struct chaselev), error); }

static bool chaselev_put(void *queue, void *item)
{
    struct chaselev *q = queue;
    uint64_t b = heist_load(&q->bottom, RLX), t = heist_load(&q->top, ACQ);
    if (b - t >= SLOTS + (q->error == CHASELEV_ONE_TOO_MANY))
        return false;
    heist_store(&q->slot[b % SLOTS], item, RLX);
    heist_store(&q->bottom, b + 1, REL);
    return true;
}

static void *chaselev_get(void *queue)
{
    struct chaselev *q = queue;
    uint64_t b = heist_load(&q->bottom, RLX) - 1;
    heist_store(&q->bottom, b, q->error == CHASELEV_RETRACT_RELAXED ? RLX : REL);
    heist_fence(SEQ);
    uint64_t t = heist_load(&q->top, RLX);
    if (q->error == CHASELEV_UNSIGNED ? t > b : (int64_t)(b - t) < 0) {
        heist_store(&q->bottom, t, RLX);
        return NULL;
    }
    void *item = heist_load(&q->slot[b % SLOTS], RLX);
    if (b != t)
        return item;
    bool won = heist_cas(&q->top, &t, t + 1, RLX);
    if (won || q->error != CHASELEV_NOT_RESTORED)
        heist_store(&q->bottom, b + 1, RLX);
    return won ? item : NULL;
}

static size_t chaselev_steal(void *queue, void **items)
{
    struct chaselev *q = queue;
    uint64_t t = heist_load(&q->top, RLX);
    heist_fence(SEQ);
    if ((int64_t)(heist_load(&q->bottom, ACQ) - t) <= 0)
        return 0;
    items[0] = heist_load(&q->slot[t % SLOTS], RLX);
    return heist_cas(&q->top, &t, t + 1, REL);
}

static const struct field chaselev_fields[] = {FIELD(chaselev, bottom), FIELD(chaselev, top),
                                               FIELDS(chaselev, slot), NO_FIELD};

const struct subject small_chaselev = {.name = "small chaselev",
                                       .make = chaselev_make,
                                       .drop = free,
                                       .put = chaselev_put,
                                       .get = chaselev_get,
                                       .steal = chaselev_steal,
                                       .fields = chaselev_fields};

/*
 * --- The split deque of LCWS: [top, public_bot) for thieves, [public_bot, bot) private ---
 * The owner exposes in its handler (x), and at its next operation if a thief found private work.
 */

struct split {
    unsigned error;
    heist_au32 asked, public_bot, bot;
    heist_au64 age; /* tag:32 | top:32 */
    heist_aptr slot[SLOTS];
};

static void *split_make(unsigned error) { return small_queue(sizeof(struct split), error); }

static heist_aptr *split_slot(struct split *q, uint32_t i)
{
    if (i >= SLOTS)
        fault(JUNK);
    return &q->slot[i % SLOTS];
}

static void split_expose(void *queue)
{
    struct split *q = queue;
    uint32_t p = heist_load(&q->public_bot, RLX);
    if ((int32_t)(heist_load(&q->bot, RLX) - p) > 0)
        heist_store(&q->public_bot, p + 1, q->error == SPLIT_EXPOSE_RELAXED ? RLX : REL);
}

static void split_answer(struct split *q)
{
    if (heist_load(&q->asked, RLX)) {
        heist_store(&q->asked, 0, RLX);
        split_expose(q);
    }
}

static bool split_put(void *queue, void *item)
{
    struct split *q = queue;
    uint32_t b = heist_load(&q->bot, RLX);
    if (b == SLOTS)
        return false;
    if (q->error == SPLIT_STORE_ORDER) {
        heist_store(&q->bot, b + 1, RLX);
        heist_store(&q->slot[b], item, RLX);
    } else {
        heist_store(&q->slot[b], item, RLX);
        heist_store(&q->bot, b + 1, RLX);
    }
    split_answer(q);
    return true;
}

/* pop_bottom; NULL: nothing private. */
static void *split_get_private(struct split *q)
{
    uint32_t b = heist_load(&q->bot, RLX);
    if (q->error == SPLIT_COMPARE_FIRST) { /* Listing 2: a handler may come between the two */
        if (b == heist_load(&q->public_bot, RLX))
            return NULL;
        heist_store(&q->bot, b - 1, RLX);
        return heist_load(split_slot(q, b - 1), RLX);
    }
    heist_store(&q->bot, --b, RLX); /* section 4 */
    uint32_t p = heist_load(&q->public_bot, RLX);
    if (q->error == SPLIT_UNSIGNED ? b < p : (int32_t)(b - p) < 0)
        return NULL;
    return heist_load(split_slot(q, b), RLX);
}

/* pop_public_bottom */
static void *split_get_public(struct split *q)
{
    uint32_t p = heist_load(&q->public_bot, RLX);
    if (p == 0) {
        heist_store(&q->bot, 0, RLX);
        return NULL;
    }
    heist_store(&q->public_bot, --p, REL);
    heist_fence(SEQ);
    void *item = heist_load(split_slot(q, p), RLX);
    uint64_t age = heist_load(&q->age, RLX), top = (uint32_t)age;
    if (p > top) {
        heist_store(&q->bot, p, RLX);
        return item;
    }
    heist_store(&q->bot, 0, RLX);
    heist_store(&q->public_bot, 0, RLX);
    uint64_t reset = ((age >> 32) + 1) << 32;
    if (p == top && heist_cas(&q->age, &age, reset, REL))
        return item;
    heist_store(&q->age, reset, REL);
    return NULL;
}

static void *split_get(void *queue)
{
    struct split *q = queue;
    split_answer(q);
    void *item = split_get_private(q);
    return item ? item : split_get_public(q);
}

static size_t split_steal(void *queue, void **items)
{
    struct split *q = queue;
    uint64_t age = heist_load(&q->age, RLX), top = (uint32_t)age;
    if (q->error != SPLIT_NO_FENCE)
        heist_fence(SEQ);
    uint32_t p = heist_load(&q->public_bot, ACQ);
    if (p > top) {
        items[0] = heist_load(split_slot(q, (uint32_t)top), RLX);
        return heist_cas(&q->age, &age, age + 1, REL);
    }
    bool private_work = (int32_t)(heist_load(&q->bot, RLX) - p) > 0;
    if (q->error == SPLIT_INVERTED ? !private_work : private_work)
        heist_store(&q->asked, 1, RLX);
    return 0;
}

static const struct field split_fields[] = {FIELD(split, asked), FIELD(split, public_bot),
                                            FIELD(split, bot),   FIELD(split, age),
                                            FIELDS(split, slot), NO_FIELD};

const struct subject small_split = {.name = "small split",
                                    .make = split_make,
                                    .drop = free,
                                    .put = split_put,
                                    .get = split_get,
                                    .steal = split_steal,
                                    .expose = split_expose,
                                    .fields = split_fields};
