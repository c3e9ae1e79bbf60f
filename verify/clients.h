/* SPDX-License-Identifier: MIT */
/*
 * The clients of each kind. FIG9 is the BWoS paper's: two blocks of two entries, thieves that steal
 * once and twice. The others are the smallest that reach what FIG9 does not: growth, batches,
 * requests, wrap-around.
 */
#ifndef HEIST_VERIFY_CLIENTS_H
#define HEIST_VERIFY_CLIENTS_H

#include <heist/base.h>
#include <signal.h>

#ifdef HEIST_SPLIT_H
#include "signal_clients.h"
#endif

struct client {
    const char *name;
    heist_queue_opts opts;
    const char *before; /* the owner's script before thieves start; may be NULL */
    const char *owner;  /* scripted.h says what scripts are */
    const char *thief[3];
    const struct check_program *program; /* instead of all that */
    bool history;    /* whether some order of the operations explains the results (history.h) */
    bool full;       /* takes minutes: only in the full run */
    uint64_t random; /* too many executions for all of them: so many, drawn at random */
};

#define FIG9 "P3G2P4G3P5G4"
#define LARGE .owner = "P4G2P5G3P4G6", .thief = {"S2", "M2", "S2"}, .random = 20000
#define BLOCKS .capacity = 4, .block = 2
#define COUNTED .form = HEIST_FORM_COUNTED
#define GROWS .bound = HEIST_BOUND_GROWS
#define FIXED .bound = HEIST_BOUND_FIXED

static const struct client clients[] = {
#if defined(HEIST_GLOBAL_H) || defined(HEIST_LOCKED_H)
    {.name = "history",
     .opts = {.capacity = 2, FIXED},
     .owner = "P2G1P1G2",
     .thief = {"S1", "M1"},
     .history = true},
    {.name = "last", .opts = {.capacity = 2, FIXED}, .owner = "P2G2P2G1", .thief = {"S1", "S1"}},
    {.name = "wrap",
     .opts = {.capacity = 2, FIXED, .origin = UINT64_MAX},
     .owner = "P3G1P2",
     .thief = {"S1", "M1"}},
    {.name = "grow", .opts = {.capacity = 1, GROWS}, .owner = "P3G1P1", .thief = {"M1", "S1"}},
#endif
#ifdef HEIST_ABP_H
    {.name = "history-more",
     .opts = {.capacity = 4},
     .before = "P3",
     .owner = "G2P2G1",
     .thief = {"S2", "S1"},
     .history = true},
    {.name = "history",
     .opts = {.capacity = 2},
     .owner = "P2G1P1G2",
     .thief = {"S1", "S1"},
     .history = true},
    {.name = "history-many",
     .opts = {.capacity = 3},
     .owner = "P3G1P1",
     .thief = {"M1"},
     .history = true},
    {.name = "last", .opts = {.capacity = 4}, .owner = "P2G2P2G1", .thief = {"S1", "S1"}},
    {.name = "reset",
     .opts = {.capacity = 2, .origin = UINT32_MAX},
     .owner = "P1G1P2G2P1",
     .thief = {"S1", "S2"}},
    {.name = "fig9", .opts = {.capacity = 4}, .owner = FIG9, .thief = {"S1", "S2"}, .full = true},
    {.name = "large", .opts = {.capacity = 8}, LARGE},
#endif
#ifdef HEIST_CHASELEV_H
    {.name = "history-more",
     .opts = {.capacity = 4, FIXED},
     .before = "P3",
     .owner = "G2P2G1",
     .thief = {"S2", "S1"},
     .history = true},
    {.name = "history-many",
     .opts = {.capacity = 4, FIXED},
     .before = "P3",
     .owner = "G2P1",
     .thief = {"M1", "S2"},
     .history = true},
    {.name = "history",
     .opts = {.capacity = 2, FIXED},
     .owner = "P2G1P1G2",
     .thief = {"S1", "S1"},
     .history = true},
    {.name = "history-grow",
     .opts = {.capacity = 1, GROWS},
     .owner = "P2G1P1G1",
     .thief = {"M1"},
     .history = true},
    {.name = "last", .opts = {.capacity = 2, FIXED}, .owner = "P2G2P2G1", .thief = {"S1", "S1"}},
    {.name = "wrap",
     .opts = {.capacity = 2, FIXED, .origin = UINT64_MAX},
     .owner = "P2G1P2G1P2",
     .thief = {"S2", "S1"}},
    {.name = "grow", .opts = {.capacity = 1, GROWS}, .owner = "P2G1P2", .thief = {"S1", "S1"}},
    {.name = "grow-more",
     .opts = {.capacity = 1, GROWS},
     .owner = "P3G1P2",
     .thief = {"S1", "S1"},
     .full = true},
    {.name = "regrow", .opts = {.capacity = 1, GROWS}, .owner = "P2G1P3", .thief = {"S2"}},
    {.name = "fig9-1-1", .opts = {.capacity = 4, FIXED}, .owner = FIG9, .thief = {"S1", "S1"}},
    {.name = "fig9",
     .opts = {.capacity = 4, FIXED},
     .owner = FIG9,
     .thief = {"S1", "S2"},
     .full = true},
    {.name = "large", .opts = {.capacity = 2, GROWS}, LARGE},
#endif
#ifdef HEIST_BWOS_LIFO_H
    {.name = "history-more",
     .opts = {.capacity = 6, .block = 2},
     .before = "P5",
     .owner = "G2P1",
     .thief = {"M1", "S2"},
     .history = true},
    {.name = "history-small",
     .opts = {.capacity = 3, .block = 1},
     .owner = "P3G1P2G1",
     .thief = {"S2", "S1"},
     .history = true},
    {.name = "history",
     .opts = {BLOCKS},
     .owner = "P3G2P3G2",
     .thief = {"S1", "S1"},
     .history = true},
    {.name = "history-counted",
     .opts = {BLOCKS, COUNTED},
     .owner = "P3G2P3G2",
     .thief = {"S1", "M1"},
     .history = true},
    {.name = "fig9", .opts = {BLOCKS}, .owner = FIG9, .thief = {"S1", "S2"}},
    {.name = "fig9-counted", .opts = {BLOCKS, COUNTED}, .owner = FIG9, .thief = {"S1", "S2"}},
    {.name = "many", .opts = {BLOCKS}, .owner = "P4G1P3G2P2", .thief = {"M1", "M1"}},
    {.name = "many-counted",
     .opts = {BLOCKS, COUNTED},
     .owner = "P4G1P3G2P2",
     .thief = {"M1", "M1"}},
    {.name = "grow",
     .opts = {.capacity = 2, .block = 1, GROWS},
     .owner = "P4G2P2",
     .thief = {"S1", "S1"}},
    {.name = "grow-counted",
     .opts = {.capacity = 2, .block = 1, GROWS, COUNTED},
     .owner = "P4G2P2",
     .thief = {"S1", "S1"}},
    {.name = "large", .opts = {.capacity = 6, .block = 2}, LARGE},
#endif
#ifdef HEIST_BWOS_FIFO_H
    {.name = "history-reopened",
     .opts = {.capacity = 4, .block = 1},
     .before = "P4",
     .owner = "G2P2",
     .thief = {"S1"},
     .history = true},
    {.name = "history-more",
     .opts = {.capacity = 6, .block = 2},
     .before = "P5",
     .owner = "G2P2G1",
     .thief = {"S2", "S1"},
     .history = true},
    {.name = "history-small",
     .opts = {.capacity = 2, .block = 1},
     .owner = "P2G1P2G1P1G1",
     .thief = {"S2", "S1"},
     .history = true},
    {.name = "history",
     .opts = {BLOCKS},
     .owner = "P3G1P2G2P1",
     .thief = {"S1", "S1"},
     .history = true},
    {.name = "history-counted",
     .opts = {BLOCKS, COUNTED},
     .owner = "P3G1P2G2P1",
     .thief = {"S1", "M1"},
     .history = true},
    {.name = "blocks", .opts = {BLOCKS}, .owner = "P3G2P4G3P2", .thief = {"S1", "S1"}},
    {.name = "blocks-counted",
     .opts = {BLOCKS, COUNTED},
     .owner = "P3G2P4G3P2",
     .thief = {"S1", "S1"}},
    {.name = "many", .opts = {BLOCKS}, .owner = "P4G1P3G2", .thief = {"M1", "M1"}},
    {.name = "grow",
     .opts = {.capacity = 2, .block = 1, GROWS},
     .owner = "P4G2P1",
     .thief = {"S1", "S1"}},
    {.name = "fig9", .opts = {BLOCKS}, .owner = FIG9, .thief = {"S1", "S2"}, .full = true},
    {.name = "fig9-counted",
     .opts = {BLOCKS, COUNTED},
     .owner = FIG9,
     .thief = {"S1", "S2"},
     .full = true},
    {.name = "large", .opts = {.capacity = 6, .block = 2}, LARGE},
#endif
#ifdef HEIST_SPLIT_H
    {.name = "history-more",
     .opts = {.capacity = 3},
     .before = "P3",
     .owner = "G1P1",
     .thief = {"S1", "S1"},
     .history = true},
    {.name = "history",
     .opts = {.capacity = 2},
     .owner = "P2G1P1G2",
     .thief = {"S1", "S1"},
     .history = true},
    {.name = "history-half",
     .opts = {.capacity = 3, .mode = HEIST_SPLIT_HALF},
     .owner = "P3G1P1G1",
     .thief = {"S1", "M1"},
     .history = true},
    {.name = "user", .opts = {.capacity = 3}, .owner = "P2G1P2G2", .thief = {"S1", "S1"}},
    {.name = "half",
     .opts = {.capacity = 3, .mode = HEIST_SPLIT_HALF},
     .owner = "P3G2P2G2",
     .thief = {"S1", "S1"}},
    {.name = "conservative",
     .opts = {.capacity = 3, .mode = HEIST_SPLIT_CONSERVATIVE},
     .owner = "P2G1P2",
     .thief = {"S1", "S1"}},
    {.name = "many",
     .opts = {.capacity = 4, .mode = HEIST_SPLIT_HALF},
     .owner = "P4G2P1G1",
     .thief = {"M2"}},
    {.name = "compact", .opts = {.capacity = 1}, .owner = "P1P1P1G1", .thief = {"S2"}},
    {.name = "grow", .opts = {.capacity = 1, GROWS}, .owner = "P3G2P1G2", .thief = {"S2"}},
    {.name = "fig9", .opts = {.capacity = 4}, .owner = FIG9, .thief = {"S1", "S2"}, .full = true},
    {.name = "large", .opts = {.capacity = 6, .mode = HEIST_SPLIT_HALF}, LARGE},
#endif
#ifdef HEIST_SPLIT_H
    {.name = "signal",
     .opts = {.capacity = 3, .mode = HEIST_SPLIT_SIGNAL},
     .owner = "P2G2",
     .thief = {"S2"}},
    {.name = "signal-two",
     .opts = {.capacity = 3, .mode = HEIST_SPLIT_SIGNAL},
     .owner = "P2G1",
     .thief = {"S1", "S1"}},
    {.name = "signal-half",
     .opts = {.capacity = 3, .mode = HEIST_SPLIT_HALF, .signal = SIGUSR1},
     .owner = "P3G2",
     .thief = {"S2"}},
    {.name = "signal-conservative",
     .opts = {.capacity = 3, .mode = HEIST_SPLIT_CONSERVATIVE, .signal = SIGUSR1},
     .owner = "P3G2",
     .thief = {"S2"}},
#endif
#ifdef HEIST_SPLIT_H
    {.name = "signal-fini", .program = &signal_fini},
    {.name = "signal-reuse", .program = &signal_reuse},
    {.name = "signal-enlist", .program = &signal_enlist},
#endif
#ifdef HEIST_BULK_H
    {.name = "history-more",
     .opts = {0},
     .before = "P3",
     .owner = "G2P2G1",
     .thief = {"S2", "S1"},
     .history = true},
    {.name = "history", .opts = {0}, .owner = "P2G1P1G2", .thief = {"S1", "S1"}, .history = true},
    {.name = "history-many", .opts = {0}, .owner = "P3G1P1G1", .thief = {"M1"}, .history = true},
    {.name = "one", .opts = {0}, .owner = "P3G1P2G3", .thief = {"S2"}},
    {.name = "two", .opts = {0}, .owner = "P2G1P2G1", .thief = {"S2", "S2"}},
    {.name = "many", .opts = {0}, .owner = "P3G1P2G2", .thief = {"M2", "S1"}},
    {.name = "recycle", .opts = {.capacity = 2}, .owner = "P2G1P3", .thief = {"S2"}},
    {.name = "large", .opts = {.capacity = 4}, LARGE},
#endif
    {.name = NULL},
};

#endif
