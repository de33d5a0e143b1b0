// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of tokens that have an order. */
#include "view/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "layer/cosine.h"
#include "stage.h"
#include "support.h"

Suite *series_suite(void);

enum { C = 12, V = 300, A = 64, LETTERS = 26 }; /* A: the id of "a" */

static float wte[V * C];
static stage s;

/* Rows at random, but for the letters, which lie on half a circle in channels 2 and 5, not all equally far apart. */
static void make_table(void)
{
    uint64_t state = 3;
    for (int i = 0; i < V * C; i++)
        wte[i] = (float)((double)random_below(&state, 2001) / 1000 - 1);
    for (int i = 0; i < LETTERS; i++) {
        double turn = M_PI * i / LETTERS + 0.001 * i * i;
        float *row = wte + (A + i) * C;
        for (int c = 0; c < C; c++)
            row[c] = 0.25f;
        row[2] = (float)(2 * cos(turn));
        row[5] = (float)(1.5 * sin(turn));
    }
}

static void setup(void)
{
    make_table();
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_SERIES);
}

static void teardown(void)
{
    stage_close(&s);
}

static const es_series *show(const char *line)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
    const es_series *of = es_series_of(s.viewer, NULL);
    ck_assert(of != NULL);
    return of;
}

static void check_words(void (*say)(stage *, es_str *), const char *want)
{
    es_str got = {0};
    say(&s, &got);
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
}

/* ---- numbers ---- */

START_TEST(letters_are_placed_along_axes_one_long_and_at_right_angles)
{
    const es_series *of = show(":show series letters");
    ck_assert_int_eq(of->n, LETTERS);
    ck_assert_int_eq(of->K, 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double dot = 0;
            for (int c = 0; c < C; c++)
                dot += (double)of->axes[i * C + c] * (double)of->axes[j * C + c];
            demand(fabs(dot - (i == j)) < 1e-6, "axes %d and %d: %g", i, j, dot);
        }
    for (int i = 0; i < LETTERS; i++)
        for (int k = 0; k < 2; k++) {
            double want = 0;
            for (int c = 0; c < C; c++)
                want += (double)wte[(A + i) * C + c] * (double)of->axes[k * C + c];
            demand(of->id[i] == A + i && of->place[i] == i + 1, "letter %d", i);
            demand(fabs(want - (double)of->at[3 * i + k]) < 1e-5, "letter %d, axis %d", i, k);
        }
    ck_assert_double_eq_tol(es_series_share(of, 2), 1, 1e-6);
}
END_TEST

/* The rank of a number among n, equal ones sharing theirs. */
static double rank_among(const double *x, int n, double of)
{
    int below = 0, same = 0;
    for (int i = 0; i < n; i++) {
        below += x[i] < of;
        same += x[i] == of;
    }
    return below + (same + 1) / 2.0;
}

static double correlation(const double *x, const double *y, int n)
{
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        mx += x[i] / n;
        my += y[i] / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / sqrt(xx * yy);
}

START_TEST(the_rank_correlation_is_that_of_a_plain_loop)
{
    enum { N = 9, PAIRS = N * (N - 1) / 2 };
    static const int id[N] = {7, 90, 12, 200, 201, 40, 41, 3, 150};
    const es_series *of = show(":show series #7 #90 #12 #200 #201 #40 #41 #3 #150");
    double far[PAIRS], apart[PAIRS], x[PAIRS], y[PAIRS], cosine = 0;
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            far[n] = 0;
            for (int c = 0; c < C; c++)
                far[n] += pow((double)wte[id[i] * C + c] - (double)wte[id[j] * C + c], 2);
            cosine += j - i == 3 ? es_cosine(wte + id[i] * C, wte + id[j] * C, C) : 0;
            apart[n++] = j - i;
        }
    for (int i = 0; i < n; i++) {
        x[i] = rank_among(far, n, far[i]);
        y[i] = rank_among(apart, n, apart[i]);
    }
    ck_assert_double_eq_tol(of->rank, correlation(x, y, n), 1e-9);
    ck_assert_int_eq(of->apart[3].pairs, N - 3);
    ck_assert_double_eq_tol(of->apart[3].mean, cosine / (N - 3), 1e-7);
    ck_assert_int_eq(of->lags, N - 1);
}
END_TEST

START_TEST(few_rows_and_many_have_the_same_components)
{
    enum { WIDE = 40, N = LETTERS };
    float *wide = calloc(N * WIDE, sizeof *wide);
    es_error err = ES_ERROR_NONE;
    const es_series *of = show(":show series letters"); /* more rows than channels */
    es_series other = {.n = N, .C = WIDE};
    other.id = calloc(N, sizeof *other.id);
    other.place = calloc(N, sizeof *other.place);
    for (int i = 0; i < N; i++) {
        other.place[i] = i + 1;
        memcpy(wide + i * WIDE, wte + (A + i) * C, C * sizeof *wide);
    }
    ck_assert_works(es_series_measure(&other, wide, NULL, &err), err);
    for (int k = 0; k < 2; k++) {
        ck_assert_double_eq_tol(other.share[k], of->share[k], 1e-5);
        for (int c = 0; c < C; c++)
            demand(fabs((double)other.axes[k * WIDE + c] - (double)of->axes[k * C + c]) < 1e-4,
                   "axis %d, channel %d", k, c);
    }
    ck_assert_double_eq_tol(other.rank, of->rank, 1e-9);
    es_series_free(&other);
    free(wide);
}
END_TEST

START_TEST(an_order_in_the_rows_is_told_from_chance)
{
    const es_series *of = show(":show series letters");
    ck_assert_double_gt(of->rank, 0.9);
    ck_assert_int_eq(of->lot_reached, 0);
    ck_assert_double_lt(of->lot_most, 0.5);
    ck_assert_double_gt(of->apart[1].mean, of->apart[1].high);
    check_words(stage_honesty,
                "100 % of the spread of these 26 rows is kept. Their order is in them: rank "
                "correlation 0.99, of 100 shuffles none above 0.17.");
    of = show(":show series #101 #102 #103 #104 #105 #106 #107 #108 #109");
    ck_assert_int_gt(of->lot_reached, 5);
    es_str words = {0};
    stage_honesty(&s, &words);
    ck_assert_msg(strstr(words.s, "No more of their order is in them than by chance: rank "), "%s",
                  words.s);
    es_str_free(&words);
}
END_TEST

START_TEST(a_seed_gives_the_same_shuffles_and_another_others)
{
    const es_series *of = show(":show series letters");
    double most = of->lot_most, mean = of->lot_mean;
    of = show(":show series letters");
    ck_assert_double_eq(of->lot_most, most);
    s.viewer->seed = 5;
    of = es_series_of(s.viewer, NULL);
    ck_assert_double_ne(of->lot_mean, mean);
}
END_TEST

/* ---- what is missing ---- */

START_TEST(missing_tokens_are_counted_by_why)
{
    const es_series *of = show(":show series numbers"); /* rows for 0 to 9 alone */
    ck_assert_int_eq(of->wanted, 1000);
    ck_assert_int_eq(of->n, 10);
    ck_assert_int_eq(of->no_token, 181);
    ck_assert_int_eq(of->no_row, 809);
    ck_assert_str_eq(of->missing.s, "10 to 999");
    stage_close(&s);
    wte[(A + 2) * C] = NAN;
    wte[(A + 7) * C + 3] = INFINITY;
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_SERIES);
    of = show(":show series letters");
    ck_assert_int_eq(of->n, LETTERS - 2);
    ck_assert_int_eq(of->not_finite, 2);
    ck_assert_str_eq(of->missing.s, "c, h");
    ck_assert_int_eq(of->place[2], 4);
}
END_TEST

START_TEST(all_of_gpt2s_series_are_counted_as_they_are)
{
    static const struct {
        const char *name;
        int n, wanted;
    } of[] = {{"numbers", 819, 1000}, {"spaced", 505, 1000}, {"years", 147, 231},
              {"days", 7, 7},         {"months", 12, 12},    {"letters", 26, 26}};
    drawn d;
    drawn_open(&d, "untrained:C=2", 100, 100);
    for (int i = 0; i < 6; i++) {
        const es_series_choice choice = {.kind = i};
        es_error err = ES_ERROR_NONE;
        es_series got;
        ck_assert_works(es_series_make(&got, es_session_context(d.session), &choice, 0, &err), err);
        demand(!strcmp(got.name, of[i].name) && got.n == of[i].n && got.wanted == of[i].wanted,
               "%s: %d of %d", got.name, (int)got.n, (int)got.wanted);
        demand(got.no_token == got.wanted - got.n, "%s", got.name);
        es_series_free(&got);
    }
    drawn_close(&d);
}
END_TEST

START_TEST(what_cannot_be_shown_is_said)
{
    ck_assert_int_eq(stage_run(&s, ":show series years"), ES_DONE);
    check_words(stage_plain,
                "problem: Of the 231 tokens of this series none has a row: 84 are no single token "
                "of the vocabulary, for 147 wte has no row. A curve wants two. Others: :show "
                "series letters, or tokens of your own, such as :show series \" one\" \" two\" \" "
                "three\".\n");
    stage_close(&s);
    stage_open(&s, NULL, 0, wte, V, C, ES_VIEW_SERIES);
    check_words(stage_plain, "problem: This model has no wte, so its tokens have no vectors to "
                             "join. The curve of its places is shown by the positions view.\n");
    check_words(stage_honesty, "");
    stage_draw(&s, 300, 200);
}
END_TEST

START_TEST(rows_that_are_all_the_same_have_no_order)
{
    stage_close(&s);
    for (int i = 0; i < V * C; i++)
        wte[i] = 0.1f;
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_SERIES);
    const es_series *of = show(":show series letters");
    ck_assert(isnan(of->rank));
    check_words(stage_honesty, "All these rows are the same: there is no spread. All are equally "
                               "far apart, so there is no order to find.");
    stage_draw(&s, 800, 500);
}
END_TEST

/* ---- the command ---- */

START_TEST(what_is_no_series_changes_nothing)
{
    static const struct {
        const char *line, *message, *hint;
    } of[] = {
        {":show series yers", "a series has two tokens or a name, not \"yers\" alone",
         "did you mean years ?\nnames: numbers, spaced (with a space before), years, days, months, "
         "letters\ntokens: :show series \" one\" \" two\" \" three\""},
        {":show series \"years\"", "a series has two tokens or a name, not \"years\" alone", NULL},
        {":show series #1 #300", "id 300 is outside wte (300 rows: 0..299)", NULL},
        {":show series #1 \"a b\"", "\"a b\" is not one token but 2: a #64, ␣b #275", NULL},
    };
    show(":show series #3 #2 #1");
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ck_assert_int_eq(stage_run(&s, of[i].line), ES_FAILED);
        ck_assert_str_eq(s.message.s, of[i].message);
        if (of[i].hint)
            ck_assert_str_eq(s.hint.s, of[i].hint);
        const es_series_choice *choice = s.viewer->chosen[ES_VIEW_SERIES];
        demand(choice->n == 3 && choice->id[2] == 1, "%s", of[i].line);
    }
}
END_TEST

START_TEST(more_tokens_than_can_be_compared_are_refused)
{
    es_str line = {0};
    es_str_cat(&line, ":show series");
    for (int i = 0; i <= ES_SERIES_MOST; i++)
        es_str_cat(&line, " #1");
    ck_assert_int_eq(stage_run(&s, line.s), ES_FAILED);
    ck_assert_str_eq(s.message.s, "a series has at most 1000 tokens here");
    es_str_cut(&line, line.len - 3);
    ck_assert_int_eq(stage_run(&s, line.s), ES_DONE);
    es_str_free(&line);
}
END_TEST

START_TEST(its_lines_bring_it_back)
{
    es_str lines = {0};
    show(":show series \"a\" \"c\" \"b\"");
    es_view_series.recall(s.viewer, &lines);
    ck_assert_str_eq(lines.s, ":show series #64 #66 #65\n");
    es_str_cut(&lines, 0);
    show(":show series letters");
    es_view_series.recall(s.viewer, &lines);
    ck_assert_str_eq(lines.s, ":show series letters\n");
    es_str_cut(&lines, 0);
    es_view_series.drop(s.viewer);
    es_view_series.recall(s.viewer, &lines);
    ck_assert_str_eq(es_str_text(&lines), "");
    es_str_free(&lines);
}
END_TEST

/* ---- the picture ---- */

START_TEST(a_pick_is_the_value_of_its_statement)
{
    int found = 0, charts = 0;
    show(":show series #7 #90 #12 #200 #201 #40 #41 #3 #150");
    stage_draw(&s, 900, 500);
    for (int y = 5; y < 500; y += 23)
        for (int x = 5; x < 900; x += 19) {
            es_pick at;
            double got[3];
            if (!stage_pick(&s, (float)x, (float)y, &at))
                continue;
            bool chart = !isnan(at.value);
            ck_assert_msg(at.statement.len > 0, "%s", at.what.s);
            stage_value(&s, at.statement.s, got, chart ? 1 : 3);
            const char *said = strchr(at.what.s, ':');
            for (int k = 0; !chart && k < 3; k++)
                demand(fabs(strtod(k ? said : said + 1, (char **)&said) - got[k]) < 6e-4, "%s",
                       at.what.s);
            demand(!chart || fabs(at.value - got[0]) < 1e-5, "%s is %g", at.what.s, got[0]);
            charts += chart;
            found++;
            es_pick_free(&at);
        }
    ck_assert_int_gt(charts, 20);
    ck_assert_int_gt(found - charts, 3);
}
END_TEST

START_TEST(nothing_is_drawn_outside_at_any_size)
{
    static const char *const lines[] = {":show series days", ":show series years",
                                        ":show series #1 #2", ":show series #5 #5"};
    drawn d;
    drawn_open(&d, "untrained:C=3", 860, 860);
    for (size_t t = 0; t < sizeof lines / sizeof *lines; t++) {
        drawn_run(&d, lines[t]);
        drawn_within_at_any_size(&d);
    }
    ck_assert_str_eq(es_str_text(&d.errors), "");
    drawn_close(&d);
}
END_TEST

START_TEST(letters_keep_apart_at_any_size)
{
    static const char *const lines[] = {":show series days", ":show series years",
                                        ":show series letters"};
    drawn d;
    drawn_open(&d, "untrained:C=3", 100, 100);
    for (size_t t = 0; t < sizeof lines / sizeof *lines; t++) {
        drawn_run(&d, lines[t]);
        drawn_apart_at_any_size(&d, lines[t]);
    }
    ck_assert_str_eq(es_str_text(&d.errors), "");
    drawn_close(&d);
}
END_TEST

START_TEST(json_has_the_same_numbers)
{
    es_str json = {0};
    const es_series *of = show(":show series letters");
    stage_json(&s, &json);
    json_t *j = json_loadb(json.s, json.len, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(j, "series")), "letters");
    ck_assert_int_eq(json_integer_value(json_object_get(j, "n")), 26);
    ck_assert_double_eq(json_number_value(json_object_get(j, "rank_correlation")), of->rank);
    ck_assert_int_eq((int)json_array_size(json_object_get(j, "tokens")), 26);
    json_decref(j);
    es_str_free(&json);
}
END_TEST

Suite *series_suite(void)
{
    Suite *suite = suite_create("series");
    TCase *tc = tcase_create("series");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, letters_are_placed_along_axes_one_long_and_at_right_angles);
    tcase_add_test(tc, the_rank_correlation_is_that_of_a_plain_loop);
    tcase_add_test(tc, few_rows_and_many_have_the_same_components);
    tcase_add_test(tc, an_order_in_the_rows_is_told_from_chance);
    tcase_add_test(tc, a_seed_gives_the_same_shuffles_and_another_others);
    tcase_add_test(tc, missing_tokens_are_counted_by_why);
    tcase_add_test(tc, all_of_gpt2s_series_are_counted_as_they_are);
    tcase_add_test(tc, what_cannot_be_shown_is_said);
    tcase_add_test(tc, rows_that_are_all_the_same_have_no_order);
    tcase_add_test(tc, what_is_no_series_changes_nothing);
    tcase_add_test(tc, more_tokens_than_can_be_compared_are_refused);
    tcase_add_test(tc, its_lines_bring_it_back);
    tcase_add_test(tc, a_pick_is_the_value_of_its_statement);
    tcase_add_test(tc, nothing_is_drawn_outside_at_any_size);
    tcase_add_test(tc, letters_keep_apart_at_any_size);
    tcase_add_test(tc, json_has_the_same_numbers);
    suite_add_tcase(suite, tc);
    return suite;
}
