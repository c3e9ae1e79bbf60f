/* SPDX-License-Identifier: MIT */
/* The verdict on a claim, whether or not there are rows. */
#include <math.h>
#include <string.h>

#include "report.h"

const struct result *report_result_of(const struct findings *f, const struct experiment *e)
{
    return e ? &f->results[e - report_experiments] : NULL;
}

static struct judgement undecided(enum verdict verdict, const char *why)
{
    struct judgement j = {.verdict = verdict, .ratio = NAN, .low = NAN, .high = NAN};
    snprintf(j.why, sizeof j.why, "%s", why);
    return j;
}

struct judgement report_judge(const struct findings *f, const struct figure *figure,
                              const struct claim *claim)
{
    if (figure->why_not)
        return undecided(figure->is_drawing ? NOTHING : UNMEASURED, figure->why_not);
    const struct experiment *e = report_experiment_of(figure, claim);
    const struct result *r = report_result_of(f, e);
    const char *obstacle;
    switch (r->outcome) {
    case MEASURED:
        return judge(claim, &r->table);
    case FAILED:
        return undecided(BROKEN, r->why);
    case IMPOSSIBLE:
        return undecided(UNMEASURED, r->why);
    default:
        obstacle = report_obstacle(e);
        return undecided(obstacle ? UNMEASURED : PENDING, obstacle ? obstacle : "");
    }
}
