/* SPDX-License-Identifier: MIT */
/* What a claim is, and how rows decide it. */
#ifndef REPORT_JUDGE_H
#define REPORT_JUDGE_H

#include "table.h"

enum test {
    AT_LEAST, /* it holds from the limit on */
    AT_MOST,  /* it holds up to the limit */
    WITHIN    /* it holds from 1/limit to the limit */
};

enum statistic {
    RATIO, /* of medians; with `per` the median of the groups' */
    SHARE  /* of the groups, in which it is 1 or more */
};

struct claim {
    const char *says;       /* in one sentence; NULL ends a list */
    const char *paper;      /* the paper's own number, as text; NULL: none */
    const char *experiment; /* NULL: the figure's */
    enum statistic statistic;
    const char *value; /* an expression, see table.h */
    /* The median of the rows `over`, divided by that of the rows `under`. No `under`: as it is. */
    const char *over, *under;
    const char *per; /* columns: the ratio for each group of rows that are equal in them */
    enum test test;
    double holds, part; /* limits: it holds; it holds in part */
};

enum verdict {
    HOLDS,
    IN_PART,
    HOLDS_NOT,
    UNMEASURED, /* it can't be measured here */
    PENDING,    /* it was not run */
    BROKEN,     /* it was tried, and failed */
    NOTHING,    /* a drawing or a listing */
    VERDICTS
};

struct judgement {
    enum verdict verdict;
    double ratio, low, high; /* and where it is with 95% confidence */
    bool is_sure;            /* all of that leads to the same verdict */
    size_t over, under;      /* numbers of points; with `per` groups, and 0 */
    char why[256];           /* unless it was decided */
};

const char *judge_word(enum verdict v);
struct judgement judge(const struct claim *c, const struct table *t);
/* Of a claim with `per`: for each group a row that stands for it, and the ratio; NAN if a side has
   no rows. */
struct judge_groups {
    size_t *rows;
    double *ratios;
    size_t n;
};
struct judge_groups judge_groups(const struct claim *c, const struct table *t);
void judge_free_groups(struct judge_groups *g);
/* By the ratio alone. */
enum verdict judge_ratio(const struct claim *c, double ratio);

/* The median; `values` get sorted. NAN if there are none. */
double judge_median(double *values, size_t n);

#endif
