// SPDX-License-Identifier: GPL-3.0-or-later
/* What pictures know of tables: parts made on demand, kinds of tokens, what colours mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layer/cosine.h"
#include "support.h"
#include "view/atlas.h"

Suite *atlas_suite(void);

static es_bpe *bpe;
static es_backend *be;
static const int components[] = {0, 1, 2};

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    be = es_backend_open("cpu", 2, &err);
    ck_assert_works(be != NULL, err);
    bpe = gpt2();
}

static void teardown(void)
{
    es_bpe_free(bpe);
    es_backend_close(be);
}

static es_atlas *atlas_of(const char *name, es_positions positions)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open(name, 0, &err);
    ck_assert_works(m != NULL, err);
    es_context *c = es_context_new(bpe, "gpt2", m, be, positions);
    es_atlas *a = es_atlas_new(c);
    es_context_unref(c);
    es_model_unref(m);
    return a;
}

static void make(es_atlas *a, unsigned parts)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_atlas_make(a, parts, components, 2, NULL, &err), err);
    ck_assert(es_atlas_has(a, parts));
}

/* ---- parts ---- */

START_TEST(rows_come_along_their_components_with_their_lengths)
{
    es_atlas *a = atlas_of("untrained:V=2000,C=12", ES_POSITIONS_LEARNED);
    float row[12], at[10];
    make(a, ES_ATLAS_TOKENS);
    ck_assert(!es_atlas_has(a, ES_ATLAS_POSITIONS) && !es_atlas_has(a, ES_ATLAS_KINDS));
    ck_assert_int_eq(a->tokens.n, 2000);
    ck_assert_int_eq(a->tokens.K, 10);
    for (int64_t id = 0; id < 2000; id += 37) {
        ck_assert(es_table_row(a->context->model->wte, id, row, NULL));
        es_pca_project(&a->tokens.pca, row, 1, 10, at);
        demand(!memcmp(at, a->tokens.at + id * 10, sizeof at), "row %d", (int)id);
        demand(a->tokens.length[id] == (float)es_length(row, 12), "length %d", (int)id);
    }
    int shorter = 0, longer = 0;
    for (int64_t id = 0; id < 2000; id++) {
        shorter += a->tokens.length[id] < a->tokens.short_end;
        longer += a->tokens.length[id] > a->tokens.long_end;
    }
    ck_assert_int_eq(shorter, 20);
    ck_assert_int_eq(longer, 20);
    es_atlas_free(a);
    es_atlas_free(NULL);
}
END_TEST

START_TEST(positions_are_those_in_use)
{
    es_error err = ES_ERROR_NONE;
    es_atlas *a = atlas_of("untrained:V=50,C=6", ES_POSITIONS_LEARNED);
    make(a, ES_ATLAS_POSITIONS);
    ck_assert_int_eq(a->positions.n, a->context->model->config.n_ctx);
    ck_assert_int_eq(a->positions.K, 6);
    es_atlas_free(a);
    a = atlas_of("untrained:V=50,C=6", ES_POSITIONS_SINUSOIDAL);
    make(a, ES_ATLAS_POSITIONS);
    ck_assert_int_eq(a->positions.n, ES_ATLAS_PLACES);
    ck_assert_float_eq_tol(a->positions.length[77], sqrtf(3),
                           1e-6f); /* three sines, three cosines */
    es_atlas_free(a);
    a = atlas_of("untrained:V=50,C=6", ES_POSITIONS_NONE);
    ck_assert(!es_atlas_make(a, ES_ATLAS_POSITIONS, components, 2, NULL, &err));
    ck_assert_str_eq(err.message, "positions are none, so there are no rows of them to show");
    ck_assert_str_eq(err.hint, "try: :positions learned, or :positions sinusoidal");
    es_error_free(&err);
    es_atlas_free(a);
}
END_TEST

START_TEST(what_a_map_keeps_is_known_for_its_components_alone)
{
    const int turned[] = {1, 0}, far[] = {40, 41};
    es_error err = ES_ERROR_NONE;
    es_atlas *a = atlas_of("untrained:V=600,C=3", ES_POSITIONS_LEARNED);
    ck_assert(!es_atlas_knows_kept(a, components, 2));
    make(a, ES_ATLAS_KEPT);
    ck_assert(es_atlas_has(a, ES_ATLAS_TOKENS));
    double two = a->kept.kept;
    ck_assert(es_atlas_knows_kept(a, components, 2) && !es_atlas_knows_kept(a, components, 3));
    ck_assert(!es_atlas_knows_kept(a, turned, 2));
    ck_assert(es_atlas_make(a, ES_ATLAS_KEPT, turned, 2, NULL, &err));
    ck_assert_double_eq(a->kept.kept, two); /* the same picture on its side */
    ck_assert(es_atlas_knows_kept(a, turned, 2) && !es_atlas_knows_kept(a, components, 2));
    ck_assert(es_atlas_make(a, ES_ATLAS_KEPT, components, 3, NULL, &err));
    ck_assert_double_gt(a->kept.kept, two); /* all there is */
    ck_assert(es_atlas_make(a, ES_ATLAS_KEPT, far, 2, NULL, &err));
    ck_assert_double_lt(a->kept.kept, two); /* all on one spot */
    es_atlas_free(a);
}
END_TEST

START_TEST(a_part_that_was_stopped_is_not_ready_and_can_be_made_again)
{
    es_error err = ES_ERROR_NONE;
    es_watch watch = {.cancel = true};
    es_atlas *a = atlas_of("untrained:V=9000,C=16", ES_POSITIONS_LEARNED);
    const unsigned all = ES_ATLAS_TOKENS | ES_ATLAS_POSITIONS | ES_ATLAS_KINDS | ES_ATLAS_KEPT;
    for (unsigned part = 1; part < all; part *= 2) {
        ck_assert_fails(es_atlas_make(a, part, components, 2, &watch, &err), err,
                        ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
        ck_assert(!es_atlas_has(a, part));
    }
    make(a, all);
    ck_assert(!es_atlas_make(a, ES_ATLAS_KEPT, components, 3, &watch, &err));
    ck_assert(!es_atlas_knows_kept(a, components, 2) && !es_atlas_knows_kept(a, components, 3));
    es_error_free(&err);
    es_atlas_free(a);
}
END_TEST

/* Positions are no part of wte: it is not measured again for their sake. */
START_TEST(what_is_known_of_tokens_outlives_a_change_of_positions)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open("untrained:V=2000,C=12", 0, &err), *other;
    ck_assert_works(m != NULL, err);
    es_context *learned = es_context_new(bpe, "gpt2", m, be, ES_POSITIONS_LEARNED);
    es_context *none = es_context_new(bpe, "gpt2", m, be, ES_POSITIONS_NONE);
    es_atlas *first = es_atlas_new(learned), *second = es_atlas_new(none);
    make(first, ES_ATLAS_TOKENS | ES_ATLAS_POSITIONS | ES_ATLAS_KINDS | ES_ATLAS_KEPT);
    const float *at = first->tokens.at;
    double kept = first->kept.kept;
    ck_assert(es_atlas_inherit(second, first));
    ck_assert(es_atlas_has(second, ES_ATLAS_TOKENS | ES_ATLAS_KINDS | ES_ATLAS_KEPT));
    ck_assert(!es_atlas_has(second, ES_ATLAS_POSITIONS));
    ck_assert(second->tokens.at == at);
    ck_assert(es_atlas_knows_kept(second, components, 2) && second->kept.kept == kept);
    ck_assert(!es_atlas_has(first, ES_ATLAS_TOKENS) && es_atlas_has(first, ES_ATLAS_POSITIONS));
    es_atlas_free(first);
    make(second, ES_ATLAS_KEPT);
    other = es_model_open("untrained:V=2000,C=12", 1, &err);
    es_context *elsewhere = es_context_new(bpe, "gpt2", other, be, ES_POSITIONS_NONE);
    es_atlas *third = es_atlas_new(elsewhere);
    ck_assert(!es_atlas_inherit(third, second));
    ck_assert(es_atlas_has(second, ES_ATLAS_TOKENS) && !es_atlas_has(third, ES_ATLAS_TOKENS));
    es_atlas_free(second);
    es_atlas_free(third);
    es_context_unref(learned);
    es_context_unref(none);
    es_context_unref(elsewhere);
    es_model_unref(m);
    es_model_unref(other);
}
END_TEST

START_TEST(the_smallest_models_have_an_atlas_or_words)
{
    es_error err = ES_ERROR_NONE;
    es_atlas *a = atlas_of("untrained:V=1,C=1", ES_POSITIONS_SINUSOIDAL);
    ck_assert_fails(es_atlas_make(a, ES_ATLAS_TOKENS, components, 2, NULL, &err), err, ES_ERR_VALUE,
                    "principal components are of two rows or more, and of this table 1 is finite");
    make(a, ES_ATLAS_POSITIONS | ES_ATLAS_KINDS);
    ck_assert_int_eq(a->positions.K, 1);
    es_atlas_free(a);
    a = atlas_of("untrained:V=2,C=1", ES_POSITIONS_LEARNED);
    make(a, ES_ATLAS_TOKENS | ES_ATLAS_KINDS | ES_ATLAS_KEPT);
    ck_assert_int_eq(a->kept.k, 0); /* of two there is nothing to say */
    es_atlas_free(a);
}
END_TEST

/* ---- kinds ---- */

START_TEST(the_kind_of_a_token_is_that_of_its_letters)
{
    static const struct {
        const char *bytes;
        es_script script;
        bool space, digit;
        int letter_case;
    } tokens[] = {
        {"", ES_SCRIPT_NONE, false, false, 0},
        {" ", ES_SCRIPT_NONE, true, false, 0},
        {" cat", ES_SCRIPT_LATIN, true, false, 1},
        {"Cat", ES_SCRIPT_LATIN, false, false, 2},
        {" A", ES_SCRIPT_LATIN, true, false, 2},
        {"NASA", ES_SCRIPT_LATIN, false, false, 3},
        {"iPhone", ES_SCRIPT_LATIN, false, false, 4},
        {"McCoy", ES_SCRIPT_LATIN, false, false, 4},
        {" 1900", ES_SCRIPT_NONE, true, true, 0},
        {"19th", ES_SCRIPT_LATIN, false, false, 1},
        {"  7", ES_SCRIPT_NONE, true, false, 0},
        {"...", ES_SCRIPT_NONE, false, false, 0},
        {"\xD1\x82\xD0\xBE", ES_SCRIPT_CYRILLIC, false, false, -1},
        {" \xCE\xB1", ES_SCRIPT_GREEK, true, false, -1},
        {"\xD8\xA7\xD9\x84", ES_SCRIPT_ARABIC, false, false, 0},
        {"\xD7\x95", ES_SCRIPT_HEBREW, false, false, 0},
        {"\xE9\xBE\x8D", ES_SCRIPT_HAN, false, false, 0},
        {"\xE3\x81\xAE\xE9\xAD\x94", ES_SCRIPT_KANA, false, false, 0},
        {"\xE9\xAD\x94\xE3\x81\xAE", ES_SCRIPT_KANA, false, false, 0},
        {"\xEA\xB0\x80", ES_SCRIPT_OTHER, false, false, 0},
        {"a\xE3\x81\xAE", ES_SCRIPT_LATIN, false, false, 1},
        {" \xE6\x9C", ES_SCRIPT_BYTES, true, false, 0},
        {"ab\xFF", ES_SCRIPT_BYTES, false, false, 0},
    };
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        es_token_kind k = es_token_kind_of(tokens[i].bytes, strlen(tokens[i].bytes));
        demand(k.script == tokens[i].script && k.space == tokens[i].space &&
                   k.digit == tokens[i].digit &&
                   (tokens[i].letter_case < 0 || k.letter_case == tokens[i].letter_case),
               "token %d: %s, %d %d %d", (int)i, es_script_name(k.script), k.space, k.digit,
               k.letter_case);
    }
}
END_TEST

/* As counted by the names of Unicode's characters; a mark by itself has no letters. */
START_TEST(gpt2s_vocabulary_has_these_kinds)
{
    es_atlas *a = atlas_of("untrained:V=50257,C=1", ES_POSITIONS_LEARNED);
    int n[ES_SCRIPT_BYTES + 1] = {0}, spaces = 0, digits = 0;
    make(a, ES_ATLAS_KINDS);
    for (int id = 0; id < 50257; id++) {
        n[a->kind[id].script]++;
        spaces += a->kind[id].space;
        digits += a->kind[id].digit;
    }
    ck_assert_int_eq(n[ES_SCRIPT_CYRILLIC], 17);
    ck_assert_int_eq(n[ES_SCRIPT_GREEK], 22);
    ck_assert_int_eq(n[ES_SCRIPT_ARABIC], 18);
    ck_assert_int_eq(n[ES_SCRIPT_HEBREW], 10); /* and a point */
    ck_assert_int_eq(n[ES_SCRIPT_HAN], 42);    /* and one behind a kana */
    ck_assert_int_eq(n[ES_SCRIPT_KANA], 126);
    ck_assert_int_eq(n[ES_SCRIPT_OTHER], 2); /* Hangul */
    ck_assert_int_eq(n[ES_SCRIPT_BYTES], 344);
    ck_assert_int_eq(spaces, 33135);
    ck_assert_int_eq(digits, 1691);
    es_atlas_free(a);
}
END_TEST

/* ---- colours ---- */

static int legend_of(const es_atlas *a, es_color_by by, es_argb *colour, es_str *all)
{
    int i = 0;
    es_str_free(all);
    for (es_str label = {0};
         es_atlas_legend(a, es_palette_named("dark"), by, i, &colour[i], &label); i++) {
        es_str_add(all, "%s%s", i ? ", " : "", es_str_text(&label));
        es_str_free(&label);
    }
    return i;
}

START_TEST(a_legend_names_what_there_is)
{
    static const struct {
        es_color_by by;
        const char *legend;
    } want[] = {
        {ES_BY_ID, "0, 299"}, /* single bytes, and two letters such as " t" */
        {ES_BY_SCRIPT, "no letters, Latin, bytes, no text"},
        {ES_BY_SPACE, "no space before it, begins with a space"},
        {ES_BY_DIGIT, "not digits alone, digits alone"},
        {ES_BY_CASE, "no letters with case, lower case, Capital"},
        {ES_BY_COUNT, "not known"},
    };
    es_atlas *a = atlas_of("untrained:V=300,C=4", ES_POSITIONS_LEARNED);
    es_str all = {0};
    es_argb colour[16];
    make(a, ES_ATLAS_KINDS | ES_ATLAS_TOKENS);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        legend_of(a, want[i].by, colour, &all);
        ck_assert_str_eq(es_str_text(&all), want[i].legend);
    }
    ck_assert_int_eq(legend_of(a, ES_BY_LENGTH, colour, &all), 2);
    ck_assert_msg(!strncmp(all.s, "≤ 0.0", strlen("≤ 0.0")) && strstr(all.s, ", ≥ 0.0"), "%s",
                  all.s);
    es_str_free(&all);
    es_atlas_free(a);
}
END_TEST

START_TEST(every_token_has_a_colour_of_the_legend_or_its_scale)
{
    es_atlas *a = atlas_of("untrained:V=300,C=4", ES_POSITIONS_LEARNED);
    const es_palette *p = es_palette_named("dark");
    es_str all = {0};
    es_argb colour[16];
    make(a, ES_ATLAS_KINDS | ES_ATLAS_TOKENS);
    for (int by = ES_BY_SCRIPT; by <= ES_BY_CASE; by++) {
        int n = legend_of(a, (es_color_by)by, colour, &all), met = 0;
        for (int32_t id = 0; id < 300; id++) {
            int i = 0;
            while (i < n && colour[i] != es_atlas_colour(a, p, (es_color_by)by, id))
                i++;
            demand(i < n, "token %d by %s", id, es_color_by_name((es_color_by)by));
            met |= 1 << i;
        }
        ck_assert_int_eq(met, (1 << n) - 1); /* and each entry is of some token */
    }
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_ID, 299), es_sequential(p, 1));
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_ID, 300), p->faint);
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_COUNT, 5), p->faint);
    a->tokens.length[7] = NAN;
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_LENGTH, 7), p->wrong);
    es_str_free(&all);
    es_atlas_free(a);
}
END_TEST

START_TEST(counts_are_on_a_scale_of_their_logarithms)
{
    es_model *m = es_model_open("untrained:V=4,C=2", 0, NULL);
    m->counts = calloc(4, sizeof *m->counts);
    m->counts[1] = 999;
    m->counts[2] = 999999;
    m->counts[3] = -1;
    es_context *c = es_context_new(bpe, "gpt2", m, be, ES_POSITIONS_NONE);
    es_atlas *a = es_atlas_new(c);
    const es_palette *p = es_palette_named("light");
    es_str all = {0};
    es_argb colour[16];
    ck_assert_int_eq(legend_of(a, ES_BY_COUNT, colour, &all), 2);
    ck_assert_str_eq(es_str_text(&all), "0, 999,999");
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_COUNT, 0), es_sequential(p, 0));
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_COUNT, 1), es_sequential(p, 0.5f));
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_COUNT, 2), es_sequential(p, 1));
    ck_assert_uint_eq(es_atlas_colour(a, p, ES_BY_COUNT, 3), p->faint);
    es_str_free(&all);
    es_atlas_free(a);
    es_context_unref(c);
    es_model_unref(m);
}
END_TEST

Suite *atlas_suite(void)
{
    Suite *s = suite_create("atlas");
    TCase *tc = tcase_create("atlas");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, rows_come_along_their_components_with_their_lengths);
    tcase_add_test(tc, positions_are_those_in_use);
    tcase_add_test(tc, what_a_map_keeps_is_known_for_its_components_alone);
    tcase_add_test(tc, a_part_that_was_stopped_is_not_ready_and_can_be_made_again);
    tcase_add_test(tc, what_is_known_of_tokens_outlives_a_change_of_positions);
    tcase_add_test(tc, the_smallest_models_have_an_atlas_or_words);
    tcase_add_test(tc, the_kind_of_a_token_is_that_of_its_letters);
    tcase_add_test(tc, gpt2s_vocabulary_has_these_kinds);
    tcase_add_test(tc, a_legend_names_what_there_is);
    tcase_add_test(tc, every_token_has_a_colour_of_the_legend_or_its_scale);
    tcase_add_test(tc, counts_are_on_a_scale_of_their_logarithms);
    suite_add_tcase(s, tc);
    return s;
}
