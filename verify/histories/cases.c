/* SPDX-License-Identifier: MIT */
/*
 * Histories made by hand: for each rule of each kind one that breaks just this rule, and must be
 * refused, and a neighbour that does not.
 */
#include <stdio.h>
#include <string.h>

#include "notation.h"

#define FIXED(n) .capacity = (n), .bound = HEIST_BOUND_FIXED
#define GROWS .bound = HEIST_BOUND_GROWS
#define EARLY(n, b) .capacity = (n), .block = (b)
#define BLOCKS(n, b) EARLY(n, b), .early = HEIST_EARLY_OFF
#define COUNTED .form = HEIST_FORM_COUNTED

#define NO_ORDER "no order of the operations explains"
#define LOST_TO_NOBODY "says BUSY, and lost to nobody"

static const struct {
    const char *rule, *kind;
    heist_queue_opts opts;
    const char *text;
    const char *says; /* NULL: accepted */
} cases[] = {
    /* What does not depend on the kind. */
    {"owner LIFO", "chaselev", {FIXED(2)}, "0P1 0P2 0G2 0G1", NULL},
    {"owner LIFO", "chaselev", {FIXED(2)}, "0P1 0P2 0G1 0G2", NO_ORDER},
    {"time: a steal before its put", "chaselev", {FIXED(2)}, "1(S1 0P1 1)", NULL},
    {"time: a steal before its put", "chaselev", {FIXED(2)}, "1S1 0P1", NO_ORDER},
    {"time: a steal before its put", "chaselev", {FIXED(2)}, "~1S1 0P1", NULL},
    {"time: a steal before its put", "chaselev", {FIXED(2)}, "~1S1 1>0 0P1", NO_ORDER},
    {"time: through a third", "chaselev", {FIXED(2)}, "~1S1 1>2 2S- 2>0 0P1", NO_ORDER},
    {"time: through a third", "chaselev", {FIXED(2)}, "~1S1 1>2 2S- 0P1", NULL},
    {"time: a get in between", "chaselev", {FIXED(2)}, "0P1 0P2 1(S1 0G2 0G- 1)", NULL},
    {"time: a get in between", "chaselev", {FIXED(2)}, "0P1 0P2 0G2 0G- 1S1", NO_ORDER},
    {"main is before all", "chaselev", {FIXED(2)}, "~mP1 1S1 0G-", NULL},
    {"main is before all", "chaselev", {FIXED(2)}, "~mP1 1S- 0G1", NULL},
    {"main is before all", "chaselev", {FIXED(2)}, "~mP1 1S- mG1", NO_ORDER},
    {"main is behind all", "chaselev", {FIXED(2)}, "~0P1 0P2 1S1 mG2 mG-", NULL},
    {"main is behind all", "chaselev", {FIXED(2)}, "~0P1 0P2 1S1 mG-", NO_ORDER},
    {"an item from nowhere", "chaselev", {FIXED(2)}, "0P1 0G2", "#1 has item 2, which was not put"},
    {"an item twice",
     "chaselev",
     {FIXED(2)},
     "0P1 0G1 1S1",
     "#2 has item 1, which was taken before"},
    {"an item that did not fit",
     "locked",
     {FIXED(1)},
     "0P1 0P2! 0G2",
     "#2 has item 2, which was not"},
    {"one owner", "chaselev", {FIXED(2)}, "0P1 1P2", "put or get by two threads, 0 and 1"},
    {"one owner", "chaselev", {FIXED(2)}, "mP1 1P2 mG2", NULL},
    {"new items", "chaselev", {FIXED(2)}, "0P1 0G1 0P1", "item 1 is put twice"},
    {"all ended", "chaselev", {FIXED(2)}, "0P1 1(S1", "#1 has not ended"},
    {"more than asked", "locked", {FIXED(2)}, "0P1 0P2 1M2=1,2", NULL},
    {"more than asked", "locked", {FIXED(2)}, "0P1 0P2 1M1=1,2", "#2 took more than it was asked"},
    {"the longest", "bulk", {0}, "0P1 0P2 0P3 0P4 0P5 0P6 0P7 0P8 0P9 1M8=1,2,3,4,5,6,7,8", NULL},
    {"the longest", "bulk", {0}, "0P1 1M9=1,2,3,4,5,6,7,8,9", "more than 48 operations"},

    {"FIFO for all", "global", {FIXED(2)}, "0P1 0P2 0G1 1S2", NULL},
    {"FIFO for all", "global", {FIXED(2)}, "0P1 0P2 0G2", NO_ORDER},
    {"FIFO for all", "global", {FIXED(2)}, "0P1 0P2 1S2", NO_ORDER},
    {"full", "global", {FIXED(2)}, "0P1 0P2 0P3! 1S1 0P4", NULL},
    {"full", "global", {FIXED(2)}, "0P1 0P2!", NO_ORDER},
    {"full", "global", {FIXED(2)}, "0P1 0P2 0P3", NO_ORDER},
    {"full", "global", {FIXED(2)}, "~0P1 0P2 1S1 0P3! 2S2 2S-", NULL},
    {"full: a steal is seen", "locked", {FIXED(2)}, "~0P1 0P2 0G2 0>1 2S1 1S- 0P3 0P4!", NO_ORDER},
    {"grows", "global", {.capacity = 1}, "0P1 0P2", NULL},
    {"grows", "global", {.capacity = 1}, "0P1 0P2!", NO_ORDER},
    {"never BUSY", "global", {FIXED(2)}, "0P1 1(S? 0G1 1)", LOST_TO_NOBODY},
    {"EMPTY", "global", {FIXED(2)}, "0P1 1S-", NO_ORDER},
    {"EMPTY", "global", {FIXED(2)}, "0P1 1(S- 0G1 1)", NULL},
    {"many: all", "global", {FIXED(3)}, "0P1 0P2 1M4=1,2", NULL},
    {"many: all", "global", {FIXED(3)}, "0P1 0P2 1M4=1", NO_ORDER},
    {"many: none", "global", {FIXED(3)}, "0P1 1M4=", NO_ORDER},

    {"thieves the oldest", "locked", {FIXED(2)}, "0P1 0P2 1S1 0G2", NULL},
    {"thieves the oldest", "locked", {FIXED(2)}, "0P1 0P2 1S2", NO_ORDER},
    {"grows", "locked", {.capacity = 1}, "0P1 0P2", NULL},
    {"grows", "locked", {.capacity = 1}, "0P1 0P2!", NO_ORDER},
    {"BUSY: lock", "locked", {FIXED(2)}, "1(S? 0P1 1)", NULL},
    {"BUSY: lock", "locked", {FIXED(2)}, "0P1 1(S? 2S1 1)", NULL},
    {"BUSY: lock", "locked", {FIXED(2)}, "0P1 1S? 0G1", LOST_TO_NOBODY},
    {"BUSY: lock", "locked", {FIXED(2)}, "0P1 1(S? 2S? 1)", LOST_TO_NOBODY},
    {"many: at one moment", "locked", {FIXED(4)}, "0P1 0P2 0P3 1(M2=1,2 2S3 1)", NULL},
    {"many: at one moment", "locked", {FIXED(4)}, "0P1 0P2 0P3 1(M2=1,3 2S2 1)", NO_ORDER},
    {"many: oldest first", "locked", {FIXED(4)}, "0P1 0P2 1M2=2,1", NO_ORDER},
    {"many: all", "locked", {FIXED(4)}, "0P1 0P2 0P3 1M4=1,2", NO_ORDER},
    {"many: none", "locked", {FIXED(4)}, "0P1 1M4=", NO_ORDER},
    {"many: none", "locked", {FIXED(4)}, "0(P1 1M4= 0)", NULL},

    {"owner LIFO", "abp", {.capacity = 2}, "0P1 0P2 0G1", NO_ORDER},
    {"thieves the oldest", "abp", {.capacity = 2}, "0P1 0P2 1S1", NULL},
    {"thieves the oldest", "abp", {.capacity = 2}, "0P1 0P2 1S2", NO_ORDER},
    {"full: the end of the array", "abp", {.capacity = 2}, "0P1 0P2 1S1 0P3!", NULL},
    {"full: the end of the array", "abp", {.capacity = 2}, "0P1 0P2 1S1 0P3", NO_ORDER},
    {"full: the end of the array", "abp", {.capacity = 2}, "0P1 0P2!", NO_ORDER},
    {"full: until found empty", "abp", {.capacity = 2}, "0P1 0P2 1S1 1S2 0P3!", NULL},
    {"full: until found empty", "abp", {.capacity = 2}, "0P1 0P2 1S1 1S2 0G- 0P3 0P4 0P5!", NULL},
    {"full: until found empty", "abp", {.capacity = 2}, "0P1 0P2 1S1 1S2 0G- 0P3 0P4!", NO_ORDER},
    {"full: the last one got", "abp", {.capacity = 2}, "0P1 0P2 1S1 0G2 0P3 0P4", NULL},
    {"full: the last one got", "abp", {.capacity = 2}, "0P1 0P2 1S1 0G2 0P3 0P4!", NO_ORDER},
    {"full: the last one got", "abp", {.capacity = 2}, "0P1 0P2 1(S1 0G2 0P3 0P4! 1)", NULL},
    {"NULL", "abp", {.capacity = 2}, "0P1 1S1 0G-", NULL},
    {"NULL", "abp", {.capacity = 2}, "0P1 0G-", NO_ORDER},
    {"EMPTY", "abp", {.capacity = 2}, "0P1 0G1 1S-", NULL},
    {"EMPTY", "abp", {.capacity = 2}, "0P1 1S-", NO_ORDER},
    {"BUSY", "abp", {.capacity = 2}, "0P1 1(S? 0G1 1)", NULL},
    {"BUSY", "abp", {.capacity = 2}, "0P1 1(S? 2S1 1)", NULL},
    {"BUSY", "abp", {.capacity = 2}, "0P1 1(S? 2S? 1)", LOST_TO_NOBODY},
    {"BUSY", "abp", {.capacity = 2}, "1(S? 0P1 1)", LOST_TO_NOBODY},
    {"many: one by one", "abp", {.capacity = 3}, "0P1 0P2 0P3 1(M2=1,3 2S2 1)", NULL},
    {"many: until one fails", "abp", {.capacity = 3}, "0P1 0P2 1M4=1", NO_ORDER},
    {"many: until one fails", "abp", {.capacity = 3}, "0P1 0P2 1(M4=1 0G2 1)", NULL},

    {"thieves the oldest", "chaselev", {FIXED(2)}, "0P1 0P2 1S1", NULL},
    {"thieves the oldest", "chaselev", {FIXED(2)}, "0P1 0P2 1S2", NO_ORDER},
    {"NULL", "chaselev", {FIXED(2)}, "0P1 1(S1 0G- 1)", NULL},
    {"NULL", "chaselev", {FIXED(2)}, "0P1 0G-", NO_ORDER},
    {"EMPTY", "chaselev", {FIXED(2)}, "0(P1 1S- 0)", NULL},
    {"EMPTY", "chaselev", {FIXED(2)}, "0P1 1S-", NO_ORDER},
    {"EMPTY: one moment", "chaselev", {FIXED(2)}, "0P1 1(S- 2S1 0P2 0P3 1)", NULL},
    {"EMPTY: one moment", "chaselev", {FIXED(2)}, "0P1 0P2 1(S- 2S1 0P3 0G3 1)", NO_ORDER},
    {"full: a power of two", "chaselev", {FIXED(3)}, "0P1 0P2 0P3 0P4 0P5!", NULL},
    {"full: a power of two", "chaselev", {FIXED(3)}, "0P1 0P2 0P3 0P4!", NO_ORDER},
    {"full", "chaselev", {FIXED(2)}, "0P1 0P2 0P3", NO_ORDER},
    {"full: as seen", "chaselev", {FIXED(2)}, "~0P1 0P2 1S1 0P3!", NULL},
    {"full: as seen", "chaselev", {FIXED(2)}, "~0P1 0P2 1S1 1>0 0P3!", NO_ORDER},
    {"full: as seen", "chaselev", {FIXED(2)}, "~0P1 0P2 0G2 0>1 2S1 1S- 0P3 0P4!", NULL},
    {"full: as seen", "chaselev", {FIXED(2)}, "~0P1 0P2 0G2 0>1 2S1 1S- 1>0 0P3 0P4!", NULL},
    {"full: as seen", "chaselev", {FIXED(2)}, "~0P1 0P2 0G2 0>1 2S1 1S- 2>0 0P3 0P4!", NO_ORDER},
    {"full: older steals too", "chaselev", {FIXED(2)}, "0P1 0P2 1(S1 2S2 0P3 0P4! 1)", NO_ORDER},
    {"full: older steals too", "chaselev", {FIXED(2)}, "~0P1 0P2 1S1 2S2 0P3!", NULL},
    {"full: found empty", "chaselev", {FIXED(2)}, "~0P1 0P2 1S1 2S2 0G- 0P3 0P4 0P5!", NULL},
    {"full: found empty", "chaselev", {FIXED(2)}, "~0P1 0P2 1S1 2S2 0G- 0P3 0P4!", NO_ORDER},
    {"grows", "chaselev", {.capacity = 1}, "0P1 0P2 0P3", NULL},
    {"grows", "chaselev", {.capacity = 1}, "0P1 0P2 0P3!", NO_ORDER},
    {"BUSY", "chaselev", {FIXED(2)}, "0P1 1(S? 0G1 1)", NULL},
    {"BUSY", "chaselev", {FIXED(2)}, "0P1 1(S? 2M4=1 1)", NULL},
    {"BUSY", "chaselev", {FIXED(2)}, "0P1 1(S? 2(M4= 0G1 1) 2)", NULL},
    {"BUSY", "chaselev", {FIXED(2)}, "0P1 1S?", LOST_TO_NOBODY},
    {"BUSY", "chaselev", {FIXED(2)}, "0P1 1(S? 2S? 1)", LOST_TO_NOBODY},
    {"BUSY: growth", "chaselev", {.capacity = 1, GROWS}, "0P1 1(S? 0P2 1)", NULL},
    {"BUSY: growth", "chaselev", {FIXED(2)}, "0P1 1(S? 0P2 1)", LOST_TO_NOBODY},
    {"many: one by one", "chaselev", {FIXED(4)}, "0P1 0P2 0P3 1(M2=1,3 2S2 1)", NULL},
    {"many: until one fails", "chaselev", {FIXED(2)}, "0P1 0P2 1M4=1,2", NULL},
    {"many: until one fails", "chaselev", {FIXED(2)}, "0P1 0P2 1M4=1", NO_ORDER},
    {"many: until one fails", "chaselev", {FIXED(2)}, "0P1 0P2 1(M4=1 0G2 1)", NULL},

    {"owner LIFO", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0G3 0G2 0G1 0G-", NULL},
    {"owner LIFO", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0G3 0G1", NO_ORDER},
    {"NULL", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0G3 0G-", NO_ORDER},
    {"the owner's block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1S1", NULL},
    {"the owner's block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 1S1", NO_ORDER},
    {"the owner's block: taken over", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0G3 1S1", NULL},
    {"the owner's block: taken over",
     "bwos_lifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 0G3 0G2 1S1",
     NO_ORDER},
    {"oldest of its block", "bwos_lifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1S3 1S1", NULL},
    {"oldest of its block", "bwos_lifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1S4", NO_ORDER},
    {"EMPTY: the owner's block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 1S-", NULL},
    {"EMPTY: the owner's block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1S-", NO_ORDER},
    {"EMPTY: block by block", "bwos_lifo", {BLOCKS(3, 1)}, "0P1 0P2 0P3 1(S- 2S1 0P4 2S2 1)", NULL},
    {"EMPTY: block by block", "bwos_lifo", {BLOCKS(3, 1)}, "0P1 0P2 0P3 1(S- 2S1 0P4 1)", NO_ORDER},
    {"EMPTY: twice", "bwos_fifo", {BLOCKS(2, 1)}, "~mP1 mP2 0G1 0G2 0P3 1S- 1S-", NULL},
    {"EMPTY: twice", "bwos_fifo", {BLOCKS(2, 1)}, "~mP1 mP2 0G1 0G2 0P3 0>1 1S- 1S-", NO_ORDER},
    {"EMPTY: twice",
     "bwos_fifo",
     {BLOCKS(6, 2)},
     "~mP0 mP1 mP2 mP3 mP4 0G0 0G1 0P5 0P6 0G2 1S- 2S4 1S-",
     NULL},
    {"EMPTY: twice",
     "bwos_fifo",
     {BLOCKS(6, 2)},
     "~mP0 mP1 mP2 mP3 mP4 0G0 0G1 0P5 0>1 0P6 0G2 1S- 2S4 1S-",
     NO_ORDER},
    {"EMPTY: then one seen late",
     "bwos_fifo",
     {BLOCKS(6, 2)},
     "~mP1 mP2 mP3 mP4 0P5 0P6 0G1 0G2 0G3 1S- 1M2=5",
     NULL},
    {"EMPTY: then one seen late",
     "bwos_fifo",
     {BLOCKS(6, 2)},
     "~mP1 mP2 mP3 mP4 0P5 0P6 0G1 0G2 0>1 0G3 1S- 1M2=5",
     NO_ORDER},
    {"EMPTY: growth", "bwos_lifo", {BLOCKS(2, 1), GROWS}, "0P1 0P2 1(S- 0P3 1)", NULL},
    {"EMPTY: growth", "bwos_lifo", {BLOCKS(2, 1), GROWS}, "0P1 0P2 0P3 1S-", NO_ORDER},
    {"EMPTY: growth", "bwos_lifo", {BLOCKS(3, 1), GROWS}, "0P1 0P2 1(S- 0P3 1)", NO_ORDER},
    {"full: next block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 1S1 0P5!", NULL},
    {"full: next block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4!", NO_ORDER},
    {"full: next block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 1S1 0P5", NO_ORDER},
    {"full: next block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 1S1 1S2 0P5", NULL},
    {"full: next block", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 1S1 1S2 0P5!", NO_ORDER},
    {"full: as seen", "bwos_lifo", {BLOCKS(4, 2)}, "~0P1 0P2 0P3 0P4 1S1 1S2 0P5!", NULL},
    {"full: stolen room",
     "bwos_lifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 1S1 0G3 0G2 0P5 0P6 0P7 0P8!",
     NULL},
    {"full: stolen room",
     "bwos_lifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 1S1 0G3 0G2 0P5 0P6 0P7 0P8",
     NO_ORDER},
    {"full: stolen room is back",
     "bwos_lifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 1S1 0G3 0G2 0G- 0P5 0P6 0P7 0P8 0P9!",
     NULL},
    {"full: stolen room is back",
     "bwos_lifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 1S1 0G3 0G2 0G- 0P5 0P6 0P7 0P8!",
     NO_ORDER},
    {"full: a thief inside, begin again",
     "bwos_lifo",
     {BLOCKS(4, 2), COUNTED},
     "0P1 0P2 0P3 1(S1 0G3 0G2 0G- 0P5 0P6 0P7 0P8! 1)",
     NULL},
    {"full: a thief inside, begin again",
     "bwos_lifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 1(S1 0G3 0G2 0G- 0P5 0P6 0P7 0P8! 1)",
     NO_ORDER},
    {"full: a thief inside",
     "bwos_lifo",
     {BLOCKS(2, 1), COUNTED},
     "0P1 0P2 1(S1 0G2 0G- 0P3 0P4! 1)",
     NULL},
    {"full: a thief inside",
     "bwos_lifo",
     {BLOCKS(2, 1), COUNTED},
     "0P1 0P2 1S1 0G2 0G- 0P3 0P4!",
     NO_ORDER},
    {"full: a thief inside",
     "bwos_lifo",
     {BLOCKS(2, 1)},
     "0P1 0P2 1(S1 0G2 0G- 0P3 0P4! 1)",
     NO_ORDER},
    {"grows", "bwos_lifo", {BLOCKS(2, 1), GROWS}, "0P1 0P2 0P3 0P4 0P5 0G5 1S1", NULL},
    {"grows", "bwos_lifo", {BLOCKS(2, 1), GROWS}, "0P1 0P2 0P3!", NO_ORDER},
    {"BUSY", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1(S? 0G3 1)", NULL},
    {"BUSY", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1(S? 2S1 1)", NULL},
    {"BUSY", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1(S? 0P4 1)", LOST_TO_NOBODY},
    {"many: all of a block",
     "bwos_lifo",
     {BLOCKS(6, 2)},
     "0P1 0P2 0P3 0P4 0P5 1M4=3,4 1M1=1",
     NULL},
    {"many: all of a block", "bwos_lifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1M4=3", NO_ORDER},
    {"many: of one block", "bwos_lifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1M4=1,2,3", NO_ORDER},
    {"many: none", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 1M4=", NULL},
    {"many: none", "bwos_lifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1M4=", NO_ORDER},
    {"default blocks", "bwos_lifo", {.block = 1}, "0P1 0P2 0P3 0P4 0P5 0P6 0P7 0P8 0P9!", NULL},
    {"default blocks", "bwos_lifo", {.block = 1}, "0P1 0P2 0P3 0P4 0P5 0P6 0P7 0P8!", NO_ORDER},
    {"two blocks at least", "bwos_lifo", {BLOCKS(1, 1)}, "0P1 0P2 0P3!", NULL},

    {"owner FIFO", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0G1 0G2 0G3 0G-", NULL},
    {"owner FIFO", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0G2", NO_ORDER},
    {"NULL", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1S3 0G1 0G2 0G-", NULL},
    {"NULL", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0G1 0G2 0G-", NO_ORDER},
    {"the owner's block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1S3", NULL},
    {"the owner's block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1S1", NO_ORDER},
    {"the owner's block: put goes on",
     "bwos_fifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 0P4 0G1 0G2 1S3",
     NULL},
    {"the owner's block: put goes on",
     "bwos_fifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 0P4 0G1 0G2 0P5 1S5",
     NULL},
    {"the owner's block: put goes on",
     "bwos_fifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 0P4 0G1 0G2 0P5 1S3",
     NO_ORDER},
    {"oldest of its block", "bwos_fifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1S5 1S3", NULL},
    {"oldest of its block", "bwos_fifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1S4", NO_ORDER},
    {"EMPTY: the owner's block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 1S-", NULL},
    {"EMPTY: the owner's block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1S-", NO_ORDER},
    {"EMPTY: block by block", "bwos_fifo", {BLOCKS(3, 1)}, "0P1 0P2 1(S- 0P3 2S2 1)", NULL},
    {"EMPTY: block by block", "bwos_fifo", {BLOCKS(3, 1)}, "0P1 0P2 1(S- 0P3 1)", NO_ORDER},
    {"full: the get block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 0G1 0P5!", NULL},
    {"full: the get block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 0G1 0P5", NO_ORDER},
    {"full: the get block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 0G1 0G2 0P5", NULL},
    {"full: the get block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4 0G1 0G2 0P5!", NO_ORDER},
    {"full: the get block", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 0P4!", NO_ORDER},
    {"full: thieves made room in vain",
     "bwos_fifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 0P4 1S3 1S4 0P5!",
     NULL},
    {"full: thieves made room in vain",
     "bwos_fifo",
     {BLOCKS(4, 2)},
     "0P1 0P2 0P3 0P4 1S3 1S4 0P5",
     NO_ORDER},
    {"full: a thief inside, empty too",
     "bwos_fifo",
     {BLOCKS(2, 1), COUNTED},
     "0P1 0P2 1(S2 0G1 0G- 0P3 0P4! 0G3 0G- 0P5! 1)",
     NULL},
    {"full: a thief inside, empty too",
     "bwos_fifo",
     {BLOCKS(2, 1), COUNTED},
     "0P1 0P2 1(S2 0G1 0G- 0P3 0P4! 0G3 0G- 1) 0P5!",
     NO_ORDER},
    {"full: a thief inside, empty too",
     "bwos_fifo",
     {BLOCKS(2, 1)},
     "0P1 0P2 1(S2 0G1 0G- 0P3 0P4! 1)",
     NO_ORDER},
    {"grows", "bwos_fifo", {BLOCKS(2, 1), GROWS}, "0P1 0P2 0P3 0P4 0P5 0G1 1S2", NULL},
    {"grows", "bwos_fifo", {BLOCKS(2, 1), GROWS}, "0P1 0P2 0P3!", NO_ORDER},
    {"BUSY: put takes over", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1(S? 0P4 1)", NULL},
    {"BUSY", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1(S? 0G1 1)", NULL},
    {"BUSY", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1(S? 2S- 1)", LOST_TO_NOBODY},
    {"many: all of a block", "bwos_fifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1M4=3,4", NULL},
    {"many: all of a block", "bwos_fifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1M4=3", NO_ORDER},
    {"many: of one block", "bwos_fifo", {BLOCKS(6, 2)}, "0P1 0P2 0P3 0P4 0P5 1M4=3,4,5", NO_ORDER},
    {"many: none", "bwos_fifo", {BLOCKS(4, 2)}, "0P1 0P2 0P3 1M4=", NO_ORDER},

    {"owner LIFO", "split", {.capacity = 2}, "0P1 0P2 0G2 0G1", NULL},
    {"owner LIFO", "split", {.capacity = 2}, "0P1 0P2 0G1", NO_ORDER},
    {"thieves the oldest", "split", {.capacity = 2}, "0P1 0P2 1S1", NULL},
    {"thieves the oldest", "split", {.capacity = 2}, "0P1 0P2 1S2", NO_ORDER},
    {"NULL", "split", {.capacity = 2}, "0P1 1S1 0G-", NULL},
    {"NULL", "split", {.capacity = 2}, "0P1 0G-", NO_ORDER},
    {"EMPTY: private", "split", {.capacity = 2}, "0P1 0P2 1S- 1M4=", NULL},
    {"full", "split", {.capacity = 2}, "0P1 0P2 0P3! 1S1 0P4", NULL},
    {"full", "split", {.capacity = 2}, "0P1 0P2 0P3", NO_ORDER},
    {"full", "split", {.capacity = 2}, "0P1 0P2 1S1 0P3!", NO_ORDER},
    {"full: as seen", "split", {.capacity = 2}, "~0P1 0P2 1S1 0P3!", NULL},
    {"full: as seen", "split", {.capacity = 2}, "~0P1 0P2 1S1 1>0 0P3!", NO_ORDER},
    {"grows", "split", {.capacity = 1, GROWS}, "0P1 0P2", NULL},
    {"grows", "split", {.capacity = 1, GROWS}, "0P1 0P2!", NO_ORDER},
    {"BUSY: exposed", "split", {.capacity = 2}, "0P1 1(S? 0P2 1)", NULL},
    {"BUSY: exposed", "split", {.capacity = 2}, "0P1 1(S? 0G1 1)", NULL},
    {"BUSY: exposed", "split", {.capacity = 2}, "0P1 1(S? 2S- 1)", LOST_TO_NOBODY},
    {"many: some", "split", {.capacity = 3}, "0P1 0P2 1M4=1 1M4=2", NULL},
    {"many: some", "split", {.capacity = 3}, "0P1 0P2 1M4=2", NO_ORDER},
    {"many: at one moment", "split", {.capacity = 3}, "0P1 0P2 0P3 1(M2=1,3 2S2 1)", NO_ORDER},

    {"owner LIFO", "bulk", {0}, "0P1 0P2 0G2 0G1", NULL},
    {"owner LIFO", "bulk", {0}, "0P1 0P2 0G1", NO_ORDER},
    {"thieves the oldest", "bulk", {0}, "0P1 0P2 0P3 1S1", NULL},
    {"thieves the oldest", "bulk", {0}, "0P1 0P2 0P3 1S2", NO_ORDER},
    {"the newest is the owner's", "bulk", {0}, "0P1 0P2 0G2 1S1", NULL},
    {"the newest is the owner's", "bulk", {0}, "0P1 1S1", NO_ORDER},
    {"the newest is the owner's", "bulk", {0}, "0P1 1(S1 0P2 1)", NULL},
    {"EMPTY: private", "bulk", {0}, "0P1 0P2 0G2 1S- 1M4=", NULL},
    {"NULL: in a stealer's hands", "bulk", {0}, "0P1 0P2 0P3 0G3 1(S1 0G- 1) 0G2", NULL},
    {"NULL: in a stealer's hands", "bulk", {0}, "0P1 0P2 0P3 0G3 1S1 0G- 0G2", NO_ORDER},
    {"NULL: in a stealer's hands", "bulk", {0}, "0P1 0P2 0P3 0G3 1(S- 0G- 1) 0G2", NO_ORDER},
    {"NULL: not what was put last", "bulk", {0}, "0P1 0P2 1(S1 0P3 0G- 1) 0G3", NO_ORDER},
    {"NULL: not what was put last", "bulk", {0}, "0P1 0P2 1(S1 0P3 0G3 0G- 1) 0G2", NULL},
    {"never full", "bulk", {.capacity = 1}, "0P1 0P2", NULL},
    {"never full", "bulk", {.capacity = 1}, "0P1 0P2!", NO_ORDER},
    {"BUSY: another stealer", "bulk", {0}, "0P1 1(S? 2S- 1)", NULL},
    {"BUSY: another stealer", "bulk", {0}, "0P1 1(S? 2S? 1)", LOST_TO_NOBODY},
    {"BUSY: another stealer", "bulk", {0}, "0P1 1(S? 0G1 1)", LOST_TO_NOBODY},
    {"many: some", "bulk", {0}, "0P1 0P2 0P3 1M4=1", NULL},
    {"many: some", "bulk", {0}, "0P1 0P2 0P3 1M4=2", NO_ORDER},
    {"many: the newest is the owner's", "bulk", {0}, "0P1 0P2 1M4=1,2", NO_ORDER},
};

/* How a refusal looks, to the letter. */
static const char text[] = "0P1 0P2 1(M4=1 2S? 1) 2S- mG2 mG-";
static const char expected[] = "no order of the operations explains their results\n"
                               "  (chaselev, capacity 2)\n"
                               "  thread 0  #0   put(1) = true\n"
                               "  thread 0  #1   put(2) = true\n"
                               "  thread 1  #2   steal_many(4) = 1  after #1\n"
                               "  thread 2  #3   steal = BUSY  after #1\n"
                               "  thread 2  #4   steal = EMPTY  after #1, #2\n"
                               "  main      #5   get = 2  after #1, #2, #4\n"
                               "  main      #6   get = NULL  after #1, #2, #4\n"
                               "  the longest one leaves out #2, #4, #5, #6\n";

/* Whether so many operations are refused as too many. */
static bool too_long(const char *operation, int n)
{
    heist_queue_opts opts = {FIXED(2)};
    char longest[512] = "";
    for (int i = 0; i < n; i++)
        strcat(longest, operation);
    const char *said = play("chaselev", &opts, longest);
    bool refused = said && strstr(said, "give the client a shorter script");
    if (!refused)
        printf("%d times %s: %s\n", n, operation, said ? said : "accepted");
    return refused;
}

int main(void)
{
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said = play(cases[i].kind, &cases[i].opts, cases[i].text);
        bool right = cases[i].says ? said && strstr(said, cases[i].says) : !said;
        failures += !right;
        if (!right)
            printf("%s, %s: %s\n  should be %s, but it is %s\n", cases[i].kind, cases[i].rule,
                   cases[i].text, cases[i].says ? cases[i].says : "accepted",
                   said ? said : "accepted");
    }
    heist_queue_opts opts = {FIXED(2)};
    const char *said = play("chaselev", &opts, text);
    if (!said || strcmp(said, expected)) {
        printf("%s\n  should say\n%sbut it says\n%s", text, expected, said ? said : "nothing\n");
        failures++;
    }
    failures += !too_long("1S- ", 17); /* EMPTY */
    failures += !too_long("1S? ", HISTORY_CALLS + 1);
    if (history_start("chaslev", &opts)) {
        printf("a kind that does not exist is accepted\n");
        failures++;
    }
    printf("%zu histories, %d wrong\n", sizeof cases / sizeof *cases, failures);
    return failures > 0;
}
