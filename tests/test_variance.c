// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of variance, of a table made here: a mean far from 0, components whose shares are known, one row at the mean and
 * one far from it. */
#include "view/variance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "layer/noise.h"
#include "stage.h"
#include "support.h"

Suite *variance_suite(void);

enum { V = 600, C = 8, AT_MEAN = 77, FAR = 501 };

static float wte[V * C], wpe[2 * C];
static stage s;

/* Deviations 8, 4, 2, 1, … about a mean of 10 along the last channel. */
static void make_table(void)
{
    uint64_t state = 1;
    for (int i = 0; i < V; i++)
        for (int c = 0; c < C; c++) {
            double part = (double)random_below(&state, 2001) / 1000 - 1;
            wte[i * C + c] = (float)(ldexp(part, 3 - c) + (c == C - 1 ? 10 : 0));
        }
    for (int c = 0; c < C; c++) {
        double sum = 0;
        wte[FAR * C + c] = c == 0 ? 20.0F : c == C - 1 ? 10.0F : 0.0F;
        for (int i = 0; i < V; i++)
            sum += i == AT_MEAN ? 0 : (double)wte[i * C + c];
        wte[AT_MEAN * C + c] = (float)(sum / (V - 1));
    }
}

static void setup(void)
{
    make_table();
    stage_open(&s, wte, V, wpe, 2, C, ES_VIEW_VARIANCE);
}

static void teardown(void)
{
    stage_close(&s);
}

static void show(const char *part)
{
    es_str line = {0};
    es_str_add(&line, ":show variance %s", part);
    ck_assert_int_eq(stage_run(&s, line.s), ES_DONE);
    es_str_free(&line);
    stage_draw(&s, 900, 600);
}

static const es_variance_panel *panel(int i)
{
    const es_variance *of = es_variance_of(s.viewer);
    ck_assert_int_lt(i, of->n);
    return &of->panel[i];
}

/* ---- numbers ---- */

START_TEST(components_are_counted_until_they_keep_enough)
{
    const es_variance *of = es_variance_of(s.viewer);
    const es_pca *p = &s.viewer->atlas->tokens.pca;
    for (int k = 0; k < 3; k++) {
        double sum = 0, before = 0, law = 0, law_before = 0;
        for (int i = 0; i < of->needed[k]; i++) {
            before = sum;
            sum += 100 * p->variance[i] / p->total;
        }
        for (int i = 0; i < of->law_needed[k]; i++) {
            law_before = law;
            law += 100 * of->law[i];
        }
        int keep = es_variance_keep[k];
        demand(before < keep && sum >= keep - 1e-6, "%d %%: %d components keep %g", keep,
               (int)of->needed[k], sum);
        demand(law_before < keep && law >= keep - 1e-6, "%d %%: %d of random rows keep %g", keep,
               (int)of->law_needed[k], law);
    }
    ck_assert_int_eq(of->needed[0], 1); /* 64 : 16 : 4 : … */
    ck_assert_int_eq(of->needed[1], 2);
}
END_TEST

START_TEST(who_is_at_the_mean_and_who_is_far_is_named)
{
    const es_variance *of = es_variance_of(s.viewer);
    ck_assert_int_eq(of->near[0], AT_MEAN);
    ck_assert_int_eq(of->far[0], FAR);
    ck_assert_int_eq(of->n_ends, ES_VARIANCE_ENDS);
    ck_assert_int_eq(of->n_odd, 0); /* this vocabulary has no row for them */
    ck_assert_double_eq(of->floor, es_noise_floor(V - 1, C));
}
END_TEST

START_TEST(random_rows_have_the_spread_of_the_table)
{
    const es_variance *of = es_variance_of(s.viewer);
    const es_spread *random = &s.viewer->atlas->random;
    double squares = 0;
    for (int i = 0; i < V; i++)
        squares += pow(of->sd * (double)random->distance[i], 2) / (V - 1);
    ck_assert_double_eq_tol(squares / s.viewer->atlas->tokens.pca.total, 1, 0.1);
}
END_TEST

START_TEST(medians_are_those_of_their_stretch)
{
    const es_variance *of = es_variance_of(s.viewer);
    const es_spread *rows = &s.viewer->atlas->spread;
    for (int k = 0; k < ES_VARIANCE_STRETCHES; k++) {
        int below = 0, above = 0;
        for (int i = 0; i < V; i++)
            if ((int)(i * (double)ES_VARIANCE_STRETCHES / (V - 1)) == k) {
                below += rows->length[i] < of->by_id.at[k];
                above += rows->length[i] > of->by_id.at[k];
            }
        demand(abs(above - below) <= 2, "stretch %d: %d below, %d above", k, below, above);
    }
    ck_assert(isnan(of->by_count.at[0]) || !s.viewer->atlas->context->model->counts);
}
END_TEST

START_TEST(a_number_is_in_one_bin_or_beyond_the_ends)
{
    const float x[] = {0, 0.49F, 0.5F, 1, 1.1F, -0.1F, NAN, INFINITY, 0.25F};
    es_bins b = {.low = 0, .high = 2, .n = 4};
    es_bins_fill(&b, x, 9, 2);
    ck_assert_int_eq(b.counted, 7);
    ck_assert_int_eq(b.below, 1);
    ck_assert_int_eq(b.above, 1);
    ck_assert_double_eq_tol(b.percent[0] + b.percent[1] + b.percent[2] + b.percent[3],
                            100 * 5.0 / 7, 1e-9);
    ck_assert_double_eq_tol(b.percent[1], 100 * 2.0 / 7, 1e-9);
    ck_assert_double_eq_tol(b.percent[3], 100 * 1.0 / 7, 1e-9); /* the end is in the last one */
    ck_assert_int_eq(es_bins_at(&b, NAN), -1);
    ck_assert_int_eq(es_bins_at(&b, 2), 3);
    ck_assert_double_eq_tol(es_bins_most(&b), 100 * 2.0 / 7, 1e-9);
}
END_TEST

/* ---- what is drawn and found ---- */

START_TEST(four_panels_or_one_large_one)
{
    show("");
    ck_assert_int_eq(es_variance_of(s.viewer)->n, 4);
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(panel(k)->part, ES_VARIANCE_COMPONENTS + k);
        ck_assert(!panel(k)->large);
        ck_assert_int_gt(panel(k)->n, 0);
    }
    show("outliers");
    ck_assert_int_eq(es_variance_of(s.viewer)->n, 1);
    ck_assert_int_eq(panel(0)->part, ES_VARIANCE_OUTLIERS);
    ck_assert(panel(0)->large);
}
END_TEST

START_TEST(a_row_that_is_pointed_at_has_its_length)
{
    show("lengths");
    const es_chart *chart = &panel(0)->chart[0];
    int found = 0;
    for (int id = 3; id < V; id += 71) {
        es_spot at = es_chart_spot(chart, id, s.viewer->atlas->spread.length[id]);
        es_pick p;
        double value;
        ck_assert(stage_pick(&s, at.x, at.y, &p));
        stage_value(&s, p.statement.s, &value, 1);
        ck_assert_double_eq_tol(value, p.value, 1e-4);
        found += p.id == id;
        es_pick_free(&p);
    }
    ck_assert_int_ge(found, 6); /* another may lie as near */
}
END_TEST

START_TEST(who_is_named_is_found_with_the_distance)
{
    show("outliers");
    const es_variance_panel *p = panel(0);
    const int32_t ids[] = {AT_MEAN, FAR};
    for (int i = 0; i < 2; i++) {
        double far = (double)s.viewer->atlas->spread.distance[ids[i]], value;
        const es_bins *b = &p->bins[0];
        es_spot at = es_chart_spot(&p->chart[0], far, b->percent[es_bins_at(b, far)]);
        es_pick found;
        ck_assert(stage_pick(&s, at.x, at.y, &found));
        ck_assert_int_eq(found.id, ids[i]);
        stage_value(&s, found.statement.s, &value, 1);
        ck_assert_double_eq_tol(value, far, 1e-4);
        es_pick_free(&found);
    }
}
END_TEST

START_TEST(a_component_that_is_pointed_at_has_its_share)
{
    show("components");
    const es_pca *p = &s.viewer->atlas->tokens.pca;
    for (int chart = 0; chart < 2; chart++)
        for (int k = 1; k <= C; k++) {
            const es_box in = panel(0)->chart[chart].inside;
            es_spot at = es_chart_spot(&panel(0)->chart[chart], k, 0);
            es_pick found;
            at.x = fminf(at.x, in.x + in.w - 1);
            ck_assert(stage_pick(&s, at.x, in.y + in.h / 2, &found));
            ck_assert_double_eq_tol(found.value, p->variance[k - 1] / p->total, 1e-12);
            es_pick_free(&found);
        }
}
END_TEST

START_TEST(a_bar_that_is_pointed_at_says_how_many_are_there)
{
    es_pick found;
    show("cosines");
    const es_box in = panel(0)->chart[0].inside;
    ck_assert(stage_pick(&s, in.x + in.w - 2, in.y + 5, &found));
    const es_bins *b = &panel(0)->bins[0];
    ck_assert_double_eq(found.value, b->percent[b->n - 1]);
    ck_assert(strstr(found.what.s, "cosine from "));
    es_pick_free(&found);
    ck_assert(!stage_pick(&s, in.x - 5, in.y + 5, &found));
}
END_TEST

START_TEST(a_spot_beside_everything_finds_nothing)
{
    es_pick found;
    stage_draw(&s, 900, 600);
    ck_assert(!stage_pick(&s, 0, 0, &found));
    ck_assert(!stage_pick(&s, NAN, NAN, &found));
    ck_assert(!stage_pick(&s, -50, 1e9F, &found));
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

START_TEST(it_says_what_is_exact_and_what_is_drawn_by_lot)
{
    static const struct {
        const char *part, *honesty, *expression;
    } of[] = {
        {"",
         "All 600 rows count, none is sampled. Cosines are of 100,000 pairs drawn by lot. Random "
         "rows: 600 of N(0, 1), scaled to the spread of wte; components by Marchenko and Pastur's "
         "law.",
         "W = wte.weight [V=600, C=8]   eigenvalues of W.T.cov() [C=8]   cosine(W[i], W[j]) "
         "[100000]   W.norm(dim=1) [V=600]   (W - W.mean(0)).norm(dim=1) [V=600]"},
        {"components",
         "All 600 rows count, none is sampled. Random rows: components by Marchenko and Pastur's "
         "law.",
         "W = wte.weight [V=600, C=8]   eigenvalues of W.T.cov() [C=8]"},
        {"cosines", "Cosines are of 100,000 pairs drawn by lot. Random rows: 600 of N(0, 1).",
         "W = wte.weight [V=600, C=8]   cosine(W[i], W[j]), cosine(W[i] - W.mean(0), W[j] - "
         "W.mean(0)) [100000]"},
        {"lengths",
         "All 600 rows count, none is sampled. Random rows: 600 of N(0, 1), scaled to the spread "
         "of "
         "wte.",
         "W = wte.weight [V=600, C=8]   W.norm(dim=1) [V=600]"},
        {"outliers",
         "All 600 rows count, none is sampled. Random rows: 600 of N(0, 1), scaled to the spread "
         "of "
         "wte.",
         "W = wte.weight [V=600, C=8]   (W - W.mean(0)).norm(dim=1) [V=600]"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        show(of[i].part);
        check_words(stage_honesty, of[i].honesty);
        check_words(stage_expression, of[i].expression);
    }
}
END_TEST

START_TEST(numbers_come_as_lines_and_as_json)
{
    es_str plain = {0}, json = {0};
    show("outliers");
    stage_plain(&s, &plain);
    ck_assert(strstr(plain.s, "rows: 600 of 8 numbers\ndistance from the mean: mean ") == plain.s);
    ck_assert(strstr(plain.s, "\nnearest to the mean: \"n\" "));
    ck_assert(!strstr(plain.s, "component"));
    show("");
    stage_json(&s, &json);
    json_t *o = json_loadb(json.s, json.len, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(o, "part")), "all");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "rows")), V);
    ck_assert_int_eq((int)json_array_size(json_object_get(o, "share")), C);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(o, "farthest"), 0)), FAR);
    double mean = json_number_value(json_array_get(json_object_get(o, "cosine"), 1));
    ck_assert_double_eq(mean, es_variance_of(s.viewer)->before.mean);
    json_decref(o);
    es_str_free(&plain);
    es_str_free(&json);
}
END_TEST

START_TEST(another_word_says_which_parts_there_are)
{
    show("lengths");
    ck_assert_int_eq(stage_run(&s, ":show variance \"\\x1bscree\""), ES_FAILED);
    ck_assert_str_eq(s.message.s, "the view variance has no part \"\\x1bscree\"");
    ck_assert_str_eq(s.hint.s, "parts: all, components, cosines, lengths, outliers");
    ck_assert_int_eq(stage_run(&s, ":show variance lengths cosines"), ES_FAILED);
    ck_assert_int_eq(es_variance_shown(s.viewer), ES_VARIANCE_LENGTHS);
}
END_TEST

START_TEST(the_part_is_among_the_lines_that_lead_back)
{
    es_str lines = {0};
    show("lengths");
    es_viewer_recall(s.viewer, &lines);
    ck_assert(strstr(lines.s, ":show variance lengths\n"));
    es_str_free(&lines);
    show("all");
    es_viewer_recall(s.viewer, &lines);
    ck_assert(strstr(lines.s, ":show variance\n"));
    es_str_free(&lines);
}
END_TEST

/* ---- all kinds of models, all sizes ---- */

static void try_everything(int v, int c)
{
    static const int size[][2] = {{1, 1}, {60, 40}, {300, 200}, {700, 420}};
    static const char *const parts[] = {"", "components", "cosines", "lengths", "outliers"};
    stage_close(&s);
    stage_open(&s, wte, v, NULL, 0, c, ES_VIEW_VARIANCE);
    for (int p = 0; p < 5; p++) {
        show(parts[p]);
        for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
            es_str words = {0};
            es_pick found;
            stage_draw(&s, size[i][0], size[i][1]);
            stage_honesty(&s, &words);
            stage_plain(&s, &words);
            stage_json(&s, &words);
            for (int k = 0; k < 40; k++)
                if (stage_pick(&s, (float)(k % 8 * size[i][0] / 8), (float)(k / 8 * size[i][1] / 5),
                               &found))
                    es_pick_free(&found);
            es_str_free(&words);
        }
    }
}

START_TEST(few_rows_or_one_channel_are_drawn)
{
    try_everything(2, 1);
    try_everything(2, 8);
    try_everything(3, 2);
    try_everything(40, 1);
    try_everything(5, 8);
}
END_TEST

START_TEST(rows_that_are_not_finite_are_left_out)
{
    wte[4] = NAN;
    wte[C * 3 + 1] = INFINITY;
    wte[C * 9] = 1e30F;
    memset(wte + C * 12, 0, C * sizeof *wte);
    try_everything(V, C);
    es_str words = {0};
    stage_honesty(&s, &words);
    ck_assert(strstr(words.s, "All 598 rows count, none is sampled. 2 rows hold NaN or Inf and are "
                              "left out."));
    ck_assert_int_eq(es_variance_of(s.viewer)->far[0], 9);
    es_str_free(&words);
}
END_TEST

START_TEST(a_table_of_one_row_over_and_over_has_no_spread)
{
    for (int i = 0; i < V * C; i++)
        wte[i] = 0.1F * (float)(1 + i % C);
    try_everything(V, C);
    es_str plain = {0};
    show("");
    stage_plain(&s, &plain);
    ck_assert(strstr(plain.s, "spread: none, all rows are the same\n"));
    ck_assert(strstr(plain.s, "cosine as they are: mean 1, from 1 to 1\n"));
    ck_assert(strstr(plain.s, "cosine with the mean taken off: none\n"));
    es_str_free(&plain);
    memset(wte, 0, sizeof wte);
    try_everything(V, C);
}
END_TEST

START_TEST(one_row_alone_has_no_variance_and_says_so)
{
    stage_close(&s);
    stage_open(&s, wte, 1, NULL, 0, C, ES_VIEW_MAP);
    ck_assert_int_eq(stage_run(&s, ":show variance"), ES_FAILED);
    ck_assert_str_eq(s.message.s,
                     "principal components are of two rows or more, and of this table 1 is finite");
}
END_TEST

/* ---- words do not meet ---- */

START_TEST(nothing_that_is_written_meets_anything)
{
    static const char *const lines[] = {":show variance", ":show variance components",
                                        ":show variance cosines", ":show variance lengths",
                                        ":show variance outliers"};
    static const int size[][2] = {{960, 660}, {530, 420}, {1600, 900}, {420, 900}, {260, 200}};
    drawn d;
    drawn_open(&d, "untrained:C=4", 16, 16);
    drawn_run(&d, "The king and the queen petertodd");
    for (int i = 0; i < 5; i++) {
        drawn_run(&d, lines[i]);
        for (int k = 0; k < 10; k++) {
            es_session_settings(d.session)->big = k % 2;
            drawn_apart(&d, lines[i], (float)size[k / 2][0], (float)size[k / 2][1],
                        es_view_variance.draw);
        }
    }
    ck_assert_str_eq(es_str_text(&d.errors), "");
    drawn_close(&d);
}
END_TEST

Suite *variance_suite(void)
{
    Suite *suite = suite_create("variance");
    TCase *tc = tcase_create("variance");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, components_are_counted_until_they_keep_enough);
    tcase_add_test(tc, who_is_at_the_mean_and_who_is_far_is_named);
    tcase_add_test(tc, random_rows_have_the_spread_of_the_table);
    tcase_add_test(tc, medians_are_those_of_their_stretch);
    tcase_add_test(tc, a_number_is_in_one_bin_or_beyond_the_ends);
    tcase_add_test(tc, four_panels_or_one_large_one);
    tcase_add_test(tc, a_row_that_is_pointed_at_has_its_length);
    tcase_add_test(tc, who_is_named_is_found_with_the_distance);
    tcase_add_test(tc, a_component_that_is_pointed_at_has_its_share);
    tcase_add_test(tc, a_bar_that_is_pointed_at_says_how_many_are_there);
    tcase_add_test(tc, a_spot_beside_everything_finds_nothing);
    tcase_add_test(tc, it_says_what_is_exact_and_what_is_drawn_by_lot);
    tcase_add_test(tc, numbers_come_as_lines_and_as_json);
    tcase_add_test(tc, another_word_says_which_parts_there_are);
    tcase_add_test(tc, the_part_is_among_the_lines_that_lead_back);
    tcase_add_test(tc, few_rows_or_one_channel_are_drawn);
    tcase_add_test(tc, rows_that_are_not_finite_are_left_out);
    tcase_add_test(tc, a_table_of_one_row_over_and_over_has_no_spread);
    tcase_add_test(tc, one_row_alone_has_no_variance_and_says_so);
    tcase_add_test(tc, nothing_that_is_written_meets_anything);
    suite_add_tcase(suite, tc);
    return suite;
}
