/* SPDX-License-Identifier: MIT */
#include "heap.h"

static bool is_before(const struct heap_entry *a, const struct heap_entry *b)
{
    return a->time != b->time ? a->time < b->time : a->actor < b->actor;
}

void heap_add(struct heap *h, unsigned actor, sim_time time)
{
    struct heap_entry entry = {time, actor};
    size_t i = h->n++;
    for (; i && is_before(&entry, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = entry;
}

struct heap_entry heap_take(struct heap *h)
{
    struct heap_entry first = h->at[0], last = h->at[--h->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
        if (child + 1 < h->n && is_before(&h->at[child + 1], &h->at[child]))
            child++;
        if (is_before(&last, &h->at[child]))
            break;
        h->at[i] = h->at[child];
    }
    h->at[i] = last;
    return first;
}
