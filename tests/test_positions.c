// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of positions: a helix made here, whose components, waves and cosines are known. */
#include "view/positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layer/cosine.h"
#include "pictures.h"
#include "stage.h"
#include "support.h"

Suite *positions_suite(void);

enum { P = 256, C = 16, V = 300 };

static float wte[V * C], wpe[P * C];
static stage s;

/* Two turns round an ellipse, whose axes differ so that each is a component, one wave across it, and a little of all
 * else. */
static void make_helix(void)
{
    uint64_t state = 1;
    for (int t = 0; t < P; t++)
        for (int c = 0; c < C; c++) {
            double turn = 2 * M_PI * t / P;
            double v = c == 3    ? 3 * cos(2 * turn)
                       : c == 7  ? 2.5 * sin(2 * turn)
                       : c == 12 ? 2 * cos(turn)
                                 : 0.01 * ((double)random_below(&state, 2001) / 1000 - 1);
            wpe[t * C + c] = (float)v;
        }
    for (int i = 0; i < V * C; i++)
        wte[i] = (float)((double)random_below(&state, 2001) / 1000 - 1);
}

static void setup(void)
{
    make_helix();
    stage_open(&s, wte, V, wpe, P, C, ES_VIEW_POSITIONS);
}

static void teardown(void)
{
    stage_close(&s);
}

static es_places *table(bool learned)
{
    es_places *p = es_positions_table(s.viewer, learned);
    ck_assert(p != NULL);
    return p;
}

/* ---- numbers ---- */

START_TEST(a_helix_is_three_components)
{
    const es_places *p = table(true);
    ck_assert(p->learned && p->used);
    ck_assert_int_eq(p->K, 3);
    /* the squares of 3, 2.5 and 2, halved, and 13 channels of noise of variance 1e-4 / 3 */
    double all = 9.625 + 13 * 1e-4 / 3;
    ck_assert_double_eq_tol(p->share[0], 4.5 / all, 1e-3);
    ck_assert_double_eq_tol(p->share[1], 3.125 / all, 1e-3);
    ck_assert_double_eq_tol(p->share[2], 2 / all, 1e-3);
    ck_assert_double_eq_tol(es_places_share(p), 9.625 / all, 1e-5);
    const int64_t turns[] = {2, 2, 1};
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(p->wave[k].turns, turns[k]);
        ck_assert_double_gt(p->wave[k].share, 0.999);
    }
}
END_TEST

START_TEST(places_are_rows_along_the_axes)
{
    const es_places *p = table(true);
    for (int k = 0; k < 3; k++)
        for (int t = 0; t < P; t++) {
            double want = 0;
            for (int c = 0; c < C; c++) {
                double mean = 0;
                for (int i = 0; i < P; i++)
                    mean += (double)wpe[i * C + c] / P;
                want += (wpe[t * C + c] - mean) * p->axes[k * C + c];
            }
            demand(fabs(want - p->at[3 * t + k]) < 1e-4, "row %d, component %d: %g is not %g", t, k,
                   (double)p->at[3 * t + k], want);
        }
}
END_TEST

START_TEST(cosines_are_those_of_float64)
{
    es_places *p = table(true);
    const float *cosine = es_places_cosine(p, NULL);
    ck_assert(cosine != NULL);
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) {
            double want = es_cosine(wpe + i * C, wpe + j * C, C);
            demand(fabs(want - cosine[i * P + j]) < 1e-6, "%d, %d: %g is not %g", i, j,
                   (double)cosine[i * P + j], want);
        }
    double sum = 0;
    for (int i = 0; i + 64 < P; i++)
        sum += es_cosine(wpe + i * C, wpe + (i + 64) * C, C);
    ck_assert_double_eq_tol(p->alike[64], sum / (P - 64), 1e-6);
    ck_assert_float_eq(p->alike[0], 1);
}
END_TEST

START_TEST(a_row_without_direction_is_like_none)
{
    memset(wpe + 5 * C, 0, C * sizeof *wpe);
    wpe[9 * C + 2] = NAN;
    wpe[11 * C] = INFINITY;
    stage_close(&s);
    stage_open(&s, wte, V, wpe, P, C, ES_VIEW_POSITIONS);
    es_places *p = table(true);
    const float *cosine = es_places_cosine(p, NULL);
    static const int odd[] = {5, 9, 11};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < P; j++)
            demand(isnan(cosine[odd[k] * P + j]) && isnan(cosine[j * P + odd[k]]), "%d, %d", odd[k],
                   j);
    ck_assert_float_eq(cosine[7 * P + 7], 1);
    ck_assert(isfinite(cosine[7 * P + 8]) && isfinite(p->alike[3]));
    ck_assert(isnan(p->at[3 * 9]) && isnan(p->at[3 * 11]) && !isnan(p->at[3 * 5]));
    for (int shown = 0; shown < ES_N_SHOWN; shown++) {
        s.viewer->positions_shown = shown;
        stage_draw(&s, 460, 310);
    }
}
END_TEST

START_TEST(the_channels_that_vary_most_come_first)
{
    const es_places *p = table(true);
    ck_assert_int_eq(p->n_varied, 4);
    ck_assert_int_eq(p->varied[0], 3);
    ck_assert_int_eq(p->varied[1], 7);
    ck_assert_int_eq(p->varied[2], 12);
}
END_TEST

/* ---- what is drawn and found ---- */

static const es_panel *panel(int i)
{
    const es_positions_kept *k = es_positions_kept_of(s.viewer);
    ck_assert_int_lt(i, k->n);
    return &k->panel[i];
}

START_TEST(the_overview_has_four_panels_and_fewer_where_room_is_short)
{
    stage_draw(&s, 900, 600);
    ck_assert_int_eq(es_positions_kept_of(s.viewer)->n, 4);
    ck_assert_int_eq(panel(0)->kind, ES_PANEL_COMPONENTS);
    stage_draw(&s, 600, 250);
    ck_assert_int_eq(es_positions_kept_of(s.viewer)->n, 2);
    ck_assert_float_eq(panel(0)->box.y, panel(1)->box.y);
    stage_draw(&s, 250, 600);
    ck_assert_int_eq(es_positions_kept_of(s.viewer)->n, 2);
    ck_assert_float_eq(panel(0)->box.x, panel(1)->box.x);
    stage_draw(&s, 250, 200);
    ck_assert_int_eq(es_positions_kept_of(s.viewer)->n, 1);
}
END_TEST

START_TEST(curves_are_where_their_numbers_say)
{
    s.viewer->positions_shown = ES_SHOWN_ALL;
    stage_draw(&s, 900, 600);
    const es_panel *lengths = panel(3);
    ck_assert_int_eq(lengths->kind, ES_PANEL_LENGTHS);
    const es_box in = lengths->chart.inside;
    float most = 0, last = (float)es_length(wpe + (P - 1) * C, C);
    for (int t = 0; t < P; t++)
        most = fmaxf(most, (float)es_length(wpe + t * C, C));
    es_spot end = {in.x + in.w, in.y + in.h * (1 - last / (1.08f * most))};
    uint32_t there = s.raster.pixels[(int)end.y * s.raster.w + (int)end.x - 2];
    ck_assert_uint_ne(there, es_viewer_palette(s.viewer)->ground);
    es_pick found;
    ck_assert(stage_pick(&s, end.x - 0.4f, end.y, &found));
    ck_assert_int_eq(found.place, P - 1);
    ck_assert_float_eq(found.mark.x + found.mark.w / 2, end.x);
    ck_assert_float_eq_tol(found.mark.y + found.mark.h / 2, end.y, 0.01);
    es_pick_free(&found);
}
END_TEST

/* Its value is that of its statement, and in its words; where it has none its words have the numbers. */
static void check_pick(const es_pick *found)
{
    double got[3];
    if (!isnan(found->value)) {
        stage_value(&s, found->statement.s, got, 1);
        demand(fabs(got[0] - found->value) < 2e-5, "%s: %g is not %g", found->statement.s, got[0],
               found->value);
        const char *said = strrchr(found->what.s, ':'); /* the card says it, too */
        demand(said && fabs(strtod(said + 1, NULL) - found->value) <= 1e-3 * fabs(found->value),
               "%s is not %g", found->what.s, found->value);
        return;
    }
    es_str words = {0};
    stage_value(&s, found->statement.s, got, 3);
    es_str_add(&words, " %+.3f %+.3f %+.3f", got[0], got[1], got[2]);
    const char *said = strchr(found->what.s, ':') + 1;
    for (int k = 0; k < 3; k++)
        demand(fabs(strtod(said, (char **)&said) - got[k]) < 6e-4, "%s: %s", found->what.s,
               words.s);
    es_str_free(&words);
}

START_TEST(a_pick_is_the_value_of_its_statement)
{
    int found[ES_N_PANEL_KINDS] = {0};
    for (int shown = 0; shown < ES_SHOWN_BESIDE; shown++) {
        s.viewer->positions_shown = shown;
        stage_draw(&s, 900, 600);
        for (int y = 20; y < 600; y += 71)
            for (int x = 11; x < 900; x += 83) {
                es_pick at;
                if (!stage_pick(&s, (float)x, (float)y, &at) || !at.statement.len)
                    continue;
                const es_positions_kept *k = es_positions_kept_of(s.viewer);
                for (int i = 0; i < k->n; i++)
                    found[k->panel[i].kind] += es_box_has(k->panel[i].box, (float)x, (float)y);
                check_pick(&at);
                es_pick_free(&at);
            }
    }
    for (int kind = 0; kind < ES_N_PANEL_KINDS; kind++)
        demand(found[kind] > 0, "nothing was found in panels of kind %d", kind);
}
END_TEST

START_TEST(a_spot_beside_everything_finds_nothing)
{
    es_pick found;
    ck_assert(!stage_pick(&s, 100, 100, &found)); /* not drawn yet */
    stage_draw(&s, 900, 600);
    ck_assert(!stage_pick(&s, 0, 0, &found));
    ck_assert(!stage_pick(&s, NAN, NAN, &found));
    ck_assert(!stage_pick(&s, -50, 1e9f, &found));
}
END_TEST

START_TEST(the_sentence_chooses_the_rows)
{
    s.viewer->positions_shown = ES_SHOWN_CURVES;
    stage_draw(&s, 900, 600);
    static const int64_t without[] = {0, 1, 2, 10, 100, P - 1}, with[] = {0, 1, 3, 5, 7, 9};
    ck_assert_int_eq(panel(0)->n, 6);
    ck_assert_mem_eq(panel(0)->strip, without, sizeof without);
    ck_assert_int_eq(stage_run(&s, "a b a b a b a b a b"), ES_DONE);
    stage_draw(&s, 900, 600);
    ck_assert_int_eq(s.viewer->scene.T, 10);
    ck_assert_int_eq(panel(0)->n, 6);
    ck_assert_mem_eq(panel(0)->strip, with, sizeof with);
}
END_TEST

START_TEST(the_ground_is_that_of_the_components)
{
    es_box box;
    es_extent extent;
    stage_draw(&s, 900, 600);
    const es_box in = panel(0)->box, other = panel(3)->box;
    const es_view_kind *k = &es_view_positions;
    ck_assert(k->ground(s.viewer, s.area, (es_spot){in.x + 5, in.y + 5}, &box, &extent));
    ck_assert_mem_eq(&box, &in, sizeof box);
    ck_assert_double_gt(extent.radius, 3);
    ck_assert(!k->ground(s.viewer, s.area, (es_spot){other.x + 5, other.y + 5}, &box, &extent));
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

START_TEST(it_says_what_it_keeps_and_hides)
{
    static const char *const honesty[ES_N_SHOWN] = {
        "3 components keep 100.0 % of the spread of wpe's 256 rows. 6 of 256 rows are curves, each "
        "to its own scale. Cosines are of whole rows.",
        "3 components keep 100.0 % of the spread of wpe's 256 rows.",
        "6 of 256 rows and 4 of 16 channels are curves, each to its own scale.",
        "Cosines are of whole rows.",
        "Lengths are of whole rows: wpe's 256 rows.",
        "3 components keep 100.0 % of the spread of wpe's 256 rows. Of the sinusoidal table they "
        "keep 37.9 %. Each curve has its own scale.",
    };
    static const char *const expression[ES_N_SHOWN] = {
        "W = wpe.weight [P=256, C=16]   (W - W.mean(0)) @ axes.T [256, 3]   cosine(W[i], W[j]) "
        "[256, 256]",
        "W = wpe.weight [P=256, C=16]   (W - W.mean(0)) @ axes.T [256, 3]",
        "W = wpe.weight [P=256, C=16]",
        "W = wpe.weight [P=256, C=16]   cosine(W[i], W[j]) [256, 256]",
        "W = wpe.weight [P=256, C=16]   W.norm(dim=1) [256]",
        "W = wpe.weight [P=256, C=16]   S = sin, cos(p / 10000^(2i/C)) [256, C=16]   "
        "cosine(W[i], W[j]) [256, 256]",
    };
    for (int shown = 0; shown < ES_N_SHOWN; shown++) {
        s.viewer->positions_shown = shown;
        stage_draw(&s, 900, 600);
        check_words(stage_honesty, honesty[shown]);
        check_words(stage_expression, expression[shown]);
    }
}
END_TEST

START_TEST(numbers_come_as_lines_and_as_json)
{
    es_str plain = {0}, json = {0};
    stage_plain(&s, &plain);
    ck_assert(strstr(plain.s, "table: wpe, 256 rows of 16 numbers, in use\nrows shown: 256\n"
                              "component 1: 46.8 % of the spread, most like a sine of 2 turns, "
                              "period 128 (100 % of it)\n") == plain.s);
    ck_assert(strstr(plain.s, "\nmean cosine 1 apart: 0.999\n") != NULL);
    ck_assert(strstr(plain.s, "\nchannels that vary most: ") != NULL);
    stage_json(&s, &json);
    json_t *o = json_loadb(json.s, json.len, 0, NULL);
    const json_t *first = json_array_get(json_object_get(o, "positions"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(first, "rows")), P);
    ck_assert_int_eq((int)json_array_size(json_object_get(first, "components")), 3);
    ck_assert_int_eq((int)json_array_size(json_object_get(first, "cosine")), 8);
    json_decref(o);
    es_str_free(&plain);
    es_str_free(&json);
}
END_TEST

START_TEST(a_table_that_is_not_in_use_says_so)
{
    es_str plain = {0};
    ck_assert_int_eq(stage_run(&s, ":positions none"), ES_DONE);
    stage_plain(&s, &plain);
    ck_assert(strstr(plain.s, "note: No positions are added now: wpe is shown, and not in use.\n"));
    ck_assert_int_eq(stage_run(&s, ":positions sinusoidal"), ES_DONE);
    es_str_free(&plain);
    stage_plain(&s, &plain);
    ck_assert(strstr(plain.s, "note: Positions are sinusoidal now: wpe is shown, and not in use."));
    ck_assert(table(false)->used && !table(true)->used);
    es_str_free(&plain);
}
END_TEST

START_TEST(a_model_without_wpe_has_sinusoidal_positions)
{
    es_str plain = {0};
    stage_close(&s);
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_POSITIONS);
    stage_plain(&s, &plain);
    ck_assert(strstr(plain.s, "note: This model has no wpe: these are sinusoidal positions, which "
                              "are not in use.\ntable: sinusoidal positions, no last row of 16 "
                              "numbers, not in use\nrows shown: 1024\n") == plain.s);
    es_str_free(&plain);
    s.viewer->positions_shown = ES_SHOWN_BESIDE;
    stage_draw(&s, 900, 600);
    ck_assert_int_eq(es_positions_kept_of(s.viewer)->n, 2);
    ck_assert_int_eq(stage_run(&s, ":positions sinusoidal"), ES_DONE);
    stage_plain(&s, &plain);
    ck_assert(strstr(plain.s, "note: This model has no wpe: these are sinusoidal positions, which "
                              "need no table.\n") == plain.s);
    es_str_free(&plain);
}
END_TEST

/* ---- what is shown ---- */

START_TEST(a_word_behind_the_name_chooses)
{
    static const char *const word[] = {"all",    "components", "curves",
                                       "cosine", "lengths",    "beside"};
    for (int i = 0; i < ES_N_SHOWN; i++) {
        es_str line = {0};
        es_str_add(&line, ":show positions %s", word[i]);
        ck_assert_int_eq(stage_run(&s, line.s), ES_DONE);
        ck_assert_int_eq(s.viewer->positions_shown, i);
        es_str_free(&line);
    }
    ck_assert_int_eq(stage_run(&s, ":show positions"), ES_DONE);
    ck_assert_int_eq(s.viewer->positions_shown, ES_SHOWN_ALL);
}
END_TEST

START_TEST(another_word_says_which_there_are)
{
    s.viewer->positions_shown = ES_SHOWN_COSINE;
    ck_assert_int_eq(stage_run(&s, ":show positions \"\\x1bhelix\""), ES_FAILED);
    ck_assert_str_eq(s.message.s, "the view positions has no part \"\\x1bhelix\"");
    ck_assert_str_eq(
        s.hint.s,
        "parts: all, components, curves, cosine, lengths, beside (learned and sinusoidal)");
    ck_assert_int_eq(stage_run(&s, ":show positions curves cosine"), ES_FAILED);
    ck_assert_int_eq(s.viewer->positions_shown, ES_SHOWN_COSINE);
}
END_TEST

/* ---- all kinds of models, all sizes ---- */

static void try_everything(int v, int p, int c)
{
    static const int size[][2] = {{1, 1}, {60, 40}, {300, 200}, {700, 420}};
    stage_close(&s);
    stage_open(&s, wte, v, wpe, p, c, ES_VIEW_POSITIONS);
    for (int shown = 0; shown < ES_N_SHOWN; shown++)
        for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
            es_str words = {0};
            s.viewer->positions_shown = shown;
            s.viewer->camera[ES_VIEW_POSITIONS].solid = i % 2;
            stage_draw(&s, size[i][0], size[i][1]);
            stage_honesty(&s, &words);
            stage_expression(&s, &words);
            stage_plain(&s, &words);
            stage_json(&s, &words);
            es_str_free(&words);
            for (int k = 0; k < 40; k++) {
                es_pick found;
                stage_pick(&s, (float)(size[i][0] * (k % 8) / 8), (float)(size[i][1] * k / 40),
                           &found);
                es_pick_free(&found);
            }
        }
}

START_TEST(small_models_and_small_windows_are_drawn)
{
    try_everything(1, 1, 1);
    try_everything(1, 2, 1);
    try_everything(2, 1, 3);
    try_everything(0, 3, 2);
    try_everything(3, 0, 2);
    memset(wpe, 0, sizeof wpe); /* no spread */
    try_everything(3, 7, 4);
    for (int i = 0; i < P * C; i++)
        wpe[i] = i % 3 ? NAN : -INFINITY;
    try_everything(3, 7, 4);
}
END_TEST

START_TEST(of_a_long_table_every_so_many_rows_are_shown)
{
    enum { LONG = 2500 };
    es_str honesty = {0};
    float *many = calloc(LONG * 2, sizeof *many);
    for (int t = 0; t < LONG; t++)
        many[2 * t] = cosf((float)t * 0.01f), many[2 * t + 1] = sinf((float)t * 0.01f);
    stage_close(&s);
    stage_open(&s, wte, V, many, LONG, 2, ES_VIEW_POSITIONS);
    const es_places *p = table(true);
    ck_assert_int_eq(p->stride, 3);
    ck_assert_int_eq(p->n, 834);
    ck_assert_float_eq(p->row[2 * 833], many[2 * 2499]);
    stage_draw(&s, 900, 600);
    stage_honesty(&s, &honesty);
    ck_assert(strstr(honesty.s, "the spread of wpe's 2,500 rows. "));
    ck_assert(strstr(honesty.s, " Of every 3 rows one is drawn."));
    es_str_free(&honesty);
    free(many);
}
END_TEST

/* ---- pictures somebody has looked at ---- */

START_TEST(pictures_are_as_they_were)
{
    s.viewer->positions_shown = ES_SHOWN_COMPONENTS;
    stage_draw(&s, 320, 200);
    same_picture(&s.raster, "positions-components");
    s.viewer->positions_shown = ES_SHOWN_COSINE;
    stage_draw(&s, 320, 200);
    same_picture(&s.raster, "positions-cosine");
    s.viewer->positions_shown = ES_SHOWN_CURVES;
    stage_draw(&s, 240, 290);
    same_picture(&s.raster, "positions-curves");
}
END_TEST

Suite *positions_suite(void)
{
    Suite *suite = suite_create("positions");
    TCase *t = tcase_create("positions");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_helix_is_three_components);
    tcase_add_test(t, places_are_rows_along_the_axes);
    tcase_add_test(t, cosines_are_those_of_float64);
    tcase_add_test(t, a_row_without_direction_is_like_none);
    tcase_add_test(t, the_channels_that_vary_most_come_first);
    tcase_add_test(t, the_overview_has_four_panels_and_fewer_where_room_is_short);
    tcase_add_test(t, curves_are_where_their_numbers_say);
    tcase_add_test(t, a_pick_is_the_value_of_its_statement);
    tcase_add_test(t, a_spot_beside_everything_finds_nothing);
    tcase_add_test(t, the_sentence_chooses_the_rows);
    tcase_add_test(t, the_ground_is_that_of_the_components);
    tcase_add_test(t, it_says_what_it_keeps_and_hides);
    tcase_add_test(t, numbers_come_as_lines_and_as_json);
    tcase_add_test(t, a_table_that_is_not_in_use_says_so);
    tcase_add_test(t, a_model_without_wpe_has_sinusoidal_positions);
    tcase_add_test(t, a_word_behind_the_name_chooses);
    tcase_add_test(t, another_word_says_which_there_are);
    tcase_add_test(t, small_models_and_small_windows_are_drawn);
    tcase_add_test(t, of_a_long_table_every_so_many_rows_are_shown);
    tcase_add_test(t, pictures_are_as_they_were);
    suite_add_tcase(suite, t);
    return suite;
}
