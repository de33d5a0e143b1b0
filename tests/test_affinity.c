// SPDX-License-Identifier: GPL-3.0-or-later
/* The graph that t-SNE starts from, and how two one-way graphs are put together, against plain loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/graph.h"
#include "support.h"

Suite *affinity_suite(void);

/* ---- both ways ---- */

static float sum_of_both(float ij, float ji)
{
    return ij + ji;
}

static float the_smaller(float ij, float ji)
{
    return ij < ji ? ij : ji;
}

/* k neighbours of each of n rows by chance, some with fewer; own in 0..1, some of them 0. */
static es_knn by_chance(int64_t n, int k, float **own, uint64_t *state)
{
    size_t numbers = (size_t)n * (size_t)k;
    es_knn g = {.n = n, .k = k};
    g.id = malloc(numbers * sizeof *g.id);
    *own = malloc(numbers * sizeof **own);
    for (int64_t i = 0; i < n; i++) {
        int32_t *id = g.id + i * k;
        for (int a = 0; a < k; a++) {
            id[a] = (int32_t)random_below(state, (uint32_t)n);
            for (int b = 0; b < a; b++)
                id[a] = id[b] == id[a] ? -1 : id[a];
            id[a] = id[a] == (int32_t)i ? -1 : id[a];
            (*own)[i * k + a] = (float)random_below(state, 10) / 10;
        }
    }
    return g;
}

static float own_tie(const es_knn *knn, int k, const float *own, int64_t i, int64_t j)
{
    for (int a = 0; a < k; a++)
        if (knn->id[i * knn->k + a] == j)
            return own[i * k + a];
    return 0;
}

static float weight_of(const es_graph *g, int64_t i, int64_t j)
{
    for (int64_t a = g->begin[i]; a < g->begin[i + 1]; a++)
        if (g->to[a] == j)
            return g->weight[a];
    return 0;
}

static void check_join(int64_t n, int most, int k, float (*part)(float, float), uint64_t seed)
{
    es_error err = ES_ERROR_NONE;
    float *own;
    es_graph g;
    es_knn knn = by_chance(n, most, &own, &seed);
    ck_assert_works(es_graph_join(&g, &knn, k, own, part, NULL, &err), err);
    ck_assert_int_eq(g.n, n);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            float want = part(own_tie(&knn, k, own, i, j), own_tie(&knn, k, own, j, i));
            demand(weight_of(&g, i, j) == want, "%d of %d with %d", (int)i, (int)n, (int)j);
        }
        for (int64_t a = g.begin[i]; a < g.begin[i + 1]; a++)
            demand(g.weight[a] > 0 && (a == g.begin[i] || g.to[a] > g.to[a - 1]), "row %d", (int)i);
    }
    es_graph_free(&g);
    ck_assert_ptr_null(g.to);
    free(knn.id);
    free(own);
}

START_TEST(joined_ties_are_those_of_plain_loops)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        check_join(2 + (int64_t)seed * 3, 5, 5, sum_of_both, seed);
        check_join(2 + (int64_t)seed * 3, 7, 4, the_smaller, seed);
    }
}
END_TEST

START_TEST(no_neighbours_make_an_empty_graph)
{
    es_error err = ES_ERROR_NONE;
    int32_t id[] = {-1, -1, -1};
    float own[3] = {0};
    es_graph g;
    es_knn knn = {.n = 3, .k = 1, .id = id}, none = {.n = 0, .k = 1};
    ck_assert_works(es_graph_join(&g, &knn, 1, own, sum_of_both, NULL, &err), err);
    ck_assert_int_eq(g.begin[3], 0);
    es_graph_free(&g);
    ck_assert_works(es_graph_join(&g, &none, 1, NULL, sum_of_both, NULL, &err), err);
    ck_assert_int_eq(g.begin[0], 0);
    es_graph_free(&g);
}
END_TEST

START_TEST(an_interrupted_join_is_empty)
{
    es_error err = ES_ERROR_NONE;
    es_watch watch = {.cancel = true, .done = 7, .total = 9};
    uint64_t seed = 1;
    float *own;
    es_graph g;
    es_knn knn = by_chance(20, 3, &own, &seed);
    ck_assert_fails(es_graph_join(&g, &knn, 3, own, sum_of_both, &watch, &err), err,
                    ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    ck_assert_ptr_null(g.begin);
    ck_assert_int_eq(watch.done, 7);
    free(knn.id);
    free(own);
}
END_TEST

/* ---- perplexity ---- */

/* As affinity.py has it. */
static double chance(int64_t n)
{
    uint32_t h = (uint32_t)((uint64_t)n * 2654435761u + 12345);
    h ^= h >> 15;
    h *= 0x85EBCA6B;
    h ^= h >> 13;
    return h * 0x1p-32 - 0.5;
}

static double cosine_of(int64_t i, int64_t j, int64_t C)
{
    double ij = 0, ii = 0, jj = 0;
    for (int64_t c = 0; c < C; c++) {
        double a = chance(i * 1009 + c), b = chance(j * 1009 + c);
        ij += a * b;
        ii += a * a;
        jj += b * b;
    }
    return ij / sqrt(ii * jj);
}

/* The neighbours of such rows, by plain loops: each is the nearest that is less near than the last. */
static es_knn neighbours(int64_t n, int64_t C, int k)
{
    size_t numbers = (size_t)n * (size_t)k;
    es_knn g = {n, k, malloc(numbers * sizeof *g.id), malloc(numbers * sizeof *g.cosine)};
    for (int64_t i = 0; i < n; i++) {
        double last = 2;
        for (int a = 0; a < k; a++) {
            double most = -2;
            for (int64_t j = 0; j < n; j++) {
                double cosine = cosine_of(i, j, C);
                if (j == i || cosine >= last || cosine <= most)
                    continue;
                most = cosine;
                g.id[i * k + a] = (int32_t)j;
            }
            g.cosine[i * k + a] = (float)most;
            last = most;
        }
    }
    return g;
}

static void knn_drop(es_knn *g)
{
    free(g->id);
    free(g->cosine);
}

static es_graph affinities(const es_knn *knn, double perplexity)
{
    es_error err = ES_ERROR_NONE;
    es_graph P;
    ck_assert_works(es_graph_perplexity(&P, knn, perplexity, NULL, &err), err);
    return P;
}

static void check_sum_and_symmetry(const es_graph *P)
{
    double sum = 0;
    for (int64_t i = 0; i < P->n; i++)
        for (int64_t a = P->begin[i]; a < P->begin[i + 1]; a++) {
            demand(P->weight[a] > 0 && P->weight[a] == weight_of(P, P->to[a], i), "%d with %d",
                   (int)i, (int)P->to[a]);
            sum += (double)P->weight[a];
        }
    demand(fabs(sum - 1) < 1e-6, "they sum to %.9f", sum);
}

static void check_case(json_t *o, int line)
{
    int64_t n = json_integer_value(json_object_get(o, "rows"));
    double perplexity = json_number_value(json_object_get(o, "perplexity"));
    json_t *ties = json_object_get(o, "ties");
    es_knn knn = neighbours(n, json_integer_value(json_object_get(o, "C")), 3 * (int)perplexity);
    es_graph P = affinities(&knn, perplexity);
    ck_assert_int_eq(P.begin[n], 2 * json_array_size(ties));
    for (size_t t = 0; t < json_array_size(ties); t++) {
        json_t *tie = json_array_get(ties, t);
        int64_t i = json_integer_value(json_array_get(tie, 0));
        int64_t j = json_integer_value(json_array_get(tie, 1));
        double want = json_number_value(json_array_get(tie, 2)), got = (double)weight_of(&P, i, j);
        demand(fabs(got - want) < 1e-4 * want + 1e-8, "line %d, %d with %d: %.9g, and %.9g", line,
               (int)i, (int)j, got, want);
    }
    check_sum_and_symmetry(&P);
    es_graph_free(&P);
    knn_drop(&knn);
}

START_TEST(probabilities_are_those_of_scikit_learn)
{
    each_json_line("tests/data/affinity.jsonl", check_case);
}
END_TEST

/* Neighbours that go one way only: of each row its own ties, halved, are what comes out. */
START_TEST(the_perplexity_asked_for_is_reached)
{
    enum { SOURCES = 50, K = 60 };
    int64_t n = SOURCES * (K + 1);
    es_knn g = {n, K, malloc((size_t)n * K * sizeof *g.id),
                calloc((size_t)n * K, sizeof *g.cosine)};
    for (int64_t i = 0; i < n * K; i++)
        g.id[i] = i < (int64_t)SOURCES * K ? (int32_t)(SOURCES + i) : -1;
    for (int64_t i = 0; i < SOURCES; i++)
        for (int a = 0; a < K; a++) /* from far apart to as near as float32 has it */
            g.cosine[i * K + a] = 1 - (float)((a + chance(i * K + a)) * pow(0.85, (double)i)) / K;
    for (double perplexity = 1.5; perplexity <= 20; perplexity *= 1.9) {
        es_graph P = affinities(&g, perplexity);
        for (int64_t i = 0; i < SOURCES; i++) {
            double sum = 0, entropy = 0;
            for (int64_t a = P.begin[i]; a < P.begin[i + 1]; a++)
                sum += (double)P.weight[a];
            for (int64_t a = P.begin[i]; a < P.begin[i + 1]; a++)
                entropy -= (double)P.weight[a] / sum * log((double)P.weight[a] / sum);
            demand(fabs(exp(entropy) / perplexity - 1) < 1e-6, "row %d: %.9f of %.9f", (int)i,
                   exp(entropy), perplexity);
        }
        es_graph_free(&P);
    }
    knn_drop(&g);
}
END_TEST

/* Where it cannot be: 12 equally near are 12, whoever asks for 5; 2 are 2. */
START_TEST(as_near_as_can_be_where_it_cannot_be_reached)
{
    enum { K = 15 };
    int32_t id[(K + 1) * K];
    float cosine[(K + 1) * K];
    for (int i = 0; i <= K; i++)
        for (int a = 0; a < K; a++) {
            id[i * K + a] = i == 1 && a >= 2 ? -1 : (i + 1 + a) % (K + 1);
            cosine[i * K + a] = i == 1 ? 0.9f - 0.1f * (float)a : a < 12 ? 1 : 0.5f;
        }
    es_knn g = {K + 1, K, id, cosine};
    es_graph P = affinities(&g, 5);
    check_sum_and_symmetry(&P);
    float each = weight_of(&P, 4, 5); /* 1 / 12 one way, nothing the other */
    ck_assert_float_eq_tol(each, 1.0f / 12 / 32, 1e-6f);
    ck_assert_float_eq_tol(weight_of(&P, 6, 7), each, 1e-9f);
    ck_assert_float_eq_tol(weight_of(&P, 1, 2), 0.5f / 32, 1e-6f);
    es_graph_free(&P);
}
END_TEST

START_TEST(rows_without_neighbours_have_no_ties)
{
    int32_t id[5 * 3] = {1, 2, 4, 0, 2, 4, 1, 0, 4, -1, -1, -1, 2, 1, 0};
    float cosine[5 * 3] = {0.9f, 0.8f, 0.7f, 0.9f, 0.8f, 0.7f, 0.9f, 0.8f, 0.7f, 0, 0, 0, 1, 1, 1};
    es_knn g = {5, 3, id, cosine};
    es_graph P = affinities(&g, 1);
    ck_assert_int_eq(P.begin[3], P.begin[4]);
    check_sum_and_symmetry(&P);
    es_graph_free(&P);
}
END_TEST

START_TEST(perplexities_that_do_not_fit_say_what_does)
{
    es_error err = ES_ERROR_NONE;
    es_knn g = neighbours(30, 4, 20);
    es_graph P;
    ck_assert(!es_graph_perplexity(&P, &g, 7, NULL, &err));
    ck_assert_str_eq(err.hint, "try: a perplexity of at most 6");
    ck_assert_fails(false, err, ES_ERR_VALUE,
                    "perplexity 7 takes 21 neighbours of each row, and there are 20");
    ck_assert_fails(es_graph_perplexity(&P, &g, 0.5, NULL, &err), err, ES_ERR_VALUE,
                    "a perplexity is at least 1, and this is 0.5");
    ck_assert_fails(es_graph_perplexity(&P, &g, NAN, NULL, &err), err, ES_ERR_VALUE,
                    "a perplexity is at least 1, and this is nan");
    es_watch watch = {.cancel = true};
    ck_assert_fails(es_graph_perplexity(&P, &g, 5, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_ptr_null(P.begin);
    knn_drop(&g);
}
END_TEST

Suite *affinity_suite(void)
{
    Suite *s = suite_create("affinity");
    TCase *join = tcase_create("join");
    tcase_add_test(join, joined_ties_are_those_of_plain_loops);
    tcase_add_test(join, no_neighbours_make_an_empty_graph);
    tcase_add_test(join, an_interrupted_join_is_empty);
    suite_add_tcase(s, join);
    TCase *perplexity = tcase_create("perplexity");
    tcase_add_test(perplexity, probabilities_are_those_of_scikit_learn);
    tcase_add_test(perplexity, the_perplexity_asked_for_is_reached);
    tcase_add_test(perplexity, as_near_as_can_be_where_it_cannot_be_reached);
    tcase_add_test(perplexity, rows_without_neighbours_have_no_ties);
    tcase_add_test(perplexity, perplexities_that_do_not_fit_say_what_does);
    suite_add_tcase(s, perplexity);
    return s;
}
