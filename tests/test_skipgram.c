// SPDX-License-Identifier: GPL-3.0-or-later
/* Stage 1 on texts made for it: who keeps company ends up close; the same seed gives the same bytes. */
#include "train/skipgram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "support.h"

Suite *skipgram_suite(void);

enum { V = 24, GROUP = 10, C = 16, N = 40000 };

static es_error err;
static uint64_t state;
static es_recipe recipe;
static es_corpus corpus;

static void add(int32_t id)
{
    corpus.train.ids[corpus.train.n++] = id;
    corpus.counts[id]++;
}

/* Runs of 20 tokens, each from one of two groups of 10; token 20 is seen 4 times, token 21 often 5, the last ones
 * never. */
static void setup(void)
{
    err = ES_ERROR_NONE;
    state = 21;
    corpus = es_corpus_new(V);
    corpus.train.ids = es_alloc_array(N + 9, sizeof *corpus.train.ids);
    for (int i = 0; i < N; i++)
        add((int32_t)(i / 20 % 2 * GROUP + random_below(&state, GROUP)));
    for (int i = 0; i < 9; i++)
        add(i < 4 ? 20 : 21);
    recipe = es_recipe_default();
    recipe.n_embd = C;
    recipe.subsample = 0;
    recipe.epochs = 4;
}

static void teardown(void)
{
    es_corpus_free(&corpus);
}

static es_skipgram trained(void)
{
    es_skipgram s;
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    while (s.done < s.total)
        es_skipgram_run(&s, 7000);
    return s;
}

static double cosine(const float *a, const float *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (int c = 0; c < C; c++) {
        ab += (double)a[c] * b[c];
        aa += (double)a[c] * a[c];
        bb += (double)b[c] * b[c];
    }
    return ab / sqrt(aa * bb);
}

static void groups_are_apart(void)
{
    es_skipgram s = trained();
    float wte[V * C];
    es_skipgram_table(wte, &s);
    double within = 2, across = -2;
    for (int a = 0; a < 2 * GROUP; a++)
        for (int b = 0; b < a; b++) {
            double cos = cosine(wte + a * C, wte + b * C);
            if (a / GROUP == b / GROUP)
                within = fmin(within, cos);
            else
                across = fmax(across, cos);
        }
    ck_assert_msg(within > 0.5 && across < -0.2, "within %g, across %g", within, across);
    es_skipgram_free(&s);
}

START_TEST(tokens_of_one_company_end_up_close)
{
    groups_are_apart();
}
END_TEST

START_TEST(several_threads_find_the_same_company)
{
    recipe.threads = 3;
    groups_are_apart();
}
END_TEST

/* Chance gives a pair a loss of (1 + noise) log 2. */
START_TEST(the_loss_falls_below_chance)
{
    es_skipgram s = trained();
    double chance = (1 + (double)recipe.noise) * log(2);
    ck_assert_msg(s.loss > 0 && s.loss < 0.9 * chance, "%g, by chance %g", s.loss, chance);
    es_skipgram_free(&s);
}
END_TEST

START_TEST(one_seed_gives_the_same_bytes)
{
    es_skipgram a = trained(), b = trained();
    ck_assert_mem_eq(a.in, b.in, V * C * sizeof *a.in);
    ck_assert_mem_eq(a.out, b.out, V * C * sizeof *a.out);
    ck_assert_double_eq(a.loss, b.loss);
    es_skipgram_free(&b);
    recipe.seed = 2;
    b = trained();
    ck_assert_mem_ne(a.in, b.in, V * C * sizeof *a.in);
    es_skipgram_free(&a);
    es_skipgram_free(&b);
}
END_TEST

START_TEST(it_starts_small_and_from_nothing)
{
    es_skipgram s;
    double squares = 0;
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    for (int i = 0; i < V * C; i++) {
        demand(fabsf(s.in[i]) <= 0.5f / C && s.out[i] == 0, "%d", i);
        squares += (double)s.in[i] * s.in[i];
    }
    ck_assert_double_eq_tol(sqrt(squares / (V * C)), 1.0 / C / sqrt(12), 0.1 / C / sqrt(12));
    ck_assert_int_eq(s.total, 4 * (N + 9));
    es_skipgram_free(&s);
}
END_TEST

START_TEST(half_a_pass_is_half_the_text_and_none_is_none)
{
    es_skipgram s;
    recipe.epochs = 0.5;
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    ck_assert_int_eq(s.total, (N + 9) / 2);
    es_skipgram_run(&s, INT64_MAX / 2);
    ck_assert_int_eq(s.done, s.total);
    es_skipgram_free(&s);
    recipe.epochs = 0;
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    es_skipgram_run(&s, 1000);
    ck_assert_int_eq(s.done, 0);
    es_skipgram_free(&s);
}
END_TEST

START_TEST(a_text_without_tokens_is_gone_through_at_once)
{
    es_skipgram s;
    corpus.train.n = 0;
    memset(corpus.counts, 0, V * sizeof *corpus.counts);
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    es_skipgram_run(&s, 1000);
    ck_assert_int_eq(s.total, 0);
    es_skipgram_free(&s);
}
END_TEST

/* One token alone: noise is always its own context and left out, each pair pulls `out` along `in` by rate / 2 while
 * their product is small.  So out / in is half the sum of the rates of all pairs: with a window of 1, two a token but
 * for the ends of stretches of 1,000, and a rate that falls in a line to 0. */
START_TEST(rates_fall_in_a_line_to_nothing)
{
    enum { ALONE = 20000 };
    memset(corpus.counts, 0, V * sizeof *corpus.counts);
    corpus.train.n = 0;
    for (int i = 0; i < ALONE; i++)
        add(0);
    recipe.window = 1;
    recipe.epochs = 1;
    recipe.rate = 1e-4;
    es_skipgram s;
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    float was[C];
    memcpy(was, s.in, sizeof was);
    es_skipgram_run(&s, ALONE);
    double sum = 0, along = 0;
    for (int at = 0; at < ALONE; at += 1000)
        sum += (2 * 1000 - 2) * recipe.rate * (1 - (double)at / ALONE);
    for (int c = 0; c < C; c++)
        along += s.out[c] / was[c] / C;
    /* `in` itself grows by out * rate / 2 a pair: cosh and sinh of half the sum */
    ck_assert_msg(fabs(along / sinh(sum / 2) - 1) < 0.01, "%g, not %g", along, sinh(sum / 2));
    es_skipgram_free(&s);
}
END_TEST

/* A token that is half the text and is thinned out with t = 1e-3 stays with chance sqrt(t / f) + t / f. */
START_TEST(frequent_tokens_are_thinned_out)
{
    es_skipgram s;
    recipe.subsample = 1e-3;
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    for (int i = 0; i < V; i++) {
        double f = (double)corpus.counts[i] / (double)corpus.train.n;
        double want = f > 0 ? fmin(1, sqrt(1e-3 / f) + 1e-3 / f) : 1;
        demand(fabs(s.keep[i] - want) < 1e-6, "token %d stays by %g, not %g", i, s.keep[i], want);
    }
    es_skipgram_run(&s, s.total);
    es_skipgram_free(&s);
}
END_TEST

START_TEST(the_table_is_centred_and_scaled_where_tokens_were_seen_often)
{
    es_skipgram s = trained();
    float wte[V * C];
    double squares = 0, rare = 0;
    es_skipgram_table(wte, &s);
    for (int c = 0; c < C; c++) {
        double mean = 0;
        for (int v = 0; v < V; v++)
            mean += corpus.counts[v] >= 5 ? wte[v * C + c] / 21.0 : 0;
        ck_assert_double_eq_tol(mean, 0, 1e-7);
    }
    for (int i = 0; i < V * C; i++)
        *(corpus.counts[i / C] >= 5 ? &squares : &rare) += (double)wte[i] * wte[i];
    ck_assert_double_eq_tol(sqrt(squares / (21 * C)), 0.05, 1e-6);
    ck_assert_double_eq_tol(sqrt(rare / (3 * C)), 0.02, 0.01); /* 48 numbers: to a tenth */
    float *other = es_alloc_array(V * C, sizeof *other);
    s.in[20 * C] = 100; /* a rare row counts for nothing */
    es_skipgram_table(other, &s);
    ck_assert_mem_eq(wte, other, sizeof wte);
    free(other);
    es_skipgram_free(&s);
}
END_TEST

START_TEST(a_table_of_rare_tokens_alone_is_chance)
{
    for (int i = 0; i < V; i++)
        corpus.counts[i] = 4;
    es_skipgram s;
    ck_assert_works(es_skipgram_new(&s, &recipe, &corpus, &err), err);
    float wte[V * C];
    double squares = 0;
    es_skipgram_table(wte, &s);
    for (int i = 0; i < V * C; i++)
        squares += (double)wte[i] * wte[i];
    ck_assert_double_eq_tol(sqrt(squares / (V * C)), 0.02, 0.003);
    es_skipgram_free(&s);
}
END_TEST

Suite *skipgram_suite(void)
{
    Suite *s = suite_create("skipgram");
    TCase *t = tcase_create("skipgram");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, tokens_of_one_company_end_up_close);
    tcase_add_test(t, several_threads_find_the_same_company);
    tcase_add_test(t, the_loss_falls_below_chance);
    tcase_add_test(t, one_seed_gives_the_same_bytes);
    tcase_add_test(t, it_starts_small_and_from_nothing);
    tcase_add_test(t, half_a_pass_is_half_the_text_and_none_is_none);
    tcase_add_test(t, a_text_without_tokens_is_gone_through_at_once);
    tcase_add_test(t, rates_fall_in_a_line_to_nothing);
    tcase_add_test(t, frequent_tokens_are_thinned_out);
    tcase_add_test(t, the_table_is_centred_and_scaled_where_tokens_were_seen_often);
    tcase_add_test(t, a_table_of_rare_tokens_alone_is_chance);
    suite_add_tcase(s, t);
    return s;
}
