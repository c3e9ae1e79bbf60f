/* SPDX-License-Identifier: MIT */
/*
 * Whether the checker is right. Four parts, for each of its models:
 *
 *   verdicts   programs of the literature: the weak outcome must be seen where the model allows it,
 *              and never where it does not
 *   races      programs that are, or are not, wrong in what they do with plain and freed memory
 *   counts     programs whose executions were counted by hand: as many, and few runs for that
 *   random     random programs: the outcomes and the number of executions that enumerate.c finds
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders.h"
#include "program.h"

const struct order check_orders[] = {{NULL, 0}}; /* no ledger: nothing here can be weakened */

static const char *const model_names[] = {"rc11", "tso", "sc"};

/*
 * y: must be seen, n: must not be, in the order rc11, tso, sc. Where an argument is short, it is
 * here: the cycle that forbids, or what is missing for one. Fences and the accesses of psc are
 * those of RC11 (see enumerate.c); ; is sequence, F a fence, Wx a write of x, Rx a read of it.
 */
static const struct {
    const char *name, *program, *weak, *seen;
} verdicts[] = {
    /* Store buffering. x86 has it; what stops it there is a locked instruction or mfence between
       the store and the load, which an SC store is, and an SC load is not. */
    {"SB", "x=1 y | y=1 x", "00", "yyn"},
    {"SB+rel-acq", "x=1.rel y.acq | y=1.rel x.acq", "00", "yyn"},
    {"SB+sc", "x=1.sc y.sc | y=1.sc x.sc", "00", "nnn"},
    {"SB+sc-stores", "x=1.sc y.acq | y=1.sc x.acq", "00", "ynn"},
    {"SB+sc-loads", "x=1.rel y.sc | y=1.rel x.sc", "00", "yyn"},
    {"SB+sc+rlx", "x=1.sc y.sc | y=1 x", "00", "yyn"},
    {"SB+fences", "x=1 f.sc y | y=1 f.sc x", "00", "nnn"},
    {"SB+fences.ar", "x=1 f.ar y | y=1 f.ar x", "00", "yyn"},
    {"SB+fences.rel", "x=1 f.rel y | y=1 f.rel x", "00", "yyn"},
    {"SB+fences.acq", "x=1 f.acq y | y=1 f.acq x", "00", "yyn"},
    {"SB+fence+rlx", "x=1 f.sc y | y=1 x", "00", "yyn"},
    {"SB+fence+rel-acq", "x=1 f.sc y | y=1.rel x.acq", "00", "yyn"},
    /* F -> fr Wy -> sb Rx -> fr Wx, F */
    {"SB+fence+sc", "x=1 f.sc y | y=1.sc x.sc", "00", "nnn"},
    {"SB+fence+sc-store", "x=1 f.sc y | y=1.sc x", "00", "ynn"},
    {"SB+fence+sc-load", "x=1 f.sc y | y=1 x.sc", "00", "yyn"},
    {"SB+fence-late", "x=1 y f.sc | y=1 x f.sc", "00", "yyn"},
    {"SB+rmw-stores", "x~1 y | y~1 x", "0000", "ynn"},
    {"SB+rmw-stores.ar", "x~1.ar y.acq | y~1.ar x.acq", "0000", "ynn"},
    {"SB+rmw-stores.sc", "x~1.sc y.sc | y~1.sc x.sc", "0000", "nnn"},
    {"SB+rmw-loads.ar", "x=1 y+0.ar | y=1 x+0.ar", "00", "ynn"},
    {"SB+rmw-loads.sc", "x=1.sc y+0.sc | y=1.sc x+0.sc", "00", "nnn"},
    /* Two of the same word are ordered, and the later one has read from the earlier. */
    {"SB+rmw-between", "x=1 z+0 y | y=1 z+0 x", "0000", "ynn"},
    {"SB+rmw-between.ar", "x=1 z+0.ar y | y=1 z+0.ar x", "0000", "nnn"},
    {"SB+rmws-apart.ar", "x=1 z+0.ar y | y=1 w+0.ar x", "0000", "ynn"},
    /* One that fails is a relaxed load in C, and on x86 a locked instruction all the same. */
    {"SB+failed-cas", "x=1 z:1>2.sc y | y=1 z:1>2.sc x", "0000", "ynn"},
    /* A thread sees its own store while that is still buffered. */
    {"SB+rfi", "x=1 x y | y=1 y x", "1010", "yyn"},
    {"SB+rfi.rel-acq", "x=1.rel x.acq y.acq | y=1.rel y.acq x.acq", "1010", "yyn"},
    {"SB+rfi.sc", "x=1.sc x.sc y.sc | y=1.sc y.sc x.sc", "1010", "nnn"},
    /* A light fence orders towards a heavy one, and nothing else. */
    {"SB+light-heavy", "x=1 l.sc y | y=1 h.sc x", "00", "nnn"},
    {"SB+heavy-heavy", "x=1 h.sc y | y=1 h.sc x", "00", "nnn"},
    {"SB+heavy-fence", "x=1 h.sc y | y=1 f.sc x", "00", "nnn"},
    {"SB+light-light", "x=1 l.sc y | y=1 l.sc x", "00", "ynn"},
    {"SB+light-fence", "x=1 l.sc y | y=1 f.sc x", "00", "ynn"},
    {"SB+light-heavy.ar", "x=1 l.sc y | y=1 h.ar x", "00", "yyn"},
    {"3.SB+light-heavy-light", "x=1 l.sc y | y=1 h.sc z | z=1 l.sc x", "000", "ynn"},
    {"3.SB+heavy-light-heavy", "x=1 h.sc y | y=1 l.sc z | z=1 h.sc x", "000", "nnn"},
    {"MP+light", "x=1 l.sc y=1 | y.acq x", "10", "ynn"},
    {"MP+rel+light", "x=1 y=1.rel | y l.sc x", "10", "ynn"},
    {"3.SB", "x=1 y | y=1 z | z=1 x", "000", "yyn"},
    {"3.SB+fences", "x=1 f.sc y | y=1 f.sc z | z=1 f.sc x", "000", "nnn"},
    {"3.SB+2-fences", "x=1 f.sc y | y=1 f.sc z | z=1 x", "000", "yyn"},
    {"3.SB+sc", "x=1.sc y.sc | y=1.sc z.sc | z=1.sc x.sc", "000", "nnn"},

    /* Message passing. */
    {"MP", "x=1 y=1 | y x", "10", "ynn"},
    {"MP+rel-acq", "x=1 y=1.rel | y.acq x", "10", "nnn"},
    {"MP+rel", "x=1 y=1.rel | y x", "10", "ynn"},
    {"MP+acq", "x=1 y=1 | y.acq x", "10", "ynn"},
    {"MP+sc", "x=1.sc y=1.sc | y.sc x.sc", "10", "nnn"},
    {"MP+sc-flag", "x=1 y=1.sc | y.sc x", "10", "nnn"},
    {"MP+sc-data", "x=1.sc y=1 | y x.sc", "10", "ynn"},
    {"MP+rel-acq-seen", "x=1 y=1.rel | y.acq x", "11", "yyy"},
    {"MP+store-between", "x=1 y=1 | y z=1 x | z", "10.", "ynn"},
    {"MP+store-between.rel-acq", "x=1 y=1.rel | y.acq z=1 x | z", "10.", "nnn"},
    {"MP+fences", "x=1 f.rel y=1 | y f.acq x", "10", "nnn"},
    {"MP+fence.rel", "x=1 f.rel y=1 | y.acq x", "10", "nnn"},
    {"MP+fence.acq", "x=1 y=1.rel | y f.acq x", "10", "nnn"},
    {"MP+fences.ar", "x=1 f.ar y=1 | y f.ar x", "10", "nnn"},
    {"MP+fences.sc", "x=1 f.sc y=1 | y f.sc x", "10", "nnn"},
    {"MP+fence.sc+rlx", "x=1 f.sc y=1 | y x", "10", "ynn"},
    {"MP+fences.acq", "x=1 f.acq y=1 | y f.acq x", "10", "ynn"},
    {"MP+fences.rel", "x=1 f.rel y=1 | y f.rel x", "10", "ynn"},
    {"MP+fence-late", "x=1 y=1 f.rel | y f.acq x", "10", "ynn"},
    {"MP+fence-early", "x=1 f.rel y=1 | f.acq y x", "10", "ynn"},
    /* The fence goes with every later store, not only with the next. */
    {"MP+fence-far", "x=1 f.rel z=1 y=1 | y z f.acq x", "1.0", "nnn"},
    {"MP+rmw.rel", "x=1 y+1.rel | y.acq x", "010", "nnn"},
    {"MP+rmw.rlx", "x=1 y+1 | y.acq x", "010", "ynn"},
    {"MP+rmw.acq", "x=1 y+1.acq | y.acq x", "010", "ynn"},
    {"MP+rmws", "x=1 y+1.rel | y+0.acq x", "010", "nnn"},
    {"MP+rmws.ar", "x=1 y+1.ar | y+0.ar x", "010", "nnn"},
    {"MP+rmws.rel", "x=1 y+1.rel | y+0.rel x", "010", "ynn"},
    {"MP+cas", "x=1 y:0>1.rel | y:1>2.acq x", "010", "nnn"},
    /* Relaxed when it fails, whatever its order. */
    {"MP+failed-cas.acq", "x=1 y=1.rel | y:0>2.acq x", "10", "ynn"},
    {"MP+failed-cas.sc", "x=1 y=1.rel | y:0>2.sc x", "10", "ynn"},
    {"MP+failed-cas+fence", "x=1 y=1.rel | y:0>2 f.acq x", "10", "nnn"},

    /* Load buffering: no value before it is written, in any model here. Hardware and C11 allow it
       for relaxed accesses; RC11 does not. */
    {"LB", "x y=1 | y x=1", "11", "nnn"},
    {"LB+acq-rel", "x.acq y=1.rel | y.acq x=1.rel", "11", "nnn"},
    {"LB+sc", "x.sc y=1.sc | y.sc x=1.sc", "11", "nnn"},
    {"LB+rmw", "x+1 y=1 | y x+1", "11.", "nnn"},
    {"3.LB", "x y=1 | y z=1 | z x=1", "111", "nnn"},

    /* Two readers that do not agree about which of two writes came first. */
    {"IRIW", "x=1 | y=1 | x y | y x", "1010", "ynn"},
    {"IRIW+rel-acq", "x=1.rel | y=1.rel | x.acq y.acq | y.acq x.acq", "1010", "ynn"},
    {"IRIW+sc", "x=1.sc | y=1.sc | x.sc y.sc | y.sc x.sc", "1010", "nnn"},
    /* fr ends in writes that are not SC, and psc with them. (C++20's coherence-ordered-before
       goes on through them and forbids this one; RC11 is the weaker here.) */
    {"IRIW+sc-loads", "x=1.rel | y=1.rel | x.sc y.sc | y.sc x.sc", "1010", "ynn"},
    {"IRIW+sc-stores", "x=1.sc | y=1.sc | x.acq y.acq | y.acq x.acq", "1010", "ynn"},
    /* IRIW-acq-sc of the RC11 paper, which C11 wrongly forbade. */
    {"IRIW+acq-sc", "x=1.sc | y=1.sc | x.acq y.sc | y.acq x.sc", "1010", "ynn"},
    {"IRIW+acq+fences", "x=1 | y=1 | x.acq f.sc y | y.acq f.sc x", "1010", "nnn"},
    {"IRIW+fences", "x=1 | y=1 | x f.sc y | y f.sc x", "1010", "nnn"},
    {"IRIW+fences.ar", "x=1 | y=1 | x f.ar y | y f.ar x", "1010", "ynn"},
    /* A store between two loads: the second may pass it, but not the first. (MP+store-between does
       not tell: there, happens-before forbids it as well.) */
    {"IRIW+store-between", "x=1 | y=1 | x z=1 y | y z=2 x", "1010", "ynn"},
    {"IRIW+fence", "x=1 | y=1 | x.acq f.sc y | y.acq x", "1010", "ynn"},

    /* Two words, each with the first thread's write where the other's should be. */
    {"2+2W", "x=1 y=2 | y=1 x=2", " x=1 y=1", "ynn"},
    {"2+2W+rel", "x=1.rel y=2.rel | y=1.rel x=2.rel", " x=1 y=1", "ynn"},
    {"2+2W+sc", "x=1.sc y=2.sc | y=1.sc x=2.sc", " x=1 y=1", "nnn"},
    {"2+2W+sc-second", "x=1 y=2.sc | y=1 x=2.sc", " x=1 y=1", "ynn"},
    {"2+2W+fences", "x=1 f.sc y=2 | y=1 f.sc x=2", " x=1 y=1", "nnn"},
    {"2+2W+fences.ar", "x=1 f.ar y=2 | y=1 f.ar x=2", " x=1 y=1", "ynn"},
    {"2+2W+fence", "x=1 f.sc y=2 | y=1 x=2", " x=1 y=1", "ynn"},
    {"2+2W+rmw.ar", "x~1.ar y~2.ar | y~1.ar x~2.ar", " x=1 y=1", "nnn"},
    {"3.2W", "x=1 y=2 | y=1 z=2 | z=1 x=2", " x=1 y=1 z=1", "ynn"},
    {"3.2W+fences", "x=1 f.sc y=2 | y=1 f.sc z=2 | z=1 f.sc x=2", " x=1 y=1 z=1", "nnn"},

    /* Coherence: one word alone is sequentially consistent. */
    {"CoRR", "x=1 | x x", "10", "nnn"},
    {"CoRR-ordered", "x=1 x=2 | x x", "21", "nnn"},
    {"CoRR2", "x=1 | x=2 | x x | x x", "1221", "nnn"},
    {"CoRR2-seen", "x=1 | x=2 | x x | x x", "1212", "yyy"},
    {"CoWW", "x=1 x=2 | x", ". x=1", "nnn"},
    {"CoRW1", "x x=1 | x", "1.", "nnn"},
    {"CoRW", "x x=1 | x=2", "2 x=2", "nnn"},
    {"CoRW-seen", "x x=1 | x=2", "2 x=1", "yyy"},
    {"CoWR", "x=1 x | x=2", "2 x=1", "nnn"},
    {"CoWR0", "x=1 x | x=2", "0", "nnn"},
    {"CoWR-seen", "x=1 x | x=2", "2 x=2", "yyy"},

    /* A write that was read, and passed on. */
    {"WRC", "x=1 | x y=1 | y x", "110", "ynn"},
    {"WRC+rel-acq", "x=1 | x y=1.rel | y.acq x", "110", "nnn"}, /* as CoRR, over two threads */
    {"WRC+all-rel-acq", "x=1.rel | x.acq y=1.rel | y.acq x.acq", "110", "nnn"},
    {"WRC+first", "x=1.rel | x.acq y=1 | y x", "110", "ynn"},
    {"WRC+rel", "x=1 | x y=1.rel | y x", "110", "ynn"},
    {"WRC+fences", "x=1 | x f.rel y=1 | y f.acq x", "110", "nnn"},
    {"WRC+fences.sc", "x=1 | x f.sc y=1 | y f.sc x", "110", "nnn"},
    {"WRC+sc", "x=1.sc | x.sc y=1.sc | y.sc x.sc", "110", "nnn"},
    {"ISA2", "x=1 y=1 | y z=1 | z x", "110", "ynn"},
    {"ISA2+rel-acq", "x=1 y=1.rel | y.acq z=1.rel | z.acq x", "110", "nnn"},
    {"ISA2+first", "x=1 y=1.rel | y.acq z=1 | z.acq x", "110", "ynn"},
    {"ISA2+middle", "x=1 y=1.rel | y z=1.rel | z.acq x", "110", "ynn"},
    {"ISA2+fences", "x=1 f.rel y=1 | y f.ar z=1 | z f.acq x", "110", "nnn"},
    {"ISA2+sc", "x=1.sc y=1.sc | y.sc z=1.sc | z.sc x.sc", "110", "nnn"},

    /* R, S: message passing and store buffering with a coherence edge for a read. */
    {"R", "x=1 y=1 | y=2 x", "0 y=2", "yyn"},
    {"R+rel-acq", "x=1.rel y=1.rel | y=2.rel x.acq", "0 y=2", "yyn"},
    {"R+sc", "x=1.sc y=1.sc | y=2.sc x.sc", "0 y=2", "nnn"},
    {"R+sc-stores", "x=1.rel y=1.sc | y=2.sc x.acq", "0 y=2", "ynn"},
    {"R+fences", "x=1 f.sc y=1 | y=2 f.sc x", "0 y=2", "nnn"},
    {"R+fences.ar", "x=1 f.ar y=1 | y=2 f.ar x", "0 y=2", "yyn"},
    {"R+fence-first", "x=1 f.sc y=1 | y=2 x", "0 y=2", "yyn"},
    {"R+fence-second", "x=1 y=1 | y=2 f.sc x", "0 y=2", "ynn"},
    {"S", "x=2 y=1 | y x=1", "1 x=2", "ynn"},
    {"S+rel-acq", "x=2 y=1.rel | y.acq x=1", "1 x=2", "nnn"},
    {"S+rel", "x=2 y=1.rel | y x=1", "1 x=2", "ynn"},
    {"S+acq", "x=2 y=1 | y.acq x=1", "1 x=2", "ynn"},
    {"S+fences", "x=2 f.rel y=1 | y f.acq x=1", "1 x=2", "nnn"},
    {"S+sc", "x=2.sc y=1.sc | y.sc x=1.sc", "1 x=2", "nnn"},

    /* Read to write causality. */
    {"RWC", "x=1 | x y | y=1 x", "100", "yyn"},
    {"RWC+rel-acq", "x=1.rel | x.acq y.acq | y=1.rel x.acq", "100", "yyn"},
    {"RWC+fences", "x=1 | x f.sc y | y=1 f.sc x", "100", "nnn"},
    {"RWC+fence", "x=1.rel | x.acq y.acq | y=1 f.sc x", "100", "ynn"},
    {"RWC+sc", "x=1.sc | x.sc y.sc | y=1.sc x.sc", "100", "nnn"},
    {"W+RWC", "x=1 y=1 | y z | z=1 x", "100", "yyn"},
    {"W+RWC+rel-acq", "x=1 y=1.rel | y.acq z.acq | z=1.rel x.acq", "100", "yyn"},
    {"W+RWC+fences", "x=1 f.sc y=1 | y f.sc z | z=1 f.sc x", "100", "nnn"},
    {"W+RWC+rel-acq+fences", "x=1 y=1.rel | y.acq f.sc z | z=1 f.sc x", "100", "nnn"},
    {"W+RWC+2-fences", "x=1 y=1 | y f.sc z | z=1 f.sc x", "100", "ynn"},
    {"W+RWC+fence", "x=1 y=1.rel | y.acq z | z=1 f.sc x", "100", "ynn"},
    /* Wx -> Rz by sb ; hb ; sb; Rz -> fr Wz -> sb Rx -> fr Wx */
    {"W+RWC+sc-ends", "x=1.sc y=1.rel | y.acq z.sc | z=1.sc x.sc", "100", "nnn"},
    {"W+RWC+sc-ends.rlx", "x=1.sc y=1 | y z.sc | z=1.sc x.sc", "100", "ynn"},

    /* The Z6 family: W+RWC and the like with coherence edges. Z6.U is of the RC11 paper: Wx -> the
       RMW is hb alone, with no sb behind it, and so not in psc. */
    {"Z6.U", "x=1.sc y=1.rel | y+1.sc y | y=3.sc x.sc", "130", "ynn"},
    {"Z6.U+sc", "x=1.sc y=1.sc | y+1.sc y | y=3.sc x.sc", "130", "nnn"},
    {"Z6.0", "x=1 y=1 | y z=1 | z=2 x", "10 z=2", "yyn"},
    {"Z6.0+rel-acq", "x=1 y=1.rel | y.acq z=1.rel | z=2.rel x.acq", "10 z=2", "yyn"},
    {"Z6.0+fences", "x=1 f.sc y=1 | y f.sc z=1 | z=2 f.sc x", "10 z=2", "nnn"},
    {"Z6.0+sc", "x=1.sc y=1.sc | y.sc z=1.sc | z=2.sc x.sc", "10 z=2", "nnn"},
    {"Z6.1", "x=2 y=1 | y=2 z=1 | z x=1", "1 x=2 y=2", "ynn"},
    {"Z6.1+rel-acq", "x=2 y=1.rel | y=2 z=1.rel | z.acq x=1", "1 x=2 y=2", "ynn"},
    {"Z6.2", "x=2 y=1 | y z=1 | z x=1", "11 x=2", "ynn"},
    {"Z6.2+rel-acq", "x=2 y=1.rel | y.acq z=1.rel | z.acq x=1", "11 x=2", "nnn"},
    {"Z6.3", "x=1 y=1 | y=2 z=1 | z x", "10 y=2", "ynn"},
    {"Z6.3+rel-acq", "x=1.rel y=1.rel | y=2.rel z=1.rel | z.acq x.acq", "10 y=2", "ynn"},
    {"Z6.3+fences", "x=1 f.sc y=1 | y=2 f.sc z=1 | z f.sc x", "10 y=2", "nnn"},
    {"Z6.3+fences-rel-acq", "x=1 f.sc y=1 | y=2 f.sc z=1.rel | z.acq x", "10 y=2", "nnn"},
    {"Z6.3+fence", "x=1 f.sc y=1 | y=2 z=1.rel | z.acq x", "10 y=2", "ynn"},
    {"Z6.3+sc", "x=1.sc y=1.sc | y=2.sc z=1.sc | z.sc x.sc", "10 y=2", "nnn"},
    {"Z6.4", "x=1 y=1 | y=2 z | z=1 x", "00 y=2", "yyn"},
    {"Z6.4+fences", "x=1 f.sc y=1 | y=2 f.sc z | z=1 f.sc x", "00 y=2", "nnn"},
    {"Z6.5", "x=1 y=1 | y=2 z=1 | z=2 x", "0 y=2 z=2", "yyn"},
    {"Z6.5+fences", "x=1 f.sc y=1 | y=2 f.sc z=1 | z=2 f.sc x", "0 y=2 z=2", "nnn"},

    /* Read-modify-writes are one step. */
    {"add", "x+1 | x+1", ".. x=1", "nnn"},
    {"add-same", "x+1 | x+1", "00", "nnn"},
    {"add-seen", "x+1 | x+1", "10 x=2", "yyy"},
    {"add3", "x+1 | x+1 | x+1", "021", "yyy"},
    {"cas", "x:0>1 | x:0>2", "00", "nnn"},
    {"cas-seen", "x:0>1 | x:0>2", "20 x=2", "yyy"},
    {"cas-chain", "x:0>1 | x:1>2 | x:2>3", "012 x=3", "yyy"},
    {"exchange", "x~1 | x~2", "00", "nnn"},
    {"add-store", "x+1 | x=5", "0 x=1", "nnn"}, /* a store between its two halves */
    {"add-store-seen", "x+1 | x=5", "5 x=6", "yyy"},
    {"add-two-stores", "x+1 | x=3 | x=5", "3 x=4", "yyy"}, /* 5, 3, 4 */
    {"add-two-stores-between", "x+1 | x=5 x=3", "5 x=6", "nnn"},

    /* Release sequences, as in C++20: read-modify-writes of any thread and any order continue one,
       no other store does, not even one of the same thread. */
    {"RS+rmw", "x=1 y=1.rel | y+1 | y.acq x", "120", "nnn"},
    {"RS+2-rmws", "x=1 y=1.rel | y+1 | y+1 | y.acq x", "1230", "nnn"},
    {"RS+rmw-same-thread", "x=1 y=1.rel y+1 | y.acq x", "120", "nnn"},
    {"RS+cas", "x=1 y=1.rel | y:1>2 | y.acq x", "120", "nnn"},
    {"RS+exchange", "x=1 y=1.rel | y~2 | y.acq x", "120", "nnn"},
    {"RS+store-same-thread", "x=1 y=1.rel y=2 | y.acq x", "20", "ynn"},
    {"RS+store", "x=1 y=1.rel | y=2 | y.acq x", "20 y=2", "ynn"},
    {"RS+rmw-store-rmw", "x=1 y=1.rel | y+1 y=5 y+1 | y.acq x", "1560", "ynn"},
    {"RS+rlx-head", "x=1 y=1 | y+1 | y.acq x", "120", "ynn"},
    {"RS+rel-in-the-middle", "x=1 y=1 | y+1.rel | y.acq x", "120", "ynn"},
    {"RS+acq-in-the-middle", "x=1 y=1.rel | y+1.acq | y.acq x", "120", "nnn"},
    {"RS+both", "x=1 y=1.rel | z=1 y+1.rel | y.acq x z", "120.", "nnn"},
    {"RS+both-2", "x=1 y=1.rel | z=1 y+1.rel | y.acq x z", "12.0", "nnn"},
    {"RS+fences", "x=1 f.rel y=1 | y+1 | y f.acq x", "120", "nnn"},
    {"RS+rlx-reader", "x=1 y=1.rel | y+1 | y x", "120", "ynn"},
};

/* What the failure must begin with; NULL: no failure. */
#define RACE "data race"
#define USED "memory used after it was freed"
#define TWICE "memory freed twice"
#define WHILE "memory freed while another thread may use it"

static const struct {
    const char *name, *program, *failure[3];
} races[] = {
    {"reads", "p | p", {0}},
    {"write-read", "p=1 | p", {RACE, RACE, RACE}},
    {"read-write", "p | p=1", {RACE, RACE, RACE}},
    {"writes", "p=1 | p=2", {RACE, RACE, RACE}},
    {"apart", "p=1 | q=1", {0}},
    {"neighbours", "a=1 | b=1", {0}}, /* bytes are memory locations of their own */
    {"same-byte", "b=1 | b=1", {RACE, RACE, RACE}},
    {"MP", "p=1 x=1 | x ?1 p", {RACE, 0, 0}},
    {"MP+rel", "p=1 x=1.rel | x ?1 p", {RACE, 0, 0}},
    {"MP+acq", "p=1 x=1 | x.acq ?1 p", {RACE, 0, 0}},
    {"MP+rel-acq", "p=1 x=1.rel | x.acq ?1 p", {0}},
    {"MP+rel-acq-write", "p x=1.rel | x.acq ?1 p=1", {0}},
    {"MP+acq-write", "p x=1 | x.acq ?1 p=1", {RACE, 0, 0}},
    {"MP+sc", "p=1 x=1.sc | x.sc ?1 p", {0}},
    {"MP+fences", "p=1 f.rel x=1 | x ?1 f.acq p", {0}},
    {"MP+fences.sc", "p=1 f.sc x=1 | x ?1 f.sc p", {0}},
    {"MP+fence-early", "p=1 f.rel x=1 | f.acq x ?1 p", {RACE, 0, 0}},
    {"MP+untested", "p=1 x=1.rel | x.acq p", {RACE, RACE, RACE}},
    {"MP+late-write", "x=1.rel p=1 | x.acq ?1 p", {RACE, RACE, RACE}},
    {"MP+again", "p=1 x=1.rel p=2 | x.acq ?1 p", {RACE, RACE, RACE}},
    {"MP+back", "p=1 x=1.rel y.acq ?1 p=2 | x.acq ?1 p y=1.rel", {0}},
    {"MP+back.rlx", "p=1 x=1.rel y.acq ?1 p=2 | x.acq ?1 p y=1", {RACE, 0, 0}},
    {"ISA2", "p=1 x=1.rel | x.acq ?1 y=1.rel | y.acq ?1 p", {0}},
    {"ISA2+rlx", "p=1 x=1.rel | x ?1 y=1.rel | y.acq ?1 p", {RACE, 0, 0}},
    {"RS+rmw", "p=1 x=1.rel | x:1>2 | x.acq ?2 p", {0}},
    {"RS+store", "p=1 x=1.rel x=2 | x.acq ?2 p", {RACE, 0, 0}},
    {"failed-cas", "p=1 x=1.rel | x:0>2.acq ?1 p", {RACE, 0, 0}},
    {"failed-cas+fence", "p=1 x=1.rel | x:0>2 ?1 f.acq p", {0}},
    {"lock", "x:0>1.acq ?0 p=1 x=0.rel | x:0>1.acq ?0 p=2 x=0.rel", {0}},
    {"lock.rlx", "x:0>1.acq ?0 p=1 x=0 | x:0>1.acq ?0 p=2 x=0", {RACE, 0, 0}},
    {"trylock.rlx", "x:0>1 ?0 p=1 x=0.rel | x:0>1 ?0 p=2 x=0.rel", {RACE, 0, 0}},
    /* Dekker: each only enters if the other has not come: never both, with no order among them. */
    {"dekker", "x=1.sc y.sc ?0 p=1 | y=1.sc x.sc ?0 p=2", {0}},
    {"dekker+fences", "x=1 f.sc y ?0 p=1 | y=1 f.sc x ?0 p=2", {0}},
    {"dekker+rel-acq", "x=1.rel y.acq ?0 p=1 | y=1.rel x.acq ?0 p=2", {RACE, RACE, 0}},
    {"atomics", "n=1 | n", {0}},
    {"mixed", "n=1 | m", {RACE, RACE, RACE}},
    {"mixed-reads", "n | m", {0}},
    {"mixed-write", "n | m=1", {RACE, RACE, RACE}},
    {"mixed-rmw", "n+1 | m", {RACE, RACE, RACE}},
    {"mixed-ordered", "n=1 x=1.rel | x.acq ?1 m", {0}},

    {"use-free", "m x=1.rel | x.acq ?1 m!", {0}},
    {"use-free.rlx", "m x=1 | x ?1 m!", {WHILE, 0, 0}},
    {"write-free.rlx", "m=1 x=1 | x ?1 m!", {WHILE, 0, 0}},
    {"atomic-use-free", "n x=1.rel | x.acq ?1 m!", {0}},
    {"atomic-use-free.rlx", "n x=1 | x ?1 m!", {WHILE, 0, 0}},
    {"use-free-at-once", "m | m!", {WHILE, WHILE, WHILE}},
    {"atomic-use-free-at-once", "n | m!", {WHILE, WHILE, WHILE}},
    {"use-after-free", "m! m", {USED, USED, USED}},
    {"atomic-use-after-free", "m! n", {USED, USED, USED}},
    {"write-after-free", "m! m=1", {USED, USED, USED}},
    {"told-and-used-after-free", "m! x=1.rel | x.acq ?1 m", {USED, USED, USED}},
    {"told-and-freed-twice", "m! x=1.rel | x.acq ?1 m!", {TWICE, TWICE, TWICE}},
    {"freed-twice", "m! m!", {TWICE, TWICE, TWICE}},
    {"freed-twice-at-once", "m! | m!", {TWICE, TWICE, TWICE}},
    {"freed-by-one", "x~1 ?0 m! | x~1 ?0 m!", {0}},
    {"freed-by-both", "x ?0 x=1 m! | x ?0 x=1 m!", {TWICE, TWICE, TWICE}},
    /* The last of two users frees. */
    {"references", "m x+1.ar ?1 m! | m x+1.ar ?1 m!", {0}},
    {"references+fence", "m x+1.rel ?1 f.acq m! | m x+1.rel ?1 f.acq m!", {0}},
    {"references.rel", "m x+1.rel ?1 m! | m x+1.rel ?1 m!", {WHILE, 0, 0}},
    {"references.acq", "m x+1.acq ?1 m! | m x+1.acq ?1 m!", {WHILE, 0, 0}},
};

/*
 * An execution is what each read read from, and an order of the writes of each word. Below, "rf"
 * counts the former and "co" the latter.
 */
static const struct {
    const char *name, *program;
    uint64_t executions[3];
} counts[] = {
    /* One thread alone has no choice; nor have threads that share nothing. */
    {"alone", "x=1 x x+1 x=2", {1, 1, 1}},
    {"independent", "x=1 x | y=1 y | z=1 z | w=1 w", {1, 1, 1}},
    {"readers", "x x | x | x", {1, 1, 1}},
    {"fences", "f.sc f.sc | f.sc f.sc | f.sc", {1, 1, 1}},
    {"fences-between", "x=1 f.sc z | y=1 f.sc z | f.sc", {1, 1, 1}},
    /* n increments, or exchanges, of one word: an order of them, which is all: n!. */
    {"add2", "x+1 | x+1", {2, 2, 2}},
    {"add3", "x+1 | x+1 | x+1", {6, 6, 6}},
    {"add4", "x+1 | x+1 | x+1 | x+1", {24, 24, 24}},
    {"add5", "x+1 | x+1 | x+1 | x+1 | x+1", {120, 120, 120}},
    {"add4.sc", "x+1.sc | x+1.sc | x+1.sc | x+1.sc", {24, 24, 24}},
    {"exchange3", "x~1 | x~2 | x~3", {6, 6, 6}},
    /* Two threads with two increments each: the ways to mix them, 4 over 2; with 2 and 3: 5 over
       2; three threads with two each: 6! / (2 2 2). */
    {"add2x2", "x+1 x+1 | x+1 x+1", {6, 6, 6}},
    {"add2x3", "x+1 x+1 | x+1 x+1 x+1", {10, 10, 10}},
    {"add3x2", "x+1 x+1 | x+1 x+1 | x+1 x+1", {90, 90, 90}},
    /* Two words: both orders for each; the other way round in the second thread, "each is second
       where it begins" would be a circle of reads-from: 4 - 1. */
    {"add-two-words", "x+1 y+1 | x+1 y+1", {4, 4, 4}},
    {"add-crossed", "x+1 y+1 | y+1 x+1", {3, 3, 3}},
    /* n writers: co: n!. With a reader at their end, times the n + 1 values it may read. */
    {"write2", "x=1 | x=2", {2, 2, 2}},
    {"write3", "x=1 | x=2 | x=3", {6, 6, 6}},
    {"write4", "x=1 | x=2 | x=3 | x=4", {24, 24, 24}},
    {"write5", "x=1 | x=2 | x=3 | x=4 | x=5", {120, 120, 120}},
    {"write3-read", "x=1 | x=2 | x=3 | x", {24, 24, 24}},
    {"write2x2", "x=1 x=2 | x=3 x=4", {6, 6, 6}},
    /* One writer of k values, m loads: rising sequences of m out of k + 1: (k + m) over m. */
    {"1-write-1-load", "x=1 | x", {2, 2, 2}},
    {"2-writes-2-loads", "x=1 x=2 | x x", {6, 6, 6}},
    {"3-writes-2-loads", "x=1 x=2 x=3 | x x", {10, 10, 10}},
    {"2-writes-3-loads", "x=1 x=2 | x x x", {10, 10, 10}},
    {"3-writes-3-loads", "x=1 x=2 x=3 | x x x", {20, 20, 20}},
    {"2-writes-2x2-loads", "x=1 x=2 | x x | x x", {36, 36, 36}},
    /* co 2, and rising pairs out of 3: 6. Two such readers: 2 times 6 times 6. */
    {"2-writers-2-loads", "x=1 | x=2 | x x", {12, 12, 12}},
    {"2-writers-2x2-loads", "x=1 | x=2 | x x | x x", {72, 72, 72}},
    /* The first to come wins, and the others read what it wrote. */
    {"cas2", "x:0>1 | x:0>2", {2, 2, 2}},
    {"cas3", "x:0>1 | x:0>2 | x:0>3", {3, 3, 3}},
    {"cas4", "x:0>1 | x:0>2 | x:0>3 | x:0>4", {4, 4, 4}},
    /* 1 before 2 before 3, or someone is too early: the 0>1 wins always. 1>2 reads 0 or 1; if 0,
       2>3 reads 0 or 1: 2; if 1, 2>3 reads 0, 1 or 2: 3. */
    {"cas-chain", "x:0>1 | x:1>2 | x:2>3", {5, 5, 5}},
    {"cas-chain-back", "x:2>3 | x:1>2 | x:0>1", {5, 5, 5}},
    /* co: the increment behind what it read. It reads 0: it comes first. It reads 5: it is last. */
    {"add-store", "x+1 | x=5", {2, 2, 2}},
    /* The increment reads one of 3 (0, 3, 5) and follows it; co of the stores: 2. */
    {"add-2-stores", "x+1 | x=3 | x=5", {6, 6, 6}},
    {"add2-read", "x+1 | x+1 | x", {6, 6, 6}},          /* 2 orders, 3 values */
    {"add3-read", "x+1 | x+1 | x+1 | x", {24, 24, 24}}, /* 6 orders, 4 values */
    {"add-read2", "x+1 x+1 | x x", {6, 6, 6}},          /* as one writer of 2 values */
    /* rf 2 times 2, less the weak outcome where it is forbidden. */
    {"SB", "x=1 y | y=1 x", {4, 4, 3}},
    {"SB+sc", "x=1.sc y.sc | y=1.sc x.sc", {3, 3, 3}},
    {"SB+fences", "x=1 f.sc y | y=1 f.sc x", {3, 3, 3}},
    {"MP", "x=1 y=1 | y x", {4, 3, 3}},
    {"MP+rel-acq", "x=1 y=1.rel | y.acq x", {3, 3, 3}},
    {"LB", "x y=1 | y x=1", {3, 3, 3}},
    {"LB-back", "y=1 | x | y | x=1", {4, 4, 4}},
    {"2+2W", "x=1 y=2 | y=1 x=2", {4, 3, 3}},
    {"2+2W+fences", "x=1 f.sc y=2 | y=1 f.sc x=2", {3, 3, 3}},
    {"R", "x=1 y=1 | y=2 x", {4, 4, 3}},
    {"S", "x=2 y=1 | y x=1", {4, 3, 3}},
    {"WRC", "x=1 | x y=1 | y x", {8, 7, 7}},
    {"WRC+rel-acq", "x=1 | x y=1.rel | y.acq x", {7, 7, 7}},
    {"ISA2", "x=1 y=1 | y z=1 | z x", {8, 7, 7}},
    {"IRIW", "x=1 | y=1 | x y | y x", {16, 15, 15}},
    {"IRIW+fences", "x=1 | y=1 | x f.sc y | y f.sc x", {15, 15, 15}},
    {"3.SB", "x=1 y | y=1 z | z=1 x", {8, 8, 7}},
    {"3.LB", "x y=1 | y z=1 | z x=1", {7, 7, 7}},
    {"3.2W", "x=1 y=2 | y=1 z=2 | z=1 x=2", {8, 7, 7}},
};

enum { SPARE_RUNS = 8 }; /* beside 3 times the executions: those that find out what is shared */

static int report(const char *name, const char *program, const char *model, const char *what)
{
    printf("FAILED  %-24s %-5s %s\n        %s\n", name, model, program, what);
    return 1;
}

static int check_verdicts(enum check_model model, struct outcomes *seen)
{
    int failures = 0, n = sizeof verdicts / sizeof *verdicts;
    for (int i = 0; i < n; i++) {
        struct litmus l = litmus_parse(verdicts[i].program);
        struct check_result r = litmus_run(&l, model, seen);
        bool weak = false;
        for (int k = 0; k < seen->n; k++)
            weak |= outcome_is(seen->text[k], verdicts[i].weak);
        if (r.verdict != CHECK_OK || r.blocked)
            failures += report(verdicts[i].name, verdicts[i].program, model_names[model],
                               r.failure ? r.failure : "blocked");
        else if (weak != (verdicts[i].seen[model] == 'y'))
            failures += report(verdicts[i].name, verdicts[i].program, model_names[model],
                               weak ? "seen, but not allowed" : "allowed, but not seen");
        free(r.failure);
    }
    printf("verdicts %s: %d programs, %d failures\n", model_names[model], n, failures);
    return failures;
}

static int check_races(enum check_model model, struct outcomes *seen)
{
    int failures = 0, n = sizeof races / sizeof *races;
    for (int i = 0; i < n; i++) {
        struct litmus l = litmus_parse(races[i].program);
        struct check_result r = litmus_run(&l, model, seen);
        const char *expected = races[i].failure[model];
        if ((r.verdict != CHECK_OK) != (expected != NULL))
            failures += report(races[i].name, races[i].program, model_names[model],
                               expected ? "not found" : r.failure);
        else if (expected && strncmp(r.failure, expected, strlen(expected)) != 0)
            failures += report(races[i].name, races[i].program, model_names[model], r.failure);
        free(r.failure);
    }
    printf("races %s: %d programs, %d failures\n", model_names[model], n, failures);
    return failures;
}

static int check_counts(enum check_model model, struct outcomes *seen)
{
    int failures = 0, n = sizeof counts / sizeof *counts;
    for (int i = 0; i < n; i++) {
        struct litmus l = litmus_parse(counts[i].program);
        struct check_result r = litmus_run(&l, model, seen);
        uint64_t expected = counts[i].executions[model];
        char what[160];
        snprintf(what, sizeof what, "%llu executions in %llu runs, %llu blocked; %llu expected",
                 (unsigned long long)r.executions, (unsigned long long)r.runs,
                 (unsigned long long)r.blocked, (unsigned long long)expected);
        if (r.verdict != CHECK_OK || r.executions != expected || r.blocked ||
            r.runs > 3 * expected + SPARE_RUNS)
            failures += report(counts[i].name, counts[i].program, model_names[model],
                               r.failure ? r.failure : what);
        free(r.failure);
    }
    printf("counts %s: %d programs, %d failures\n", model_names[model], n, failures);
    return failures;
}

/* ---- Random programs ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static unsigned below(uint64_t *state, unsigned n)
{
    return (unsigned)(next_random(state) >> 33) % n;
}

/* Of 12 steps, how many are of each kind; the rest are loads. */
static const struct mix {
    const char *name;
    unsigned adds, swaps, fences, stores;
} mixes[] = {{"rmw", 2, 2, 1, 4}, {"plain", 0, 1, 2, 5}};
enum { MIXES = sizeof mixes / sizeof *mixes, STEPS_OF_MIX = 12 };

/* As text: what a failure shows can be put into the tables above. */
static void random_program(uint64_t *state, const struct mix *mix, char *text)
{
    static const char *const load[] = {"", "", ".acq", ".sc"}, *const rmw[] = {"", ".ar", ".sc"};
    static const char *const store[] = {"", "", ".rel", ".sc"};
    static const char *const fence[] = {".acq", ".rel", ".ar", ".sc", ".sc", ".sc"};
    int threads = 2 + (int)below(state, 3), steps = threads + 1 + (int)below(state, 4);
    unsigned words = 1 + below(state, 3);
    bool sc = below(state, 2); /* else fences alone: the checker has a path of its own for those */
    for (int i = 0, t = 0; i < steps; i++) {
        /* Every thread has a step at least; a bar comes with the chance that makes them even. */
        if (i > 0 && t < threads - 1 &&
            below(state, (unsigned)(steps - i)) < (unsigned)(threads - 1 - t)) {
            text += sprintf(text, " |");
            t++;
        }
        char where = "xyz"[below(state, words)];
        unsigned value = 1 + below(state, 2);
        unsigned kind = below(state, STEPS_OF_MIX), swaps = mix->adds + mix->swaps;
        unsigned fences = swaps + mix->fences, stores = fences + mix->stores;
        if (kind < mix->adds)
            text += sprintf(text, " %c+1%s", where, rmw[below(state, sc ? 3 : 2)]);
        else if (kind < swaps)
            text += sprintf(text, " %c:%u>%u%s", where, below(state, 2), value,
                            rmw[below(state, sc ? 3 : 2)]);
        else if (kind < fences)
            text += sprintf(text, " f%s", fence[below(state, 6)]);
        else if (kind < stores)
            text += sprintf(text, " %c=%u%s", where, value, store[below(state, sc ? 4 : 3)]);
        else
            text += sprintf(text, " %c%s", where, load[below(state, sc ? 4 : 3)]);
    }
}

static int check_random(enum check_model model, struct outcomes *seen, const struct mix *mix,
                        uint64_t seed, int n)
{
    int failures = 0;
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1, runs = 0, executions = 0;
    struct outcomes *expected = malloc(sizeof *expected);
    if (!expected)
        abort();
    for (int i = 0; i < n; i++) {
        char text[STEPS * 12] = "", what[160];
        random_program(&state, mix, text);
        struct litmus l = litmus_parse(text);
        struct check_result r = litmus_run(&l, model, seen);
        uint64_t number = litmus_enumerate(&l, model, expected);
        snprintf(what, sizeof what, "%llu executions, %d outcomes; %llu, %d expected",
                 (unsigned long long)r.executions, seen->n, (unsigned long long)number,
                 expected->n);
        if (r.verdict != CHECK_OK || r.blocked || r.executions != number ||
            !outcomes_equal(seen, expected))
            failures += report("random", text, model_names[model], r.failure ? r.failure : what);
        free(r.failure);
        runs += r.runs;
        executions += r.executions;
    }
    free(expected);
    printf("random %s %s, seed %llu: %d programs, %d failures, %llu executions in %llu runs\n",
           mix->name, model_names[model], (unsigned long long)seed, n, failures,
           (unsigned long long)executions, (unsigned long long)runs);
    return failures;
}

static int show(enum check_model model, struct outcomes *seen, const char *text)
{
    struct litmus l = litmus_parse(text);
    struct check_result r = litmus_run(&l, model, seen);
    printf("%s\n%llu executions in %llu runs\n", r.failure ? r.failure : "no failure",
           (unsigned long long)r.executions, (unsigned long long)r.runs);
    free(r.failure);
    for (int i = 0; i < seen->n; i++)
        printf("    %s\n", seen->text[i]);
    return r.verdict != CHECK_OK;
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 10;
}

static int usage(void)
{
    fprintf(stderr, "usage: litmus MODEL verdicts|races|counts\n"
                    "       litmus MODEL random MIX SEED PROGRAMS\n"
                    "       litmus MODEL show 'PROGRAM'      (see program.h)\n"
                    "MODEL is rc11, tso or sc; MIX rmw, or plain for fewer of those.\n");
    return 2;
}

int main(int argc, char **argv)
{
    int model = 0, failures;
    size_t mix = 0;
    struct outcomes *seen = malloc(sizeof *seen);
    if (!seen)
        abort();
    while (argc > 2 && model < 3 && strcmp(argv[1], model_names[model]) != 0)
        model++;
    if (argc < 3 || model == 3)
        return usage();
    while (argc == 6 && mix < MIXES && strcmp(argv[3], mixes[mix].name) != 0)
        mix++;
    if (argc == 3 && !strcmp(argv[2], "verdicts"))
        failures = check_verdicts(model, seen);
    else if (argc == 3 && !strcmp(argv[2], "races"))
        failures = check_races(model, seen);
    else if (argc == 3 && !strcmp(argv[2], "counts"))
        failures = check_counts(model, seen);
    else if (argc == 6 && !strcmp(argv[2], "random") && mix < MIXES && is_number(argv[4]) &&
             is_number(argv[5]))
        failures =
            check_random(model, seen, &mixes[mix], strtoull(argv[4], NULL, 10), atoi(argv[5]));
    else if (argc == 4 && !strcmp(argv[2], "show"))
        failures = show(model, seen, argv[3]);
    else
        return usage();
    free(seen);
    return failures > 0;
}
