/* SPDX-License-Identifier: MIT */
/*
 * known_bugs [NAME]: every error of the papers' listings that shows in an execution, or just one.
 * The script must find the fault in the small queue that has the error, and no fault at all in the
 * same small queue without it, nor in the library's own queue. CMakeLists.txt makes one test of
 * each row.
 */
#include "right.h"
#include "wrong.h"

#include <stdio.h>
#include <string.h>

struct error {
    const char *name;
    const struct subject *small;
    unsigned error;
    const char *script;
    enum fault fault;
    const char *right;
};

#define ERROR(name, small, error, script, fault, right) {name, &small, error, script, fault, right},

static const struct error errors[] = {
    /* push; a thief takes it; pop's CAS succeeds all the same */
    ERROR("abp-no-empty-test", small_abp, ABP_NO_EMPTY_TEST, "psg", DUPLICATE, "abp")
    /* two pushes, two pops, nobody else */
    ERROR("abp-bottom-off-by-one", small_abp, ABP_BOTTOM_OFF_BY_ONE, "ppgg", LOST, "abp")
    /* the thief has looked; the deque is emptied and filled again; its claim must fail */
    ERROR("abp-no-tag", small_abp, ABP_NO_TAG, "ps(gp)", DUPLICATE, "abp")
    /* one push more than there are slots */
    ERROR("chaselev-one-too-many", small_chaselev, CHASELEV_ONE_TOO_MANY, "ppppp", LOST,
          "chaselev fixed")
    /* the owner loses the last item to a thief; then the deque is empty, and says it is full */
    ERROR("chaselev-not-restored", small_chaselev, CHASELEV_NOT_RESTORED, "ps[g]P", STUCK,
          "chaselev")
    /* get on an empty deque whose counters are at 0, then put */
    ERROR("chaselev-unsigned", small_chaselev, CHASELEV_UNSIGNED, "gP", STUCK, "chaselev fixed")
    /* only private work: the thief must ask, the owner answer, the next steal succeed */
    ERROR("split-inverted", small_split, SPLIT_INVERTED, "ppppssgS", STUCK, "split grows")
    /* get on an empty deque */
    ERROR("split-unsigned", small_split, SPLIT_UNSIGNED, "gP", JUNK, "split signal")
    /* the handler runs inside push, and a thief right after it */
    ERROR("split-store-order", small_split, SPLIT_STORE_ORDER, "ap(xs)", JUNK, "split signal")
    /* the handler exposes the item that pop is about to take as private */
    ERROR("split-compare-first", small_split, SPLIT_COMPARE_FIRST, "pag(xs)", DUPLICATE,
          "split signal")
    /* four nodes, skip 2; three pops between the stealer's look and its cut */
    ERROR("bulk-duplicate", small_bulk, BULK_AS_PRINTED, "pppaps(ggg)", DUPLICATE, "bulk native")
    /* the same, and the node of the cut is pushed again */
    ERROR("bulk-loss", small_bulk, BULK_AS_PRINTED, "pppaps(ggg)(r)", LOST, "bulk native")
    /* one pop while the stealer walks */
    ERROR("bulk-use-after-free", small_bulk, BULK_AS_PRINTED, "pppaps(g)", FREED, "bulk native")
    /* the owner takes a block over between the thief's check and the thief's advance */
    ERROR("bwos_lifo-block-lost", small_bwos_lifo, BWOS_LIFO_CURSOR, "ppps(ggg)ppp", LOST,
          "bwos_lifo block 2")
    /* the thief has looked; the block is taken over, emptied, filled and granted again */
    ERROR("bwos_lifo-no-tag", small_bwos_lifo, BWOS_LIFO_NO_TAG, "ppps(gggppp)", DUPLICATE,
          "bwos_lifo block 2")
    /* the thief has claimed, not yet copied; the owner goes round the ring */
    ERROR("bwos_fifo-no-count", small_bwos_fifo, BWOS_FIFO_NO_COUNT, "pppps(gggppp)", DUPLICATE,
          "bwos_fifo counted block 2")
    /* not an error but a price of counting: empty and full at once, while a thief copies */
    ERROR("bwos_fifo-empty-and-full", small_bwos_fifo, RIGHT, "pppps(ggggPPP)", STUCK,
          "bwos_fifo block 2")};

static bool expect(const struct subject *subject, unsigned variant, const char *script,
                   unsigned faults)
{
    struct subject s = *subject;
    s.variant = variant;
    struct verdict v = {0};
    play(&s, script, &v);
    bool as_expected = faults ? (v.faults & faults) != 0 : v.faults == 0;
    printf("  %-28s %5lu runs, faults: %-24s %s\n", s.name, v.runs, fault_names(v.faults),
           as_expected ? "as expected" : "NOT as expected");
    return as_expected;
}

static bool check(const struct error *e)
{
    struct subject right = right_subject(e->right);
    printf("%s: %s\n", e->name, e->script);
    bool ok = expect(e->small, e->error, e->script, e->fault);
    if (e->error != RIGHT)
        ok &= expect(e->small, RIGHT, e->script, 0);
    return expect(&right, right.variant, e->script, 0) && ok;
}

int main(int argc, char **argv)
{
    unsigned met = 0, failed = 0;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (argc < 2 || strcmp(argv[1], errors[i].name) == 0) {
            met++;
            failed += !check(&errors[i]);
        }
    if (!met)
        fprintf(stderr, "known_bugs: no error called '%s'\n", argv[1]);
    return failed || !met;
}
