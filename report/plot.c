/* SPDX-License-Identifier: MIT */
/*
 * Plots as SVG, inside of the page or each in a file: all points, and medians.
 * Everything has a room of its own, rows are of a fixed height and letters are taken to be wide, so
 * that no text lies on another.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "html.h"
#include "report.h"
#include "scale.h"

enum {
    WIDTH = 760,
    LETTER = 8,   /* of the 13 pixels' font, at most */
    ROW = 24,     /* a series in a strip plot or a legend */
    AXIS = 52,    /* the ticks' labels, and the axis's */
    HEIGHT = 300, /* of the lines */
    COLOURS = 8,
    GAP = 12
};

struct point {
    size_t series, x; /* numbers of them */
    double y;
};

struct drawing {
    const struct plot *plot;
    const struct table *table;
    const char *style;   /* NULL: the page has it */
    size_t *series, *xs; /* a row for each */
    size_t series_n, xs_n;
    struct point *points;
    size_t n;
    struct scale scale;
};

/* ---- Points ---- */

/* The first column's value, and those of others with the column's name. */
static void name_of(const struct table *t, size_t row, const char *columns, char *name, size_t size)
{
    *name = '\0';
    while (columns && *columns) {
        size_t n = strcspn(columns, ","), used = strlen(name);
        int column = table_column(t, columns, n);
        const char *value = column < 0 ? "" : t->cells[row * t->columns + (size_t)column];
        snprintf(name + used, size - used, "%s%.*s%s%s", used ? ", " : "", used ? (int)n : 0,
                 columns, used ? " " : "", value);
        columns += n + (columns[n] == ',');
    }
}

static size_t find(const struct table *t, const size_t *rows, size_t n, size_t row,
                   const char *columns)
{
    size_t i = 0;
    while (i < n && !table_alike(t, rows[i], row, columns))
        i++;
    return i;
}

static void add_point(struct drawing *d, size_t row, double y)
{
    if (!isfinite(y))
        return;
    d->points = bench_grow(d->points, d->n, sizeof *d->points);
    d->points[d->n++] =
        (struct point){find(d->table, d->series, d->series_n, row, d->plot->series),
                       d->plot->x ? find(d->table, d->xs, d->xs_n, row, d->plot->x) : 0, y};
}

static void add_rows(struct drawing *d)
{
    for (size_t row = 0; row < d->table->n; row++)
        if (table_matches(d->table, row, d->plot->where))
            add_point(d, row, table_value(d->table, row, d->plot->y));
}

/* A point for each series and group: the series' own median beside that of the base. */
static void add_ratios(struct drawing *d)
{
    const struct plot *p = d->plot;
    char columns[128];
    snprintf(columns, sizeof columns, "%s,%s", p->per, p->series);
    const struct claim of_base = {.value = p->y, .over = p->base, .per = p->per};
    const struct claim of_own = {.value = p->y, .over = p->where, .per = columns};
    struct judge_groups base = judge_groups(&of_base, d->table);
    struct judge_groups own = judge_groups(&of_own, d->table);
    for (size_t i = 0; i < own.n; i++) {
        size_t at = find(d->table, base.rows, base.n, own.rows[i], p->per);
        double ratio = own.ratios[i] / base.ratios[at];
        add_point(d, own.rows[i], p->inverse ? 1 / ratio : ratio);
    }
    judge_free_groups(&base);
    judge_free_groups(&own);
}

/* Numbers rise; what is no number keeps its place. */
static void sort_xs(struct drawing *d)
{
    for (size_t i = 1; i < d->xs_n; i++)
        for (size_t j = i; j > 0; j--) {
            size_t before = d->xs[j - 1], here = d->xs[j];
            if (!(table_value(d->table, before, d->plot->x) >
                  table_value(d->table, here, d->plot->x)))
                break;
            d->xs[j - 1] = here;
            d->xs[j] = before;
        }
}

static struct drawing prepare(const struct plot *plot, const struct table *table)
{
    struct drawing d = {.plot = plot, .table = table};
    d.series = table_groups(table, plot->where, plot->series, &d.series_n);
    if (plot->x) {
        d.xs = table_groups(table, plot->where, plot->x, &d.xs_n);
        sort_xs(&d);
    }
    if (plot->base)
        add_ratios(&d);
    else
        add_rows(&d);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < d.n; i++) {
        least = fmin(least, d.points[i].y);
        most = fmax(most, d.points[i].y);
    }
    if (d.n)
        d.scale = scale_of(least, most);
    return d;
}

static void discard(struct drawing *d)
{
    free(d->series);
    free(d->xs);
    free(d->points);
}

static double median_of(const struct drawing *d, size_t series, size_t x)
{
    double *values = NULL;
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (d->points[i].series == series && d->points[i].x == x) {
            values = bench_grow(values, n, sizeof *values);
            values[n++] = d->points[i].y;
        }
    double median = judge_median(values, n);
    free(values);
    return median;
}

/* ---- Shapes ---- */

static void text(FILE *f, double x, double y, const char *anchor, const char *what)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(f, what);
    fputs("</text>\n", f);
}

static void line(FILE *f, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(f, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1,
            y1, x2, y2);
}

static void dot(FILE *f, size_t colour, double x, double y, double radius)
{
    fprintf(f, "<circle class=\"c%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", colour % COLOURS, x,
            y, radius);
}

static void begin(FILE *f, const struct drawing *d, double height)
{
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\" "
            "aria-label=\"",
            WIDTH, height);
    html_text(f, d->plot->y_label);
    fputs("\">\n", f);
    if (d->style)
        fprintf(f, "<style>\n%ssvg{background:var(--box)}\n</style>\n", d->style);
}

static size_t longest_name(const struct drawing *d)
{
    size_t longest = 0;
    for (size_t i = 0; i < d->series_n; i++) {
        char name[64];
        name_of(d->table, d->series[i], d->plot->series, name, sizeof name);
        longest = strlen(name) > longest ? strlen(name) : longest;
    }
    return longest;
}

/* ---- A strip for each series ---- */

static void draw_strips(FILE *f, const struct drawing *d)
{
    enum { MEDIAN = 9 * LETTER };
    double left = (double)longest_name(d) * LETTER + GAP, right = WIDTH - MEDIAN - GAP;
    double bottom = ROW * (double)d->series_n + GAP, ticks[TICKS_MOST];
    char label[24];
    begin(f, d, bottom + AXIS);
    size_t n = scale_ticks(&d->scale, ticks);
    for (size_t i = 0; i < n; i++) {
        double x = left + scale_at(&d->scale, ticks[i]) * (right - left);
        line(f, "grid", x, 4, x, bottom);
        text(f, x, bottom + 18, "middle", scale_label(ticks[i], label));
    }
    text(f, (left + right) / 2, bottom + 40, "middle", d->plot->y_label);
    for (size_t s = 0; s < d->series_n; s++) {
        char name[64];
        double y = ROW * ((double)s + 0.5) + 6, median = median_of(d, s, 0);
        size_t number = 0;
        name_of(d->table, d->series[s], d->plot->series, name, sizeof name);
        text(f, left - GAP, y + 4, "end", name);
        for (size_t i = 0; i < d->n; i++)
            if (d->points[i].series == s) /* a little apart, so that each is seen */
                dot(f, s, left + scale_at(&d->scale, d->points[i].y) * (right - left),
                    y + 4 * (double)((int)(number++ % 3) - 1), 3);
        if (!isfinite(median))
            continue;
        double x = left + scale_at(&d->scale, median) * (right - left);
        line(f, "median", x, y - 9, x, y + 9);
        text(f, WIDTH - 4, y + 4, "end", html_number(median, label));
    }
    fputs("</svg>\n", f);
}

/* ---- Lines over x ---- */

struct frame {
    double left, bottom, each, height; /* each: the room of a value of x */
};

static double place_x(const struct drawing *d, const struct frame *in, size_t series, size_t x)
{
    /* Series side by side, so that points of one do not hide those of another. */
    double beside = fmin(8, in->each / 2 / (double)d->series_n);
    return in->left + in->each * ((double)x + 0.5) +
           beside * ((double)series - ((double)d->series_n - 1) / 2);
}

static double place_y(const struct drawing *d, const struct frame *in, double y)
{
    return in->bottom - scale_at(&d->scale, y) * in->height;
}

static void draw_series(FILE *f, const struct drawing *d, size_t s, const struct frame *in)
{
    double last_x = NAN, last_y = NAN;
    char class[8];
    snprintf(class, sizeof class, "s%zu", s % COLOURS);
    for (size_t i = 0; i < d->n; i++)
        if (d->points[i].series == s)
            dot(f, s, place_x(d, in, s, d->points[i].x), place_y(d, in, d->points[i].y), 3);
    for (size_t x = 0; x < d->xs_n; x++) {
        double median = median_of(d, s, x);
        if (!isfinite(median))
            continue;
        double at = place_x(d, in, s, x), y = place_y(d, in, median);
        if (isfinite(last_x))
            line(f, class, last_x, last_y, at, y);
        line(f, "median", at - 5, y, at + 5, y);
        last_x = at;
        last_y = y;
    }
}

/* The values of x are evenly spaced, whatever they are: so their labels have room. */
static void draw_lines(FILE *f, const struct drawing *d)
{
    double left = 8 * LETTER, top = GAP, bottom = top + HEIGHT, ticks[TICKS_MOST];
    double right = WIDTH - (double)(longest_name(d) + 3) * LETTER - GAP;
    double each = (right - left) / (double)(d->xs_n ? d->xs_n : 1);
    double legend = ROW * (double)d->series_n;
    char label[24];
    begin(f, d, (bottom > legend ? bottom : legend) + AXIS + ROW);
    text(f, 0, top + 4, "start", d->plot->y_label);
    top += ROW;
    bottom += ROW;
    size_t n = scale_ticks(&d->scale, ticks);
    for (size_t i = 0; i < n; i++) {
        double y = bottom - scale_at(&d->scale, ticks[i]) * (bottom - top);
        line(f, "grid", left, y, right, y);
        text(f, left - 6, y + 4, "end", scale_label(ticks[i], label));
    }
    for (size_t x = 0; x < d->xs_n; x++) {
        double value = table_value(d->table, d->xs[x], d->plot->x);
        text(f, left + each * ((double)x + 0.5), bottom + 18, "middle", scale_label(value, label));
    }
    text(f, (left + right) / 2, bottom + 40, "middle", d->plot->x_label);
    struct frame frame = {left, bottom, each, bottom - top};
    for (size_t s = 0; s < d->series_n; s++) {
        char name[64];
        draw_series(f, d, s, &frame);
        name_of(d->table, d->series[s], d->plot->series, name, sizeof name);
        dot(f, s, right + 2 * GAP, top + ROW * (double)s, 5);
        text(f, right + 3 * GAP, top + ROW * (double)s + 4, "start", name);
    }
    fputs("</svg>\n", f);
}

static void draw_nothing(FILE *f, const struct drawing *d)
{
    begin(f, d, 2 * ROW);
    text(f, WIDTH / 2.0, ROW, "middle", "There are no rows to draw.");
    fputs("</svg>\n", f);
}

void report_draw(FILE *out, const struct plot *plot, const struct table *table, const char *style)
{
    struct drawing d = prepare(plot, table);
    d.style = style;
    if (!d.n)
        draw_nothing(out, &d);
    else if (plot->x)
        draw_lines(out, &d);
    else
        draw_strips(out, &d);
    discard(&d);
}
