/* SPDX-License-Identifier: MIT */
#include "scale.h"

#include <math.h>
#include <stdio.h>

enum { FAR_APART = 30, STEPS = 5 };

/* 1, 2 or 5 times a power of ten, not below x. */
static double round_up(double x)
{
    double power = pow(10, floor(log10(x)));
    double digits = x / power;
    return (digits <= 1.0000001 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10) * power;
}

static double step_of(const struct scale *s) { return round_up((s->most - s->least) / STEPS); }

struct scale scale_of(double least, double most)
{
    struct scale s = {.is_log = least > 0 && most / least > FAR_APART};
    if (s.is_log) {
        s.least = pow(10, floor(log10(least)));
        s.most = pow(10, ceil(log10(most)));
        return s;
    }
    s.least = least < 0 ? least : 0;
    s.most = most > s.least ? most : s.least + 1;
    double step = step_of(&s);
    s.least = floor(s.least / step) * step;
    s.most = ceil(s.most / step - 1e-9) * step;
    return s;
}

double scale_at(const struct scale *s, double value)
{
    double at = s->is_log ? log(value / s->least) / log(s->most / s->least)
                          : (value - s->least) / (s->most - s->least);
    return at < 0 ? 0 : at > 1 ? 1 : at;
}

size_t scale_ticks(const struct scale *s, double ticks[static TICKS_MOST])
{
    size_t n = 0;
    if (s->is_log) {
        double decades = round(log10(s->most / s->least));
        double each = ceil(decades / (TICKS_MOST - 1));
        for (double i = 0; i <= decades && n < TICKS_MOST; i += each)
            ticks[n++] = s->least * pow(10, i);
        return n;
    }
    double step = step_of(s);
    for (double i = 0; s->least + i * step <= s->most + step / 2 && n < TICKS_MOST; i++)
        ticks[n++] = s->least + i * step;
    return n;
}

const char *scale_label(double tick, char text[static 24])
{
    double size = fabs(tick);
    if (size < 1e-9)
        snprintf(text, 24, "0");
    else if (size >= 1e6)
        snprintf(text, 24, "%gM", tick / 1e6);
    else if (size >= 1e4)
        snprintf(text, 24, "%gk", tick / 1e3);
    else
        snprintf(text, 24, "%.4g", tick);
    return text;
}
