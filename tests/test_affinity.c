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

START_TEST(interrupted_it_is_empty)
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

Suite *affinity_suite(void)
{
    Suite *s = suite_create("affinity");
    TCase *join = tcase_create("join");
    tcase_add_test(join, joined_ties_are_those_of_plain_loops);
    tcase_add_test(join, no_neighbours_make_an_empty_graph);
    tcase_add_test(join, interrupted_it_is_empty);
    suite_add_tcase(s, join);
    return s;
}
