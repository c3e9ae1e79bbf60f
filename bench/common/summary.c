/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "common.h"

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct summary bench_summarize(double *values, size_t n)
{
    struct summary s = {n, NAN, NAN, NAN};
    if (n) {
        qsort(values, n, sizeof *values, compare);
        s.median = (values[(n - 1) / 2] + values[n / 2]) / 2;
        s.min = values[0];
        s.max = values[n - 1];
    }
    return s;
}

const char *bench_short_number(char text[static 16], double value)
{
    double scaled = value < 10000 ? value : value < 1e6 ? value / 1e3 : value / 1e6;
    const char *unit = value < 10000 ? "" : value < 1e6 ? "k" : "M";
    snprintf(text, 16, "%.*f%s", scaled < 10 ? 2 : scaled < 100 ? 1 : 0, scaled, unit);
    return text;
}
