// SPDX-License-Identifier: GPL-3.0-or-later
/* The canvas that writes SVG: what it holds, to the byte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "box_font.h"
#include "support.h"
#include "view/segment.h"
#include "view/svg.h"

Suite *svg_suite(void);

static const es_argb ground = 0xff101418, white = 0xffffffff, half_red = 0x80ff0000;
static es_svg s;
static es_str out;

static void setup(void)
{
    es_svg_open(&s, 200, 100, ground, NULL);
}

static void teardown(void)
{
    es_svg_close(&s);
    es_str_free(&out);
}

static es_canvas *c(void)
{
    return &s.canvas;
}

/* What has been drawn, less what stands around it. */
static void drawn(const char *want)
{
    ck_assert_str_eq(es_str_text(&s.body), want);
    es_str_cut(&s.body, 0);
}

/* ---- the words of it ---- */

START_TEST(numbers_have_at_most_two_decimals)
{
    es_canvas_fill(c(), (es_box){0.5F, 1.126F, 100.004F, 12.3F}, white);
    drawn("<rect x=\"0.5\" y=\"1.13\" width=\"100\" height=\"12.3\" fill=\"#ffffff\"/>\n");
    es_canvas_fill(c(), (es_box){0, 0.004F, 3.05F, 1}, half_red);
    drawn("<rect x=\"0\" y=\"0\" width=\"3.05\" height=\"1\" fill=\"#ff0000\" "
          "fill-opacity=\"0.5\"/>\n");
    es_canvas_line(c(), (es_spot[]){{-0.5F, 1}, {3, 2}}, 2, 1.5F, 0, white);
    drawn("<path fill=\"none\" d=\"M-0.5 1L3 2\" stroke=\"#ffffff\" stroke-width=\"1.5\"/>\n");
}
END_TEST

START_TEST(text_is_escaped_and_holds_no_controls)
{
    static const char text[] = "a<b>&\"c\"\x01\x1b[m\x7f\xff \xe2\x80\xae\xe6\x9c\xac\n";
    const es_ink ink = {.size = 10, .colour = white};
    es_canvas_text(c(), 5, 50, text, sizeof text - 1, &ink);
    drawn("<text x=\"5\" y=\"53.2\" font-size=\"10\" "
          "fill=\"#ffffff\">a&lt;b&gt;&amp;\"c\"[m \xe6\x9c\xac</text>\n");
    es_canvas_text(c(), 5, 50, "\x01", 1, &ink);
    drawn("");
    const es_ink loud = {.size = 10, .colour = white, .bold = true, .mono = true};
    es_canvas_string(c(), 5, 50, "x", &loud);
    drawn("<text x=\"5\" y=\"53.2\" font-size=\"10\" fill=\"#ffffff\" font-weight=\"bold\" "
          "font-family=\"'DejaVu Sans Mono', monospace\">x</text>\n");
}
END_TEST

START_TEST(widths_are_the_fonts_or_an_estimate_that_is_rather_large)
{
    const es_ink ink = {.size = 10, .colour = white}, bold = {.size = 10, .bold = true};
    const es_ink mono = {.size = 10, .mono = true};
    ck_assert_float_eq_tol(es_canvas_width(c(), "cat", 3, &ink), 5.5F + 6.2F + 4, 1e-3F);
    ck_assert_float_gt(es_canvas_width(c(), "cat", 3, &bold), es_canvas_width(c(), "cat", 3, &ink));
    ck_assert_float_eq_tol(es_canvas_width(c(), "iii", 3, &mono), 18.09F, 1e-3F);
    ck_assert_float_eq_tol(es_canvas_width(c(), "e\xcc\x81", 3, &ink), 6.2F, 1e-3F);
    ck_assert_float_eq_tol(es_canvas_width(c(), "\xe6\x9c\xac", 3, &ink), 10, 1e-3F);
    ck_assert_float_eq(es_canvas_width(c(), "", 0, &ink), 0);
    es_font *font = box_font();
    es_svg_close(&s);
    es_svg_open(&s, 200, 100, ground, font);
    ck_assert_float_eq_tol(es_canvas_width(c(), "cat", 3, &ink), 18, 0.5F);
    es_canvas_string(c(), 5, 50, "x", &ink);
    drawn("<text x=\"5\" y=\"53.5\" font-size=\"10\" fill=\"#ffffff\">x</text>\n");
    es_font_free(font);
}
END_TEST

/* ---- what is left out ---- */

START_TEST(nothing_that_is_not_seen_is_written)
{
    const es_ink ink = {.size = 10, .colour = white};
    es_canvas_fill(c(), (es_box){10, 10, 0, 5}, white);
    es_canvas_fill(c(), (es_box){NAN, 10, 5, 5}, white);
    es_canvas_fill(c(), (es_box){300, 10, 5, 5}, white);
    es_canvas_fill(c(), (es_box){10, 10, 5, 5}, 0x00ffffff);
    es_canvas_discs(c(),
                    (es_disc[]){{NAN, 5, 2, white, 1},
                                {5, 5, NAN, white, 2},
                                {5, 5, 0, white, 3},
                                {-9, 5, 2, white, 4},
                                {5, 5, 2, 0x00ffffff, 5}},
                    5);
    es_canvas_line(c(), (es_spot[]){{1, 1}, {NAN, 2}, {3, 3}}, 3, 1, 0, white);
    es_canvas_line(c(), (es_spot[]){{-50, -1}, {-50, 200}}, 2, 1, 0, white);
    es_canvas_string(c(), 5, 500, "far below", &ink);
    es_canvas_string(c(), NAN, 50, "nowhere", &ink);
    drawn("");
}
END_TEST

START_TEST(what_is_far_away_is_cut_where_the_picture_ends)
{
    es_canvas_line(c(), (es_spot[]){{-1e9F, 50}, {1e9F, 50}}, 2, 2, 0, white);
    drawn("<path fill=\"none\" d=\"M-2 50L202 50\" stroke=\"#ffffff\" stroke-width=\"2\"/>\n");
    es_canvas_fill(c(), (es_box){-1e9F, 90, 2e9F, 1e9F}, white);
    drawn("<rect x=\"0\" y=\"90\" width=\"200\" height=\"10\" fill=\"#ffffff\"/>\n");
    es_canvas_line(c(), (es_spot[]){{10, 10}, {20, 10}, {NAN, 0}, {30, 10}, {40, 500}, {50, 10}}, 6,
                   1, 4, white);
    ck_assert_str_eq(s.body.s, "<path fill=\"none\" d=\"M10 10L20 10M30 10L31.86 101M48.14 101L50 "
                               "10\" stroke=\"#ffffff\" stroke-width=\"1\" "
                               "stroke-dasharray=\"4\"/>\n");
}
END_TEST

START_TEST(a_segment_is_cut_on_every_side)
{
    const es_box in = {0, 0, 10, 10};
    double from, to;
    static const struct {
        es_spot a, b;
        bool some;
        double from, to;
    } cases[] = {{{2, 2}, {8, 8}, true, 0, 1},         {{-10, 5}, {10, 5}, true, 0.5, 1},
                 {{5, 5}, {5, 25}, true, 0, 0.25},     {{5, 25}, {5, 5}, true, 0.75, 1},
                 {{-5, -5}, {15, 15}, true, .25, .75}, {{-5, 3}, {3, -5.5F}, false, 0, 0},
                 {{11, 0}, {11, 10}, false, 0, 0},     {{4, 4}, {4, 4}, true, 0, 1},
                 {{12, 4}, {12, 4}, false, 0, 0},      {{NAN, 4}, {5, 5}, false, 0, 0},
                 {{4, 4}, {INFINITY, 5}, false, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool some = es_segment_inside(cases[i].a, cases[i].b, in, &from, &to);
        demand(some == cases[i].some, "case %zu", i);
        demand(!some || (fabs(from - cases[i].from) < 1e-6 && fabs(to - cases[i].to) < 1e-6),
               "case %zu: %g to %g", i, from, to);
    }
}
END_TEST

/* ---- order and colour ---- */

START_TEST(discs_stay_in_their_order_and_say_a_colour_once)
{
    es_canvas_discs(c(),
                    (es_disc[]){{1, 1, 2, white, 0},
                                {2, 1, 2, white, 1},
                                {3, 1, 2, half_red, 2},
                                {4, 1, 2, 0x8000ff00, 3},
                                {5, 1, 2.25F, white, 4}},
                    5);
    drawn("<g fill=\"#ffffff\">\n<circle cx=\"1\" cy=\"1\" r=\"2\"/>\n"
          "<circle cx=\"2\" cy=\"1\" r=\"2\"/>\n</g>\n"
          "<g fill-opacity=\"0.5\">\n<circle cx=\"3\" cy=\"1\" r=\"2\" fill=\"#ff0000\"/>\n"
          "<circle cx=\"4\" cy=\"1\" r=\"2\" fill=\"#00ff00\"/>\n</g>\n"
          "<circle cx=\"5\" cy=\"1\" r=\"2.25\" fill=\"#ffffff\"/>\n");
}
END_TEST

/* So many discs that none touches another, in rows of 100. */
static es_disc *many_discs(int n)
{
    es_disc *d = calloc((size_t)n, sizeof *d);
    for (int i = 0; i < n; i++)
        d[i] = (es_disc){(float)(i % 100 * 2 + 1), (float)(i / 100 * 2 + 1), 0.5F, white, i};
    return d;
}

START_TEST(many_discs_of_a_colour_are_one_path_and_what_covers_them_comes_behind)
{
    enum { N = 5000 };
    es_disc *d = many_discs(N);
    d[N - 3] = (es_disc){1.5F, 1, 0.5F, half_red, 0};
    d[N - 2] = (es_disc){1.56F, 1, 0.5F, 0xfffefdfc, 0};
    d[N - 1] = (es_disc){1.5F, 9, 1, 0xff123456, 0};
    es_canvas_discs(c(), d, N);
    static const char begin[] = "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"1\">\n"
                                "<path stroke=\"#ffffff\" d=\"M1 1h.01M3 1h.01M5 1h.01";
    static const char end[] = "M193 99h.01\"/>\n"
                              "<path stroke=\"#ff0000\" stroke-opacity=\"0.5\" d=\"M1.5 1h.01\"/>\n"
                              "<path stroke=\"#ffffff\" d=\"M1.6 1h.01\"/>\n</g>\n"
                              "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"2\">\n"
                              "<path stroke=\"#103858\" d=\"M1.5 9h.01\"/>\n</g>\n";
    ck_assert_int_eq(strncmp(s.body.s, begin, strlen(begin)), 0);
    ck_assert_str_eq(s.body.s + s.body.len - strlen(end), end);
    free(d);
}
END_TEST

/* The worst there is: colours by lot, all on a small spot. */
START_TEST(a_whole_vocabulary_takes_a_few_megabytes)
{
    enum { V = 50257 };
    uint64_t state = 1;
    es_disc *d = calloc(V, sizeof *d);
    for (int i = 0; i < V; i++)
        d[i] = (es_disc){(float)random_below(&state, 20000) / 100,
                         (float)random_below(&state, 10000) / 100, 2.2F,
                         0xb0000000 | next_random(&state) >> 8, i};
    es_canvas_discs(c(), d, V);
    ck_assert_uint_lt(s.body.len, 3400000);
    for (int i = 0; i < V; i++)
        d[i].colour = 0xb0000000 | (es_argb)(d[i].x * 1.27F) << 8;
    es_str_cut(&s.body, 0);
    es_canvas_discs(c(), d, V);
    ck_assert_uint_lt(s.body.len, 1500000);
    free(d);
}
END_TEST

START_TEST(equal_cells_are_one_stroke_and_a_colour_is_one_path)
{
    const es_argb cells[] = {white, white, ground, white, ground, ground};
    es_canvas_cells(c(), (es_box){10, 20, 30, 10}, cells, 2, 3);
    drawn("<g fill=\"none\" shape-rendering=\"crispEdges\" transform=\"translate(10 20) "
          "scale(10.000000 "
          "5.000000)\">\n"
          "<path stroke=\"#101418\" d=\"M2 0.5h1m-2 1h2\"/>\n"
          "<path stroke=\"#ffffff\" d=\"M0 0.5h2m-2 1h1\"/>\n</g>\n");
}
END_TEST

START_TEST(cells_smaller_than_a_unit_are_joined_to_their_mean)
{
    enum { N = 400 };
    es_argb *cells = calloc((size_t)N * N, sizeof *cells);
    for (int i = 0; i < N * N; i++)
        cells[i] = i % 2 ? 0xff000000 : 0xff646464;
    es_canvas_cells(c(), (es_box){10, 10, 2, 2}, cells, N, N);
    drawn("<g fill=\"none\" shape-rendering=\"crispEdges\" transform=\"translate(10 10) "
          "scale(1.000000 "
          "1.000000)\">\n<path stroke=\"#323232\" d=\"M0 0.5h2m-2 1h2\"/>\n</g>\n");
    free(cells);
}
END_TEST

/* ---- clips ---- */

START_TEST(what_is_drawn_in_the_same_clip_is_one_group)
{
    es_box all = es_canvas_clip(c(), (es_box){10, 10, 50, 50});
    const es_disc d = {20, 20, 2, white, 1}, off = {100, 20, 2, white, 1};
    es_canvas_discs(c(), &d, 1);
    es_canvas_discs(c(), &off, 1);
    es_canvas_discs(c(), &d, 1);
    es_canvas_clip(c(), all);
    es_canvas_discs(c(), &d, 1);
    es_canvas_clip(c(), (es_box){70, 10, 50, 50});
    es_canvas_clip(c(), (es_box){10, 10, 50, 50});
    es_canvas_discs(c(), &d, 1);
    es_svg_finish(&s, &out, "a \x01<title>");
    static const char disc[] = "<circle cx=\"20\" cy=\"20\" r=\"2\" fill=\"#ffffff\"/>\n";
    es_str want = {0};
    es_str_add(&want,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"200\" "
               "height=\"100\" viewBox=\"0 0 200 100\"\n"
               "     font-family=\"'DejaVu Sans', Verdana, sans-serif\" "
               "stroke-linejoin=\"round\" xml:space=\"preserve\">\n"
               "<title>a &lt;title&gt;</title>\n"
               "<clipPath id=\"c0\"><rect x=\"10\" y=\"10\" width=\"50\" "
               "height=\"50\"/></clipPath>\n"
               "<rect x=\"0\" y=\"0\" width=\"200\" height=\"100\" fill=\"#101418\"/>\n"
               "<g clip-path=\"url(#c0)\">\n%s%s</g>\n%s<g clip-path=\"url(#c0)\">\n%s</g>\n"
               "</svg>\n",
               disc, disc, disc, disc);
    ck_assert_str_eq(out.s, want.s);
    es_str_free(&want);
}
END_TEST

/* ---- a whole picture ---- */

static void draw_a_bit_of_everything(void)
{
    const es_argb panel = 0xff1c242c, edge = 0xff46505a, orange = 0xffe69f00, sky = 0xff56b4e9;
    const es_ink ink = {.size = 13, .colour = 0xffc8d0d8}, strong = {13, white, true, false};
    es_argb cells[3 * 8];
    es_disc d[12];
    for (int i = 0; i < 24; i++)
        cells[i] = 0xff000000 | (es_argb)(10 * i) << 16 | (es_argb)(230 - 10 * i);
    for (int i = 0; i < 12; i++)
        d[i] = (es_disc){(float)(i * 9), (float)(30 + i * i % 60), 3,
                         i % 3 ? 0xb0009e73 : 0xb0cc79a7, i};
    es_canvas_fill(c(), (es_box){0, 0, 200, 20}, panel);
    es_canvas_fit(c(), 100, 10, 180, 0.5F, "one & two < three, and what has no room", &ink);
    es_canvas_edge(c(), (es_box){5, 25, 90, 70}, 1, edge);
    es_box all = es_canvas_clip(c(), (es_box){6, 26, 88, 68});
    es_canvas_discs(c(), d, 12);
    es_canvas_line(c(), (es_spot[]){{0, 30}, {50, 60}, {300, 40}}, 3, 2, 0, sky);
    es_canvas_arrow(c(), (es_spot){50, 60}, (es_spot){70, 85}, 1.5F, orange);
    es_canvas_clip(c(), all);
    es_canvas_cells(c(), (es_box){105, 30, 88, 30}, cells, 3, 8);
    es_canvas_string(c(), 105, 75, "\xe2\x90\xa3king", &strong);
    es_canvas_line(c(), (es_spot[]){{105, 90}, {193, 90}}, 2, 1, 4, edge);
}

/* ES_GOLDEN=write writes what is drawn now. */
START_TEST(a_picture_is_the_same_bytes_as_ever)
{
    static const char path[] = "tests/data/pictures/everything.svg";
    es_file f;
    es_error err = ES_ERROR_NONE;
    draw_a_bit_of_everything();
    es_svg_finish(&s, &out, "A bit of everything");
    if (getenv("ES_GOLDEN"))
        ck_assert_works(es_file_replace(path, out.s, out.len, &err), err);
    ck_assert_works(es_file_open(&f, path, &err), err);
    ck_assert_uint_eq(f.size, out.len);
    ck_assert_mem_eq(f.data, out.s, out.len);
    es_file_close(&f);
}
END_TEST

Suite *svg_suite(void)
{
    Suite *suite = suite_create("svg");
    TCase *t = tcase_create("svg");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, numbers_have_at_most_two_decimals);
    tcase_add_test(t, text_is_escaped_and_holds_no_controls);
    tcase_add_test(t, widths_are_the_fonts_or_an_estimate_that_is_rather_large);
    tcase_add_test(t, nothing_that_is_not_seen_is_written);
    tcase_add_test(t, what_is_far_away_is_cut_where_the_picture_ends);
    tcase_add_test(t, a_segment_is_cut_on_every_side);
    tcase_add_test(t, discs_stay_in_their_order_and_say_a_colour_once);
    tcase_add_test(t, many_discs_of_a_colour_are_one_path_and_what_covers_them_comes_behind);
    tcase_add_test(t, a_whole_vocabulary_takes_a_few_megabytes);
    tcase_add_test(t, equal_cells_are_one_stroke_and_a_colour_is_one_path);
    tcase_add_test(t, cells_smaller_than_a_unit_are_joined_to_their_mean);
    tcase_add_test(t, what_is_drawn_in_the_same_clip_is_one_group);
    tcase_add_test(t, a_picture_is_the_same_bytes_as_ever);
    suite_add_tcase(suite, t);
    return suite;
}
