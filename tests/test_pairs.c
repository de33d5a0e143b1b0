// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of tokens beside the same with a space before them. */
#include "view/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "layer/cosine.h"
#include "stage.h"
#include "support.h"

Suite *pairs_suite(void);

enum { C = 6, V = 300, A = 64, SPACE_A = 257 }; /* the ids of "a" and " a" */

static float wte[V * C];
static stage s;

static void fill(float *row, uint64_t *state)
{
    for (int c = 0; c < C; c++)
        row[c] = (float)((double)random_below(state, 2001) / 1000 - 1);
}

static void setup(void)
{
    uint64_t state = 3;
    for (int i = 0; i < V; i++)
        fill(wte + i * C, &state);
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_PAIRS);
}

static void teardown(void)
{
    stage_close(&s);
}

static const es_pairs *pairs(void)
{
    const es_pairs *p = es_pairs_of(s.viewer, NULL);
    ck_assert(p != NULL);
    return p;
}

static void check_words(void (*say)(stage *, es_str *), const char *want)
{
    es_str got = {0};
    say(&s, &got);
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
}

/* Another table for the same tokens. */
static void again(void)
{
    stage_close(&s);
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_PAIRS);
}

/* ---- which there are ---- */

START_TEST(a_pair_is_a_token_and_the_same_with_a_space)
{
    const es_pairs *p = pairs();
    const es_bpe *bpe = es_session_context(s.session)->bpe;
    ck_assert_int_eq(p->found, 8495);
    ck_assert_int_eq(p->n + p->no_row, p->found);
    ck_assert_int_eq(p->n, 15);
    for (int64_t i = 0; i < p->n; i++) {
        size_t a, b;
        const char *without = es_bpe_bytes(bpe, p->without[i], &a),
                   *with = es_bpe_bytes(bpe, p->with[i], &b);
        demand(b == a + 1 && *with == ' ' && !memcmp(with + 1, without, a), "pair %d", (int)i);
    }
    ck_assert_int_eq(es_pairs_of_token(p, A), es_pairs_of_token(p, SPACE_A));
    ck_assert_int_eq(es_pairs_of_token(p, 0), -1);
}
END_TEST

START_TEST(a_row_that_is_not_finite_is_left_out)
{
    wte[SPACE_A * C] = NAN;
    again();
    const es_pairs *p = pairs();
    ck_assert_int_eq(p->n, 14);
    ck_assert_int_eq(p->not_finite, 1);
    ck_assert_int_eq(es_pairs_of_token(p, A), -1);
    for (int64_t i = 0; i < p->n; i++)
        demand(isfinite(p->cosine[i]) && isfinite(p->lot[i]), "pair %d", (int)i);
}
END_TEST

/* ---- what they have in common ---- */

START_TEST(cosines_are_those_of_a_plain_loop)
{
    const es_pairs *p = pairs();
    float mean[C], d[C];
    double square = 0, own = 0, far = 0;
    for (int c = 0; c < C; c++) {
        double sum = 0;
        for (int64_t i = 0; i < p->n; i++)
            sum += (double)wte[p->with[i] * C + c] - (double)wte[p->without[i] * C + c];
        mean[c] = (float)(sum / (double)p->n);
        own += pow(sum / (double)p->n, 2);
    }
    for (int64_t i = 0; i < p->n; i++) {
        for (int c = 0; c < C; c++)
            d[c] = wte[p->with[i] * C + c] - wte[p->without[i] * C + c];
        demand(fabs(es_cosine(d, mean, C) - (double)p->cosine[i]) < 1e-5, "pair %d", (int)i);
        square += pow(es_length(d, C), 2) / (double)p->n;
        far += es_length(d, C) / (double)p->n;
    }
    ck_assert_double_eq_tol(p->share, own / square, 1e-6);
    ck_assert_double_eq_tol(p->typical, far, 1e-6);
    ck_assert_double_eq_tol(p->length, sqrt(own), 1e-6);
}
END_TEST

START_TEST(one_and_the_same_difference_is_explained_whole)
{
    const es_pairs *p = pairs();
    for (int64_t i = 0; i < p->n; i++)
        for (int c = 0; c < C; c++)
            wte[p->with[i] * C + c] = wte[p->without[i] * C + c] + (c == 1 ? 2 : 0);
    again();
    p = pairs();
    ck_assert_double_eq_tol(p->share, 1, 1e-6);
    ck_assert_double_eq_tol(p->mean, 1, 1e-6);
    ck_assert_double_lt(p->lot_share, 0.95);
    ck_assert_int_eq(p->bin[ES_PAIR_BINS - 1], p->n);
    es_str words = {0};
    stage_honesty(&s, &words);
    ck_assert_msg(strstr(words.s, "Their mean explains 100 % of the differences' squared length ("),
                  "%s", words.s);
    ck_assert_msg(strstr(words.s, "a space is mostly one direction."), "%s", words.s);
    es_str_free(&words);
}
END_TEST

START_TEST(by_lot_nobody_has_a_partner_of_its_own)
{
    const es_pairs *p = pairs();
    for (int64_t i = 0; i < p->n; i++)
        memcpy(wte + p->with[i] * C, wte + p->without[i] * C, C * sizeof *wte);
    again();
    p = pairs(); /* each difference is 0, and by lot none is */
    ck_assert(isnan(p->share));
    ck_assert_double_eq(p->typical, 0);
    ck_assert_double_gt(p->lot_typical, 0.5);
    check_words(stage_honesty,
                "Both tokens of every pair have the same row: a space changes nothing.");
    stage_draw(&s, 700, 400);
}
END_TEST

START_TEST(every_pair_is_in_a_bin)
{
    const es_pairs *p = pairs();
    int64_t n = 0, lot = 0;
    for (int i = 0; i < ES_PAIR_BINS; i++) {
        n += p->bin[i];
        lot += p->lot_bin[i];
    }
    ck_assert_int_eq(n, p->n);
    ck_assert_int_eq(lot, p->n);
    ck_assert_int_eq(es_pairs_bin(-1), 0);
    ck_assert_int_eq(es_pairs_bin(1), ES_PAIR_BINS - 1);
    ck_assert_int_eq(es_pairs_bin(0), ES_PAIR_BINS / 2);
}
END_TEST

/* ---- the command ---- */

START_TEST(a_token_of_a_pair_is_put_in_focus)
{
    es_str words = {0};
    ck_assert_int_eq(stage_run(&s, ":show pairs \" a\""), ES_DONE);
    ck_assert_int_eq(s.viewer->focus, SPACE_A);
    stage_plain(&s, &words);
    ck_assert_msg(strstr(words.s, "in focus: \"a\" (#64) to \" a\" (#257), cosine "), "%s",
                  words.s);
    es_str_free(&words);
    ck_assert_int_eq(stage_run(&s, ":show pairs #2"), ES_DONE); /* "#" */
    ck_assert_int_eq(stage_run(&s, ":show pairs #128"), ES_FAILED);
    ck_assert_str_eq(s.message.s, "<C4> (#128) is in no pair: with and without a space before it, "
                                  "one of the two is no token of text");
    ck_assert_str_eq(s.hint.s, "try: a token that there is both ways, such as \" cat\"");
    ck_assert_int_eq(s.viewer->focus, 2);
}
END_TEST

START_TEST(what_cannot_be_shown_is_said)
{
    stage_close(&s);
    stage_open(&s, wte, 3, NULL, 0, C, ES_VIEW_PAIRS);
    check_words(stage_plain, "problem: Of 8,495 pairs of the vocabulary none has two rows in wte. "
                             "A model with all rows, such as :model mini, has.\n");
    stage_draw(&s, 300, 200);
    stage_close(&s);
    stage_open(&s, NULL, 0, wte, V, C, ES_VIEW_PAIRS);
    check_words(stage_plain,
                "problem: This model has no wte, so its tokens have no vectors to compare.\n");
    check_words(stage_honesty, "");
    stage_draw(&s, 300, 200);
}
END_TEST

/* ---- the picture ---- */

START_TEST(a_pick_is_the_value_of_its_statement)
{
    int found = 0, bins = 0;
    ck_assert_int_eq(stage_run(&s, ":show pairs"), ES_DONE);
    stage_draw(&s, 800, 500);
    for (int y = 5; y < 500; y += 17)
        for (int x = 5; x < 800; x += 13) {
            es_pick at;
            double got;
            if (!stage_pick(&s, (float)x, (float)y, &at))
                continue;
            if (at.statement.len) {
                stage_value(&s, at.statement.s, &got, 1);
                demand(fabs(at.value - got) < 1e-5, "%s is %g", at.what.s, got);
                found++;
            } else {
                bins++;
            }
            es_pick_free(&at);
        }
    ck_assert_int_gt(found, 20);
    ck_assert_int_gt(bins, 20);
}
END_TEST

START_TEST(nothing_is_drawn_outside_at_any_size)
{
    drawn d;
    drawn_open(&d, "untrained:V=300,C=4", 860, 860);
    drawn_run(&d, ":show pairs \" a\"");
    drawn_within_at_any_size(&d);
    ck_assert_str_eq(es_str_text(&d.errors), "");
    drawn_close(&d);
}
END_TEST

START_TEST(letters_keep_apart_at_any_size)
{
    static const char line[] = ":show pairs \" a\"";
    drawn d;
    drawn_open(&d, "untrained:V=300,C=4", 100, 100);
    drawn_run(&d, line);
    drawn_apart_at_any_size(&d, line);
    ck_assert_str_eq(es_str_text(&d.errors), "");
    drawn_close(&d);
}
END_TEST

START_TEST(json_has_the_same_numbers)
{
    es_str json = {0};
    ck_assert_int_eq(stage_run(&s, ":show pairs \"a\""), ES_DONE);
    stage_json(&s, &json);
    json_t *j = json_loadb(json.s, json.len, 0, NULL), *focus = json_object_get(j, "focus");
    ck_assert_int_eq(json_integer_value(json_object_get(j, "found")), 8495);
    ck_assert_double_eq(json_number_value(json_object_get(j, "share")), pairs()->share);
    ck_assert_int_eq(json_integer_value(json_object_get(focus, "with")), SPACE_A);
    json_decref(j);
    es_str_free(&json);
}
END_TEST

Suite *pairs_suite(void)
{
    Suite *suite = suite_create("pairs");
    TCase *tc = tcase_create("pairs");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_pair_is_a_token_and_the_same_with_a_space);
    tcase_add_test(tc, a_row_that_is_not_finite_is_left_out);
    tcase_add_test(tc, cosines_are_those_of_a_plain_loop);
    tcase_add_test(tc, one_and_the_same_difference_is_explained_whole);
    tcase_add_test(tc, by_lot_nobody_has_a_partner_of_its_own);
    tcase_add_test(tc, every_pair_is_in_a_bin);
    tcase_add_test(tc, a_token_of_a_pair_is_put_in_focus);
    tcase_add_test(tc, what_cannot_be_shown_is_said);
    tcase_add_test(tc, a_pick_is_the_value_of_its_statement);
    tcase_add_test(tc, nothing_is_drawn_outside_at_any_size);
    tcase_add_test(tc, letters_keep_apart_at_any_size);
    tcase_add_test(tc, json_has_the_same_numbers);
    suite_add_tcase(suite, tc);
    return suite;
}
