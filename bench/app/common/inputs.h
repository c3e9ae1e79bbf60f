/* SPDX-License-Identifier: MIT */
/* The programs' inputs: the same for the same size, shape and seed, on every machine. */
#ifndef APP_INPUTS_H
#define APP_INPUTS_H

#include "program.h"

/* --- keys: whole numbers below a bound --- */

extern const struct shape key_shapes[];
uint32_t *make_keys(size_t n, unsigned shape, uint64_t bound, uint64_t seed);

/* --- graphs: undirected, without loops from a vertex to itself; edges in random order --- */

struct edge {
    uint32_t a, b;
};
struct graph {
    size_t vertices, edges;
    struct edge *edge;
};
enum {
    GRAPH_VERTICES_MOST = 1 << 27
}; /* so that both directions of all edges have 32-bit numbers */
extern const struct shape graph_shapes[];
struct graph make_graph(size_t vertices, unsigned shape, uint64_t seed);

/* --- points with whole coordinates, so that nothing is ever rounded --- */

enum { POINT_RADIUS = 1 << 29 }; /* no coordinate is larger: a sum of 3 squares fits into 64 bits */
struct point {
    int32_t x[3]; /* x[2] is 0 in the plane */
};
extern const struct shape point_shapes[];
struct point make_point(unsigned dimensions, unsigned shape, uint64_t seed, size_t i);

/* --- text: words of small letters, a blank or a newline after each; a line is a document --- */

struct text {
    size_t words, length;
    char *at;
};
enum { TEXT_WORDS_MOST = 1 << 28 }; /* so that places in it have 32-bit numbers */
extern const struct shape text_shapes[];
struct text make_text(size_t words, unsigned shape, uint64_t seed);

/* --- a table: rows with features, each a byte, and a class --- */

enum { TABLE_FEATURES = 10, TABLE_CLASSES = 4 };
struct table {
    size_t rows;
    uint8_t *feature[TABLE_FEATURES]; /* by column */
    uint8_t *class;
};
extern const struct shape table_shapes[];
struct table make_table(size_t rows, unsigned shape, uint64_t seed);
void drop_table(struct table *t);

#endif
