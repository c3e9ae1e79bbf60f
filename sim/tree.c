/* SPDX-License-Identifier: MIT */
#include "tree.h"

#include "random.h"

static uint64_t hash(const struct tree *tree, uint64_t task)
{
    return sim_hash(tree->seed ^ sim_hash(task));
}

/* fib(n): fib(n - 1) has 0.618 of its nodes, fib(n - 2) the rest. */
static uint64_t golden_part(uint64_t n)
{
    uint64_t part = n * 618 / 1000;
    return part ? part : 1;
}

/* The square of a chance: mostly little, and so one child has most. */
static uint64_t random_part(uint64_t n, uint64_t *random)
{
    uint64_t chance = sim_next(random) >> 48, square = chance * chance >> 16;
    return 1 + ((n - 1) * square >> 16);
}

unsigned tree_children(const struct tree *tree, struct tree_node node,
                       struct tree_node children[TREE_CHILDREN_MOST])
{
    uint64_t rest = node.size - 1, random = hash(tree, node.first), at = node.first + 1;
    if (!rest || tree->shape == TREE_LEAVES)
        return 0;
    unsigned n = tree->shape == TREE_FIB ? 2 : 1 + (unsigned)(sim_next(&random) >> 62);
    if (n > rest)
        n = (unsigned)rest;
    for (unsigned i = 0; i < n; i++) {
        uint64_t free = rest - (n - 1 - i); /* one for each that follows */
        uint64_t size = i == n - 1                ? rest
                        : tree->shape == TREE_FIB ? golden_part(rest)
                                                  : random_part(free, &random);
        children[i] = (struct tree_node){at, size};
        at += size;
        rest -= size;
    }
    return n;
}

uint64_t tree_work(const struct tree *tree, uint64_t task, uint64_t mean)
{
    return tree->shape == TREE_FIB ? mean : sim_spread(hash(tree, ~task), mean);
}
