/* SPDX-License-Identifier: MIT */
/*
 * The clients of each kind. FIG9 is the BWoS paper's: two blocks of two entries, thieves that steal
 * once and twice. The others are the smallest that reach what FIG9 does not: growth, batches,
 * requests, wrap-around.
 */
#ifndef HEIST_VERIFY_CLIENTS_H
#define HEIST_VERIFY_CLIENTS_H

#include <heist/base.h>

struct client {
    const char *name;
    bool full; /* takes minutes: only in the full run */
    heist_queue_opts opts;
    const char *before; /* the owner's script before thieves start; may be NULL */
    const char *owner;
    const char *thief[3];
};

#define FIG9 "P3G2P4G3P5G4"
#define BLOCKS .capacity = 4, .block = 2
#define COUNTED .form = HEIST_FORM_COUNTED
#define GROWS .bound = HEIST_BOUND_GROWS
#define FIXED .bound = HEIST_BOUND_FIXED

static const struct client clients[] = {
#ifdef HEIST_ABP_H
    {"last", false, {.capacity = 4}, NULL, "P2G2P2G1", {"S1", "S1"}},
    {"reset", false, {.capacity = 2, .origin = UINT32_MAX}, NULL, "P1G1P2G2P1", {"S1", "S2"}},
    {"fig9", true, {.capacity = 4}, NULL, FIG9, {"S1", "S2"}},
#endif
#ifdef HEIST_CHASELEV_H
    {"last", false, {.capacity = 2, FIXED}, NULL, "P2G2P2G1", {"S1", "S1"}},
    {"wrap", false, {.capacity = 2, FIXED, .origin = UINT64_MAX}, NULL, "P2G1P2G1P2", {"S2", "S1"}},
    {"grow", false, {.capacity = 1, GROWS}, NULL, "P3G1P2", {"S1", "S1"}},
    {"regrow", false, {.capacity = 1, GROWS}, NULL, "P2G1P3", {"S2"}},
    {"fig9-1-1", false, {.capacity = 4, FIXED}, NULL, FIG9, {"S1", "S1"}},
    {"fig9", true, {.capacity = 4, FIXED}, NULL, FIG9, {"S1", "S2"}},
#endif
#ifdef HEIST_BWOS_LIFO_H
    {"fig9", false, {BLOCKS}, NULL, FIG9, {"S1", "S2"}},
    {"fig9-counted", false, {BLOCKS, COUNTED}, NULL, FIG9, {"S1", "S2"}},
    {"many", false, {BLOCKS}, NULL, "P4G1P3G2P2", {"M1", "M1"}},
    {"many-counted", false, {BLOCKS, COUNTED}, NULL, "P4G1P3G2P2", {"M1", "M1"}},
    {"grow", false, {.capacity = 2, .block = 1, GROWS}, NULL, "P4G2P2", {"S1", "S1"}},
    {"grow-counted",
     false,
     {.capacity = 2, .block = 1, GROWS, COUNTED},
     NULL,
     "P4G2P2",
     {"S1", "S1"}},
#endif
#ifdef HEIST_BWOS_FIFO_H
    {"blocks", false, {BLOCKS}, NULL, "P3G2P4G3P2", {"S1", "S1"}},
    {"blocks-counted", false, {BLOCKS, COUNTED}, NULL, "P3G2P4G3P2", {"S1", "S1"}},
    {"many", false, {BLOCKS}, NULL, "P4G1P3G2", {"M1", "M1"}},
    {"grow", false, {.capacity = 2, .block = 1, GROWS}, NULL, "P4G2P1", {"S1", "S1"}},
    {"fig9", true, {BLOCKS}, NULL, FIG9, {"S1", "S2"}},
    {"fig9-counted", true, {BLOCKS, COUNTED}, NULL, FIG9, {"S1", "S2"}},
#endif
#ifdef HEIST_SPLIT_H
    {"user", false, {.capacity = 3}, NULL, "P2G1P2G2", {"S1", "S1"}},
    {"half", false, {.capacity = 3, .mode = HEIST_SPLIT_HALF}, NULL, "P3G2P2G2", {"S1", "S1"}},
    {"conservative",
     false,
     {.capacity = 3, .mode = HEIST_SPLIT_CONSERVATIVE},
     NULL,
     "P2G1P2",
     {"S1", "S1"}},
    {"many", false, {.capacity = 4, .mode = HEIST_SPLIT_HALF}, NULL, "P4G2P1G1", {"M2"}},
    {"compact", false, {.capacity = 1}, NULL, "P1P1P1G1", {"S2"}},
    {"grow", false, {.capacity = 1, GROWS}, NULL, "P3G2P1G2", {"S2"}},
    {"fig9", true, {.capacity = 4}, NULL, FIG9, {"S1", "S2"}},
#endif
#ifdef HEIST_BULK_H
    {"one", false, {0}, NULL, "P3G1P2G3", {"S2"}},
    {"two", false, {0}, NULL, "P2G1P2G1", {"S2", "S2"}},
    {"many", false, {0}, NULL, "P3G1P2G2", {"M2", "S1"}},
#endif
    {NULL, false, {0}, NULL, NULL, {NULL}},
};

#endif
