// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "view/cells.h"
#include "view/strips.h"

Suite *strips_suite(void);

enum { W = 700, H = 420, C = 8 };

static drawn d;
static es_viewer *v;
static const es_box area = {40, 30, 600, 360};

static void setup(void)
{
    drawn_open(&d, "untrained:C=8", W, H);
    v = d.viewer;
    v->view = ES_VIEW_STRIPS;
}

static void teardown(void)
{
    drawn_close(&d);
}

static es_strips plan(es_box box)
{
    const es_strips_scale scale = es_strips_scale_of(&v->scene);
    return es_strips_plan(v, &d.raster.canvas, box, &scale);
}

static const float *table(const char *name)
{
    return name[0] == 'x' ? v->scene.x : name[0] == 't' ? v->scene.tok_emb : v->scene.pos_emb;
}

/* ---- cells ---- */

START_TEST(all_cells_have_the_colours_of_their_numbers_on_one_scale)
{
    drawn_run(&d, "The cat sat");
    drawn_within(&d, area, es_view_strips.draw);
    es_strips s = plan(area);
    const es_palette *p = es_viewer_palette(v);
    ck_assert_int_eq(s.n, 3);
    ck_assert(s.stacked);
    for (int i = 0; i < s.n; i++)
        for (int64_t k = 0; k < 3 * C; k++) {
            es_box box;
            es_heat h = es_strips_heat(&s, &s.of[i], C, s.rows, &box);
            es_box cell = es_heat_cell(&h, box, k / C, k % C);
            float want = table(s.of[i].name)[k] / s.scale.most;
            demand(drawn_pixel(&d, cell.x + 4, cell.y + 4) == es_diverging(p, want), "%s, cell %d",
                   s.of[i].name, (int)k);
        }
}
END_TEST

START_TEST(the_scale_goes_to_a_round_number_that_all_are_within)
{
    drawn_run(&d, "The cat sat");
    float most = 0;
    for (int64_t k = 0; k < 3 * C; k++)
        most = fmaxf(most, fmaxf(fabsf(v->scene.x[k]),
                                 fmaxf(fabsf(v->scene.tok_emb[k]), fabsf(v->scene.pos_emb[k]))));
    es_strips_scale scale = es_strips_scale_of(&v->scene);
    ck_assert(most <= scale.most && scale.most < 2 * most);
    ck_assert_int_eq(scale.beyond, 0);
    ck_assert_int_eq(scale.odd, 0);
}
END_TEST

START_TEST(a_single_large_number_is_beyond_the_scale_and_counted)
{
    drawn_run(&d, "one two three four five six seven eight nine ten");
    float before = es_strips_scale_of(&v->scene).most;
    v->scene.x[5] = 100;
    es_strips_scale scale = es_strips_scale_of(&v->scene);
    ck_assert(scale.most <= before);
    ck_assert_int_ge(scale.beyond, 1);
    v->scene.x[6] = NAN;
    v->scene.x[7] = INFINITY;
    ck_assert_int_eq(es_strips_scale_of(&v->scene).odd, 2);
    es_str words = drawn_words(&d, 900, 500, es_view_strips.draw);
    ck_assert(strstr(words.s, "2 numbers are NaN or infinite\n"));
    ck_assert(strstr(words.s, "beyond its ends\n"));
    es_str_free(&words);
}
END_TEST

/* ---- under the pointer ---- */

START_TEST(each_spot_has_the_number_that_is_drawn_there)
{
    int found = 0;
    drawn_run(&d, "The cat sat");
    es_strips s = plan(area);
    for (int y = 0; y < H; y += 5)
        for (int x = 0; x < W; x += 7) {
            es_pick pick = ES_PICK_NONE;
            es_spot at = {(float)x, (float)y};
            int strip = -1;
            for (int i = 0; i < s.n; i++)
                strip = es_box_has(s.of[i].map, at.x, at.y) ? i : strip;
            bool any = es_view_strips.pick(v, &d.raster.canvas, area, at, &pick);
            demand(any == (strip >= 0), "%d, %d", x, y);
            if (any) {
                const char *name = s.of[strip].name;
                float want = table(name)[pick.place * C + pick.channel];
                char text[64];
                snprintf(text, sizeof text, "%s[0, %d, %d]", name, (int)pick.place,
                         (int)pick.channel);
                demand(pick.value == (double)want, "%d, %d: %g", x, y, pick.value);
                demand(pick.id == v->scene.ids[pick.place], "%d, %d", x, y);
                demand(!strcmp(pick.statement.s, text), "%s, not %s", pick.statement.s, text);
                demand(es_box_has(pick.mark, at.x, at.y), "%d, %d", x, y);
                found++;
            }
            es_pick_free(&pick);
        }
    ck_assert_int_gt(found, 500);
}
END_TEST

START_TEST(a_sum_holds_as_it_is_printed)
{
    drawn_run(&d, "The cat sat on the mat");
    for (int64_t k = 0; k < 6 * C; k++) {
        es_pick pick = ES_PICK_NONE;
        double a, b, x;
        int decimals = 0, end = 0;
        es_strips_say(&v->scene, "x", k / C, k % C, &pick);
        const char *numbers = strchr(pick.what.s, ':') + 2;
        bool minus = strchr(numbers, '(') != NULL;
        int n =
            sscanf(numbers, minus ? "%lf + (%lf) = %lf%n" : "%lf + %lf = %lf%n", &a, &b, &x, &end);
        demand(n == 3 && !numbers[end], "%s", pick.what.s);
        for (const char *digit = strchr(strchr(numbers, '='), '.') + 1; *digit; digit++)
            decimals++;
        double ten = pow(10, decimals);
        demand(round(a * ten) + round(b * ten) == round(x * ten), "%s", pick.what.s);
        es_pick_free(&pick);
    }
}
END_TEST

START_TEST(a_number_is_named_by_its_token_and_channel)
{
    es_pick pick = ES_PICK_NONE;
    drawn_run(&d, "The cat");
    v->scene.tok_emb[C + 3] = 0.3125f;
    v->scene.pos_emb[C + 3] = -0.0400390625f;
    v->scene.x[C + 3] = 0.2724609375f;
    es_strips_say(&v->scene, "x", 1, 3, &pick);
    ck_assert_str_eq(pick.what.s, "x of ␣cat, channel 3: 0.3125 + (-0.0400) = 0.2725");
    ck_assert_str_eq(pick.statement.s, "x[0, 1, 3]");
    es_pick_free(&pick);
}
END_TEST

START_TEST(what_is_not_entered_is_marked_and_has_no_expression)
{
    es_pick pick = ES_PICK_NONE;
    drawn_preview(&d, "The cat");
    es_str words = drawn_words(&d, 900, 500, es_view_strips.draw);
    ck_assert(strstr(words.s, "not entered yet\n"));
    es_strips_say(&v->scene, "x", 0, 0, &pick);
    ck_assert(strstr(pick.what.s, ", not entered yet"));
    ck_assert_uint_eq(pick.statement.len, 0);
    es_pick_free(&pick);
    es_str_free(&words);
    drawn_run(&d, "The cat");
    drawn_preview(&d, "");
    words = drawn_words(&d, 900, 500, es_view_strips.draw);
    ck_assert(!strstr(words.s, "not entered yet"));
    es_str_free(&words);
}
END_TEST

/* ---- the camera ---- */

START_TEST(zooming_in_comes_to_numbers_that_can_be_read)
{
    drawn_run(&d, "The cat sat");
    es_box narrow = {0, 0, 250, 300};
    es_str words = drawn_words(&d, narrow.w, narrow.h, es_view_strips.draw);
    char first[32], shown[32];
    es_strips s = plan(narrow);
    snprintf(first, sizeof first, "\n%.*f\n", es_heat_decimals(s.scale.most),
             (double)v->scene.tok_emb[1]);
    ck_assert(!strstr(words.s, first));
    es_str_free(&words);
    v->camera[ES_VIEW_STRIPS] = (es_camera){.x = -1, .zoom = 4};
    s = plan(narrow);
    ck_assert_double_eq(s.left, 0);
    words = drawn_words(&d, narrow.w, narrow.h, es_view_strips.draw);
    ck_assert(strstr(words.s, first));
    snprintf(shown, sizeof shown, "channels 0 to 1 of %d\n", C);
    ck_assert_msg(strstr(words.s, shown) != NULL, "%s", words.s);
    es_str_free(&words);
}
END_TEST

/* The spot under the pointer stays, and so do the rows; a camera beyond the edge comes back. */
START_TEST(zooming_keeps_the_channel_under_the_pointer)
{
    drawn_run(&d, "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m");
    es_camera *camera = &v->camera[ES_VIEW_STRIPS];
    es_spot at = {300, 120};
    *camera = (es_camera){.y = -0.3, .zoom = 1};
    drawn_within(&d, area, es_view_strips.draw);
    for (int i = 0; i < 3; i++) {
        es_pick before = ES_PICK_NONE, after = ES_PICK_NONE;
        es_box box;
        es_extent extent;
        ck_assert(es_view_strips.pick(v, &d.raster.canvas, area, at, &before));
        ck_assert(before.place > 0);
        ck_assert(es_view_strips.ground(v, area, at, &box, &extent));
        es_camera_zoom(camera, &extent, box, at.x, at.y, 1.7);
        drawn_within(&d, area, es_view_strips.draw);
        ck_assert(es_view_strips.pick(v, &d.raster.canvas, area, at, &after));
        ck_assert_int_eq(before.channel, after.channel);
        ck_assert_int_eq(before.place, after.place);
        es_pick_free(&before);
        es_pick_free(&after);
    }
}
END_TEST

START_TEST(dragging_moves_what_is_under_the_pointer_along)
{
    drawn_run(&d, "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m");
    es_camera *camera = &v->camera[ES_VIEW_STRIPS];
    es_pick before = ES_PICK_NONE, after = ES_PICK_NONE;
    es_box box;
    es_extent extent;
    *camera = (es_camera){.y = -5, .x = 7, .zoom = 4}; /* far beyond the edge */
    drawn_within(&d, area, es_view_strips.draw);
    float row = plan(area).row_h;
    es_spot at = {200, 100}, to = {250, 100 + 3 * row};
    ck_assert(es_view_strips.pick(v, &d.raster.canvas, area, at, &before));
    ck_assert(es_view_strips.ground(v, area, at, &box, &extent));
    es_camera_pan(camera, &extent, box, to.x - at.x, to.y - at.y);
    ck_assert(es_view_strips.pick(v, &d.raster.canvas, area, to, &after));
    ck_assert_int_eq(before.channel, after.channel);
    ck_assert_int_eq(before.place, after.place);
    es_pick_free(&before);
    es_pick_free(&after);
}
END_TEST

/* ---- in words ---- */

static void expect_expression(const char *want)
{
    es_str text = {0};
    es_view_strips.expression(v, &text);
    ck_assert_str_eq(text.s, want);
    es_str_free(&text);
}

START_TEST(the_expression_has_the_shapes_of_the_whole_text)
{
    drawn_run(&d, ":batch \"The cat sat\" \"A dog\"");
    expect_expression(
        "x = wte(ids) + wpe(positions)   [B=2, T=3, C=8] = [B=2, T=3, C=8] + [1, T=3, C=8]");
    drawn_run(&d, ":batch \"A dog\" \"The cat sat\"");
    expect_expression(
        "x = wte(ids) + wpe(positions)   [B=2, T=3, C=8] = [B=2, T=3, C=8] + [1, T=3, C=8]");
    drawn_run(&d, ":positions none");
    expect_expression("x = wte(ids)   [B=2, T=3, C=8], no positions are added");
}
END_TEST

START_TEST(behind_the_last_position_there_is_no_x)
{
    drawn_run(&d, ":repeat 1200  cat");
    expect_expression("wte(ids) [T=1200] + wpe [P=1024]: no row for places from 1024 on, so no x");
    es_str words = drawn_words(&d, 800, 600, es_view_strips.draw);
    ck_assert_msg(strstr(words.s, "tok_emb\n(1200, 8)\n") != NULL, "%s", words.s);
    ck_assert(strstr(words.s, "pos_emb\n(1024, 8)\n"));
    es_str_free(&words);
}
END_TEST

START_TEST(channels_in_view_are_counted_alike_in_both_places)
{
    drawn_run(&d, "The cat sat");
    for (double x = -1; x <= 1; x += 0.13) {
        long first, last, n;
        es_str honesty = {0};
        v->camera[ES_VIEW_STRIPS] = (es_camera){.x = x, .zoom = 2.3};
        es_str words = drawn_words(&d, 800, 600, es_view_strips.draw);
        const char *note = strstr(words.s, "channels ");
        es_view_strips.honesty(v, &honesty);
        demand(note && sscanf(note, "channels %ld to %ld of 8", &first, &last) == 2, "%s", words.s);
        demand(sscanf(honesty.s, "%ld of 8 channels", &n) == 1, "%s", honesty.s);
        demand(first >= 0 && last < 8 && n == last - first + 1, "%ld to %ld, %ld", first, last, n);
        es_str_free(&honesty);
        es_str_free(&words);
    }
}
END_TEST

/* ---- motion ---- */

static int filled(int strip)
{
    drawn_within(&d, area, es_view_strips.draw);
    es_strips s = plan(area);
    const es_argb empty = es_viewer_palette(v)->panel;
    int n = 0;
    for (int64_t r = 0; r < s.rows; r++)
        n += drawn_pixel(&d, s.of[strip].map.x + 4, s.of[strip].map.y + (float)r * s.row_h + 4) !=
             empty;
    return n;
}

START_TEST(rows_are_filled_in_one_after_the_other)
{
    int window;
    drawn_within(&d, area, es_view_strips.draw); /* nothing was typed yet */
    v->window = (es_window *)(void *)&window;
    v->clock = 5;
    drawn_run(&d, "The cat sat");
    ck_assert_int_eq(filled(0), 1);
    ck_assert_int_eq(filled(1), 0);
    ck_assert(es_viewer_moving(v));
    v->clock = 5 + 0.06 + 0.025; /* a row, and of the next its first part */
    ck_assert_int_eq(filled(0), 2);
    ck_assert_int_eq(filled(1), 2);
    ck_assert_int_eq(filled(2), 1);
    v->clock = 5.2;
    ck_assert(!es_viewer_moving(v));
    ck_assert_int_eq(filled(2), 3);
    v->window = NULL;
}
END_TEST

START_TEST(without_a_window_or_with_motion_off_all_rows_are_there_at_once)
{
    int window;
    drawn_within(&d, area, es_view_strips.draw);
    drawn_run(&d, "The cat sat");
    ck_assert_int_eq(filled(2), 3);
    v->window = (es_window *)(void *)&window;
    drawn_run(&d, ":set motion off");
    drawn_run(&d, "The dog ran");
    ck_assert_int_eq(filled(2), 3);
    ck_assert(!es_viewer_moving(v));
    drawn_run(&d, ":set motion on");
    drawn_preview(&d, "The dog ran on");
    ck_assert_int_eq(filled(2), 4);
    v->window = NULL;
}
END_TEST

/* ---- what there may be ---- */

static void expect_words(const char *want)
{
    es_str words = drawn_words(&d, 900, 500, es_view_strips.draw);
    ck_assert_msg(strstr(words.s, want) != NULL, "%s", words.s);
    es_str_free(&words);
}

START_TEST(what_is_missing_is_said)
{
    expect_words("No text yet. Type a sentence, such as: The cat sat on the\n");
    drawn_run(&d, ":positions none");
    drawn_run(&d, "The cat");
    expect_words("the same: no positions are added\n");
    expect_words("one scale for both\n");
    ck_assert_int_eq(plan(area).n, 2);
    ck_assert_str_eq(plan(area).of[1].sign, "=");
}
END_TEST

START_TEST(of_a_long_text_the_rows_that_fit_are_shown_and_the_others_counted)
{
    es_str text = {0};
    for (int i = 0; i < 5000; i++)
        es_str_cat(&text, " cat");
    drawn_run(&d, ":positions sinusoidal");
    drawn_run(&d, text.s);
    expect_words("tokens 0 to 22 of 5000, 4977 more\n");
    drawn_within(&d, area, es_view_strips.draw);
    es_strips s = plan(area);
    ck_assert(!s.stacked);
    ck_assert(s.row_h >= 1.2f * es_viewer_em(v));
    v->camera[ES_VIEW_STRIPS].y = -1e9;
    s = plan(area);
    ck_assert_int_eq(s.first + s.rows, v->scene.T);
    es_str_free(&text);
}
END_TEST

START_TEST(in_a_terminal_each_row_is_whole_lines)
{
    es_cells t;
    drawn_run(&d, "The cat sat");
    es_cells_open(&t, 80, 20, 0xFF000000);
    const es_strips_scale scale = es_strips_scale_of(&v->scene);
    es_strips s = es_strips_plan(v, &t.canvas, (es_box){0, 0, t.canvas.w, t.canvas.h}, &scale);
    const float tops[] = {s.row_h, s.of[0].caption.y, s.of[0].map.y, s.legend.y};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        demand(fmodf(tops[i], ES_CELL_H) == 0, "%zu: %g", i, (double)tops[i]);
    es_cells_close(&t);
}
END_TEST

START_TEST(what_stands_below_the_rows_takes_no_more_than_it_needs)
{
    drawn_run(&d, "The cat sat");
    const es_box box = {0, 0, 700, 400};
    es_strips s = plan(box);
    float em = es_viewer_em(v), foot = s.legend.y + s.legend.h + s.notes.h;
    ck_assert(s.notes.h == 0);
    ck_assert(foot <= box.h - em + 0.5f);
    ck_assert(foot + (float)(3 * s.rows) > box.h - em || s.row_h >= 3.9f * em);
    es_session_settings(d.session)->big = true;
    s = plan((es_box){0, 0, 460, 150});
    ck_assert(s.n == 3 && s.legend.w == 0);
}
END_TEST

START_TEST(nothing_is_drawn_outside_at_any_size)
{
    const char *const texts[] = {"", "x", "The cat sat on the mat"};
    const float side[] = {1, 3, 17, 60, 130, 351};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        drawn_run(&d, texts[t]);
        for (int i = 0; i < 36; i++)
            for (int big = 0; big < 2; big++) {
                es_box box = {20, 10, side[i / 6], side[i % 6]};
                es_session_settings(d.session)->big = big;
                v->camera[ES_VIEW_STRIPS] = (es_camera){.x = 0.2, .y = 0.1, .zoom = 1 + i};
                drawn_within(&d, box, es_view_strips.draw);
            }
    }
}
END_TEST

START_TEST(in_words_a_line_a_token)
{
    es_str out = {0};
    drawn_run(&d, ":positions none");
    drawn_run(&d, "The cat");
    for (int64_t k = 0; k < 2 * C; k++)
        v->scene.tok_emb[k] = v->scene.x[k] = k < C ? 0.5f : -0.25f;
    es_view_strips.plain(v, &out);
    ck_assert_str_eq(out.s, "tokens: 2\n"
                            "channels: 8\n"
                            "scale: -0.5 to 0.5\n"
                            "token 0: text \"The\", id 464, length of tok_emb 1.414, of x 1.414\n"
                            "token 1: text \" cat\", id 3797, length of tok_emb 0.7071, of x "
                            "0.7071\n");
    es_str_cut(&out, 0);
    es_json j = {.out = &out};
    es_json_open(&j, '{');
    es_view_strips.json(v, &j);
    es_json_close(&j, '}');
    ck_assert_str_eq(out.s,
                     "{\"T\":2,\"C\":8,\"entered\":true,\"scale\":0.5,\"lengths\":[{\"pos\":0,"
                     "\"id\":464,\"tok_emb\":1.4142135623730951,\"pos_emb\":null,\"x\":"
                     "1.4142135623730951},{\"pos\":1,\"id\":3797,\"tok_emb\":0.70710678118654757,"
                     "\"pos_emb\":null,\"x\":0.70710678118654757}]}");
    es_str_free(&out);
}
END_TEST

Suite *strips_suite(void)
{
    Suite *s = suite_create("strips");
    TCase *tc = tcase_create("strips");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, all_cells_have_the_colours_of_their_numbers_on_one_scale);
    tcase_add_test(tc, the_scale_goes_to_a_round_number_that_all_are_within);
    tcase_add_test(tc, a_single_large_number_is_beyond_the_scale_and_counted);
    tcase_add_test(tc, each_spot_has_the_number_that_is_drawn_there);
    tcase_add_test(tc, a_sum_holds_as_it_is_printed);
    tcase_add_test(tc, a_number_is_named_by_its_token_and_channel);
    tcase_add_test(tc, what_is_not_entered_is_marked_and_has_no_expression);
    tcase_add_test(tc, zooming_in_comes_to_numbers_that_can_be_read);
    tcase_add_test(tc, zooming_keeps_the_channel_under_the_pointer);
    tcase_add_test(tc, dragging_moves_what_is_under_the_pointer_along);
    tcase_add_test(tc, the_expression_has_the_shapes_of_the_whole_text);
    tcase_add_test(tc, behind_the_last_position_there_is_no_x);
    tcase_add_test(tc, channels_in_view_are_counted_alike_in_both_places);
    tcase_add_test(tc, rows_are_filled_in_one_after_the_other);
    tcase_add_test(tc, without_a_window_or_with_motion_off_all_rows_are_there_at_once);
    tcase_add_test(tc, what_is_missing_is_said);
    tcase_add_test(tc, of_a_long_text_the_rows_that_fit_are_shown_and_the_others_counted);
    tcase_add_test(tc, in_a_terminal_each_row_is_whole_lines);
    tcase_add_test(tc, what_stands_below_the_rows_takes_no_more_than_it_needs);
    tcase_add_test(tc, nothing_is_drawn_outside_at_any_size);
    tcase_add_test(tc, in_words_a_line_a_token);
    suite_add_tcase(s, tc);
    return s;
}
