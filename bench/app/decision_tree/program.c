/* SPDX-License-Identifier: MIT */
#include "decision_tree.h"

#include <string.h>

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct decision_tree *job = allocate_zeroed(1, sizeof *job);
    job->table = make_table(size, shape, seed);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct decision_tree *job = arg;
    spans[0] = (struct span){job->nodes, job->number * sizeof *job->nodes};
    return 1;
}

/* What the node of these rows must be; `others` is 0 for a leaf and 1 for all else. From the
   highest value down, while the algorithm goes up. */
static struct tree_node best_node(const struct table *t, const uint32_t *rows, size_t n,
                                  unsigned depth)
{
    uint32_t all[TABLE_CLASSES] = {0};
    for (size_t i = 0; i < n; i++)
        all[t->class[rows[i]]]++;
    struct tree_node node = {.rows = (uint32_t)n, .class = most_frequent(all)};
    double best = purity_of(all);
    for (uint16_t f = 0; n >= SPLIT_LEAST && depth < DEPTH_MOST && f < TABLE_FEATURES; f++) {
        uint32_t counts[FEATURE_VALUES][TABLE_CLASSES] = {{0}};
        uint32_t below[TABLE_CLASSES], above[TABLE_CLASSES] = {0};
        size_t number = 0;
        for (size_t i = 0; i < n; i++)
            counts[t->feature[f][rows[i]]][t->class[rows[i]]]++;
        memcpy(below, all, sizeof below);
        for (unsigned bound = FEATURE_VALUES - 1; bound--;) {
            for (unsigned c = 0; c < TABLE_CLASSES; c++) {
                above[c] += counts[bound + 1][c];
                below[c] -= counts[bound + 1][c];
                number += counts[bound + 1][c];
            }
            if (!number || number == n)
                continue;
            double purity = purity_of(below) + purity_of(above);
            /* As pure: the lower bound of this feature, but nothing of an earlier one. */
            if (purity > best || (purity == best && node.others && node.feature == f)) {
                best = purity;
                node.others = 1;
                node.feature = f;
                node.bound = (uint8_t)bound;
            }
        }
    }
    return node;
}

/* The nodes from `at` on are the tree of these rows: returns the place behind it, or 0. */
static size_t check_branch(const struct decision_tree *job, size_t at, const uint32_t *rows,
                           size_t n, unsigned depth)
{
    if (at >= job->number)
        return 0;
    const struct tree_node *node = &job->nodes[at];
    struct tree_node right = best_node(&job->table, rows, n, depth);
    bool leaf = !right.others;
    right.others = leaf ? 0 : node->others;
    if (memcmp(&right, node, sizeof right) != 0)
        return 0;
    if (leaf)
        return at + 1;
    const uint8_t *values = job->table.feature[node->feature];
    uint32_t *sides = allocate(n, sizeof *sides);
    size_t below = 0, above = n, end = 0;
    for (size_t i = 0; i < n; i++)
        sides[values[rows[i]] <= node->bound ? below++ : --above] = rows[i];
    if (check_branch(job, at + 1, sides, below, depth + 1) == node->others)
        end = check_branch(job, node->others, sides + below, n - below, depth + 1);
    free(sides);
    return end;
}

/* Grows the tree once more, beside the nodes. */
static const char *check(const void *arg)
{
    const struct decision_tree *job = arg;
    uint32_t *rows = allocate(job->table.rows, sizeof *rows);
    for (size_t i = 0; i < job->table.rows; i++)
        rows[i] = (uint32_t)i;
    size_t end = check_branch(job, 0, rows, job->table.rows, 0);
    free(rows);
    return end == job->number ? NULL : "not the tree of these rows";
}

static void forget(void *arg)
{
    struct decision_tree *job = arg;
    free(job->nodes);
}

static void drop(void *arg)
{
    struct decision_tree *job = arg;
    drop_table(&job->table);
    free(job);
}

const struct program program = {
    .name = "decision_tree",
    .about = "a tree of questions that tell the classes of a table's rows",
    .unit = "rows, of 10 features and 4 classes",
    .sizes = (const size_t[]){400000, 400000, 200000},
    .size_most = 1 << 26, /* squares are exact as floating-point numbers */
    .shapes = table_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
