/* SPDX-License-Identifier: MIT */
/* An axis: from values to places, with ticks at round numbers. */
#ifndef REPORT_SCALE_H
#define REPORT_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { TICKS_MOST = 12 };

struct scale {
    bool is_log;
    double least, most; /* of the axis */
};

/* For finite values from least to most. By decades if they are all above 0 and far apart; else
   from 0, unless some are below it. */
struct scale scale_of(double least, double most);
/* From 0 at the axis's beginning to 1 at its end. */
double scale_at(const struct scale *s, double value);
/* Round numbers inside, rising; at least two. How many. */
size_t scale_ticks(const struct scale *s, double ticks[static TICKS_MOST]);
/* A tick's number, as short as can be. */
const char *scale_label(double tick, char text[static 24]);

#endif
