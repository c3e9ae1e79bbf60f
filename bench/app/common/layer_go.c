/* SPDX-License-Identifier: MIT */
/* The layer go: its algorithms are in Go (../go), APP_GO_SOLVE is the program's. */
#include "program.h"

void go_start(unsigned workers);
void go_stop(void);
void APP_GO_SOLVE(void *job);

const struct layer layer = {APP_LAYER, go_start, go_stop, APP_GO_SOLVE, NULL, NULL, NULL};
