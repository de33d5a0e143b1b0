// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of a lookup as a product. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "stage.h"
#include "support.h"
#include "view/onehot.h"
#include "view/row_named.h"

Suite *onehot_view_suite(void);

enum { C = 4, V = 300 };

static float wte[V * C];
static stage s;

static void setup(void)
{
    uint64_t state = 3;
    for (int i = 0; i < V * C; i++)
        wte[i] = (float)((double)random_below(&state, 2001) / 1000 - 1);
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_ONEHOT);
}

static void teardown(void)
{
    stage_close(&s);
}

static const es_hot *show(const char *line)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
    const es_hot *h = es_hot_of(s.viewer, NULL);
    ck_assert(h != NULL);
    return h;
}

static void check_words(void (*say)(stage *, es_str *), const char *want)
{
    es_str got = {0};
    say(&s, &got);
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
}

static es_hot_plan plan_of(const es_hot *h)
{
    return es_hot_plan_of(s.viewer, h, &s.raster.canvas, s.area);
}

/* ---- rows ---- */

START_TEST(the_tokens_row_is_in_the_middle_where_it_can_be)
{
    static const struct {
        int id, first;
    } of[] = {{0, 0}, {5, 0}, {100, 94}, {299, 287}, {296, 287}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char line[40];
        snprintf(line, sizeof line, ":show onehot #%d", of[i].id);
        const es_hot *h = show(line);
        ck_assert_int_eq(h->id, of[i].id);
        ck_assert_int_eq(h->first, of[i].first);
        ck_assert_int_eq(h->n, ES_HOT_ROWS);
        ck_assert(!memcmp(h->row, wte + of[i].first * C, ES_HOT_ROWS * C * sizeof *wte));
        stage_draw(&s, 900, 600);
        es_hot_plan plan = plan_of(h);
        ck_assert_int_le(plan.first_row, of[i].id);
        ck_assert_int_gt(plan.first_row + plan.n_rows, of[i].id);
        ck_assert_int_le(plan.first_cell, of[i].id);
        ck_assert_int_gt(plan.first_cell + plan.n_cells, of[i].id);
    }
}
END_TEST

START_TEST(a_pick_is_the_value_of_its_statement)
{
    int found = 0, ones = 0;
    show(":show onehot #100");
    stage_draw(&s, 900, 600);
    for (int y = 5; y < 600; y += 11)
        for (int x = 5; x < 900; x += 37) {
            es_pick at;
            double got;
            if (!stage_pick(&s, (float)x, (float)y, &at))
                continue;
            if (found++ % 5 == 0) {
                stage_value(&s, at.statement.s, &got, 1);
                demand(fabs(at.value - got) < 1e-6, "%s: %s is %g", at.what.s, at.statement.s, got);
            }
            ones += at.channel < 0 && at.value == 1;
            demand(at.channel >= 0 || (at.value == 1) == (at.id == 100), "%s", at.what.s);
            es_pick_free(&at);
        }
    ck_assert_int_gt(found, 150);
    ck_assert_int_gt(ones, 1);
}
END_TEST

START_TEST(what_comes_out_is_the_row)
{
    const es_hot *h = show(":show onehot #100");
    stage_draw(&s, 900, 600);
    es_hot_plan plan = plan_of(h);
    es_pick at;
    ck_assert(stage_pick(&s, plan.result.x + plan.result.w / 8 * 3, plan.result.y + 4, &at));
    ck_assert_double_eq(at.value, (double)wte[100 * C + 1]);
    ck_assert_str_eq(at.statement.s, "wte(torch.tensor([100]))[0, 1]");
    es_pick_free(&at);
    es_heat rows = es_hot_rows(h, &plan);
    es_spot mid = {plan.result.x + plan.result.w / 8, plan.result.y + plan.result.h - 4};
    es_box cell = es_heat_cell(&rows, plan.map, 100 - plan.first_row, 0);
    uint32_t out = s.raster.pixels[(int)mid.y * s.raster.w + (int)(plan.result.x + 4)],
             in = s.raster.pixels[(int)(cell.y + cell.h - 4) * s.raster.w + (int)(cell.x + 4)];
    ck_assert_uint_eq(out, in);
}
END_TEST

/* ---- motion ---- */

static int strong_at(es_box box, float x)
{
    es_argb colour = es_viewer_palette(s.viewer)->strong;
    return s.raster.pixels[(int)(box.y + box.h / 2) * s.raster.w + (int)x] == colour;
}

START_TEST(the_one_runs_and_the_row_slides_within_a_second)
{
    int window;
    const es_hot *h = show(":show onehot #10");
    stage_draw(&s, 900, 600);
    es_hot_plan plan = plan_of(h);
    float place = plan.bar.x + plan.bar.w * 200.5f / V, start = plan.bar.x + 1;
    s.viewer->window = (es_window *)(void *)&window;
    s.viewer->clock = 7;
    s.viewer->focus = 200;
    stage_draw(&s, 900, 600);
    ck_assert(es_viewer_moving(s.viewer));
    ck_assert(strong_at(plan.bar, start));
    ck_assert(!strong_at(plan.bar, place));
    s.viewer->clock = 7.6;
    stage_draw(&s, 900, 600);
    ck_assert(es_viewer_moving(s.viewer));
    ck_assert(strong_at(plan.bar, place));
    ck_assert(!strong_at(plan.result, plan.result.x + 1)); /* still on its way */
    s.viewer->clock = 8;
    stage_draw(&s, 900, 600);
    ck_assert(!es_viewer_moving(s.viewer));
    ck_assert(strong_at(plan.result, plan.result.x + 1));
    s.viewer->window = NULL;
}
END_TEST

START_TEST(without_a_window_or_with_motion_off_it_is_over_at_once)
{
    int window;
    const es_hot *h = show(":show onehot #10");
    stage_draw(&s, 900, 600);
    es_hot_plan plan = plan_of(h);
    ck_assert(!es_viewer_moving(s.viewer));
    ck_assert(strong_at(plan.result, plan.result.x + 1));
    ck_assert_int_eq(stage_run(&s, ":set motion off"), ES_DONE);
    s.viewer->window = (es_window *)(void *)&window;
    s.viewer->focus = 200;
    stage_draw(&s, 900, 600);
    ck_assert(!es_viewer_moving(s.viewer));
    ck_assert(strong_at(plan.bar, plan.bar.x + plan.bar.w * 200.5f / V));
    s.viewer->window = NULL;
}
END_TEST

/* ---- which token ---- */

START_TEST(without_a_name_it_is_the_sentences_token_in_focus)
{
    bool row;
    ck_assert_int_eq(es_row_in_focus(s.viewer, &row), 0); /* cat is beyond V */
    ck_assert_int_eq(stage_run(&s, "a b"), ES_DONE);
    ck_assert_int_eq(show(":show onehot")->id, 275);
    ck_assert_int_eq(show(":show onehot @0")->id, 64);
    ck_assert_int_eq(stage_run(&s, ":show onehot #300"), ES_FAILED);
    ck_assert_str_eq(s.message.s, "id 300 is outside wte (300 rows: 0..299)");
    ck_assert_int_eq(s.viewer->focus, 64);
}
END_TEST

START_TEST(a_token_without_a_row_has_no_place_for_its_one)
{
    ck_assert_int_eq(stage_run(&s, ":clear"), ES_DONE);
    stage_run(&s, "The cat");
    check_words(stage_plain,
                "problem: ␣cat has id 3797, and wte has 300 rows (0..299): there is no place for "
                "its 1. Try :show onehot #299.\n");
    check_words(stage_honesty, "");
    stage_draw(&s, 500, 300);
}
END_TEST

/* ---- words ---- */

START_TEST(both_ways_and_what_they_cost_are_said)
{
    es_str words = {0};
    show(":show onehot #2");
    check_words(stage_honesty, "The product is the row, number for number: all others are "
                               "multiplied by 0. Programs do not multiply: they look the row up. "
                               "Few of 300 rows are drawn.");
    check_words(stage_expression, "one_hot(2) [1, V=300] @ wte [V=300, C=4] = tok_emb [1, C=4]");
    es_hot_costs(s.viewer, es_hot_of(s.viewer, NULL), &words);
    ck_assert_str_eq(words.s,
                     "The product: 300 × 4 = 1,200 multiply-adds, all but 4 of them with 0, and "
                     "4.8 kB of wte read. The lookup: no multiply-adds, and 16 B read.");
    es_str_free(&words);
}
END_TEST

START_TEST(a_row_beside_it_with_nan_spoils_the_product)
{
    stage_close(&s);
    wte[3 * C + 1] = NAN;
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_ONEHOT);
    show(":show onehot #2");
    check_words(stage_honesty,
                "The product is the row, number for number: all others are multiplied by 0. But 1 "
                "row here holds NaN or Inf, and 0 times these is NaN: the product is spoiled, the "
                "lookup is not. Few of 300 rows are drawn.");
    stage_draw(&s, 900, 600);
    ck_assert_int_eq(show(":show onehot #3")->odd, 0);
}
END_TEST

START_TEST(letters_keep_apart_at_any_size)
{
    static const char *const lines[] = {":show onehot #7", ":show onehot #0"};
    drawn d;
    drawn_open(&d, "untrained:V=300,C=4", 100, 100);
    for (size_t t = 0; t < sizeof lines / sizeof *lines; t++) {
        drawn_run(&d, lines[t]);
        drawn_apart_at_any_size(&d, lines[t]);
    }
    ck_assert_str_eq(es_str_text(&d.errors), "");
    drawn_close(&d);
}
END_TEST

START_TEST(json_has_the_row)
{
    es_str json = {0};
    show(":show onehot #9");
    stage_json(&s, &json);
    json_t *j = json_loadb(json.s, json.len, 0, NULL), *row = json_object_get(j, "row");
    ck_assert_int_eq((int)json_array_size(row), C);
    ck_assert_double_eq_tol(json_number_value(json_array_get(row, 2)), (double)wte[9 * C + 2],
                            1e-7);
    ck_assert_double_eq(json_number_value(json_object_get(j, "multiply_adds")), V * C);
    json_decref(j);
    es_str_free(&json);
}
END_TEST

/* ---- all kinds of models, all sizes ---- */

START_TEST(nothing_is_drawn_outside_at_any_size)
{
    static const char *const model[] = {"untrained:V=1,C=1", "untrained:V=2,C=900",
                                        "untrained:V=50257,C=3"};
    for (size_t m = 0; m < sizeof model / sizeof *model; m++) {
        drawn d;
        drawn_open(&d, model[m], 860, 860);
        drawn_run(&d, ":show onehot");
        drawn_within_at_any_size(&d);
        ck_assert_str_eq(es_str_text(&d.errors), "");
        drawn_close(&d);
    }
}
END_TEST

START_TEST(a_model_without_wte_has_no_table)
{
    stage_close(&s);
    stage_open(&s, NULL, 0, wte, V, C, ES_VIEW_ONEHOT);
    check_words(stage_plain,
                "problem: This model has no wte: there is no table to look a token up in.\n");
    stage_draw(&s, 400, 300);
    ck_assert_int_eq(stage_run(&s, ":show onehot #0"), ES_FAILED);
}
END_TEST

Suite *onehot_view_suite(void)
{
    Suite *suite = suite_create("onehot_view");
    TCase *tc = tcase_create("onehot_view");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_tokens_row_is_in_the_middle_where_it_can_be);
    tcase_add_test(tc, a_pick_is_the_value_of_its_statement);
    tcase_add_test(tc, what_comes_out_is_the_row);
    tcase_add_test(tc, the_one_runs_and_the_row_slides_within_a_second);
    tcase_add_test(tc, without_a_window_or_with_motion_off_it_is_over_at_once);
    tcase_add_test(tc, without_a_name_it_is_the_sentences_token_in_focus);
    tcase_add_test(tc, a_token_without_a_row_has_no_place_for_its_one);
    tcase_add_test(tc, both_ways_and_what_they_cost_are_said);
    tcase_add_test(tc, a_row_beside_it_with_nan_spoils_the_product);
    tcase_add_test(tc, letters_keep_apart_at_any_size);
    tcase_add_test(tc, json_has_the_row);
    tcase_add_test(tc, nothing_is_drawn_outside_at_any_size);
    tcase_add_test(tc, a_model_without_wte_has_no_table);
    suite_add_tcase(suite, tc);
    return suite;
}
