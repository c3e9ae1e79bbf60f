/* SPDX-License-Identifier: MIT */
/* What heist topology shows. */
#ifndef TOOL_TOPOLOGY_H
#define TOOL_TOPOLOGY_H

#include <heist/topology.h>

void topology_draw_tree(const heist_topology *t);
void topology_draw_levels(const heist_topology *t);
/* place: the CPU of each worker. */
void topology_draw_workers(const heist_topology *t, const unsigned *place, unsigned workers);

#endif
