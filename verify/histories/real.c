/* SPDX-License-Identifier: MIT */
/*
 * history.c against the queue itself, compiled once per kind: histories-KIND SEED NUMBER.
 *
 * The queue runs random operations one at a time, and each gets a begin and an end somewhere around
 * the moment at which it ran. Such a history must be accepted, for every form of the kind. Then the
 * same with something changed, right or wrong: history.c must agree with the queue, which is asked
 * to run the operations in each order that the times allow. (Not for kinds whose thieves have to
 * ask: what they get depends on more than the operations.)
 */
#include "../../test/kind.h"

#include <stdlib.h>

#include "../../test/random.h"
#include "notation.h"

enum { CALLS = 14, FEW = 6, THREADS = 4, MANY = 3, BEAT = 100, REACH = 250, TEXT = 1024 };

struct call {
    int thread;
    enum history_op op;
    int argument, result, items[MANY];
    int begin, end;
};

struct history {
    int n;
    struct call call[CALLS];
};

static uint64_t seed;
static int below(int n) { return (int)random_below(&seed, (uint64_t)n); }

/* ---- The queue ---- */

static char tokens[CALLS];

static int number_of(const void *item) { return (int)((const char *)item - tokens); }

/* For a thief, which block to begin with; false: there are not so many. */
static bool choose_block(queue *q, int i)
{
#ifdef HEIST_BWOS_H
    if ((uint64_t)i >= heist_load(&q->blocks.number, __ATOMIC_RELAXED))
        return false;
    heist_store(&q->blocks.hint, heist_bwos_block_at_(&q->blocks, (uint64_t)i), __ATOMIC_RELAXED);
    return true;
#else
    (void)q;
    return i == 0;
#endif
}

static void run(queue *q, struct call *c)
{
    void *item = NULL, *items[MANY];
    switch (c->op) {
    case HISTORY_PUT:
        c->result = Q(put)(q, &tokens[c->argument]);
        break;
    case HISTORY_GET:
        item = Q(get)(q);
        c->result = item ? number_of(item) : HISTORY_NONE;
        break;
    case HISTORY_STEAL:
        c->result = HISTORY_NONE;
        if (Q(steal)(q, &item) == HEIST_STEAL_OK)
            c->result = number_of(item);
        break;
    case HISTORY_STEAL_MANY:
        c->result = (int)Q(steal_many)(q, items, (size_t)c->argument);
        for (int i = 0; i < c->result; i++)
            c->items[i] = number_of(items[i]);
    }
}

static void start(queue *q, const heist_queue_opts *opts)
{
    if (Q(init)(q, opts)) {
        fprintf(stderr, "histories-%s: can't make a queue, %s\n", KIND_NAME, form_name(opts));
        exit(1);
    }
}

/* ---- Histories ---- */

/* Times around moments that are `BEAT` apart; not before the thread's last call has ended. */
static void give_times(struct history *h)
{
    int ended[THREADS] = {0};
    for (int i = 0; i < h->n; i++) {
        struct call *c = &h->call[i];
        int moment = (i + 1) * BEAT, earliest = moment - REACH, latest = moment + REACH;
        if (earliest < ended[c->thread])
            earliest = ended[c->thread];
        for (int k = h->n - 1; k > i; k--)
            if (h->call[k].thread == c->thread)
                latest = (k + 1) * BEAT < latest ? (k + 1) * BEAT : latest;
        c->begin = earliest + below(moment - earliest + 1);
        c->end = moment + below(latest - moment);
        ended[c->thread] = c->end + 1;
    }
}

static void make(struct history *h, const heist_queue_opts *opts, int n, bool many)
{
    queue q;
    start(&q, opts);
    h->n = n;
    for (int i = 0; i < n; i++) {
        struct call *c = &h->call[i];
        memset(c, 0, sizeof *c);
        c->thread = below(5) < 3 ? 0 : 1 + below(THREADS - 1);
        if (c->thread == 0)
            c->op = below(3) ? HISTORY_PUT : HISTORY_GET;
        else
            c->op = many && below(3) == 0 ? HISTORY_STEAL_MANY : HISTORY_STEAL;
        c->argument = c->op == HISTORY_PUT ? i : c->op == HISTORY_STEAL_MANY ? 1 + below(MANY) : 0;
        choose_block(&q, below(4));
        run(&q, c);
    }
    Q(fini)(&q);
    give_times(h);
}

static size_t write_word(char *text, const struct call *c, bool begins)
{
    static const char letters[] = "PGSM";
    int n = sprintf(text, begins ? "%d(%c" : "%d) ", c->thread, letters[c->op]);
    if (!begins)
        return (size_t)n;
    if (c->op == HISTORY_PUT)
        n += sprintf(text + n, "%d%s ", c->argument, c->result ? "" : "!");
    else if (c->op != HISTORY_STEAL_MANY)
        n += c->result < 0 ? sprintf(text + n, "- ") : sprintf(text + n, "%d ", c->result);
    else {
        n += sprintf(text + n, "%d=", c->argument);
        for (int i = 0; i < c->result; i++)
            n += sprintf(text + n, i ? ",%d" : "%d", c->items[i]);
        n += sprintf(text + n, " ");
    }
    return (size_t)n;
}

/* At the same time begins come before ends: then neither call precedes the other. */
static void write_history(char *text, const struct history *h)
{
    *text = 0;
    for (int time = 0; time <= CALLS * BEAT + REACH; time++)
        for (int ends = 0; ends < 2; ends++)
            for (int i = 0; i < h->n; i++)
                if ((ends ? h->call[i].end : h->call[i].begin) == time)
                    text += write_word(text, &h->call[i], !ends);
}

static bool precedes(const struct call *a, const struct call *b) { return a->end < b->begin; }

/* ---- Every order, by the queue itself ---- */

struct order {
    int n, call[FEW], block[FEW];
};

/* Whether the queue gives these results in this order. */
static bool agrees(const struct history *h, const struct order *o, const heist_queue_opts *opts)
{
    queue q;
    bool ok = true;
    start(&q, opts);
    for (int i = 0; i < o->n && ok; i++) {
        struct call again = h->call[o->call[i]];
        ok = choose_block(&q, o->block[i]);
        run(&q, &again);
        ok = ok && again.result == h->call[o->call[i]].result;
    }
    Q(fini)(&q);
    return ok;
}

static bool may_be_next(const struct history *h, unsigned done, int i)
{
    for (int k = 0; k < h->n; k++)
        if (!(done >> k & 1) && k != i && precedes(&h->call[k], &h->call[i]))
            return false;
    return !(done >> i & 1);
}

static bool some_order(const struct history *h, struct order o, unsigned done,
                       const heist_queue_opts *opts)
{
    if (o.n == h->n)
        return true;
    for (int i = 0; i < h->n; i++) {
        if (!may_be_next(h, done, i))
            continue;
        struct order next = o;
        next.call[next.n++] = i;
        int blocks = traits.blocks && h->call[i].op == HISTORY_STEAL ? 4 : 1;
        for (int block = 0; block < blocks; block++) {
            next.block[o.n] = block;
            if (agrees(h, &next, opts) && some_order(h, next, done | 1u << i, opts))
                return true;
        }
    }
    return false;
}

/* Where a promise allows more than any order explains (promise.h): an EMPTY that looks at one block
   after the other, a put that has not seen the last steal. */
static bool may_differ(const struct history *h, const heist_queue_opts *opts)
{
    bool exact = traits.shared || traits.resets;
    for (int i = 0; i < h->n; i++)
        for (int k = 0; k < h->n; k++) {
            const struct call *a = &h->call[i], *b = &h->call[k];
            if (i == k || precedes(a, b) || precedes(b, a))
                continue;
            bool stolen = b->op == HISTORY_STEAL && b->result >= 0;
            bool looks = traits.blocks && opts->bound == HEIST_BOUND_GROWS;
            if (!exact && a->op == HISTORY_PUT && (looks || !a->result) && stolen)
                return true;
            if (traits.blocks && a->op == HISTORY_STEAL && a->result == HISTORY_NONE)
                return true;
        }
    return false;
}

/* Two results change places, or one becomes another, or the times are those of other calls. */
static void change(struct history *h)
{
    int i = below(h->n), k = below(h->n), result = h->call[i].result;
    if (below(3) == 0)
        give_times(h);
    if (h->call[i].op != HISTORY_PUT && h->call[k].op != HISTORY_PUT && below(3)) {
        h->call[i].result = h->call[k].result;
        h->call[k].result = result;
    } else if (h->call[i].op != HISTORY_PUT) {
        h->call[i].result = HISTORY_NONE;
    } else if (below(2)) {
        h->call[i].result = !result;
    }
}

/* Two calls in another order than they ran. */
static void shuffle(struct history *h)
{
    int i = below(h->n - 1);
    struct call c = h->call[i];
    h->call[i] = h->call[i + 1];
    h->call[i + 1] = c;
    give_times(h);
}

/* ---- The two tests ---- */

static void fail(const char *text, const heist_queue_opts *opts, const char *should,
                 const char *said)
{
    printf("%s, %s, capacity %zu, block %zu: %s\n  should be %s, but it is %s\n", KIND_NAME,
           form_name(opts), opts->capacity, opts->block, text, should, said ? said : "accepted\n");
    exit(1);
}

static void check_accepted(const heist_queue_opts *opts)
{
    struct history h;
    char text[TEXT];
    make(&h, opts, 2 + below(CALLS - 1), true);
    write_history(text, &h);
    const char *said = play(KIND_NAME, opts, text);
    if (said)
        fail(text, opts, "accepted", said);
}

static void check_agreed(const heist_queue_opts *opts, int count[2])
{
    struct history h;
    char text[TEXT];
    make(&h, opts, 2 + below(FEW - 1), false);
    if (below(2))
        shuffle(&h);
    if (below(2))
        change(&h);
    if (may_differ(&h, opts))
        return;
    write_history(text, &h);
    const char *said = play(KIND_NAME, opts, text);
    bool explained = some_order(&h, (struct order){0}, 0, opts);
    if (explained != !said)
        fail(text, opts, explained ? "accepted" : "refused", said);
    count[explained]++;
}

static long number(const char *word)
{
    char *end;
    long n = strtol(word, &end, 10);
    if (*end || end == word || n < 1) {
        fprintf(stderr,
                "histories-%s: '%s' is no number from 1 on; usage: histories-%s SEED NUMBER\n",
                KIND_NAME, word, KIND_NAME);
        exit(2);
    }
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: histories-%s SEED NUMBER\n", KIND_NAME);
        return 2;
    }
    seed = (uint64_t)number(argv[1]);
    long n = number(argv[2]);
    int agreed[2] = {0, 0};
    heist_queue_opts opts;
    for (size_t form = 0; form_of_kind(form, &opts); form++)
        for (long i = 0; i < n; i++) {
            opts.size = sizeof opts;
            opts.block = traits.blocks ? (size_t)(1 + below(2)) : 0;
            opts.capacity = (opts.block ? opts.block : 1) * (size_t)(1 + below(4));
            check_accepted(&opts);
            if (!thieves_ask(&opts))
                check_agreed(&opts, agreed);
        }
    printf("%s, seed %s: %ld of each form accepted", KIND_NAME, argv[1], n);
    if (traits.asks) {
        printf("\n");
        return 0;
    }
    printf("; agreed on %d accepted and %d refused\n", agreed[1], agreed[0]);
    return !agreed[0] || !agreed[1];
}
