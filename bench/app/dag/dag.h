/* SPDX-License-Identifier: MIT */
#ifndef APP_DAG_H
#define APP_DAG_H

#include "graph.h"
#include "program.h"

struct dag {
    struct dag_graph graph; /* its `claimed` is a part of the result */
    struct found found;
};

#endif
