/* SPDX-License-Identifier: MIT */
/* The verdicts as CSV: a row for each claim. */
#include <math.h>
#include <string.h>

#include "report.h"

/* In quotes, since sentences have commas. */
static void write_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++)
        fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', f);
}

static void write_number(FILE *f, double value)
{
    fputc(',', f);
    if (isfinite(value))
        fprintf(f, "%.5g", value);
}

static void write_row(FILE *f, const struct findings *findings, const struct paper *p,
                      const struct figure *figure, const struct claim *c)
{
    struct judgement j = report_judge(findings, figure, c);
    const struct experiment *e = figure->why_not ? NULL : report_experiment_of(figure, c);
    fprintf(f, "%s,", p->name);
    write_text(f, figure->name);
    fputc(',', f);
    write_text(f, figure->why_not ? figure->about : c->says);
    fprintf(f, ",%s,", e ? e->name : "");
    write_text(f, c->paper ? c->paper : "");
    write_number(f, j.ratio);
    write_number(f, j.low);
    write_number(f, j.high);
    fprintf(f, ",%zu,%zu,%s,%s,", j.over, j.under, judge_word(j.verdict),
            j.verdict > HOLDS_NOT ? ""
            : j.is_sure           ? "yes"
                                  : "no");
    write_text(f, j.why);
    fputc('\n', f);
}

void report_write_results(const struct findings *findings, const char *path)
{
    FILE *f = report_begin_file(path);
    fprintf(f, "paper,figure,claim,experiment,in_the_paper,ratio,low,high,points_over,points_under,"
               "verdict,sure,why\n");
    for (const struct paper *p = report_papers; p->name; p++)
        for (const struct figure *figure = p->figures; figure->name; figure++)
            for (int i = 0; i < CLAIMS_MOST && (i == 0 || figure->claims[i].says); i++)
                write_row(f, findings, p, figure, &figure->claims[i]);
    report_end_file(f, path);
}
