// SPDX-License-Identifier: GPL-3.0-or-later
/* Lengths, distances and cosines against plain loops in float64; random rows against what is known of them. */
#include "analysis/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pca.h"
#include "base/rng.h"
#include "support.h"

Suite *spread_suite(void);

static es_error err;

/* Numbers about `offset`, rows of different lengths. */
static float *numbers(int64_t n, int64_t C, double offset)
{
    uint64_t state = 5;
    float *rows = malloc((size_t)(n * C) * sizeof *rows);
    for (int64_t i = 0; i < n * C; i++)
        rows[i] = (float)(offset + (1 + (double)(i / C % 7)) *
                                       ((double)random_below(&state, 20001) / 10000 - 1));
    return rows;
}

static void mean_of(double *mean, const float *rows, int64_t n, int64_t C)
{
    memset(mean, 0, (size_t)C * sizeof *mean);
    for (int64_t i = 0; i < n * C; i++)
        mean[i % C] += (double)rows[i] / (double)n;
}

static double plain_distance(const float *row, const double *from, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += pow((double)row[c] - (from ? from[c] : 0), 2);
    return sqrt(sum);
}

static double plain_cosine(const float *a, const float *b, const double *from, int64_t C)
{
    double ab = 0;
    for (int64_t c = 0; c < C; c++)
        ab += ((double)a[c] - (from ? from[c] : 0)) * ((double)b[c] - (from ? from[c] : 0));
    return ab / plain_distance(a, from, C) / plain_distance(b, from, C);
}

static es_spread spread_of(const float *rows, int64_t n, int64_t C, const double *mean)
{
    es_spread s;
    es_table *t = es_table_mapped(rows, ES_STORE_F32, n, C, NULL, NULL);
    ck_assert_works(es_spread_measure(&s, t, mean, 1, NULL, &err), err);
    es_table_unref(t);
    return s;
}

START_TEST(lengths_and_distances_are_those_of_float64)
{
    enum { N = 3000, C = 61 };
    double mean[C];
    float *rows = numbers(N, C, 3);
    mean_of(mean, rows, N, C);
    es_spread s = spread_of(rows, N, C, mean);
    for (int i = 0; i < N; i++) {
        double length = plain_distance(rows + i * C, NULL, C),
               far = plain_distance(rows + i * C, mean, C);
        demand(fabs(s.length[i] / length - 1) < 1e-6, "row %d: %g, not %g", i, (double)s.length[i],
               length);
        demand(fabs(s.distance[i] / far - 1) < 1e-6, "row %d: %g, not %g", i, (double)s.distance[i],
               far);
    }
    es_spread_free(&s);
    free(rows);
}
END_TEST

START_TEST(of_few_rows_every_pair_is_compared)
{
    enum { N = 40, C = 17 };
    double mean[C];
    float *rows = numbers(N, C, 3);
    mean_of(mean, rows, N, C);
    es_spread s = spread_of(rows, N, C, mean);
    ck_assert(s.every);
    ck_assert_int_eq(s.n_pairs, N * (N - 1) / 2);
    for (int j = 1, k = 0; j < N; j++)
        for (int i = 0; i < j; i++, k++) {
            double before = plain_cosine(rows + i * C, rows + j * C, NULL, C),
                   after = plain_cosine(rows + i * C, rows + j * C, mean, C);
            demand(fabs(s.before[k] - before) < 1e-6, "%d, %d: %g, not %g", i, j,
                   (double)s.before[k], before);
            demand(fabs(s.after[k] - after) < 1e-6, "%d, %d: %g, not %g", i, j, (double)s.after[k],
                   after);
        }
    es_spread_free(&s);
    free(rows);
}
END_TEST

/* The mean cosine over all pairs of rows of length 1 is known from their sum: (|sum|^2 - n) / (n (n - 1)). */
static double mean_cosine(const float *rows, int64_t n, int64_t C, const double *from)
{
    double *sum = calloc((size_t)C, sizeof *sum), all = 0;
    for (int64_t i = 0; i < n; i++) {
        double length = plain_distance(rows + i * C, from, C);
        for (int64_t c = 0; c < C; c++)
            sum[c] += ((double)rows[i * C + c] - (from ? from[c] : 0)) / length;
    }
    for (int64_t c = 0; c < C; c++)
        all += sum[c] * sum[c];
    free(sum);
    return (all - (double)n) / ((double)n * (double)(n - 1));
}

START_TEST(pairs_by_lot_have_the_mean_of_all_pairs)
{
    enum { N = 5000, C = 24 };
    double mean[C];
    float *rows = numbers(N, C, 1);
    mean_of(mean, rows, N, C);
    es_spread s = spread_of(rows, N, C, mean);
    ck_assert(!s.every);
    ck_assert_int_eq(s.n_pairs, ES_LOT_PAIRS);
    es_summary before = es_summary_of(s.before, s.n_pairs),
               after = es_summary_of(s.after, s.n_pairs);
    ck_assert_int_eq(before.n, ES_LOT_PAIRS);
    ck_assert_double_eq_tol(before.mean, mean_cosine(rows, N, C, NULL), 0.003);
    ck_assert_double_eq_tol(after.mean, mean_cosine(rows, N, C, mean), 0.003);
    ck_assert_double_lt(before.most, 1); /* no row is compared with itself */
    es_spread again = spread_of(rows, N, C, mean);
    ck_assert_mem_eq(s.before, again.before, (size_t)s.n_pairs * sizeof *s.before);
    es_spread_free(&again);
    es_spread_free(&s);
    free(rows);
}
END_TEST

START_TEST(rows_that_are_not_finite_and_rows_without_direction_are_told_apart)
{
    enum { N = 6, C = 3 };
    float rows[N * C] = {1, 0, 0, NAN, 0, 0, 0, INFINITY, 0, 0, 0, 0, 2, 2, 2, 1e30F, 0, 0};
    const double mean[C] = {2, 2, 2};
    es_spread s = spread_of(rows, N, C, mean);
    ck_assert(isnan(s.length[1]) && isnan(s.distance[1]) && isnan(s.length[2]));
    ck_assert_float_eq(s.length[3], 0);
    ck_assert_float_eq(s.distance[4], 0);
    ck_assert_float_eq_tol(s.length[5], 1e30F, 1e24F);
    const int zero_and_first = 3, mean_and_first = 6; /* (0, 3) and (0, 4) */
    ck_assert(isnan(s.before[zero_and_first]) && !isnan(s.after[zero_and_first]));
    ck_assert(!isnan(s.before[mean_and_first]) && isnan(s.after[mean_and_first]));
    es_summary r = es_summary_of(s.length, N);
    ck_assert_int_eq(r.n, 4);
    es_spread_free(&s);
}
END_TEST

START_TEST(rows_that_are_all_the_same_have_no_direction_about_their_mean)
{
    enum { N = 500, C = 5 };
    float *rows = malloc(sizeof(float[N * C]));
    double mean[C];
    for (int i = 0; i < N * C; i++)
        rows[i] = 0.1F * (float)(1 + i % C);
    for (int c = 0; c < C; c++)
        mean[c] = (double)rows[c] * (1 + 1e-9); /* as rounding leaves it */
    es_spread s = spread_of(rows, N, C, mean);
    ck_assert_int_eq(es_summary_of(s.after, s.n_pairs).n, 0);
    ck_assert_double_eq_tol(es_summary_of(s.before, s.n_pairs).least, 1, 1e-6);
    es_spread_free(&s);
    free(rows);
}
END_TEST

START_TEST(one_row_has_no_pair)
{
    const float row[] = {3, 4};
    const double mean[] = {3, 4};
    es_spread s = spread_of(row, 1, 2, mean);
    ck_assert_int_eq(s.n_pairs, 0);
    ck_assert_float_eq(s.length[0], 5);
    ck_assert_float_eq(s.distance[0], 0);
    es_spread_free(&s);
}
END_TEST

START_TEST(random_rows_are_what_is_known_of_them)
{
    enum { N = 4000, C = 50 };
    es_spread s;
    ck_assert_works(es_spread_random(&s, N, C, 1, NULL, &err), err);
    ck_assert_int_eq(s.n, N);
    es_summary length = es_summary_of(s.length, N), before = es_summary_of(s.before, s.n_pairs);
    double squares = 0, variance = 0;
    for (int i = 0; i < N; i++)
        squares += (double)s.length[i] * (double)s.length[i] / N;
    for (int k = 0; k < s.n_pairs; k++)
        variance += (double)s.before[k] * (double)s.before[k] / (double)s.n_pairs;
    ck_assert_double_eq_tol(squares, C, 0.5);
    ck_assert_double_eq_tol(length.mean, sqrt(C - 0.5), 0.05);
    ck_assert_double_eq_tol(before.mean, 0, 0.002);
    ck_assert_double_eq_tol(variance, 1.0 / C, 0.0003);
    es_spread_free(&s);
}
END_TEST

/* n random rows are another table than those of es_spread_random: the law is of all of them. */
static void check_law(int64_t n, int64_t C, double off)
{
    float *rows = malloc((size_t)(n * C) * sizeof *rows);
    double *share = malloc((size_t)C * sizeof *share), sum = 0;
    es_pca p;
    for (int64_t i = 0; i < n; i++)
        es_normal_row(rows + i * C, C, 3, 1, (uint64_t)i, 1);
    es_table *t = es_table_mapped(rows, ES_STORE_F32, n, C, NULL, NULL);
    ck_assert_works(es_pca_fit(&p, t, NULL, NULL, &err), err);
    es_spread_law(share, n, C);
    for (int64_t k = 0; k < C; k++) {
        demand(fabs(share[k] - p.variance[k] / p.total) < off / (double)C,
               "%d x %d, component %d: %g, not %g", (int)n, (int)C, (int)k, share[k],
               p.variance[k] / p.total);
        sum += share[k];
    }
    ck_assert_double_eq_tol(sum, 1, 1e-12);
    es_pca_free(&p);
    es_table_unref(t);
    free(share);
    free(rows);
}

START_TEST(components_of_random_rows_follow_the_law)
{
    check_law(20000, 40, 0.02);
    check_law(300, 200, 0.15);
    check_law(100, 250, 0.3);
    check_law(201, 200, 0.3);
}
END_TEST

START_TEST(the_law_of_one_row_or_one_channel)
{
    double share[2] = {7, 7};
    es_spread_law(share, 1, 2);
    ck_assert_double_eq(share[0], 0);
    ck_assert_double_eq(share[1], 0);
    es_spread_law(share, 100, 1);
    ck_assert_double_eq_tol(share[0], 1, 1e-12);
    es_spread_law(share, 2, 2);
    ck_assert_double_eq_tol(share[0], 1, 1e-12);
    ck_assert_double_eq(share[1], 0);
}
END_TEST

START_TEST(stopped_it_says_so)
{
    es_watch watch = {.cancel = true};
    es_spread s;
    ck_assert_fails(es_spread_random(&s, 1000, 10, 1, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_ptr_null(s.length);
    ck_assert_ptr_null(s.after);
}
END_TEST

Suite *spread_suite(void)
{
    Suite *s = suite_create("spread");
    TCase *tc = tcase_create("spread");
    tcase_add_test(tc, lengths_and_distances_are_those_of_float64);
    tcase_add_test(tc, of_few_rows_every_pair_is_compared);
    tcase_add_test(tc, pairs_by_lot_have_the_mean_of_all_pairs);
    tcase_add_test(tc, rows_that_are_not_finite_and_rows_without_direction_are_told_apart);
    tcase_add_test(tc, rows_that_are_all_the_same_have_no_direction_about_their_mean);
    tcase_add_test(tc, one_row_has_no_pair);
    tcase_add_test(tc, random_rows_are_what_is_known_of_them);
    tcase_add_test(tc, components_of_random_rows_follow_the_law);
    tcase_add_test(tc, the_law_of_one_row_or_one_channel);
    tcase_add_test(tc, stopped_it_says_so);
    suite_add_tcase(s, tc);
    return s;
}
