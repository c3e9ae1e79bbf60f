/* SPDX-License-Identifier: MIT */
/*
 * A classification tree from the top. A node looks at all its features side by side, each by counts
 * of the classes for each value; then its rows are filtered into two sets, which are solved side by
 * side. Sets of rows go back and forth between two arrays.
 */
#include "decision_tree.h"

#include "blocks.h"

enum { SEARCH_ALONE = 1024 };

struct branch {
    struct tree_node node;
    size_t size; /* of all nodes from here down */
    struct branch *low, *high;
};

struct rows {
    const struct table *table;
    uint32_t *at, *other;
    size_t n;
    unsigned depth;
    struct branch *branch; /* the result */
};

struct split {
    double purity;
    uint8_t bound;
};

struct search {
    const struct rows *rows;
    uint32_t counts[TABLE_CLASSES]; /* of all rows */
    struct split best[TABLE_FEATURES];
};

static struct split best_of_feature(const struct search *s, size_t feature)
{
    const uint8_t *values = s->rows->table->feature[feature], *class = s->rows->table->class;
    uint32_t counts[FEATURE_VALUES][TABLE_CLASSES] = {{0}};
    uint32_t low[TABLE_CLASSES] = {0}, high[TABLE_CLASSES];
    struct split best = {0, 0};
    size_t rows = 0;
    for (size_t i = 0; i < s->rows->n; i++)
        counts[values[s->rows->at[i]]][class[s->rows->at[i]]]++;
    memcpy(high, s->counts, sizeof high);
    for (unsigned bound = 0; bound < FEATURE_VALUES; bound++) {
        uint32_t here = 0;
        for (unsigned c = 0; c < TABLE_CLASSES; c++) {
            low[c] += counts[bound][c];
            high[c] -= counts[bound][c];
            here += counts[bound][c];
        }
        rows += here;
        if (rows == s->rows->n)
            break;
        double purity = here ? purity_of(low) + purity_of(high) : 0;
        if (purity > best.purity)
            best = (struct split){purity, (uint8_t)bound};
    }
    return best;
}

static void search_features(par *p, size_t from, size_t to, void *context)
{
    struct search *s = context;
    (void)p;
    for (size_t f = from; f < to; f++)
        s->best[f] = best_of_feature(s, f);
}

/* A filter: the rows on one side of the bound. */
struct side {
    const uint8_t *values;
    unsigned bound;
    bool above;
    const uint32_t *from;
    uint32_t *to;
};

static size_t count_side(size_t from, size_t to, void *context)
{
    const struct side *s = context;
    size_t number = 0;
    for (size_t i = from; i < to; i++)
        number += (s->values[s->from[i]] > s->bound) == s->above;
    return number;
}

static size_t write_side(size_t from, size_t to, size_t at, void *context)
{
    const struct side *s = context;
    size_t next = at;
    for (size_t i = from; i < to; i++)
        if ((s->values[s->from[i]] > s->bound) == s->above)
            s->to[next++] = s->from[i];
    return next - at;
}

/* Counts the classes; for a single thread, since every row is looked at ten times more after
   that. */
static void count_classes(struct search *s)
{
    for (size_t i = 0; i < s->rows->n; i++)
        s->counts[s->rows->table->class[s->rows->at[i]]]++;
}

/* Whether there is a split; it is in the node then. */
static bool find_split(par *p, const struct rows *r, struct tree_node *node)
{
    struct search s = {.rows = r};
    count_classes(&s);
    node->class = most_frequent(s.counts);
    if (r->n < SPLIT_LEAST || r->depth == DEPTH_MOST || s.counts[node->class] == r->n)
        return false;
    if (r->n <= SEARCH_ALONE)
        search_features(p, 0, TABLE_FEATURES, &s);
    else
        par_for(p, TABLE_FEATURES, 1, search_features, &s);
    unsigned best = 0;
    for (unsigned f = 1; f < TABLE_FEATURES; f++)
        if (s.best[f].purity > s.best[best].purity)
            best = f;
    if (s.best[best].purity <= purity_of(s.counts))
        return false;
    node->feature = (uint16_t)best;
    node->bound = s.best[best].bound;
    return true;
}

static void grow(par *p, void *arg)
{
    struct rows *r = arg;
    struct branch *b = r->branch = allocate_zeroed(1, sizeof *b);
    b->node.rows = (uint32_t)r->n;
    b->size = 1;
    if (!find_split(p, r, &b->node))
        return;
    struct side side = {r->table->feature[b->node.feature], b->node.bound, false, r->at, r->other};
    const struct filter filter = {count_side, write_side, &side};
    size_t below = par_filter(p, r->n, &filter);
    side.above = true;
    side.to += below;
    par_filter(p, r->n, &filter);
    struct rows low = {r->table, r->other, r->at, below, r->depth + 1, NULL};
    struct rows high = {r->table,     r->other + below, r->at + below,
                        r->n - below, r->depth + 1,     NULL};
    if (r->n <= SEARCH_ALONE) {
        grow(p, &low);
        grow(p, &high);
    } else {
        par_both(p, grow, &low, grow, &high);
    }
    b->low = low.branch;
    b->high = high.branch;
    b->size += b->low->size + b->high->size;
    b->node.others = (uint32_t)(1 + b->low->size); /* from here */
}

/* Writes the branch from nodes[at] on, and frees it. */
static void flatten(struct branch *b, struct tree_node *nodes, size_t at)
{
    nodes[at] = b->node;
    if (b->low) {
        nodes[at].others += (uint32_t)at;
        flatten(b->low, nodes, at + 1);
        flatten(b->high, nodes, nodes[at].others);
    }
    free(b);
}

static void first_rows(par *p, size_t from, size_t to, void *context)
{
    uint32_t *at = context;
    (void)p;
    for (size_t i = from; i < to; i++)
        at[i] = (uint32_t)i;
}

static void solve(par *p, void *arg)
{
    struct decision_tree *job = arg;
    struct rows all = {.table = &job->table, .n = job->table.rows};
    all.at = allocate(all.n, sizeof *all.at);
    all.other = allocate(all.n, sizeof *all.other);
    par_for(p, all.n, 1 << 14, first_rows, all.at);
    grow(p, &all);
    job->number = all.branch->size;
    job->nodes = allocate(job->number, sizeof *job->nodes);
    flatten(all.branch, job->nodes, 0);
    free(all.at);
    free(all.other);
}

PROGRAM_SOLVED_BY(solve);
