/* SPDX-License-Identifier: MIT */
#include "instance.h"

#include <stdlib.h>

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (*state >> 11) % n;
}

static int by_ratio(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int64_t left = x->profit * y->weight, right = y->profit * x->weight;
    if (left != right)
        return left > right ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static int64_t profit_of(int64_t weight, int64_t range, enum correlation how, uint64_t *state)
{
    int64_t spread = range / 10 + 1;
    if (how == NONE)
        return 1 + (int64_t)draw(state, (uint64_t)range);
    if (how == STRONG)
        return weight + spread;
    int64_t profit = weight - spread + (int64_t)draw(state, (uint64_t)(2 * spread + 1));
    return profit > 0 ? profit : 1;
}

struct instance *instance_new(unsigned items, int64_t range, enum correlation how, uint64_t seed)
{
    uint64_t state = seed * 2 + 0x9e3779b97f4a7c15u;
    struct instance *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->items = items;
    k->item = malloc(items * sizeof *k->item);
    k->weights = malloc((items + 1) * sizeof *k->weights);
    k->profits = malloc((items + 1) * sizeof *k->profits);
    if (!k->item || !k->weights || !k->profits) {
        instance_free(k);
        return NULL;
    }
    for (unsigned i = 0; i < items; i++) {
        k->item[i].weight = 1 + (int64_t)draw(&state, (uint64_t)range);
        k->item[i].profit = profit_of(k->item[i].weight, range, how, &state);
    }
    qsort(k->item, items, sizeof *k->item, by_ratio);
    k->weights[0] = k->profits[0] = 0;
    for (unsigned i = 0; i < items; i++) {
        k->weights[i + 1] = k->weights[i] + k->item[i].weight;
        k->profits[i + 1] = k->profits[i] + k->item[i].profit;
    }
    k->capacity = k->weights[items] / 2;
    return k;
}

void instance_free(struct instance *k)
{
    free(k->item);
    free(k->weights);
    free(k->profits);
    free(k);
}

int64_t instance_bound(const struct instance *k, unsigned first, int64_t capacity)
{
    unsigned low = first, high = k->items; /* items before low fit, all before high + 1 do not */
    while (low < high) {
        unsigned middle = low + (high - low + 1) / 2;
        if (k->weights[middle] - k->weights[first] <= capacity)
            low = middle;
        else
            high = middle - 1;
    }
    int64_t bound = k->profits[low] - k->profits[first];
    if (low < k->items)
        bound += (capacity - (k->weights[low] - k->weights[first])) * k->item[low].profit /
                 k->item[low].weight;
    return bound;
}

int64_t instance_solve(const struct instance *k)
{
    int64_t *best = calloc((size_t)k->capacity + 1, sizeof *best);
    if (!best)
        return -1;
    for (unsigned i = 0; i < k->items; i++)
        for (int64_t c = k->capacity, w = k->item[i].weight; c >= w; c--)
            if (best[c - w] + k->item[i].profit > best[c])
                best[c] = best[c - w] + k->item[i].profit;
    int64_t result = best[k->capacity];
    free(best);
    return result;
}
