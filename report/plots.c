/* SPDX-License-Identifier: MIT */
/* How plots look: in the page, and each in a file of its own. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "report.h"

/* Colours that differ also for who sees red and green alike; the words say everything, too. */
const char report_plot_style[] =
    ":root{color-scheme:light dark;--page:#fff;--text:#1b1f24;--faint:#59636e;--line:#d1d9e0;"
    "--box:#f6f8fa;--link:#0550ae;--good:#116329;--part:#8a5a00;--bad:#a40e26;--none:#59636e;"
    "--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b0307a;--c4:#7a6a00;--c5:#2a9fd6;--c6:#5b3cc4;"
    "--c7:#444}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#0d1117;--text:#e6edf3;--faint:#9198a1;"
    "--line:#3d444d;--box:#151b23;--link:#6cb6ff;--good:#4ac26b;--part:#e3b341;--bad:#ff7b72;"
    "--none:#9198a1;--c0:#56b4e9;--c1:#ff9d5c;--c2:#3ddbb0;--c3:#f59bd0;--c4:#e6d84a;--c5:#9ad7ff;"
    "--c6:#b9a4ff;--c7:#ccc}}\n"
    "svg text{fill:var(--text);font:13px system-ui,sans-serif}"
    ".grid{stroke:var(--line)}\n"
    "circle{fill-opacity:.55}line{stroke-width:1.5}line.median{stroke:var(--text);"
    "stroke-width:2.5}"
    ".c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}"
    ".c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}.c7{fill:var(--c7)}\n"
    ".s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}"
    ".s4{stroke:var(--c4)}.s5{stroke:var(--c5)}.s6{stroke:var(--c6)}.s7{stroke:var(--c7)}\n";

/* A figure that was measured, as a picture for documents. */
static void write_plot(const char *directory, const char *anchor, const struct plot *plot,
                       const struct table *table)
{
    size_t size = strlen(directory) + strlen(anchor) + sizeof "/.svg";
    char *path = malloc(size);
    if (!path)
        bench_fail("out of memory");
    snprintf(path, size, "%s/%s.svg", directory, anchor);
    FILE *f = report_begin_file(path);
    report_draw(f, plot, table, report_plot_style);
    report_end_file(f, path);
    free(path);
}

void report_write_plots(const struct findings *findings, const char *directory)
{
    for (const struct paper *p = report_papers; p->name; p++)
        for (const struct figure *figure = p->figures; figure->name; figure++) {
            const struct experiment *e = report_experiment_of(figure, NULL);
            const struct result *r = e ? report_result_of(findings, e) : NULL;
            char anchor[64];
            if (r && r->outcome == MEASURED)
                write_plot(directory, report_anchor(p, figure, anchor), &figure->plot, &r->table);
        }
}
