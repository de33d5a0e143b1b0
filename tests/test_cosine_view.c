// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawn.h"
#include "layer/cosine.h"
#include "view/cosine.h"

Suite *cosine_view_suite(void);

enum { W = 820, H = 440, C = 8 };

static drawn d;
static es_viewer *v;
static const es_box area = {10, 20, 800, 400};

static void setup(void)
{
    drawn_open(&d, "untrained:C=8", W, H);
    v = d.viewer;
    v->view = ES_VIEW_COSINE;
}

static void teardown(void)
{
    drawn_close(&d);
}

static double cosine(const float *rows, int64_t i, int64_t j)
{
    return es_cosine(rows + i * C, rows + j * C, C);
}

static es_square_plan plan(es_box box, int64_t *n)
{
    es_squares q;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_squares_make(&q, &v->scene, &err), err);
    es_square_plan p = es_squares_plan(v, &d.raster.canvas, box, &q);
    if (n)
        *n = q.part.n;
    es_squares_free(&q);
    return p;
}

/* ---- cells ---- */

START_TEST(each_cell_is_the_cosine_of_its_row_and_its_column)
{
    drawn_run(&d, "The cat sat on it");
    drawn_within(&d, area, es_view_cosine.draw);
    es_square_plan p = plan(area, NULL);
    ck_assert_int_eq(p.n, 3);
    ck_assert_int_eq(p.shown, 5);
    for (int s = 0; s < 3; s++)
        for (int cell = 0; cell < 25; cell++) {
            int i = cell / 5, j = cell % 5;
            es_pick pick = ES_PICK_NONE;
            es_spot at = {p.of[s].map.x + ((float)j + 0.3f) * p.cell,
                          p.of[s].map.y + ((float)i + 0.2f) * p.cell};
            char want[200];
            double before = cosine(v->scene.tok_emb, i, j), after = cosine(v->scene.x, i, j);
            double value = s == 0 ? before : s == 1 ? after : after - before;
            demand(es_view_cosine.pick(v, &d.raster.canvas, area, at, &pick), "%d %d", s, cell);
            demand(fabs(pick.value - value) < 1e-6, "%d %d: %g, not %g", s, cell, pick.value,
                   value);
            demand(pick.place == i && pick.id == v->scene.ids[i], "%d %d", s, cell);
            int n = snprintf(want, sizeof want, "F.cosine_similarity(%s[0, %d], %s[0, %d], dim=0)",
                             s ? "x" : "tok_emb", i, s ? "x" : "tok_emb", j);
            if (s == 2)
                snprintf(want + n, sizeof want - (size_t)n,
                         " - F.cosine_similarity(tok_emb[0, %d], tok_emb[0, %d], dim=0)", i, j);
            demand(!strcmp(pick.statement.s, want), "%s", pick.statement.s);
            es_argb colour = es_diverging(es_viewer_palette(v), (float)pick.value);
            demand(drawn_pixel(&d, pick.mark.x + 3, pick.mark.y + 3) == colour, "%d %d", s, cell);
            es_pick_free(&pick);
        }
}
END_TEST

START_TEST(a_cell_is_named_by_its_two_tokens)
{
    es_pick pick = ES_PICK_NONE;
    drawn_run(&d, "The cat");
    es_square_plan p = plan(area, NULL);
    es_spot at = {p.of[1].map.x + p.cell * 1.5f, p.of[1].map.y + p.cell * 0.5f};
    ck_assert(es_view_cosine.pick(v, &d.raster.canvas, area, at, &pick));
    char want[100];
    snprintf(want, sizeof want, "The (0) and ␣cat (1), cosine of x: %.4f", pick.value);
    ck_assert_str_eq(pick.what.s, want);
    es_pick_free(&pick);
    at.y = area.y;
    ck_assert(!es_view_cosine.pick(v, &d.raster.canvas, area, at, &pick));
}
END_TEST

/* ---- words ---- */

static void expect_words(const char *want)
{
    es_str words = drawn_words(&d, 900, 500, es_view_cosine.draw);
    ck_assert_msg(strstr(words.s, want) != NULL, "%s", words.s);
    es_str_free(&words);
}

START_TEST(what_positions_change_is_said)
{
    drawn_run(&d, "cat cat");
    for (int64_t k = 0; k < C; k++) {
        v->scene.tok_emb[k] = v->scene.tok_emb[C + k] = 1;
        v->scene.x[k] = 1;
        v->scene.x[C + k] = k % 2 ? 1 : 0;
    }
    v->scene.ids = (const int32_t[]){9246, 9246};
    expect_words("1 pair: 1.00 on average before, 0.71 after. Changed most: cat (0) and cat (1), "
                 "1.00 before, 0.71 after: one row\n");
}
END_TEST

START_TEST(what_is_missing_is_said)
{
    expect_words("No text yet. Type a sentence, such as: The cat sat on the\n");
    drawn_run(&d, "The");
    expect_words("One token alone: there is no pair.\n");
    drawn_preview(&d, "The cat");
    expect_words("Not entered yet. 1 pair: ");
    drawn_run(&d, ":positions none");
    drawn_preview(&d, "The cat");
    expect_words("= tok_emb: no positions are added\n");
    ck_assert_int_eq(plan(area, NULL).n, 1);
}
END_TEST

START_TEST(a_row_without_a_direction_has_no_cosine_and_says_why)
{
    drawn_run(&d, "The cat sat");
    memset(v->scene.tok_emb, 0, C * sizeof(float));
    v->scene.x[2 * C] = NAN;
    expect_words("NaN\n");
    expect_words("NaN: a vector of length 0, or with NaN in it, has no direction.\n");
}
END_TEST

START_TEST(what_is_said_is_said_whole)
{
    drawn_run(&d, "The king and the queen sat on the mat, and the mat was theirs");
    for (int w = 240; w < 800; w += 40)
        for (int h = 200; h < 600; h += 100) {
            es_str words = drawn_words(&d, (float)w, (float)h, es_view_cosine.draw);
            const char *says = strstr(words.s, "pairs");
            demand(!says || !strstr(says, "…"), "%dx%d: %s", w, h, words.s);
            es_str_free(&words);
        }
}
END_TEST

START_TEST(of_a_long_text_the_first_tokens_are_compared)
{
    int64_t n;
    es_str text = {0};
    for (int i = 0; i < 5000; i++)
        es_str_cat(&text, " cat");
    drawn_run(&d, ":positions sinusoidal");
    drawn_run(&d, text.s);
    es_str_free(&text);
    drawn_within(&d, area, es_view_cosine.draw);
    es_square_plan p = plan(area, &n);
    ck_assert_int_eq(n, ES_COSINE_TOKENS);
    ck_assert_int_ge(p.shown, 36);
    ck_assert_int_le(p.shown, n);
    es_str want = {0};
    es_str_add(&want, "The first %d of 5000 tokens. ",
               (int)plan((es_box){0, 0, 900, 500}, NULL).shown);
    expect_words(want.s);
    es_str_free(&want);
}
END_TEST

START_TEST(nothing_is_drawn_outside_at_any_size)
{
    const char *const texts[] = {"", "x", "The cat sat on the mat"};
    const float side[] = {1, 3, 17, 60, 130, 401};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        drawn_run(&d, texts[t]);
        for (int i = 0; i < 36; i++)
            for (int big = 0; big < 2; big++) {
                es_box box = {20, 10, side[i / 6], side[i % 6]};
                es_session_settings(d.session)->big = big;
                drawn_within(&d, box, es_view_cosine.draw);
            }
    }
}
END_TEST

START_TEST(in_words_it_is_what_the_command_prints)
{
    es_str out = {0}, want = {0};
    drawn_run(&d, "The cat");
    es_view_cosine.plain(v, &out);
    double before = cosine(v->scene.tok_emb, 0, 1), after = cosine(v->scene.x, 0, 1);
    es_str_add(&want,
               "tokens: 2\ntoken 0: \"The\"\ntoken 1: \" cat\"\n"
               "cosine of 0 and 1: before %.4f, after %.4f\n"
               "pairs: 1\nmean: before %.4f, after %.4f\n",
               before, after, before, after);
    ck_assert_str_eq(out.s, want.s);
    es_str_cut(&out, 0);
    es_str_cut(&want, 0);
    es_json j = {.out = &out};
    es_json_open(&j, '{');
    es_view_cosine.json(v, &j);
    es_json_close(&j, '}');
    json_t *root = json_loads(out.s, 0, NULL);
    json_t *row = json_array_get(json_object_get(root, "after"), 0);
    ck_assert_double_eq_tol(json_number_value(json_array_get(row, 1)), after, 1e-6);
    ck_assert(json_is_true(json_object_get(root, "entered")));
    json_decref(root);
    es_str_free(&out);
    es_str_free(&want);
}
END_TEST

Suite *cosine_view_suite(void)
{
    Suite *s = suite_create("cosine_view");
    TCase *tc = tcase_create("cosine_view");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, each_cell_is_the_cosine_of_its_row_and_its_column);
    tcase_add_test(tc, a_cell_is_named_by_its_two_tokens);
    tcase_add_test(tc, what_positions_change_is_said);
    tcase_add_test(tc, what_is_missing_is_said);
    tcase_add_test(tc, a_row_without_a_direction_has_no_cosine_and_says_why);
    tcase_add_test(tc, what_is_said_is_said_whole);
    tcase_add_test(tc, of_a_long_text_the_first_tokens_are_compared);
    tcase_add_test(tc, nothing_is_drawn_outside_at_any_size);
    tcase_add_test(tc, in_words_it_is_what_the_command_prints);
    suite_add_tcase(s, tc);
    return s;
}
