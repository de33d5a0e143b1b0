// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of one token at every position. */
#include "view/offset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "stage.h"
#include "support.h"

Suite *offset_suite(void);

enum { P = 128, C = 12, V = 300 };

static float wte[V * C], wpe[P * C];
static stage s;

/* Positions on a circle, two turns, in channels 2 and 5; rows of wte at random, but for row 1, which lies in the
 * circle's plane, row 2, which is 0, and row 3, which is not far from that plane. */
static void make_tables(void)
{
    uint64_t state = 3;
    for (int i = 0; i < V * C; i++)
        wte[i] = (float)((double)random_below(&state, 2001) / 1000 - 1);
    for (int c = 0; c < C; c++) {
        wte[C + c] = c == 2 ? 1.5f : c == 5 ? -0.5f : 0;
        wte[2 * C + c] = 0;
        wte[3 * C + c] = c == 0 ? 0.5f : wte[C + c];
    }
    memset(wpe, 0, sizeof wpe);
    for (int t = 0; t < P; t++) {
        wpe[t * C + 2] = (float)(2 * cos(4 * M_PI * t / P));
        wpe[t * C + 5] = (float)(1.5 * sin(4 * M_PI * t / P));
    }
}

static void setup(void)
{
    make_tables();
    stage_open(&s, wte, V, wpe, P, C, ES_VIEW_OFFSET);
}

static void teardown(void)
{
    stage_close(&s);
}

static const es_offset *offset(int32_t token, int32_t second)
{
    s.viewer->focus = token;
    s.viewer->second = second;
    const es_offset *o = es_offset_of(s.viewer, NULL);
    ck_assert(o != NULL);
    ck_assert_int_eq(o->token, token);
    ck_assert_int_eq(o->second, second);
    return o;
}

/* ---- numbers ---- */

START_TEST(axes_are_one_long_and_at_right_angles)
{
    const es_offset *o = offset(7, 9);
    ck_assert_int_eq(o->K, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int c = 0; c < C; c++)
                dot += (double)o->axes[i * C + c] * (double)o->axes[j * C + c];
            demand(fabs(dot - (i == j)) < 1e-6, "axes %d and %d: %g", i, j, dot);
        }
    ck_assert_int_eq(o->axis[0], ES_ALONG_FIRST);
    ck_assert_int_eq(o->axis[1], ES_ALONG_MOVE);
    ck_assert_int_eq(o->axis[2], ES_ALONG_SECOND);
}
END_TEST

START_TEST(the_curves_differ_by_the_move_everywhere)
{
    const es_offset *o = offset(7, 9);
    for (int k = 0; k < 3; k++) {
        double move = 0;
        for (int c = 0; c < C; c++)
            move += (double)(wte[7 * C + c] - wte[9 * C + c]) * (double)o->axes[k * C + c];
        for (int t = 0; t < P; t++) {
            double apart = (double)o->at[3 * t + k] - (double)o->at[3 * (P + t) + k];
            demand(fabs(apart - move) < 1e-5, "axis %d, position %d: %g is not %g", k, t, apart,
                   move);
        }
    }
    ck_assert_double_le(o->off, 1e-6);
    ck_assert_double_eq_tol(es_offset_seen(o, 3), 1, 1e-6);
    ck_assert_double_eq_tol(es_offset_share(o, 3), 1, 1e-6);
    ck_assert_double_lt(es_offset_share(o, 2), 0.7);
}
END_TEST

START_TEST(the_arrows_of_a_picture_are_parallel)
{
    offset(7, 9);
    stage_draw(&s, 600, 400);
    const es_offset *o = es_offset_of(s.viewer, NULL);
    es_box box;
    es_extent e;
    ck_assert(es_view_offset.ground(s.viewer, s.area, (es_spot){300, 200}, &box, &e));
    es_lens lens = es_lens_of(&s.viewer->camera[ES_VIEW_OFFSET], &e, box);
    es_spot a = es_lens_spot(&lens, o->at, NULL), b = es_lens_spot(&lens, o->at + 3 * P, NULL);
    ck_assert_float_gt(hypotf(a.x - b.x, a.y - b.y), 20);
    for (int t = 1; t < P; t++) {
        es_spot p = es_lens_spot(&lens, o->at + 3 * t, NULL),
                q = es_lens_spot(&lens, o->at + 3 * (P + t), NULL);
        demand(hypotf(p.x - q.x - (a.x - b.x), p.y - q.y - (a.y - b.y)) < 0.01f, "position %d", t);
    }
}
END_TEST

START_TEST(without_a_second_token_the_positions_are_the_other_curve)
{
    const es_offset *o = offset(7, -1);
    for (int k = 0; k < 3; k++)
        for (int t = 0; t < P; t++) {
            double want = 0;
            for (int c = 0; c < C; c++)
                want += (double)wpe[t * C + c] * (double)o->axes[k * C + c];
            demand(fabs(want - (double)o->at[3 * (P + t) + k]) < 1e-5, "%d, %d", k, t);
        }
    ck_assert_double_eq_tol(o->length * o->length, 4, 4);
}
END_TEST

START_TEST(a_move_within_the_plane_leaves_the_third_component)
{
    const es_offset *o = offset(1, -1);
    ck_assert_int_eq(o->K, 3);
    ck_assert_int_eq(o->axis[1], ES_ALONG_SECOND);
    ck_assert_int_eq(o->axis[2], ES_ALONG_THIRD);
    ck_assert_double_eq_tol(es_offset_seen(o, 2), 1, 1e-6);
    o = offset(7, 7); /* no move at all */
    ck_assert_int_eq(o->axis[2], ES_ALONG_THIRD);
    ck_assert_double_eq(o->length, 0);
    o = offset(2, -1);
    ck_assert_double_eq(o->length, 0);
    for (int i = 0; i < 6 * P; i++)
        demand(isfinite(o->at[i]), "number %d", i);
}
END_TEST

/* ---- what is found ---- */

START_TEST(a_pick_is_the_value_of_its_statement)
{
    int found = 0;
    for (int second = -1; second < 12; second += 11) {
        offset(7, second);
        stage_draw(&s, 600, 400);
        for (int y = 5; y < 400; y += 13)
            for (int x = 5; x < 600; x += 17) {
                es_pick at;
                double got[3];
                if (!stage_pick(&s, (float)x, (float)y, &at))
                    continue;
                stage_value(&s, at.statement.s, got, 3);
                const char *said = strchr(at.what.s, ':') + 1;
                for (int k = 0; k < 3; k++)
                    demand(fabs(strtod(said, (char **)&said) - got[k]) < 6e-4, "%s is %g %g %g",
                           at.what.s, got[0], got[1], got[2]);
                ck_assert(es_box_has(at.mark, (float)x, (float)y) || at.mark.w < 2 * 13);
                es_pick_free(&at);
                if (++found % 40 == 0)
                    y += 40;
            }
    }
    ck_assert_int_gt(found, 20);
}
END_TEST

START_TEST(nothing_is_found_before_it_is_drawn)
{
    es_pick at;
    ck_assert(!stage_pick(&s, 100, 100, &at));
}
END_TEST

/* ---- which tokens ---- */

START_TEST(tokens_are_named_behind_the_view)
{
    ck_assert_int_eq(stage_run(&s, ":show offset #3 #290"), ES_DONE);
    ck_assert_int_eq(s.viewer->focus, 3);
    ck_assert_int_eq(s.viewer->focus_place, -1);
    ck_assert_int_eq(s.viewer->second, 290);
    ck_assert_int_eq(stage_run(&s, ":show offset"), ES_DONE); /* as it was */
    ck_assert_int_eq(s.viewer->second, 290);
    ck_assert_int_eq(stage_run(&s, ":show offset \"a\""), ES_DONE);
    ck_assert_int_eq(s.viewer->focus, 64);
    ck_assert_int_eq(s.viewer->second, -1);
}
END_TEST

START_TEST(a_token_that_is_none_changes_nothing)
{
    static const struct {
        const char *line, *message;
    } of[] = {
        {":show offset #300", "id 300 is outside wte (300 rows: 0..299)"},
        {":show offset #3 #-1", "id -1 is outside wte (300 rows: 0..299)"},
        {":show offset \" cat\"", "id 3797 is outside wte (300 rows: 0..299)"},
        {":show offset #3 #4 #5", "the form is :show [VIEW [WHAT]]"},
    };
    offset(7, 9);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ck_assert_int_eq(stage_run(&s, of[i].line), ES_FAILED);
        if (i < 3)
            ck_assert_str_eq(s.message.s, of[i].message);
        ck_assert_int_eq(s.viewer->focus, 7);
        ck_assert_int_eq(s.viewer->second, 9);
    }
}
END_TEST

START_TEST(another_table_forgets_tokens_it_has_no_row_for)
{
    static const struct {
        const char *line;
        int32_t focus, second;
    } of[] = {{":show offset #290 #3", -1, -1},
              {":show offset #3 #290", 3, -1},
              {":show offset #3 #4", 3, 4}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ck_assert_int_eq(stage_run(&s, ":model untrained:V=300,C=8"), ES_DONE);
        ck_assert_int_eq(stage_run(&s, of[i].line), ES_DONE);
        ck_assert_int_eq(stage_run(&s, ":model untrained:V=100,C=8"), ES_DONE);
        demand(s.viewer->focus == of[i].focus && s.viewer->second == of[i].second,
               "%s: then %d and %d", of[i].line, s.viewer->focus, s.viewer->second);
    }
}
END_TEST

START_TEST(another_model_has_nothing_under_the_pointer_yet)
{
    stage_draw(&s, 800, 600);
    s.viewer->hover = (es_pick){.id = 290, .place = -1, .channel = 1, .value = 0.5};
    s.viewer->hovering = true;
    s.viewer->card.n = 1;
    es_str_cat(&s.viewer->hover.what, "x of a, channel 1");
    ck_assert_int_eq(stage_run(&s, ":model untrained:V=300,C=8"), ES_DONE);
    ck_assert(!s.viewer->hovering);
    ck_assert_int_eq(s.viewer->hover.id, -1);
    ck_assert_int_eq(s.viewer->card.n, 0);
}
END_TEST

START_TEST(without_a_name_it_is_the_sentences_last_token)
{
    int32_t token, second;
    ck_assert(es_offset_tokens(s.viewer, &token, &second));
    ck_assert_int_eq(token, 0); /* cat is beyond V, and nothing was typed */
    ck_assert_int_eq(stage_run(&s, "a b"), ES_DONE);
    ck_assert(es_offset_tokens(s.viewer, &token, &second));
    ck_assert_int_eq(token, 275);
}
END_TEST

/* ---- words ---- */

static void check_words(void (*say)(stage *, es_str *), const char *want)
{
    es_str got = {0};
    say(&s, &got);
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
}

START_TEST(it_says_that_the_copy_is_exact)
{
    offset(1, 2);
    check_words(stage_honesty, "The copy is exact: at each of 128 positions the same arrow, 1.58 "
                               "long. Of the curve's spread the axes keep 100 %.");
    check_words(stage_expression,
                "wte.weight[1] + wpe.weight [P=128, C=12]   wte.weight[2] + wpe.weight [P=128, "
                "C=12]   arrow = wte.weight[1] - wte.weight[2] [C=12]");
    check_words(stage_plain,
                "token: \" (id 1)\n"
                "second token: # (id 2)\n"
                "positions: 128 of wpe\n"
                "move: wte.weight[1] - wte.weight[2]\n"
                "length of the move: 1.581\n"
                "length of the move in the picture: 1.581\n"
                "largest difference between two arrows: 1.2e-07 (rounding to float32)\n"
                "axis 1: component 1\n"
                "axis 2: component 2\n"
                "axis 3: component 3\n"
                "spread of the curve that the axes keep: 100.0 %\n");
    offset(7, -1);
    check_words(stage_expression, "wte.weight[7] + wpe.weight [P=128, C=12]   wpe.weight [P=128, "
                                  "C=12]   arrow = wte.weight[7] [C=12]");
    s.viewer->camera[ES_VIEW_OFFSET].solid = false; /* component 1, and the move: 2 is not seen */
    offset(3, -1);
    check_words(stage_honesty, "The copy is exact: at each of 128 positions the same arrow, 1.66 "
                               "long, of which 1.58 is seen. Of the curve's spread the axes keep "
                               "64 %.");
}
END_TEST

START_TEST(its_axes_have_a_name_when_only_numbers_were_shown)
{
    es_str plain = {0};
    double got[3 * C];
    const es_offset *o = offset(7, 9);
    stage_plain(&s, &plain);
    stage_value(&s, "axes", got, 3 * (size_t)C);
    for (int i = 0; i < 3 * C; i++)
        demand(fabs(got[i] - (double)o->axes[i]) < 1e-8, "number %d", i);
    es_str_free(&plain);
}
END_TEST

START_TEST(json_has_the_same_numbers)
{
    es_str json = {0};
    const es_offset *o = offset(7, 9);
    stage_json(&s, &json);
    json_t *j = json_loadb(json.s, json.len, 0, NULL);
    ck_assert_int_eq(json_integer_value(json_object_get(j, "token")), 7);
    ck_assert_int_eq(json_integer_value(json_object_get(j, "second")), 9);
    ck_assert_double_eq(json_real_value(json_object_get(j, "move_length")), o->length);
    ck_assert_int_eq((int)json_array_size(json_object_get(j, "axes")), 3);
    json_decref(j);
    es_str_free(&json);
}
END_TEST

START_TEST(a_model_without_wte_has_no_token)
{
    stage_close(&s);
    stage_open(&s, NULL, 0, wpe, P, C, ES_VIEW_OFFSET);
    check_words(stage_plain, "problem: This model has no wte: there is no token to stand at its "
                             "positions.\n");
    check_words(stage_honesty, "This model has no wte: there is no token to stand at its "
                               "positions.");
    stage_draw(&s, 400, 300);
    ck_assert_int_eq(stage_run(&s, ":show offset #0"), ES_FAILED);
}
END_TEST

/* ---- all kinds of models, all sizes ---- */

static void try_everything(int v, int p, int c)
{
    static const int size[][2] = {{1, 1}, {60, 40}, {300, 200}, {700, 420}};
    stage_close(&s);
    stage_open(&s, wte, v, wpe, p, c, ES_VIEW_OFFSET);
    for (size_t i = 0; i < 2 * sizeof size / sizeof *size; i++) {
        es_str words = {0};
        es_pick found;
        s.viewer->camera[ES_VIEW_OFFSET].solid = i % 2;
        s.viewer->second = i % 3 ? -1 : v - 1;
        stage_draw(&s, size[i / 2][0], size[i / 2][1]);
        stage_honesty(&s, &words);
        stage_expression(&s, &words);
        stage_plain(&s, &words);
        stage_json(&s, &words);
        es_str_free(&words);
        stage_pick(&s, (float)size[i / 2][0] / 2, (float)size[i / 2][1] / 2, &found);
        es_pick_free(&found);
    }
}

START_TEST(small_models_and_small_windows_are_drawn)
{
    try_everything(1, 1, 1);
    try_everything(2, 2, 1);
    try_everything(2, 1, 3);
    try_everything(2, 3, 2);
    try_everything(3, 0, 2); /* sinusoidal */
    memset(wpe, 0, sizeof wpe);
    try_everything(3, 7, 4);
    for (int i = 0; i < P * C; i++)
        wpe[i] = i % 3 ? NAN : -INFINITY;
    try_everything(3, 7, 4);
    make_tables();
    wte[0] = NAN;
    wte[9] = INFINITY;
    try_everything(3, 7, 4);
}
END_TEST

START_TEST(a_picture_is_as_it_was)
{
    offset(7, 9);
    stage_draw(&s, 300, 200);
    same_picture(&s.raster, "offset");
}
END_TEST

Suite *offset_suite(void)
{
    Suite *suite = suite_create("offset");
    TCase *t = tcase_create("offset");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, axes_are_one_long_and_at_right_angles);
    tcase_add_test(t, the_curves_differ_by_the_move_everywhere);
    tcase_add_test(t, the_arrows_of_a_picture_are_parallel);
    tcase_add_test(t, without_a_second_token_the_positions_are_the_other_curve);
    tcase_add_test(t, a_move_within_the_plane_leaves_the_third_component);
    tcase_add_test(t, a_pick_is_the_value_of_its_statement);
    tcase_add_test(t, nothing_is_found_before_it_is_drawn);
    tcase_add_test(t, tokens_are_named_behind_the_view);
    tcase_add_test(t, a_token_that_is_none_changes_nothing);
    tcase_add_test(t, another_table_forgets_tokens_it_has_no_row_for);
    tcase_add_test(t, another_model_has_nothing_under_the_pointer_yet);
    tcase_add_test(t, without_a_name_it_is_the_sentences_last_token);
    tcase_add_test(t, it_says_that_the_copy_is_exact);
    tcase_add_test(t, its_axes_have_a_name_when_only_numbers_were_shown);
    tcase_add_test(t, json_has_the_same_numbers);
    tcase_add_test(t, a_model_without_wte_has_no_token);
    tcase_add_test(t, small_models_and_small_windows_are_drawn);
    tcase_add_test(t, a_picture_is_as_it_was);
    suite_add_tcase(suite, t);
    return suite;
}
