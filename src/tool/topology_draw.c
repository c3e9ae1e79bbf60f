/* SPDX-License-Identifier: MIT */
#include "topology.h"

#include <stdio.h>

/* ---- The tree ---- */

/* What a CPU is a part of, from large to small: package and node, or node and package, then caches.
 */
enum { OUTER, INNER, LARGEST_CACHE, PARTS = LARGEST_CACHE + HEIST_CACHES };

struct tree {
    const heist_topology *t;
    bool node_is_outer;        /* it spans packages */
    bool shared[HEIST_CACHES]; /* by cores; others are not worth a line */
};

static unsigned cache_of(unsigned part) { return HEIST_CACHES - 1 - (part - LARGEST_CACHE); }

static unsigned number_of(const struct tree *tree, unsigned cpu, unsigned part)
{
    const heist_cpu *c = heist_topology_cpu(tree->t, cpu);
    if (part >= LARGEST_CACHE)
        return c->cache[cache_of(part)];
    return (part == OUTER) == tree->node_is_outer ? c->node : c->package;
}

static bool is_drawn(const struct tree *tree, unsigned cpu, unsigned part)
{
    return number_of(tree, cpu, part) != HEIST_TOPOLOGY_NONE &&
           (part < LARGEST_CACHE || tree->shared[cache_of(part)]);
}

static void find_shape(struct tree *tree)
{
    for (unsigned i = 1; i < heist_topology_cpus(tree->t); i++) {
        const heist_cpu *a = heist_topology_cpu(tree->t, i - 1),
                        *b = heist_topology_cpu(tree->t, i);
        tree->node_is_outer |= a->node == b->node && a->package != b->package;
        for (unsigned k = 0; k < HEIST_CACHES; k++)
            tree->shared[k] |= a->cache[k] == b->cache[k] && a->core != b->core &&
                               a->cache[k] != HEIST_TOPOLOGY_NONE;
    }
}

static void draw_part(const struct tree *tree, unsigned cpu, unsigned part, int depth)
{
    unsigned number = number_of(tree, cpu, part);
    printf("%*s", 2 * depth, "");
    if (part >= LARGEST_CACHE)
        printf("L%u %u\n", cache_of(part) + 1, number);
    else
        printf("%s %u\n", (part == OUTER) == tree->node_is_outer ? "node" : "package", number);
}

/* The lines above a CPU that those above the CPU before it do not say. Near numbers are near, so
   that the CPUs of each thing follow each other. */
static void draw_parts(const struct tree *tree, unsigned cpu)
{
    int depth = 0;
    bool differs = cpu == 0;
    for (unsigned part = OUTER; part < PARTS; part++) {
        if (!is_drawn(tree, cpu, part))
            continue;
        bool is_other = cpu && number_of(tree, cpu, part) != number_of(tree, cpu - 1, part);
        if (is_other && !differs)
            printf("\n");
        differs |= is_other;
        if (differs)
            draw_part(tree, cpu, part, depth);
        depth++;
    }
    if (differs)
        printf("%*sCPUs", 2 * depth, "");
}

void topology_draw_tree(const heist_topology *t)
{
    struct tree tree = {.t = t};
    unsigned n = heist_topology_cpus(t);
    find_shape(&tree);
    printf("%s: %u CPU%s\n\n", heist_topology_is_here(t) ? "this machine" : "the machine described",
           n, n == 1 ? "" : "s");
    for (unsigned i = 0; i < n; i++) {
        const heist_cpu *cpu = heist_topology_cpu(t, i);
        draw_parts(&tree, i);
        bool same_core = i && cpu->core == heist_topology_cpu(t, i - 1)->core &&
                         cpu->core != HEIST_TOPOLOGY_NONE;
        printf("%c%u", same_core ? ',' : ' ', cpu->os);
    }
    printf("\n");
}

/* ---- Levels and workers ---- */

void topology_draw_levels(const heist_topology *t)
{
    char name[64];
    printf("\nlevel  what two CPUs share\n");
    for (unsigned l = 0; l < heist_topology_levels(t); l++)
        printf("%5u  %s\n", l, heist_topology_level_name(t, l, name, sizeof name));
}

/* The workers of one level, as in "L3: 0-3 5", behind `between`. False: there are none. */
static bool draw_level(const heist_topology *t, const unsigned *place, unsigned workers, unsigned w,
                       unsigned level, const char *between)
{
    char name[64];
    bool any = false;
    for (unsigned i = 0; i < workers; i++) {
        unsigned end = i;
        while (end < workers && end != w && heist_topology_level(t, place[w], place[end]) == level)
            end++;
        if (end == i)
            continue;
        if (!any)
            printf("%s%s:", between, heist_topology_level_name(t, level, name, sizeof name));
        any = true;
        printf(end - i == 1 ? " %u" : " %u-%u", i, end - 1);
        i = end - 1;
    }
    return any;
}

void topology_draw_workers(const heist_topology *t, const unsigned *place, unsigned workers)
{
    printf("\nworker  CPU  capacity  near first\n");
    for (unsigned w = 0; w < workers; w++) {
        const heist_cpu *cpu = heist_topology_cpu(t, place[w]);
        const char *between = "";
        printf("%6u %4u %9u  ", w, cpu->os, cpu->capacity);
        for (unsigned level = 0; level < heist_topology_levels(t); level++)
            if (draw_level(t, place, workers, w, level, between))
                between = "; ";
        printf("\n");
    }
}
