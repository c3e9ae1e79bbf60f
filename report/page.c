/* SPDX-License-Identifier: MIT */
/* The page: one file that needs nothing else. */
#include <string.h>

#include "common.h"
#include "html.h"
#include "report.h"

static const char style[] =
    "body{background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif;margin:0 "
    "auto;"
    "max-width:60rem;padding:1rem}\n"
    "a{color:var(--link)}h2{border-bottom:1px solid "
    "var(--line);margin-top:3rem}h3{margin-top:2.5rem}"
    "\n.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}"
    "th,td{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:left;"
    "vertical-align:top}\n"
    "td.n{text-align:right;white-space:nowrap}td.v{white-space:nowrap}"
    "code{background:var(--box);font-size:.85em;overflow-wrap:anywhere}"
    "pre{background:var(--box);padding:.6rem;overflow-x:auto;white-space:pre-wrap;"
    "overflow-wrap:anywhere}\n"
    ".claim{border-left:4px solid var(--line);padding-left:.8rem;margin:1rem 0}"
    ".faint{color:var(--faint)}p{margin:.4rem 0}\n"
    ".v0{color:var(--good)}.v1{color:var(--part)}.v2,.v5{color:var(--bad)}"
    ".v3,.v4,.v6{color:var(--none)}.v{font-weight:600;white-space:nowrap}\n"
    "svg{width:100%;min-width:38rem;height:auto;background:var(--box);margin:.8rem 0;padding:.5rem;"
    "box-sizing:border-box}\n";

static const char *const marks[VERDICTS] = {
    [HOLDS] = "\u2713", /* so that it is seen without colours */
    [IN_PART] = "\u25d0", [HOLDS_NOT] = "\u2717", [UNMEASURED] = "\u2013",
    [PENDING] = "\u2026", [BROKEN] = "!",         [NOTHING] = "\u00b7",
};

static void element(FILE *f, const char *tag, const char *text)
{
    fprintf(f, "<%s>", tag);
    html_text(f, text);
    fprintf(f, "</%s>\n", tag);
}

static void write_verdict(FILE *f, enum verdict v)
{
    fprintf(f, "<span class=\"v v%d\">%s ", (int)v, marks[v]);
    html_text(f, judge_word(v));
    fputs("</span>", f);
}

/* Calls `each` for every claim, or once for a figure that has none. */
typedef void claim_fn(FILE *f, const struct paper *p, const struct figure *figure,
                      const struct claim *c, const struct judgement *j);

static void each_claim(FILE *f, const struct findings *findings, const struct paper *p,
                       const struct figure *figure, claim_fn *each)
{
    for (int i = 0; i < CLAIMS_MOST && (i == 0 || figure->claims[i].says); i++) {
        struct judgement j = report_judge(findings, figure, &figure->claims[i]);
        each(f, p, figure, &figure->claims[i], &j);
    }
}

/* ---- Top ---- */

static void write_fact(FILE *f, const char *key, const char *value)
{
    fputs("<tr><th>", f);
    html_text(f, key);
    fputs("</th><td>", f);
    html_text(f, value);
    fputs("</td></tr>\n", f);
}

static void write_machine(FILE *f)
{
    fputs("<details><summary>The machine</summary>\n<div class=\"wide\"><table>\n", f);
    for (const struct fact *m = bench_machine(); m->key; m++)
        write_fact(f, m->key, m->value);
    fputs("</table></div></details>\n", f);
}

static void write_experiments(FILE *f, const struct findings *findings)
{
    fputs(
        "<details><summary>What was run</summary>\n<div class=\"wide\"><table>\n<tr><th>experiment"
        "</th><th>rows</th><th>seconds</th><th>command, or why not</th></tr>\n",
        f);
    for (const struct experiment *e = report_experiments; e->name; e++) {
        const struct result *r = report_result_of(findings, e);
        fprintf(f, "<tr><td id=\"run-%s\">%s<br><span class=\"faint\">", e->name, e->name);
        html_text(f, e->about);
        fputs("</span></td>", f);
        if (r->outcome == MEASURED) {
            fprintf(f, "<td class=\"n\"><a href=\"rows/%s.csv\">%zu</a></td><td class=\"n\">",
                    e->name, r->table.n);
            html_text(f, table_fact(&r->table, REPORT_SECONDS));
            fputs("</td><td><code>", f);
            html_text(f, table_fact(&r->table, REPORT_COMMAND));
            fputs("</code><br><span class=\"faint\">", f);
            html_text(f, table_fact(&r->table, REPORT_CPU));
            fputs(" ", f);
            html_text(f, table_fact(&r->table, REPORT_DATE));
            fputs("</span></td></tr>\n", f);
            continue;
        }
        const char *obstacle = r->outcome == NOT_RUN ? report_obstacle(e) : NULL;
        fputs("<td></td><td></td><td>", f);
        html_text(f, obstacle ? obstacle : r->outcome == NOT_RUN ? "not run" : r->why);
        fputs("</td></tr>\n", f);
    }
    fputs("</table></div></details>\n", f);
}

/* Rows that somebody else has measured, and left in the directory. */
static void write_elsewhere(FILE *f, const struct findings *findings)
{
    for (const struct experiment *e = report_experiments; e->name; e++) {
        const struct result *r = report_result_of(findings, e);
        const char *cpu = r->outcome == MEASURED ? table_fact(&r->table, REPORT_CPU) : "";
        if (!*cpu || strcmp(cpu, bench_fact("cpu")) == 0)
            continue;
        fputs("<p><strong>Not all of it was measured here</strong>: some is from ", f);
        html_text(f, cpu);
        fputs(". <em>What was run</em> says where.</p>\n", f);
        return;
    }
}

/* ---- Overview ---- */

static void write_counts(FILE *f, const struct findings *findings)
{
    size_t numbers[VERDICTS] = {0};
    for (const struct paper *p = report_papers; p->name; p++)
        for (const struct figure *figure = p->figures; figure->name; figure++)
            for (int i = 0; i < CLAIMS_MOST && (i == 0 || figure->claims[i].says); i++)
                numbers[report_judge(findings, figure, &figure->claims[i]).verdict]++;
    fputs("<p>", f);
    for (int v = 0; v < VERDICTS; v++) {
        if (!numbers[v])
            continue;
        write_verdict(f, (enum verdict)v);
        fprintf(f, ": %zu &emsp; ", numbers[v]);
    }
    fputs("</p>\n", f);
}

static void write_overview_row(FILE *f, const struct paper *p, const struct figure *figure,
                               const struct claim *c, const struct judgement *j)
{
    char id[64], number[24];
    fprintf(f, "<tr><td><a href=\"#%s\">", report_anchor(p, figure, id));
    html_text(f, figure->name);
    fputs("</a></td><td>", f);
    html_text(f, figure->why_not ? figure->about : c->says);
    fputs("</td><td>", f);
    html_text(f, c->paper ? c->paper : "");
    fprintf(f, "</td><td class=\"n\">%s</td><td class=\"v\">", html_number(j->ratio, number));
    write_verdict(f, j->verdict);
    if (j->verdict <= HOLDS_NOT && !j->is_sure)
        fputs("<br><span class=\"faint\">not sure: noise</span>", f);
    fputs("</td></tr>\n", f);
}

static void write_overview(FILE *f, const struct findings *findings)
{
    fputs("<h2 id=\"overview\">Overview</h2>\n", f);
    write_counts(f, findings);
    for (const struct paper *p = report_papers; p->name; p++) {
        element(f, "h3", p->title);
        fputs("<div class=\"wide\"><table>\n<tr><th>figure</th><th>claim</th><th>the paper</th>"
              "<th>here</th><th>verdict</th></tr>\n",
              f);
        for (const struct figure *figure = p->figures; figure->name; figure++)
            if (!figure->is_drawing)
                each_claim(f, findings, p, figure, write_overview_row);
        fputs("</table></div>\n<details><summary>Drawings, listings and definitions: nothing to "
              "measure</summary>\n<div class=\"wide\"><table>\n",
              f);
        for (const struct figure *figure = p->figures; figure->name; figure++) {
            char id[64];
            if (!figure->is_drawing)
                continue;
            fprintf(f, "<tr id=\"%s\"><td>", report_anchor(p, figure, id));
            html_text(f, figure->name);
            fputs("</td><td>", f);
            html_text(f, figure->about);
            fputs("</td><td>", f);
            html_text(f, figure->why_not);
            fputs("</td></tr>\n", f);
        }
        fputs("</table></div></details>\n", f);
    }
}

/* ---- Figures ---- */

static void write_rows_meant(FILE *f, const char *where)
{
    char text[160];
    fputs("<code>", f);
    html_text(f, table_filled(where ? where : "all rows", text, sizeof text));
    fputs("</code>", f);
}

/* "median of x (a) / median of x (b) = 3.1 (95%: 3.0 to 3.2; 7 and 7 points)" */
static void write_decision(FILE *f, const struct figure *figure, const struct claim *c,
                           const struct judgement *j)
{
    char a[24], b[24], d[24];
    fprintf(f, "<p class=\"faint\">Decided by <code>%s</code>: the ",
            report_experiment_of(figure, c)->name);
    fputs(c->statistic == SHARE ? "share of inputs on which it is 1 or more: " : "", f);
    fputs("median of <code>", f);
    html_text(f, c->value);
    fputs("</code> with ", f);
    write_rows_meant(f, c->over);
    if (c->under) {
        fputs(", divided by that with ", f);
        write_rows_meant(f, c->under);
    }
    fprintf(f, ": <strong>%s</strong> (95%%: %s to %s; ", html_number(j->ratio, a),
            html_number(j->low, b), html_number(j->high, d));
    if (c->per) {
        fprintf(f, "the %s of %zu groups with equal <code>",
                c->statistic == SHARE ? "mean" : "median", j->over);
        html_text(f, c->per);
        fputs("</code>", f);
    } else if (c->under) {
        fprintf(f, "%zu and %zu points", j->over, j->under);
    } else {
        fprintf(f, "%zu points", j->over);
    }
    fputs("). It holds ", f);
    static const char *const formats[] = {
        [AT_LEAST] = "from %g on, in part from %g",
        [AT_MOST] = "up to %g, in part up to %g",
        [WITHIN] = "within a factor of %g, in part within %g",
    };
    fprintf(f, formats[c->test], c->holds, c->part);
    if (!j->is_sure)
        fputs(". <strong>The noise reaches over a limit</strong>: run it longer to be sure", f);
    fputs(".</p>\n", f);
}

static void write_claim(FILE *f, const struct paper *p, const struct figure *figure,
                        const struct claim *c, const struct judgement *j)
{
    (void)p;
    fputs("<div class=\"claim\"><p>", f);
    html_text(f, figure->why_not ? "" : c->says);
    if (c->paper) {
        fputs(" <span class=\"faint\">The paper: ", f);
        html_text(f, c->paper);
        fputs(".</span>", f);
    }
    fputs("</p>\n<p>", f);
    write_verdict(f, j->verdict);
    if (*j->why) {
        fputs(": ", f);
        html_text(f, j->why);
    }
    fputs("</p>\n", f);
    if (j->verdict <= HOLDS_NOT)
        write_decision(f, figure, c, j);
    fputs("</div>\n", f);
}

/* On a narrow screen it can be moved, so that its letters stay legible. */
static void write_plot(FILE *f, const struct plot *plot, const struct table *table)
{
    fputs("<div class=\"wide\">\n", f);
    report_draw(f, plot, table, NULL);
    fputs("</div>\n", f);
}

static void write_command(FILE *f, const struct findings *findings, const struct experiment *e)
{
    const struct result *r = report_result_of(findings, e);
    fputs("<p class=\"faint\">To run it again:</p>\n<pre>", f);
    if (r->outcome == MEASURED) {
        html_text(f, table_fact(&r->table, REPORT_COMMAND));
        fputc('\n', f);
    }
    fprintf(f, REPORT_TOOL " --only %s --again</pre>\n", e->name);
}

static void write_figure(FILE *f, const struct findings *findings, const struct paper *p,
                         const struct figure *figure)
{
    char id[64];
    fprintf(f, "<section id=\"%s\">\n<h3>", report_anchor(p, figure, id));
    html_text(f, figure->name);
    fputs(": ", f);
    html_text(f, figure->about);
    fputs("</h3>\n", f);
    if (figure->note)
        element(f, "p", figure->note);
    each_claim(f, findings, p, figure, write_claim);
    const struct experiment *e = report_experiment_of(figure, NULL);
    if (e && report_result_of(findings, e)->outcome == MEASURED)
        write_plot(f, &figure->plot, &report_result_of(findings, e)->table);
    if (e)
        write_command(f, findings, e);
    fputs("<p><a href=\"#overview\">Overview</a></p>\n</section>\n", f);
}

void report_write_page(const struct findings *findings, const char *path)
{
    FILE *f = report_begin_file(path);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>Heist: the papers' claims, measured here</title>\n<style>\n",
          f);
    fputs(report_plot_style, f);
    fputs(style, f);
    fputs("</style>\n</head>\n<body>\n<h1>The papers' claims, measured here</h1>\n<p>Written by "
          "<code>" REPORT_TOOL "</code> ",
          f);
    html_text(f, bench_fact("version"));
    fputs(", ", f);
    html_text(f, bench_fact("date"));
    fputs(", on ", f);
    html_text(f, bench_fact("cpu"));
    fprintf(f,
            ", %u CPUs. Dots are all points, strokes medians. A ratio of medians decides, with "
            "limits that were written down beside the claims. <a href=\"summary.csv\">All verdicts "
            "as CSV</a>.</p>\n",
            report_cpus());
    write_elsewhere(f, findings);
    write_machine(f);
    write_experiments(f, findings);
    write_overview(f, findings);
    for (const struct paper *p = report_papers; p->name; p++) {
        element(f, "h2", p->title);
        for (const struct figure *figure = p->figures; figure->name; figure++)
            if (!figure->is_drawing)
                write_figure(f, findings, p, figure);
    }
    fputs("</body>\n</html>\n", f);
    report_end_file(f, path);
}
