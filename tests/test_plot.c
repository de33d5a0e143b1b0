// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/plot.h"

#include <math.h>

#include "support.h"

Suite *plot_suite(void);

/* "first step n" of the ticks, and their texts. */
static void ticks(es_str *out, double low, double high, int most)
{
    double first, step;
    int n = es_ticks(low, high, most, &first, &step);
    for (int i = 0; i < n; i++) {
        es_str_cat(out, i ? " " : "");
        es_tick_text(out, first + i * step, step);
    }
}

START_TEST(ticks_are_round_and_within)
{
    static const struct {
        double low, high;
        int most;
        const char *want;
    } of[] = {
        {0, 1023, 6, "0 200 400 600 800 1000"},
        {0, 1023, 3, "0 500 1000"},
        {-1, 1, 4, "-1.0 -0.5 0 0.5 1.0"},
        {-0.13, 0.27, 5, "-0.1 0 0.1 0.2"},
        {0.41, 2.9, 5, "0.5 1.0 1.5 2.0 2.5"},
        {0, 0.0004, 2, "0 2e-4 4e-4"},
        {0, 2500000, 5, "0 5e5 1.0e6 1.5e6 2.0e6 2.5e6"},
        {-3e30, 3e30, 3, "-2e30 0 2e30"},
        {7, 7, 5, "7"},
        {0, 10, 1, "0 10"},
        {0.2, 0.3, 1, "0.2 0.3"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        es_str got = {0};
        ticks(&got, of[i].low, of[i].high, of[i].most);
        ck_assert_str_eq(es_str_text(&got), of[i].want);
        es_str_free(&got);
    }
}
END_TEST

START_TEST(what_has_no_ticks_has_none)
{
    double first, step;
    ck_assert_int_eq(es_ticks(NAN, 1, 5, &first, &step), 0);
    ck_assert_int_eq(es_ticks(0, INFINITY, 5, &first, &step), 0);
    ck_assert_int_eq(es_ticks(1, 0, 5, &first, &step), 0);
    ck_assert_int_eq(es_ticks(0, 1, 0, &first, &step), 0);
    ck_assert_int_eq(es_ticks(1e300, nextafter(1e300, 2e300), 5, &first, &step), 0);
    ck_assert_int_ge(es_ticks(-1.7e308, 1.7e308, 5, &first, &step), 1);
}
END_TEST

START_TEST(there_are_about_as_many_as_asked_for)
{
    for (int most = 1; most < 20; most++)
        for (double high = 1e-6; high < 1e6; high *= 1.37) {
            double first, step;
            int n = es_ticks(0, high, most, &first, &step);
            demand(n >= 1 && n <= most + 1, "%d ticks from 0 to %g for %d", n, high, most);
            demand(first == 0 && (n - 1) * step <= high * (1 + 1e-8), "beyond %g", high);
        }
}
END_TEST

START_TEST(a_chart_has_its_corners_where_it_says)
{
    es_chart chart = {
        .x_low = 0, .x_high = 10, .y_low = -1, .y_high = 1, .inside = {20, 30, 100, 50}};
    es_spot at = es_chart_spot(&chart, 0, -1);
    ck_assert_float_eq(at.x, 20);
    ck_assert_float_eq(at.y, 80);
    at = es_chart_spot(&chart, 10, 1);
    ck_assert_float_eq(at.x, 120);
    ck_assert_float_eq(at.y, 30);
    chart.y_low = chart.y_high = 3;
    ck_assert_float_eq(es_chart_spot(&chart, 5, 3).y, 55);
    chart.y_low = 4, chart.y_high = 0; /* from the top down */
    ck_assert_float_eq(es_chart_spot(&chart, 5, 0).y, 30);
    ck_assert(isnan(es_chart_spot(&chart, NAN, 0).x));
}
END_TEST

/* ---- axes ---- */

/* A canvas that takes down what is written, and where. */
typedef struct taker {
    es_canvas canvas;
    es_str words;
    float x[32];
    int n;
} taker;

static void nothing_clip(es_canvas *c, es_box to)
{
    (void)c, (void)to;
}

static void nothing_fill(es_canvas *c, es_box box, es_argb colour)
{
    (void)c, (void)box, (void)colour;
}

static void nothing_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                         es_argb colour)
{
    (void)c, (void)at, (void)n, (void)width, (void)dash, (void)colour;
}

static void take(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink)
{
    taker *t = (taker *)c;
    (void)y, (void)ink;
    es_str_cat(&t->words, t->words.len ? " " : "");
    es_str_bytes(&t->words, text, n);
    t->x[t->n++] = x;
}

static float no_width(es_canvas *c, const char *text, size_t n, const es_ink *ink)
{
    (void)c, (void)text, (void)n, (void)ink;
    return 0;
}

static void check_axis(es_chart chart, float w, const char *want, double from, double number)
{
    static const es_canvas_ops ops = {.clip = nothing_clip,
                                      .fill = nothing_fill,
                                      .line = nothing_line,
                                      .text = take,
                                      .width = no_width};
    taker t = {.canvas = {.ops = &ops, .w = w, .h = 100, .inside = {0, 0, w, 100}}};
    chart.y_bare = true;
    chart.y_high = 1;
    es_chart_draw(&chart, &t.canvas, (es_box){0, 0, w, 100}, es_palette_named("dark"), 10);
    ck_assert_str_eq(es_str_text(&t.words), want);
    float x = es_chart_spot(&chart, es_on_scale(chart.x_scale, number), 0).x;
    const es_box *in = &chart.inside;
    ck_assert_float_eq_tol(x, in->x + (float)from * in->w, 0.01);
    es_str_free(&t.words);
}

START_TEST(logarithms_have_ticks_at_powers_of_ten)
{
    check_axis((es_chart){.x_low = -1, .x_high = 3, .x_scale = ES_SCALE_LOG}, 300,
               "0.1 1 10 100 1000", 0.5, 10);
    check_axis((es_chart){.x_low = 0, .x_high = 1, .x_scale = ES_SCALE_LOG}, 300, "1 2 5 10",
               log10(5), 5);
    check_axis((es_chart){.x_low = 0, .x_high = 12, .x_scale = ES_SCALE_LOG}, 200,
               "1 1e3 1e6 1e9 1e12", 0.25, 1000);
    check_axis((es_chart){.x_low = 3, .x_high = 6, .x_scale = ES_SCALE_LOG}, 250,
               "1000 10000 100000 1000000", 1. / 3, 10000);
    check_axis((es_chart){.x_low = -5, .x_high = 1, .x_scale = ES_SCALE_LOG}, 400,
               "1e-5 1e-4 1e-3 1e-2 0.1 1 10", 1. / 6, 1e-4);
    check_axis((es_chart){.x_low = 0, .x_high = 2, .x_scale = ES_SCALE_LOG1}, 120, "0 10", 0, 0);
    check_axis((es_chart){.x_low = 0, .x_high = 2, .x_scale = ES_SCALE_LOG1}, 120, "0 10", 1, 99);
    check_axis((es_chart){.x_low = -1e9, .x_high = 2, .x_scale = ES_SCALE_LOG}, 120, "", 1, 100);
}
END_TEST

Suite *plot_suite(void)
{
    Suite *s = suite_create("plot");
    TCase *t = tcase_create("plot");
    tcase_add_test(t, ticks_are_round_and_within);
    tcase_add_test(t, what_has_no_ticks_has_none);
    tcase_add_test(t, there_are_about_as_many_as_asked_for);
    tcase_add_test(t, logarithms_have_ticks_at_powers_of_ten);
    tcase_add_test(t, a_chart_has_its_corners_where_it_says);
    suite_add_tcase(s, t);
    return s;
}
