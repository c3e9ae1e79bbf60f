/* SPDX-License-Identifier: MIT */
/* The parts of heist report: rows, medians and verdicts, axes, text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "html.h"
#include "judge.h"
#include "scale.h"
#include "table.h"

static struct table parse(const char *text)
{
    struct table t;
    char trouble[128];
    assert_true(table_parse(&t, strdup(text), trouble, sizeof trouble));
    assert_string_equal(trouble, "");
    return t;
}

/* ---- Tables ---- */

static void test_rows(void **state)
{
    (void)state;
    struct table t =
        parse("# first: 1\nkind,n,s\na,1,x\n\nb,,y\r\na,3.0,x\n# second: a: b\n# rest");
    assert_int_equal(t.columns, 3);
    assert_int_equal(t.n, 3);
    assert_string_equal(table_fact(&t, "first"), "1");
    assert_string_equal(table_fact(&t, "second"), "a: b");
    assert_string_equal(table_fact(&t, "third"), "");
    assert_int_equal(table_column(&t, "n", 1), 1);
    assert_int_equal(table_column(&t, "nn", 2), -1);
    assert_int_equal(table_column(&t, "kind,n", 4), 0);
    assert_true(table_alike(&t, 0, 2, "kind,s"));
    assert_false(table_alike(&t, 0, 2, "n"));
    assert_false(table_alike(&t, 0, 1, "s"));
    size_t n, *groups = table_groups(&t, NULL, "kind", &n);
    assert_int_equal(n, 2);
    assert_int_equal(groups[1], 1);
    free(groups);
    groups = table_groups(&t, "kind=a", "n", &n);
    assert_int_equal(n, 2);
    assert_int_equal(groups[1], 2);
    free(groups);
    table_free(&t);
}

static void refuse(const char *text, const char *what)
{
    struct table t;
    char trouble[128];
    assert_false(table_parse(&t, strdup(text), trouble, sizeof trouble));
    assert_non_null(strstr(trouble, what));
    assert_null(t.text);
}

static void test_broken(void **state)
{
    (void)state;
    refuse("a,b\n1,2\n1\n", "line 3 has 1 columns instead of 2");
    refuse("# x: y\na,b\n1,2,3\n", "line 3 has 3 columns instead of 2");
    refuse("a,b\n", "no rows");
    refuse("", "no rows");
    refuse("# only: remarks\n", "no rows");
}

static void test_conditions(void **state)
{
    (void)state;
    char text[128], where[32];
    snprintf(text, sizeof text, "kind,n,w\nabp,10,%u\nabp:x,20,x %u\n", report_cpus(),
             report_cpus());
    struct table t = parse(text);
    assert_true(table_matches(&t, 0, NULL));
    assert_true(table_matches(&t, 0, ""));
    assert_true(table_matches(&t, 0, "kind=abp,n=10"));
    assert_true(table_matches(&t, 0, "n=10.0"));
    assert_false(table_matches(&t, 1, "kind=abp"));
    assert_true(table_matches(&t, 1, "kind=abp:x"));
    assert_false(table_matches(&t, 0, "kind=abp,n=20"));
    assert_false(table_matches(&t, 0, "other=abp"));
    assert_true(table_matches(&t, 0, "w={cpus},n=10"));
    assert_true(table_matches(&t, 1, "w=x {cpus}"));
    snprintf(where, sizeof where, "w=%u", report_cpus() + 1);
    assert_false(table_matches(&t, 0, where));
    table_free(&t);
}

static void test_values(void **state)
{
    (void)state;
    struct table t = parse("a,b,c\n6,2,\n1,0,x\n");
    assert_true(table_value(&t, 0, "a") == 6);
    assert_true(table_value(&t, 0, "a/b") == 3);
    assert_true(table_value(&t, 0, "12/a") == 2);
    assert_true(table_value(&t, 0, "a+b") == 8);
    assert_true(table_value(&t, 0, "a/a+b") == 0.75);
    assert_true(table_value(&t, 0, "1+a+b/b+0.25") == 4);
    assert_true(isnan(table_value(&t, 0, "c")));
    assert_true(isnan(table_value(&t, 1, "c")));
    assert_true(isnan(table_value(&t, 0, "d")));
    assert_true(isnan(table_value(&t, 1, "a/b")));
    size_t n;
    double *values = table_values(&t, NULL, "a/b", &n);
    assert_int_equal(n, 1);
    assert_true(values[0] == 3);
    free(values);
    table_free(&t);
}

/* ---- Verdicts ---- */

static void test_median(void **state)
{
    (void)state;
    assert_true(judge_median((double[]){3, 1, 2}, 3) == 2);
    assert_true(judge_median((double[]){4, 1, 3, 2}, 4) == 2.5);
    assert_true(judge_median((double[]){7}, 1) == 7);
    assert_true(isnan(judge_median(NULL, 0)));
}

static void test_limits(void **state)
{
    (void)state;
    struct claim more = {.test = AT_LEAST, .holds = 2, .part = 1};
    assert_int_equal(judge_ratio(&more, 2), HOLDS);
    assert_int_equal(judge_ratio(&more, 1.99), IN_PART);
    assert_int_equal(judge_ratio(&more, 0.99), HOLDS_NOT);
    struct claim less = {.test = AT_MOST, .holds = 0.5, .part = 1};
    assert_int_equal(judge_ratio(&less, 0.5), HOLDS);
    assert_int_equal(judge_ratio(&less, 0.51), IN_PART);
    assert_int_equal(judge_ratio(&less, 1.01), HOLDS_NOT);
    struct claim like = {.test = WITHIN, .holds = 1.25, .part = 2};
    assert_int_equal(judge_ratio(&like, 0.8), HOLDS);
    assert_int_equal(judge_ratio(&like, 1.25), HOLDS);
    assert_int_equal(judge_ratio(&like, 0.79), IN_PART);
    assert_int_equal(judge_ratio(&like, 2.1), HOLDS_NOT);
}

static void test_ratio(void **state)
{
    (void)state;
    struct table t = parse("kind,v\na,4\na,6\na,1000\nb,2\nb,3\nb,0\n");
    struct claim c = {.value = "v", .over = "kind=a", .under = "kind=b", .holds = 2.5, .part = 1};
    struct judgement j = judge(&c, &t);
    assert_int_equal(j.verdict, HOLDS);
    assert_true(j.ratio == 3);
    assert_int_equal(j.over, 3);
    assert_int_equal(j.under, 3);
    assert_true(j.low <= 3 && j.high >= 3 && j.low < j.high);
    assert_false(j.is_sure);
    struct judgement again = judge(&c, &t);
    assert_true(j.low == again.low && j.high == again.high);
    c.under = NULL;
    assert_true(judge(&c, &t).ratio == 6);
    assert_true(judge(&c, &t).is_sure);
    c.over = "kind=c";
    j = judge(&c, &t);
    assert_int_equal(j.verdict, BROKEN);
    assert_non_null(strstr(j.why, "kind=c"));
    c.over = "kind=a";
    c.under = "kind=b,v=0";
    j = judge(&c, &t);
    assert_int_equal(j.verdict, BROKEN);
    assert_non_null(strstr(j.why, "is 0"));
    table_free(&t);
}

static void test_groups(void **state)
{
    (void)state;
    /* The ratios are 2, 4 and 0.5; the last group has one side only. */
    struct table t = parse("p,kind,v\nx,a,2\nx,b,1\ny,a,8\ny,b,2\nz,a,1\nz,b,2\nw,a,9\n");
    struct claim c = {
        .value = "v", .over = "kind=a", .under = "kind=b", .per = "p", .holds = 2, .part = 1};
    struct judgement j = judge(&c, &t);
    assert_true(j.ratio == 2);
    assert_int_equal(j.over, 3);
    assert_int_equal(j.verdict, HOLDS);
    c.statistic = SHARE;
    j = judge(&c, &t);
    assert_true(fabs(j.ratio - 2.0 / 3) < 1e-9);
    assert_int_equal(j.verdict, HOLDS_NOT);
    struct judge_groups g = judge_groups(&c, &t);
    assert_int_equal(g.n, 4);
    assert_int_equal(g.rows[1], 2);
    assert_true(g.ratios[1] == 4);
    assert_true(isnan(g.ratios[3]));
    judge_free_groups(&g);
    table_free(&t);
}

/* ---- Axes and text ---- */

static void check_scale(double least, double most)
{
    struct scale s = scale_of(least, most);
    double ticks[TICKS_MOST];
    size_t n = scale_ticks(&s, ticks);
    assert_true(s.least <= least && s.most >= most);
    assert_in_range(n, 2, TICKS_MOST);
    for (size_t i = 0; i < n; i++) {
        assert_true(ticks[i] >= s.least - 1e-9 && ticks[i] <= s.most * (1 + 1e-9));
        assert_true(!i || ticks[i] > ticks[i - 1]);
    }
    double low = scale_at(&s, least), high = scale_at(&s, most);
    assert_true(low >= 0 && high <= 1 && (low < high || least == most));
}

static void test_scales(void **state)
{
    (void)state;
    static const double ends[][2] = {{1, 2},      {0, 1},     {0.001, 0.002}, {5, 5},
                                     {0, 0},      {-3, 7},    {1, 1e6},       {0.9, 1.1},
                                     {1e-6, 1e9}, {123, 456}, {0, 1e12},      {1e-9, 2e-9}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        check_scale(ends[i][0], ends[i][1]);
    assert_true(scale_of(1, 100).is_log);
    assert_false(scale_of(0, 100).is_log);
    assert_false(scale_of(10, 100).is_log);
    struct scale s = scale_of(1, 100);
    assert_true(fabs(scale_at(&s, 10) - 0.5) < 1e-9);
    s = scale_of(0, 10);
    assert_true(scale_at(&s, 5) == 0.5);
    assert_true(scale_at(&s, 50) == 1 && scale_at(&s, -50) == 0);
}

static void test_labels(void **state)
{
    (void)state;
    char text[24];
    assert_string_equal(scale_label(0, text), "0");
    assert_string_equal(scale_label(0.1 + 0.2, text), "0.3");
    assert_string_equal(scale_label(1024, text), "1024");
    assert_string_equal(scale_label(100000, text), "100k");
    assert_string_equal(scale_label(2e6, text), "2M");
    assert_string_equal(html_number(1.23456, text), "1.23");
    assert_string_equal(html_number(12345.6, text), "12346");
    assert_string_equal(html_number(NAN, text), "-");
}

static void test_escapes(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    html_text(f, "a<b> & \"c\" 'd'");
    fclose(f);
    assert_string_equal(text, "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_broken),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_values),
        cmocka_unit_test(test_median),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_ratio),      cmocka_unit_test(test_groups),
        cmocka_unit_test(test_scales),     cmocka_unit_test(test_labels),
        cmocka_unit_test(test_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
