/* SPDX-License-Identifier: MIT */
/* What main.c is told of a layer that offers nothing but the functions of layer.h. */
#include "layer.h"
#include "program.h"

const struct layer layer = {APP_LAYER, par_start, par_stop, program_solve, NULL, NULL, NULL};
