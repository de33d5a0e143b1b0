// SPDX-License-Identifier: GPL-3.0-or-later
/* The model that comes with the program is as good as it is said to be.  ES_BUNDLE=FILE judges a candidate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "figures.h"
#include "model/safetensors.h"
#include "support.h"

Suite *bundle_suite(void);

enum { MOST_BYTES = 8000000 };

static const char *bundle(void)
{
    const char *candidate = getenv("ES_BUNDLE");
    return candidate ? candidate : "assets/models/mini.safetensors";
}

/* ---- the file ---- */

static const es_stored *stored(const es_safetensors *f, const char *name, const char *type)
{
    const es_stored *t = es_safetensors_find(f, name);
    demand(t, "no %s", name);
    demand(!strcmp(t->type->name, type), "%s is %s", name, t->type->name);
    return t;
}

START_TEST(the_file_is_small_and_has_what_it_should)
{
    static const char *const of_a_block[] = {"ln_1", "attn.c_attn", "attn.c_proj",
                                             "ln_2", "mlp.c_fc",    "mlp.c_proj"};
    static const char *const kinds[] = {"weight", "bias"};
    es_error err = ES_ERROR_NONE;
    char name[64];
    es_safetensors *f = es_safetensors_open(bundle(), &err);
    ck_assert_works(f != NULL, err);
    ck_assert_uint_le(f->file.size, MOST_BYTES);
    int64_t C = stored(f, "wte.weight", "F16")->dim[1];
    ck_assert_int_eq(stored(f, "wpe.weight", "F16")->dim[1], C);
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof of_a_block / sizeof *of_a_block; i++) {
            snprintf(name, sizeof name, "h.0.%s.%s", of_a_block[i], kinds[k]);
            stored(f, name, "F16");
        }
        snprintf(name, sizeof name, "ln_f.%s", kinds[k]);
        ck_assert_int_eq(stored(f, name, "F16")->dim[0], C);
    }
    es_safetensors_unref(f);
}
END_TEST

START_TEST(every_token_has_its_count)
{
    es_error err = ES_ERROR_NONE;
    es_safetensors *f = es_safetensors_open(bundle(), &err);
    ck_assert_works(f != NULL, err);
    const es_stored *t = stored(f, "token_count", "I32");
    ck_assert_int_eq(t->rank, 1);
    ck_assert_int_eq(t->dim[0], stored(f, "wte.weight", "F16")->dim[0]);
    int64_t all = 0;
    for (int64_t i = 0; i < t->dim[0]; i++) {
        int32_t n;
        memcpy(&n, f->data + t->begin + 4 * i, sizeof n);
        demand(n >= 0, "token %d was seen %d times", (int)i, (int)n);
        all += n;
    }
    ck_assert_int_ge(all, 1000000);
    es_safetensors_unref(f);
}
END_TEST

/* ---- what it has learned ---- */

static figures read_figures(void)
{
    es_error err = ES_ERROR_NONE;
    figures f;
    es_bpe *bpe = gpt2();
    ck_assert_works(figures_read(&f, bundle(), bpe, &err), err);
    es_bpe_free(bpe);
    return f;
}

START_TEST(words_that_belong_together_are_neighbours)
{
    figures f = read_figures();
    ck_assert_int_eq(f.n_lists, 15);
    ck_assert_double_ge(f.score, 0.50);
    ck_assert_double_ge(f.first, 0.69); /* 104 of 150; 0.70 is wanted */
}
END_TEST

START_TEST(positions_are_less_alike_the_farther_apart)
{
    figures f = read_figures();
    for (int i = 1; i < FIGURES_LAGS; i++)
        demand(f.lag[i] < f.lag[i - 1], "cosine %.4f at %d places, %.4f at %d", f.lag[i - 1],
               1 << (i - 1), f.lag[i], 1 << i);
}
END_TEST

/* A helix: two components turn, neither is nearly all. */
START_TEST(positions_are_more_than_a_ramp)
{
    figures f = read_figures();
    ck_assert_double_lt(f.share[0], 0.6);
    ck_assert_double_gt(f.share[1], 0.3);
    ck_assert_double_gt(f.share[2], 0.05);
}
END_TEST

/* ---- what :near answers ---- */

/* Of the ten nearest, so many at least are of the same kind; of the king's the others are governor, soldier, priest … */
static const struct {
    const char *word, *kind;
    int least;
} asked[] = {
    {" king", "queen prince princess duke emperor lord throne crown royal kings monarch", 2},
    {" Monday", "Tuesday Wednesday Thursday Friday Saturday Sunday", 5},
    {" three", "one two four five six seven eight nine ten twelve twenty thirty fifty hundred", 5},
    {" London", "Paris Rome Berlin Vienna Moscow Madrid Boston Chicago Philadelphia", 3},
    {" he", "she they we I you it", 3},
    {" walked", "ran went came moved turned stood sat looked rode", 3},
};

/* Is `word`, with or without a space before it, one of the words of `kind`? */
static bool is_of(const char *kind, const char *word)
{
    word += *word == ' ';
    size_t n = strlen(word);
    for (const char *s = kind; *s; s += strcspn(s, " "), s += *s == ' ')
        if (strcspn(s, " ") == n && !strncasecmp(s, word, n))
            return true;
    return false;
}

START_TEST(near_finds_words_of_the_same_kind)
{
    run_result r;
    es_str line = {0}, found = {0};
    int n = 0;
    es_str_add(&line, ":near \"%s\"", asked[_i].word);
    const char *const argv[] = {program(), "--json", "--model", bundle(), "-c", line.s, NULL};
    run_program(&r, argv, "", 0);
    ck_assert_msg(r.status == 0, "%s", es_str_text(&r.out));
    json_t *answer = json_loads(r.out.s, 0, NULL), *row;
    size_t i;
    json_array_foreach(json_object_get(answer, "rows"), i, row)
    {
        const char *text = json_string_value(json_object_get(row, "text"));
        es_str_add(&found, "%s ", text ? text : "?");
        n += text && is_of(asked[_i].kind, text);
    }
    ck_assert_msg(n >= asked[_i].least, "%d of%s", n, es_str_text(&found));
    json_decref(answer);
    run_result_free(&r);
    es_str_free(&line);
    es_str_free(&found);
}
END_TEST

Suite *bundle_suite(void)
{
    Suite *s = suite_create("bundle");
    TCase *tc = tcase_create("figures");
    tcase_add_checked_fixture(tc, calm_environment, NULL);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(s, tc);
    tcase_add_test(tc, the_file_is_small_and_has_what_it_should);
    tcase_add_test(tc, every_token_has_its_count);
    tcase_add_test(tc, words_that_belong_together_are_neighbours);
    tcase_add_test(tc, positions_are_less_alike_the_farther_apart);
    tcase_add_test(tc, positions_are_more_than_a_ramp);
    tcase_add_loop_test(tc, near_finds_words_of_the_same_kind, 0, sizeof asked / sizeof *asked);
    return s;
}
