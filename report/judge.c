/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

enum { RESAMPLES = 1000 };

const char *judge_word(enum verdict v)
{
    static const char *const words[VERDICTS] = {
        [HOLDS] = "holds",
        [IN_PART] = "holds in part",
        [HOLDS_NOT] = "does not hold here",
        [UNMEASURED] = "can't be measured here",
        [PENDING] = "not run",
        [BROKEN] = "failed",
        [NOTHING] = "nothing to measure",
    };
    return words[v];
}

double judge_median(double *values, size_t n) { return bench_summarize(values, n).median; }

static bool is_inside(enum test test, double limit, double ratio)
{
    switch (test) {
    case AT_LEAST:
        return ratio >= limit;
    case AT_MOST:
        return ratio <= limit;
    default:
        return ratio <= limit && ratio >= 1 / limit;
    }
}

enum verdict judge_ratio(const struct claim *c, double ratio)
{
    if (is_inside(c->test, c->holds, ratio))
        return HOLDS;
    return is_inside(c->test, c->part, ratio) ? IN_PART : HOLDS_NOT;
}

/* ---- What is compared ---- */

struct sample {
    double *at;
    size_t n;
};

double judge_group(const struct claim *c, const struct table *t, size_t like)
{
    const char *const sides[] = {c->over, c->under};
    double medians[2] = {1, 1};
    for (int side = 0; side < (c->under ? 2 : 1); side++) {
        struct sample s = {NULL, 0};
        for (size_t row = 0; row < t->n; row++) {
            if (!table_alike(t, row, like, c->per) || !table_matches(t, row, sides[side]))
                continue;
            double value = table_value(t, row, c->value);
            if (!isfinite(value))
                continue;
            s.at = bench_grow(s.at, s.n, sizeof *s.at);
            s.at[s.n++] = value;
        }
        medians[side] = judge_median(s.at, s.n);
        free(s.at);
    }
    return medians[0] / medians[1];
}

/* A ratio for each group that has one. */
static struct sample group_ratios(const struct claim *c, const struct table *t)
{
    struct sample s = {NULL, 0};
    size_t n;
    size_t *groups = table_groups(t, NULL, c->per, &n);
    for (size_t i = 0; i < n; i++) {
        double ratio = judge_group(c, t, groups[i]);
        if (!isfinite(ratio))
            continue;
        s.at = bench_grow(s.at, s.n, sizeof *s.at);
        s.at[s.n++] = c->statistic == SHARE ? ratio >= 1 : ratio;
    }
    free(groups);
    return s;
}

/* ---- How sure it is ---- */

/* The same numbers in each run, so that equal rows give equal pages. */
static size_t draw(uint64_t *state, size_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*state >> 33) % n);
}

static double mean(const double *values, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += values[i];
    return n ? total / (double)n : (double)NAN;
}

/* A share is the mean of ones and zeros. */
static double middle(const struct claim *c, double *values, size_t n)
{
    return c->statistic == SHARE ? mean(values, n) : judge_median(values, n);
}

static double middle_of_resample(const struct claim *c, const struct sample *s, double *room,
                                 uint64_t *state)
{
    for (size_t i = 0; i < s->n; i++)
        room[i] = s->at[draw(state, s->n)];
    return middle(c, room, s->n);
}

/* By the bootstrap: 95% of what comes out when the points are drawn again, with repetition. */
static void find_interval(const struct claim *c, const struct sample *over,
                          const struct sample *under, struct judgement *j)
{
    static double ratios[RESAMPLES];
    uint64_t state = 1;
    size_t most = over->n > under->n ? over->n : under->n;
    double *room = malloc(most * sizeof *room);
    if (!room)
        bench_fail("out of memory");
    for (size_t i = 0; i < RESAMPLES; i++) {
        ratios[i] = middle_of_resample(c, over, room, &state);
        if (under->n)
            ratios[i] /= middle_of_resample(c, under, room, &state);
    }
    free(room);
    judge_median(ratios, RESAMPLES); /* sorts them */
    j->low = ratios[RESAMPLES / 40];
    j->high = ratios[RESAMPLES - 1 - RESAMPLES / 40];
}

struct judgement judge(const struct claim *c, const struct table *t)
{
    struct judgement j = {.verdict = BROKEN, .ratio = NAN, .low = NAN, .high = NAN};
    struct sample over = {NULL, 0}, under = {NULL, 0};
    if (c->per)
        over = group_ratios(c, t);
    else
        over.at = table_values(t, c->over, c->value, &over.n);
    if (c->under && !c->per)
        under.at = table_values(t, c->under, c->value, &under.n);
    bool has_under = c->under && !c->per;
    if (!over.n || (has_under && !under.n)) {
        snprintf(j.why, sizeof j.why, "no row has %s with %s", c->value,
                 !over.n && c->over ? c->over
                 : c->under         ? c->under
                                    : "anything");
    } else {
        j.ratio = middle(c, over.at, over.n);
        if (has_under)
            j.ratio /= middle(c, under.at, under.n);
        j.over = over.n;
        j.under = under.n;
        find_interval(c, &over, &under, &j);
        if (isfinite(j.ratio))
            j.verdict = judge_ratio(c, j.ratio);
        else
            snprintf(j.why, sizeof j.why, "the median of %s with %s is 0", c->value, c->under);
    }
    free(over.at);
    free(under.at);
    return j;
}
