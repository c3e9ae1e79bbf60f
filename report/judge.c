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

/* The median of the rows of a group that match; NAN if there are none. */
static double group_median(const struct claim *c, const struct table *t, const size_t *group_of,
                           size_t group, const char *where)
{
    struct sample s = {NULL, 0};
    for (size_t row = 0; row < t->n; row++) {
        if (group_of[row] != group || !table_matches(t, row, where))
            continue;
        double value = table_value(t, row, c->value);
        if (!isfinite(value))
            continue;
        s.at = bench_grow(s.at, s.n, sizeof *s.at);
        s.at[s.n++] = value;
    }
    double median = judge_median(s.at, s.n);
    free(s.at);
    return median;
}

struct judge_groups judge_groups(const struct claim *c, const struct table *t)
{
    struct judge_groups g = {NULL, NULL, 0};
    g.rows = table_groups(t, NULL, c->per, &g.n);
    size_t *group_of = malloc(t->n * sizeof *group_of);
    g.ratios = malloc(g.n * sizeof *g.ratios);
    if (!group_of || !g.ratios)
        bench_fail("out of memory");
    for (size_t row = 0; row < t->n; row++) {
        size_t *group = &group_of[row];
        *group = row ? group[-1] : 0; /* mostly the same */
        while (!table_alike(t, row, g.rows[*group], c->per))
            *group = (*group + 1) % g.n;
    }
    for (size_t i = 0; i < g.n; i++) {
        g.ratios[i] = group_median(c, t, group_of, i, c->over);
        if (c->under)
            g.ratios[i] /= group_median(c, t, group_of, i, c->under);
    }
    free(group_of);
    return g;
}

void judge_free_groups(struct judge_groups *g)
{
    free(g->rows);
    free(g->ratios);
}

/* The ratios of those groups that have one. */
static struct sample group_ratios(const struct claim *c, const struct table *t)
{
    struct sample s = {NULL, 0};
    struct judge_groups g = judge_groups(c, t);
    for (size_t i = 0; i < g.n; i++) {
        if (!isfinite(g.ratios[i]))
            continue;
        s.at = bench_grow(s.at, s.n, sizeof *s.at);
        s.at[s.n++] = c->statistic == SHARE ? g.ratios[i] >= 1 : g.ratios[i];
    }
    judge_free_groups(&g);
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
        if (isfinite(j.ratio)) {
            j.verdict = judge_ratio(c, j.ratio);
            j.is_sure = judge_ratio(c, j.low) == j.verdict && judge_ratio(c, j.high) == j.verdict;
        } else {
            snprintf(j.why, sizeof j.why, "the median of %s with %s is 0", c->value, c->under);
        }
    }
    free(over.at);
    free(under.at);
    return j;
}
