/* SPDX-License-Identifier: MIT */
/*
 * One queue kind under test: compiled once per kind of the list, with -DKIND=<name>.
 *
 *   queue q; Q(init)(&q, &opts); Q(put)(&q, item); ...
 *
 * A kind that is new in kinds.h must say here what it promises; without it nothing compiles.
 */
#ifndef HEIST_TEST_KIND_H
#define HEIST_TEST_KIND_H

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define KIND_HEADER_ <heist/KIND.h>
#include KIND_HEADER_

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define Q(verb) PASTE(heist_, KIND, _##verb)
#define KIND_NAME STRING(KIND)

typedef PASTE(heist_, KIND, ) queue;

/* What of `capacity` a fixed bound really holds. */
enum holds { EXACTLY, NEXT_POWER_OF_TWO, WHOLE_BLOCKS };

struct traits {
    bool fifo;       /* the owner's order; else LIFO */
    bool fixed;      /* takes HEIST_BOUND_FIXED */
    bool grows;      /* takes HEIST_BOUND_GROWS */
    bool unbounded;  /* what the default bound is */
    bool shared;     /* any thread may put and get */
    bool asks;       /* a steal may have to ask the owner first, whatever the options */
    bool blocks;     /* made of blocks: form and block matter, the owner's block is hidden */
    bool modes;      /* has modes and signals */
    bool shrinks;    /* gives memory back while it runs */
    bool resets;     /* room comes back only when the owner finds it empty */
    unsigned rivals; /* how many thieves it takes for one to lose a race; 0: none ever does */
    enum holds holds;
};

/* clang-format off */
#define TRAITS_global {.fifo = true, .fixed = true, .grows = true, .unbounded = true, \
                       .shared = true}
#define TRAITS_locked {.fixed = true, .grows = true, .unbounded = true, .shared = true, .rivals = 1}
#define TRAITS_abp {.fixed = true, .resets = true, .rivals = 1}
#define TRAITS_chaselev {.fixed = true, .grows = true, .unbounded = true, .shrinks = true, \
                         .rivals = 1, .holds = NEXT_POWER_OF_TWO}
#define TRAITS_bwos_lifo {.fixed = true, .grows = true, .blocks = true, \
                          .rivals = 1, .holds = WHOLE_BLOCKS}
#define TRAITS_bwos_fifo {.fifo = true, .fixed = true, .grows = true, .blocks = true, \
                          .rivals = 1, .holds = WHOLE_BLOCKS}
#define TRAITS_split {.fixed = true, .grows = true, .asks = true, .modes = true, .rivals = 1}
#define TRAITS_bulk {.grows = true, .unbounded = true, .asks = true, .rivals = 2}
#define TRAITS_heist {.fixed = true, .grows = true, .unbounded = true, .asks = true, \
                      .shrinks = true, .rivals = 1}
/* clang-format on */

static const struct traits traits = PASTE(TRAITS_, KIND, );

/*
 * All that a kind may be told apart from sizes: bound, form, mode. Fills `opts` with the i-th
 * combination; false when there is none.
 */
static inline bool form_of_kind(size_t i, heist_queue_opts *opts)
{
    static const struct {
        unsigned mode;
        int signal;
    } modes[] = {{HEIST_SPLIT_USER, 0},         {HEIST_SPLIT_SIGNAL, 0},
                 {HEIST_SPLIT_CONSERVATIVE, 0}, {HEIST_SPLIT_CONSERVATIVE, SIGUSR2},
                 {HEIST_SPLIT_HALF, 0},         {HEIST_SPLIT_HALF, SIGUSR2}};
    unsigned bounds[2], n = 0;
    if (traits.fixed)
        bounds[n++] = HEIST_BOUND_FIXED;
    if (traits.grows)
        bounds[n++] = HEIST_BOUND_GROWS;
    size_t forms = traits.blocks ? 4 : 1, ways = traits.modes ? sizeof modes / sizeof *modes : 1;
    if (i >= n * forms * ways)
        return false;
    memset(opts, 0, sizeof *opts);
    opts->bound = bounds[i % n];
    opts->form = (unsigned)(i / n % forms % 2);
    opts->early = i / n % forms < 2 ? HEIST_EARLY_DEFAULT : HEIST_EARLY_OFF;
    opts->mode = modes[i / n / forms].mode;
    opts->signal = modes[i / n / forms].signal;
    return true;
}

/* The same for people. */
static inline const char *form_name(const heist_queue_opts *opts)
{
    static const char *const modes[] = {"user", "signal", "conservative", "half"};
    static char text[64];
    snprintf(text, sizeof text, "%s%s%s%s%s%s",
             opts->bound == HEIST_BOUND_GROWS ? "grows" : "fixed",
             opts->form == HEIST_FORM_COUNTED ? " counted"
             : traits.blocks                  ? " tagged"
                                              : "",
             opts->early == HEIST_EARLY_OFF ? " hidden" : "", traits.modes ? " " : "",
             traits.modes ? modes[opts->mode] : "", opts->signal ? "+signal" : "");
    return text;
}

/* Whether a steal may have to ask the owner first. */
static inline bool thieves_ask(const heist_queue_opts *opts)
{
    return traits.asks || (traits.blocks && opts->early != HEIST_EARLY_OFF);
}

/* How many items fit when the bound is fixed; `capacity` and `block` are not 0. */
static inline size_t room(size_t capacity, size_t block)
{
    size_t n = 1;
    switch (traits.holds) {
    case NEXT_POWER_OF_TWO:
        while (n < capacity)
            n *= 2;
        return n;
    case WHOLE_BLOCKS:
        n = (capacity + block - 1) / block;
        return (n < 2 ? 2 : n) * block;
    case EXACTLY:
        break;
    }
    return capacity;
}

#endif
