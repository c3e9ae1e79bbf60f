/* SPDX-License-Identifier: MIT */
/* Orders of a ledger, and what they may be weakened to. */
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "feature.h"
#include "orders.h"

const struct order check_orders[] = {
    {"PUBLISH", __ATOMIC_RELEASE}, {"PUBLISH_ALL", __ATOMIC_SEQ_CST}, {"OBSERVE", __ATOMIC_ACQUIRE},
    {"SWAP", __ATOMIC_ACQ_REL},    {"COUNT", __ATOMIC_RELAXED},       {NULL, 0},
};

static heist_au32 flag;
static int data;

static void publish(void)
{
    data = 1;
    heist_store(&flag, 1, check_order("PUBLISH", __ATOMIC_RELEASE));
}

static void observe(void)
{
    if (heist_load(&flag, check_order("OBSERVE", __ATOMIC_ACQUIRE)))
        check_assert(data == 1);
}

static enum check_verdict verdict(void)
{
    struct check_program program = {nothing, {publish, observe}, nothing};
    struct check_options options = {.model = CHECK_RC11};
    struct check_result a = check(&program, &options);
    free(a.failure);
    return a.verdict;
}

static const struct {
    const char *what;
    const char *order; /* whose name is given to the program, */
    int from, becomes; /* and what that gets: as it is, if it can't be weakened so */
    bool weaker;
} steps[] = {
    {"PUBLISH", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELAXED, true},
    {"PUBLISH=relaxed", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELAXED, true},
    {"PUBLISH=release", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH=acquire", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH=consume", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH=acq_rel", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH=seq_cst", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"OBSERVE", "OBSERVE", __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, true},
    {"OBSERVE=acquire", "OBSERVE", __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, false},
    {"OBSERVE=release", "OBSERVE", __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, false},
    {"SWAP", "SWAP", __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, true},
    {"SWAP=acquire", "SWAP", __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, true},
    {"SWAP=release", "SWAP", __ATOMIC_ACQ_REL, __ATOMIC_RELEASE, true},
    {"SWAP=acq_rel", "SWAP", __ATOMIC_ACQ_REL, __ATOMIC_ACQ_REL, false},
    {"PUBLISH_ALL", "PUBLISH_ALL", __ATOMIC_SEQ_CST, __ATOMIC_RELAXED, true},
    {"PUBLISH_ALL=release", "PUBLISH_ALL", __ATOMIC_SEQ_CST, __ATOMIC_RELEASE, true},
    {"PUBLISH_ALL=acq_rel", "PUBLISH_ALL", __ATOMIC_SEQ_CST, __ATOMIC_ACQ_REL, true},
    {"PUBLISH_ALL=seq_cst", "PUBLISH_ALL", __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, false},
    {"COUNT", "COUNT", __ATOMIC_RELAXED, __ATOMIC_RELAXED, false},
    /* Another name, or the beginning of one. */
    {"PUBLISH", "PUBLISH_ALL", __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, true},
    {"PUBLISH_ALL", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, true},
    {"PUB", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH_", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"publish", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"=relaxed", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH=", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH=weak", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {"PUBLISH=relaxed=relaxed", "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, false},
    {NULL, "PUBLISH", __ATOMIC_RELEASE, __ATOMIC_RELEASE, true}, /* all as they are */
};

static void check_steps(void)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const char *name = steps[i].what ? steps[i].what : "none";
        expect(check_weaken(steps[i].what) == steps[i].weaker, name);
        expect(check_order(steps[i].order, steps[i].from) == steps[i].becomes, name);
        expect(check_weakened_used() == (steps[i].from != steps[i].becomes), name);
    }
}

/* What is weaker by one step is a word that check_weaken takes, and leads to relaxed at last. */
static void check_next_steps(void)
{
    static const struct {
        int order;
        const char *weaker[3];
    } next[] = {
        {__ATOMIC_SEQ_CST, {"acq_rel", NULL, NULL}},
        {__ATOMIC_ACQ_REL, {"acquire", "release", NULL}},
        {__ATOMIC_ACQUIRE, {"relaxed", NULL, NULL}},
        {__ATOMIC_RELEASE, {"relaxed", NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        const char *const *weaker = check_weaker(next[i].order);
        for (int k = 0; k == 0 || next[i].weaker[k - 1]; k++) {
            const char *word = next[i].weaker[k];
            expect(word ? weaker[k] && !strcmp(weaker[k], word) : !weaker[k],
                   check_order_name(next[i].order));
        }
    }
    for (const struct order *o = check_orders; o->name; o++)
        for (const char *const *w = check_weaker(o->value); *w; w++) {
            char what[64];
            snprintf(what, sizeof what, "%s=%s", o->name, *w);
            expect(check_weaken(what) == (o->value != __ATOMIC_RELAXED), what);
        }
}

static void check_programs(void)
{
    static const struct {
        const char *what;
        enum check_verdict verdict;
        bool used;
    } programs[] = {
        {NULL, CHECK_OK, false},   {"PUBLISH", CHECK_FAILED, true}, {"OBSERVE", CHECK_FAILED, true},
        {"SWAP", CHECK_OK, false}, {NULL, CHECK_OK, false},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *name = programs[i].what ? programs[i].what : "none";
        expect(check_weaken(programs[i].what), name);
        expect(verdict() == programs[i].verdict, name);
        expect(check_weakened_used() == programs[i].used, name);
    }
}

int main(void)
{
    check_steps();
    check_next_steps();
    check_programs();
    return expect_summary();
}
