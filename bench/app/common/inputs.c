/* SPDX-License-Identifier: MIT */
#include "inputs.h"

#include <math.h>

#include "random.h"

/* --- keys --- */

enum { KEYS_RANDOM, KEYS_EXPONENTIAL, KEYS_NEARLY_SORTED, KEYS_FEW };
const struct shape key_shapes[] = {
    [KEYS_RANDOM] = {"random", "all values as likely"},
    [KEYS_EXPONENTIAL] = {"exponential",
                          "each power of 2 as likely as the next: small values again and again"},
    [KEYS_NEARLY_SORTED] = {"nearly-sorted", "in order, but for 1 of 50"},
    [KEYS_FEW] = {"few", "at most 256 different values"},
    {NULL, NULL},
};

uint32_t *make_keys(size_t n, unsigned shape, uint64_t bound, uint64_t seed)
{
    uint32_t *keys = allocate(n, sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        switch (shape) {
        case KEYS_RANDOM:
            keys[i] = random_at_below(seed, i, bound);
            break;
        case KEYS_EXPONENTIAL:
            keys[i] = random_at_exponential(seed, i, bound);
            break;
        case KEYS_NEARLY_SORTED:
            if (random_at(seed, i) % 50)
                keys[i] = (uint32_t)((double)i / (double)n * (double)bound);
            else
                keys[i] = random_at_below(~seed, i, bound);
            break;
        default:
            keys[i] = random_at_below(~seed, random_at_below(seed, i, 256), bound);
        }
    }
    return keys;
}

/* --- graphs --- */

enum { GRAPH_RANDOM, GRAPH_POWER_LAW, GRAPH_GRID2D, GRAPH_GRID3D, GRAPH_DEGREE = 8 };
const struct shape graph_shapes[] = {
    [GRAPH_RANDOM] = {"random", "8 edges per vertex, between any two"},
    [GRAPH_POWER_LAW] = {"power-law", "8 edges per vertex, few vertices have most (R-MAT)"},
    [GRAPH_GRID2D] = {"grid2d", "a square, each vertex joined to those beside it: long ways"},
    [GRAPH_GRID3D] = {"grid3d", "a cube, in the same way"},
    {NULL, NULL},
};

/* R-MAT: down a square of vertices by vertices, each time into one of its quarters. */
static struct edge power_law_edge(size_t vertices, uint64_t *random)
{
    struct edge e = {0, 0};
    for (size_t side = 1; side < vertices; side *= 2) {
        uint64_t quarter = random_below(random, 10);
        e.a = e.a * 2 + (quarter == 6 || quarter > 6);
        e.b = e.b * 2 + (quarter == 5 || quarter > 6);
    }
    return e;
}

static void random_edges(struct graph *g, unsigned shape, uint64_t seed)
{
    uint64_t random = seed;
    g->edges = g->vertices > 1 ? g->vertices * GRAPH_DEGREE : 0;
    g->edge = allocate(g->edges, sizeof *g->edge);
    for (size_t i = 0; i < g->edges;) {
        struct edge e;
        if (shape == GRAPH_POWER_LAW)
            e = power_law_edge(g->vertices, &random);
        else
            e = (struct edge){(uint32_t)random_below(&random, g->vertices),
                              (uint32_t)random_below(&random, g->vertices)};
        if (e.a != e.b && e.a < g->vertices && e.b < g->vertices)
            g->edge[i++] = e;
    }
}

static void grid_edges(struct graph *g, unsigned dimensions)
{
    size_t side = 1, step = 1;
    while (dimensions == 2 ? side * side < g->vertices : side * side * side < g->vertices)
        side++;
    g->edge = allocate(g->vertices * dimensions, sizeof *g->edge);
    for (unsigned d = 0; d < dimensions; d++, step *= side)
        for (size_t i = 0; i + step < g->vertices; i++)
            if (i / step % side != side - 1)
                g->edge[g->edges++] = (struct edge){(uint32_t)i, (uint32_t)(i + step)};
}

struct graph make_graph(size_t vertices, unsigned shape, uint64_t seed)
{
    struct graph g = {.vertices = vertices};
    uint64_t random = ~seed;
    if (shape == GRAPH_GRID2D || shape == GRAPH_GRID3D)
        grid_edges(&g, shape == GRAPH_GRID2D ? 2 : 3);
    else
        random_edges(&g, shape, seed);
    for (size_t i = g.edges; i > 1; i--) {
        size_t other = random_below(&random, i);
        struct edge e = g.edge[i - 1];
        g.edge[i - 1] = g.edge[other];
        g.edge[other] = e;
    }
    return g;
}

/* --- points --- */

enum { POINTS_CUBE, POINTS_SPHERE, POINTS_BALL, POINTS_CLUSTER };
const struct shape point_shapes[] = {
    [POINTS_CUBE] = {"cube", "evenly in a cube, or square"},
    [POINTS_SPHERE] = {"sphere", "on a sphere, or circle"},
    [POINTS_BALL] = {"ball", "evenly in a ball, or disk"},
    [POINTS_CLUSTER] = {"cluster", "dense around the middle, few far out"},
    {NULL, NULL},
};

struct point make_point(unsigned dimensions, unsigned shape, uint64_t seed, size_t i)
{
    struct point p = {{0, 0, 0}};
    uint64_t random = random_at(seed, i);
    double x[3] = {0, 0, 0}, square, scale = POINT_RADIUS;
    do {
        square = 0;
        for (unsigned d = 0; d < dimensions; d++) {
            x[d] = (double)(random_next(&random) >> 11) / (double)((uint64_t)1 << 52) - 1;
            square += x[d] * x[d];
        }
    } while (shape != POINTS_CUBE && (square > 1 || square < 1e-6));
    if (shape == POINTS_SPHERE)
        scale /= sqrt(square);
    else if (shape == POINTS_CLUSTER)
        scale *= square * square * square;
    for (unsigned d = 0; d < dimensions; d++)
        p.x[d] = (int32_t)(x[d] * scale);
    return p;
}

/* --- text --- */

enum { TEXT_POWER_LAW, TEXT_RANDOM, TEXT_DISTINCT, LINE_WORDS_MOST = 100, WORD_LENGTH_MOST = 13 };
const struct shape text_shapes[] = {
    [TEXT_POWER_LAW] = {"power-law",
                        "few words make up most of it, as in a language; lines short and long"},
    [TEXT_RANDOM] = {"random", "all words as likely, a hundred times each"},
    [TEXT_DISTINCT] = {"distinct", "hardly a word comes twice"},
    {NULL, NULL},
};

/* The word of that number, at most WORD_LENGTH_MOST letters; returns its length. */
static size_t spell(char *to, uint64_t seed, uint64_t number)
{
    uint64_t letters = random_at(seed, number);
    size_t length = 2 + letters % (WORD_LENGTH_MOST - 2);
    letters /= WORD_LENGTH_MOST - 2;
    for (size_t i = 0; i < length; i++, letters /= 26)
        to[i] = (char)('a' + letters % 26);
    return length;
}

struct text make_text(size_t words, unsigned shape, uint64_t seed)
{
    struct text t = {.words = words, .at = allocate(words, WORD_LENGTH_MOST + 1)};
    size_t line = 0;
    for (size_t i = 0; i < words; i++) {
        uint32_t number;
        if (shape == TEXT_POWER_LAW)
            number = random_at_exponential(seed, i, words);
        else
            number = random_at_below(seed, i, shape == TEXT_RANDOM ? words / 100 + 1 : words * 8);
        if (!line)
            line = 1 + (shape == TEXT_POWER_LAW
                            ? random_at_exponential(seed + 1, i, LINE_WORDS_MOST * 10)
                            : random_at_below(seed + 1, i, LINE_WORDS_MOST));
        t.length += spell(t.at + t.length, seed + 2, number);
        t.at[t.length++] = --line && i + 1 < words ? ' ' : '\n';
    }
    return t;
}

/* --- tables --- */

enum { TABLE_RULES, TABLE_EXPONENTIAL, TABLE_NOISE, RULE_DEPTH = 8 };
const struct shape table_shapes[] = {
    [TABLE_RULES] = {"rules", "classes by hidden rules, 1 of 20 wrong; features all as likely"},
    [TABLE_EXPONENTIAL] = {"exponential",
                           "the same, but small features are far more often: a lopsided tree"},
    [TABLE_NOISE] = {"noise", "classes by chance: nothing to find, and a large tree"},
    {NULL, NULL},
};

struct table make_table(size_t rows, unsigned shape, uint64_t seed)
{
    struct table t = {.rows = rows, .class = allocate(rows, 1)};
    for (unsigned f = 0; f < TABLE_FEATURES; f++) {
        t.feature[f] = allocate(rows, 1);
        for (size_t i = 0; i < rows; i++)
            t.feature[f][i] =
                (uint8_t)(shape == TABLE_EXPONENTIAL ? random_at_exponential(seed + f, i, 256)
                                                     : random_at_below(seed + f, i, 256));
    }
    for (size_t i = 0; i < rows; i++) {
        uint64_t rule = 1, chance = random_at(seed + TABLE_FEATURES, i);
        for (unsigned depth = 0; depth < RULE_DEPTH; depth++) {
            unsigned f = random_at_below(~seed, 2 * rule, TABLE_FEATURES);
            uint64_t bound =
                random_at_below(~seed, 2 * rule + 1, shape == TABLE_EXPONENTIAL ? 32 : 256);
            rule = 2 * rule + (t.feature[f][i] > bound);
        }
        bool wrong = shape == TABLE_NOISE || chance % 20 == 0;
        t.class[i] = (uint8_t)((wrong ? chance / 20 : random_at(seed, rule)) % TABLE_CLASSES);
    }
    return t;
}

void drop_table(struct table *t)
{
    for (unsigned f = 0; f < TABLE_FEATURES; f++)
        free(t->feature[f]);
    free(t->class);
}
