/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "promise.h"
#include "state.h"

enum { LANES = CHECK_THREADS + 1, STEPS = 64, LOOKS = 16, TEXT = 8192 };

struct call {
    uint8_t thread, op;
    bool ended;
    int argument, result; /* HISTORY_STEAL_MANY: how many */
    uint8_t items[PROMISE_MANY];
    uint16_t before[CHECK_THREADS]; /* events of each thread that happen before it began */
    uint16_t end;                   /* events of its own thread when it had ended */
    uint64_t earlier;               /* the calls that precede it */
    uint64_t steps;
};

/* An order so far: which steps, and what they left behind. */
struct prefix {
    struct contents contents;
    uint64_t done;
    uint64_t occupied[LOOKS]; /* where each EMPTY has found something every time */
};

/* In a section of its own, so that the checker need not reset it for every run: start does. */
static struct {
    struct promise promise;
    int calls;
    bool overflowed;
    int open[LANES]; /* each thread's call that has not ended */
    struct call call[HISTORY_CALLS];
    /* The rest is made by check. */
    int steps, first[LANES + 1]; /* the steps of a thread are [first[i], first[i + 1]) */
    struct step step[STEPS];
    uint64_t before[STEPS];      /* steps that must come first */
    uint64_t empty;              /* the steps that are an EMPTY */
    uint8_t look[STEPS];         /* their numbers among those */
    uint8_t item[PROMISE_ITEMS]; /* what the client calls the i-th item */
    uint64_t best;               /* as many steps as could be put in order */
    char text[TEXT];
    size_t length;
} h CHECK_STATE = {.calls = 0};

/* ---- Recording ---- */

bool history_start(const char *kind, const heist_queue_opts *opts)
{
    h.calls = 0;
    h.overflowed = false;
    return promise_of(&h.promise, kind, opts);
}

void history_begin(int thread, enum history_op op, int argument)
{
    uint16_t before[CHECK_THREADS] = {0};
    if (thread != HISTORY_MAIN)
        check_mark(before); /* others may run meanwhile: nothing is written before it returns */
    if (h.calls == HISTORY_CALLS) {
        h.overflowed = true;
        return;
    }
    struct call *call = &h.call[h.open[thread] = h.calls++];
    memset(call, 0, sizeof *call);
    call->thread = (uint8_t)thread;
    call->op = (uint8_t)op;
    call->argument = argument;
    memcpy(call->before, before, sizeof before);
}

static struct call *end(int thread)
{
    uint16_t before[CHECK_THREADS] = {0};
    if (thread != HISTORY_MAIN)
        check_mark(before);
    struct call *call = &h.call[h.open[thread]];
    if (!h.overflowed) {
        call->ended = true;
        call->end = thread == HISTORY_MAIN ? 0 : before[thread];
    }
    return call;
}

void history_end(int thread, int result)
{
    struct call *call = end(thread);
    call->result = result;
}

void history_end_many(int thread, const int *items, int n)
{
    struct call *call = end(thread);
    if (n > PROMISE_MANY)
        h.overflowed = true;
    call->result = n;
    for (int i = 0; i < n && !h.overflowed; i++)
        call->items[i] = (uint8_t)items[i];
}

/* ---- What it says ---- */

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(h.text + h.length, TEXT - h.length, format, arguments);
    va_end(arguments);
    h.length += (size_t)n < TEXT - h.length ? (size_t)n : TEXT - h.length - 1;
}

static void say_result(const struct call *call)
{
    if (!call->ended)
        say("has not ended");
    else if (call->op == HISTORY_PUT)
        say("%s", call->result ? "true" : "false");
    else if (call->op == HISTORY_STEAL_MANY && !call->result)
        say("none");
    else if (call->op == HISTORY_STEAL_MANY)
        for (int i = 0; i < call->result; i++)
            say(i ? ", %d" : "%d", call->items[i]);
    else if (call->result == HISTORY_NONE)
        say("%s", call->op == HISTORY_GET ? "NULL" : "EMPTY");
    else if (call->result == HISTORY_BUSY)
        say("BUSY");
    else
        say("%d", call->result);
}

static bool precedes(int a, int b) { return h.call[b].earlier >> a & 1; }
static bool concurrent(int a, int b) { return a != b && !precedes(a, b) && !precedes(b, a); }

/* The last call of each other thread that precedes it: those before it do so too. */
static void say_earlier(int call)
{
    const char *separator = "  after ";
    for (int lane = 0; lane < LANES; lane++)
        for (int i = h.calls; lane != h.call[call].thread && --i >= 0;)
            if (h.call[i].thread == lane && precedes(i, call)) {
                say("%s#%d", separator, i);
                separator = ", ";
                break;
            }
}

static void say_history(void)
{
    static const char *const names[] = {"put", "get", "steal", "steal_many"};
    say("  (%s, ", h.promise.kind);
    if (h.promise.full == FULL_BY_BLOCKS)
        say("%d blocks of %d%s)\n", h.promise.blocks, h.promise.entries,
            h.promise.grows ? ", grows" : "");
    else if (h.promise.full == FULL_NEVER)
        say("no bound)\n");
    else
        say("capacity %d)\n", h.promise.capacity);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < h.calls; i++) {
            const struct call *call = &h.call[i];
            if (call->thread != lane)
                continue;
            if (lane == HISTORY_MAIN)
                say("  main      #%-2d  %s", i, names[call->op]);
            else
                say("  thread %d  #%-2d  %s", lane, i, names[call->op]);
            if (call->op == HISTORY_PUT || call->op == HISTORY_STEAL_MANY)
                say("(%d)", call->argument);
            say(" = ");
            say_result(call);
            say_earlier(i);
            say("\n");
        }
}

__attribute__((format(printf, 1, 2))) static const char *wrong(const char *format, ...)
{
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    h.length = 0;
    say("%s\n", what);
    say_history();
    return h.text;
}

static const char *too_long(void)
{
    return wrong(
        "more than %d operations, %d steals, %d EMPTY, or %d items at once: give the client "
        "a shorter script",
        HISTORY_CALLS, STEPS, LOOKS, PROMISE_MANY);
}

/* ---- From calls to steps ---- */

static void find_earlier(void)
{
    for (int b = 0; b < h.calls; b++) {
        struct call *call = &h.call[b];
        for (int a = 0; a < h.calls; a++) {
            const struct call *other = &h.call[a];
            bool earlier;
            if (call->thread == HISTORY_MAIN || other->thread == HISTORY_MAIN ||
                call->thread == other->thread)
                earlier = a < b;
            else
                earlier = call->before[other->thread] >= other->end;
            call->earlier |= (uint64_t)earlier << a;
        }
    }
}

static bool is_owners(const struct call *call)
{
    return call->op == HISTORY_PUT || call->op == HISTORY_GET;
}

static bool took(const struct call *call)
{
    return (call->op == HISTORY_STEAL && call->result >= 0) ||
           (call->op == HISTORY_STEAL_MANY && call->result > 0);
}

static bool is_rival(const struct call *call, unsigned rivals)
{
    switch (call->op) {
    case HISTORY_PUT:
        return rivals & RIVAL_PUT;
    case HISTORY_GET:
        return rivals & RIVAL_GET;
    default:
        return (rivals & RIVAL_TOOK && took(call)) ||
               (rivals & RIVAL_STEAL && call->result != HISTORY_BUSY);
    }
}

static bool has_rival(int call, unsigned rivals)
{
    for (int i = 0; i < h.calls; i++)
        if (is_rival(&h.call[i], rivals) && concurrent(i, call))
            return true;
    return false;
}

/* The number of an item among those put, or -1. */
static int number_of(int item, int items)
{
    for (int i = 0; i < items; i++)
        if (h.item[i] == item)
            return i;
    return -1;
}

/* Numbers the items in the order in which they were put. */
static const char *number_items(int *items)
{
    int owner = HISTORY_MAIN;
    *items = 0;
    for (int i = 0; i < h.calls; i++) {
        const struct call *call = &h.call[i];
        if (!is_owners(call))
            continue;
        if (owner == HISTORY_MAIN)
            owner = call->thread;
        if (call->thread != HISTORY_MAIN && call->thread != owner)
            return wrong("put or get by two threads, %d and %d: a history has one owner", owner,
                         call->thread);
        if (call->op != HISTORY_PUT || !call->result)
            continue;
        if (number_of(call->argument, *items) >= 0)
            return wrong("item %d is put twice: a history needs a new item for each put",
                         call->argument);
        h.item[(*items)++] = (uint8_t)call->argument;
    }
    return NULL;
}

static struct step *new_step(int call, enum step_kind kind)
{
    int looks = __builtin_popcountll(h.empty);
    if (h.steps == STEPS || (kind == STEP_EMPTY && looks == LOOKS)) {
        h.overflowed = true;
        return NULL;
    }
    struct step *step = &h.step[h.steps];
    if (kind == STEP_EMPTY) {
        h.look[h.steps] = (uint8_t)looks;
        h.empty |= (uint64_t)1 << h.steps;
    }
    memset(step, 0, sizeof *step);
    step->kind = kind;
    step->n = step->max = 1;
    h.call[call].steps |= (uint64_t)1 << h.steps++;
    return step;
}

/* A step for the items that a call took; with a claim each, several. */
static void new_takes(int call, const int *numbers, int n, int max, bool each)
{
    for (int i = 0; i < n;) {
        struct step *step = new_step(call, STEP_TAKE);
        if (!step)
            return;
        step->n = each ? 1 : n;
        step->max = each ? 1 : max;
        for (int k = 0; k < step->n; k++)
            step->items[k] = (uint8_t)numbers[i++];
    }
}

/* The steps of a call; NULL, or what is wrong with it whatever the order. */
static const char *new_steps(int i, int items, uint64_t *taken)
{
    const struct call *call = &h.call[i];
    bool many = call->op == HISTORY_STEAL_MANY;
    if (call->op == HISTORY_PUT) {
        new_step(i, call->result ? STEP_PUT : STEP_FULL);
        return NULL;
    }
    if (call->op == HISTORY_STEAL && call->result == HISTORY_BUSY)
        return has_rival(i, h.promise.rivals)
                   ? NULL
                   : wrong("#%d says BUSY, and lost to nobody: nothing that it could have lost to "
                           "was at the same time",
                           i);
    int numbers[PROMISE_MANY], n = many ? call->result : call->result >= 0;
    if (many && n > call->argument)
        return wrong("#%d took more than it was asked for", i);
    for (int k = 0; k < n; k++) {
        int item = many ? call->items[k] : call->result;
        numbers[k] = number_of(item, items);
        if (numbers[k] < 0)
            return wrong("#%d has item %d, which was not put", i, item);
        if (*taken >> numbers[k] & 1)
            return wrong("#%d has item %d, which was taken before", i, item);
        *taken |= (uint64_t)1 << numbers[k];
    }
    if (call->op == HISTORY_GET) {
        struct step *step = new_step(i, n ? STEP_GET : STEP_NULL);
        if (step && n)
            step->items[0] = (uint8_t)numbers[0];
        else if (step)
            step->during_take = has_rival(i, RIVAL_TOOK);
        return NULL;
    }
    bool repeated = many && h.promise.many == MANY_REPEATED;
    new_takes(i, numbers, n, many ? call->argument : 1, repeated);
    /* One that stops early by repetition was EMPTY or BUSY, it does not say which. */
    if (repeated ? n < call->argument && !has_rival(i, h.promise.rivals) : !n)
        new_step(i, STEP_EMPTY);
    return NULL;
}

/*
 * What must come before each step. With blocks, an EMPTY has looked at one block after the other,
 * and nothing orders what it saw of one with what it, or another thief, sees of the next: the
 * owner takes blocks back without telling. So only the owner's calls are before or after it.
 */
static void order_steps(void)
{
    bool blocks = h.promise.reach == REACH_BLOCKS;
    for (int i = 0; i < h.calls; i++) {
        uint64_t before = 0, owners = 0;
        for (int a = 0; a < h.calls; a++)
            if (precedes(a, i)) {
                before |= h.call[a].steps;
                owners |= is_owners(&h.call[a]) ? h.call[a].steps : 0;
            }
        if (blocks && !is_owners(&h.call[i]))
            before &= ~h.empty;
        for (uint64_t s = h.call[i].steps; s; s &= s - 1) {
            h.before[__builtin_ctzll(s)] = blocks && h.empty & s & -s ? owners : before;
            before |= s & -s;
        }
    }
}

/* ---- The search ---- */

static bool is_ready(const struct prefix *x, int s)
{
    return !(h.before[s] & ~x->done) && !(x->done >> s & 1);
}

/*
 * An EMPTY looks at one place after the other. It has come to its end when each of them has been
 * seen without anything since it could begin; it leaves nothing behind, so the earliest end is the
 * best.
 */
static void end_empty_steps(struct prefix *x)
{
    uint64_t left = h.empty & ~x->done;
    while (left) {
        int s = __builtin_ctzll(left);
        left &= left - 1;
        if (!is_ready(x, s))
            continue;
        uint64_t *occupied = &x->occupied[h.look[s]];
        *occupied &= contents_reachable(&h.promise, &x->contents);
        if (*occupied)
            continue;
        x->done |= (uint64_t)1 << s;
        left = h.empty & ~x->done; /* others may be ready now */
    }
}

/* Items that thieves took, and of which step s need not know. */
static uint64_t loose_items(const struct prefix *x, int s)
{
    uint64_t loose = 0, known = 0;
    for (uint64_t others = x->done; others; others &= others - 1) {
        int other = __builtin_ctzll(others);
        const struct step *step = &h.step[other];
        for (int i = 0; step->kind == STEP_TAKE && i < step->n; i++)
            *(h.before[s] >> other & 1 ? &known : &loose) |= (uint64_t)1 << step->items[i];
    }
    /* Whoever knows of a steal knows of all older ones, where they go by one counter. */
    return known && h.promise.reach != REACH_BLOCKS
               ? loose & ~(UINT64_MAX >> __builtin_clzll(known))
               : loose;
}

/* Takes a step; false: not here. */
static bool take_step(struct prefix *x, int s, bool late)
{
    int ring = x->contents.ring;
    uint64_t loose = late ? loose_items(x, s) : 0;
    if (!contents_step(&h.promise, &x->contents, &h.step[s], loose, late))
        return false;
    /* New blocks come between those that a thief is walking along: it may miss the last ones. */
    for (uint64_t e = h.empty & ~x->done; x->contents.ring != ring && e; e &= e - 1)
        if (is_ready(x, __builtin_ctzll(e)))
            x->occupied[h.look[__builtin_ctzll(e)]] = 0;
    x->done |= (uint64_t)1 << s;
    return true;
}

/* A steal and a get that takes something do not depend on what the owner knows of thieves. */
static bool may_be_late(int s) { return h.step[s].kind != STEP_TAKE && h.step[s].kind != STEP_GET; }

/* The thread's next step that is not an EMPTY, if it can be now; else -1. */
static int next_step(const struct prefix *x, int lane)
{
    int s = h.first[lane];
    while (s < h.first[lane + 1] && (x->done | h.empty) >> s & 1)
        s++;
    return s < h.first[lane + 1] && is_ready(x, s) ? s : -1;
}

static bool search(struct prefix x)
{
    end_empty_steps(&x);
    if (__builtin_popcountll(x.done) > __builtin_popcountll(h.best))
        h.best = x.done;
    if (__builtin_popcountll(x.done) == h.steps)
        return true;
    /* Thieves first: what they take late rarely explains anything. */
    for (int lane = LANES - 1; lane >= 0; lane--) {
        int s = next_step(&x, lane);
        if (s < 0)
            continue;
        for (int late = 0; late <= may_be_late(s); late++) {
            struct prefix y = x;
            if (!take_step(&y, s, late))
                continue;
            /* What leaves nothing behind can as well be now. */
            bool idle = !memcmp(&x.contents, &y.contents, sizeof x.contents);
            if (search(y))
                return true;
            if (idle)
                return false;
        }
    }
    return false;
}

const char *history_check(void)
{
    int items;
    uint64_t taken = 0;
    h.steps = 0;
    h.best = h.empty = 0;
    find_earlier();
    if (h.overflowed)
        return too_long();
    for (int i = 0; i < h.calls; i++)
        if (!h.call[i].ended)
            return wrong("#%d has not ended", i);
    const char *text = number_items(&items);
    for (int lane = 0; lane < LANES && !text; lane++) {
        h.first[lane] = h.steps;
        for (int i = 0; i < h.calls && !text; i++)
            if (h.call[i].thread == lane)
                text = new_steps(i, items, &taken);
    }
    if (text)
        return text;
    if (h.overflowed)
        return too_long();
    h.first[LANES] = h.steps;
    order_steps();
    struct prefix x = {.contents = contents_of(&h.promise)};
    memset(x.occupied, 0xff, sizeof x.occupied);
    if (search(x))
        return NULL;
    text = wrong("no order of the operations explains their results");
    const char *separator = "  the longest one leaves out ";
    for (int i = 0; i < h.calls; i++)
        if (h.call[i].steps & ~h.best) {
            say("%s#%d", separator, i);
            separator = ", ";
        }
    say("\n");
    return text;
}
