/* SPDX-License-Identifier: MIT */
#include "diagram.h"

#include <stdlib.h>
#include <string.h>

/* A layer has two children for each node before it is narrowed. */
bool diagram_init(struct diagram *d, size_t width)
{
    memset(d, 0, sizeof *d);
    d->width = width;
    d->layer = malloc(2 * width * sizeof *d->layer);
    d->next = malloc(2 * width * sizeof *d->next);
    d->cut = malloc(2 * width * sizeof *d->cut);
    return d->layer && d->next && d->cut;
}

void diagram_fini(struct diagram *d)
{
    free(d->layer);
    free(d->next);
    free(d->cut);
}

/* The order of two layers: the most capacity first. */
static int by_capacity(const void *a, const void *b)
{
    const struct state *x = a, *y = b;
    return (x->capacity < y->capacity) - (x->capacity > y->capacity);
}

static int by_profit(const void *a, const void *b)
{
    const struct state *x = a, *y = b;
    if (x->profit != y->profit)
        return x->profit < y->profit ? 1 : -1;
    return by_capacity(a, b);
}

struct step {
    const struct instance *instance;
    unsigned item; /* that is decided after it */
    int64_t best;
};

/* Behind the last state of the new layer, or, if it has the same capacity, in its place. */
static void append(struct diagram *d, size_t *number, const struct step *step, struct state s)
{
    if (s.profit + instance_bound(step->instance, step->item, s.capacity) <= step->best)
        return;
    struct state *last = *number ? &d->next[*number - 1] : NULL;
    if (last && last->capacity == s.capacity)
        last->profit = last->profit > s.profit ? last->profit : s.profit;
    else
        d->next[(*number)++] = s;
}

/* Leaving the item keeps the order of a layer, and so does taking it: the two are merged. */
static void decide(struct diagram *d, const struct item *item, const struct step *step)
{
    size_t left = 0, taken = 0, number = 0;
    while (left < d->number) {
        struct state s = {d->layer[taken].capacity - item->weight,
                          d->layer[taken].profit + item->profit};
        if (s.capacity >= 0 && s.capacity >= d->layer[left].capacity) {
            append(d, &number, step, s);
            taken++;
        } else {
            append(d, &number, step, d->layer[left++]);
        }
    }
    for (; taken < d->number && d->layer[taken].capacity >= item->weight; taken++) {
        struct state s = {d->layer[taken].capacity - item->weight,
                          d->layer[taken].profit + item->profit};
        append(d, &number, step, s);
    }
    struct state *old = d->layer;
    d->layer = d->next;
    d->next = old;
    d->number = number;
}

static void keep_cut(struct diagram *d, const struct state *layer, size_t number, unsigned item)
{
    memcpy(d->cut, layer, number * sizeof *layer);
    d->cut_number = number;
    d->cut_item = item;
}

static void narrow(struct diagram *d, enum diagram_kind kind)
{
    qsort(d->layer, d->number, sizeof *d->layer, by_profit);
    size_t kept = d->width;
    if (kind == RELAXED) {
        struct state *merged = &d->layer[kept - 1];
        for (size_t i = kept; i < d->number; i++)
            if (d->layer[i].capacity > merged->capacity)
                merged->capacity = d->layer[i].capacity; /* its profit is the most already */
    }
    d->number = kept;
    qsort(d->layer, d->number, sizeof *d->layer, by_capacity);
}

int64_t diagram_compile(struct diagram *d, const struct instance *k, enum diagram_kind kind,
                        unsigned first, struct state from, int64_t best)
{
    d->layer[0] = from;
    d->number = 1;
    d->is_exact = true;
    for (unsigned i = first; i < k->items && d->number; i++) {
        size_t before = d->number;
        decide(d, &k->item[i], &(struct step){k, i + 1, best});
        if (d->number <= d->width)
            continue;
        if (d->is_exact && kind == RELAXED) /* the layer before is where decide has left it */
            keep_cut(d, d->next, before, i);
        d->is_exact = false;
        narrow(d, kind);
    }
    int64_t longest = INT64_MIN;
    for (size_t i = 0; i < d->number; i++)
        longest = d->layer[i].profit > longest ? d->layer[i].profit : longest;
    return longest;
}
