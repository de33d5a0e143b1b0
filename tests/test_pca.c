// SPDX-License-Identifier: GPL-3.0-or-later
/* Principal components against numpy's in float64 (tests/data/pca.py), LAPACK against our own solver, and what a
 * picture keeps against plain loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pca.h"
#include "analysis/pca_device.h"
#include "core/eigen.h"
#include "core/gemm.h"
#include "far.h"
#include "gpu.h"
#include "layer/position.h"
#include "support.h"

Suite *pca_suite(void);

static es_backend *be;

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    be = es_backend_open("cpu", 2, &err);
    ck_assert_works(be != NULL, err);
}

static void teardown(void)
{
    es_backend_close(be);
}

/* ---- tables ---- */

/* As pca.py has it. */
static double chance(int64_t n)
{
    uint32_t h = (uint32_t)((uint64_t)n * 2654435761u + 12345);
    h ^= h >> 15;
    h *= 0x85EBCA6B;
    h ^= h >> 13;
    return h * 0x1p-32 - 0.5;
}

static float number(int64_t i, int64_t c, double offset)
{
    double own = chance(i * 1009 + c) / (double)(c + 1);
    double common = chance(i * 1009 + 1000 + c % 3) * (2 << c % 3);
    return (float)(own + common + offset);
}

static float *numbers(int64_t n, int64_t C, double offset)
{
    float *rows = malloc((size_t)(n * C) * sizeof *rows);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            rows[i * C + c] = number(i, c, offset);
    return rows;
}

static es_table *table_of(const float *rows, int64_t n, int64_t C)
{
    return es_table_mapped(rows, ES_STORE_F32, n, C, NULL, NULL);
}

static es_pca fitted(const float *rows, int64_t n, int64_t C)
{
    es_error err = ES_ERROR_NONE;
    es_pca p;
    es_table *t = table_of(rows, n, C);
    ck_assert_works(es_pca_fit(&p, t, NULL, NULL, &err), err);
    es_table_unref(t);
    return p;
}

/* ---- against numpy ---- */

static double item(json_t *o, const char *name, size_t i)
{
    return json_number_value(json_array_get(json_object_get(o, name), i));
}

static void check_axis(const es_pca *p, json_t *want, int k)
{
    double along = 0;
    for (size_t c = 0; c < (size_t)p->C; c++)
        along +=
            json_number_value(json_array_get(want, c)) * (double)p->axes[(size_t)(k * p->C) + c];
    demand(along > 1 - 1e-6, "component %d of %d columns: cosine %.9f", k, (int)p->C, along);
}

static void check_case(json_t *o, int line)
{
    int64_t n = json_integer_value(json_object_get(o, "rows")),
            C = json_integer_value(json_object_get(o, "C"));
    float *rows = numbers(n, C, json_number_value(json_object_get(o, "offset")));
    es_pca p = fitted(rows, n, C);
    double total = 0, first = item(o, "variance", 0);
    ck_assert_int_eq(p.n, n);
    ck_assert_int_eq(p.left_out, 0);
    for (int64_t c = 0; c < C; c++) {
        double mean = item(o, "mean", (size_t)c), variance = item(o, "variance", (size_t)c);
        demand(fabs(p.mean[c] - mean) < 1e-10, "line %d, mean %d: %.12g, %.12g", line, (int)c,
               p.mean[c], mean);
        demand(fabs(p.variance[c] - variance) <= 1e-9 * variance + 1e-13 * first,
               "line %d, variance %d: %.12g, %.12g", line, (int)c, p.variance[c], variance);
        total += variance;
    }
    ck_assert_double_eq_tol(p.total, total, 1e-7 * total);
    for (int k = 0; k < (n > 2 ? 3 : 1); k++)
        check_axis(&p, json_array_get(json_object_get(o, "axes"), (size_t)k), k);
    es_pca_free(&p);
    free(rows);
}

START_TEST(components_are_those_of_float64)
{
    each_json_line("tests/data/pca.jsonl", check_case);
}
END_TEST

/* A row of a table like a learned one: a long mean, and variances that fall slowly. */
static void learned_row(const void *context, int64_t i, float *out, int64_t C)
{
    const double *scale = context;
    for (int64_t c = 0; c < C; c++)
        out[c] = (float)(*scale * (4 + chance(i * 1009 + c) / (double)(c + 1) +
                                   chance(i * 1009 + c + 500) / 8));
}

/* (C, C), in float64 */
static double *covariance(const es_table *t, double centre)
{
    enum { BLOCK = 1000 };
    int64_t V = es_table_rows(t), C = es_table_width(t);
    double *cov = calloc((size_t)(C * C), sizeof *cov),
           *gram = calloc((size_t)(C * C), sizeof *gram);
    double *wide = malloc((size_t)(BLOCK * C) * sizeof *wide),
           *sum = calloc((size_t)C, sizeof *sum);
    float *row = malloc((size_t)C * sizeof *row);
    ck_assert_int_eq(V % BLOCK, 0);
    for (int64_t i = 0; i < V; i++) {
        ck_assert(es_table_row(t, i, row, NULL));
        for (int64_t c = 0; c < C; c++)
            sum[c] += wide[i % BLOCK * C + c] = (double)row[c] - centre;
        if (i % BLOCK < BLOCK - 1)
            continue;
        es_gram_double(gram, wide, BLOCK, C);
        for (int64_t k = 0; k < C * C; k++)
            cov[k] += gram[k];
    }
    for (int64_t a = 0; a < C; a++)
        for (int64_t b = 0; b <= a; b++)
            cov[b * C + a] = cov[a * C + b] =
                (cov[a * C + b] - sum[a] * sum[b] / (double)V) / (double)(V - 1);
    free(gram);
    free(wide);
    free(sum);
    free(row);
    return cov;
}

/* Large enough for float32, in which squares of the second's numbers overflow. */
enum { LARGE = 17000, LARGE_C = 500 };
static const double large_scale[] = {1, 1e22};

static es_table *large_table(int i)
{
    return es_table_generated(LARGE, LARGE_C, learned_row, &large_scale[i], sizeof *large_scale);
}

static void large_on(es_backend *device, int i, double tolerance)
{
    es_error err = ES_ERROR_NONE;
    es_table *t = large_table(i);
    double *cov = covariance(t, 4 * large_scale[i]), values[LARGE_C],
           *vectors = malloc(sizeof(double) * LARGE_C * LARGE_C);
    es_pca p;
    ck_assert(es_eigen(cov, LARGE_C, values, vectors, NULL, NULL));
    ck_assert_works(es_pca_fit(&p, t, device, NULL, &err), err);
    for (int k = 0; k < 10; k++)
        demand(fabs(p.variance[k] / values[k] - 1) < tolerance, "variance %d: %.10g, %.10g", k,
               p.variance[k], values[k]);
    es_pca_free(&p);
    es_table_unref(t);
    free(cov);
    free(vectors);
}

START_TEST(the_first_ten_variances_of_a_large_table_are_right_to_a_millionth)
{
    large_on(be, _i, 1e-6);
}
END_TEST

START_TEST(and_to_a_ten_millionth_on_a_device_far_away)
{
    enum { BLOCKS = 17 };
    es_backend *far = far_open(2);
    large_on(far, _i, 1e-7);
    es_ran ran = es_backend_ran(far);
    ck_assert_uint_eq(ran.launches, 4 * BLOCKS); /* twice products and their sums */
    ck_assert_int_eq(ran.n_beside, 1);
    ck_assert_str_eq(ran.beside[0].what, "eigenvectors");
    ck_assert_uint_eq(far->in_use, 0);
    es_backend_close(far);
}
END_TEST

static void large_on_a_gpu(const char *device)
{
    es_error err = ES_ERROR_NONE;
    es_backend *gpu = es_backend_open(device, 2, &err);
    ck_assert_works(gpu != NULL, err);
    large_on(gpu, 0, 1e-7);
    ck_assert_uint_eq(gpu->in_use, 0);
    es_backend_close(gpu);
}

START_TEST(and_on_every_opencl_device)
{
    each_gpu(large_on_a_gpu);
}
END_TEST

/* ---- every row, whatever it holds ---- */

START_TEST(the_bits_are_the_same_for_any_number_of_threads)
{
    enum { V = 20000, C = 30 };
    float *rows = numbers(V, C, 2), at[2][V][2];
    es_pca p[2];
    es_table *t = table_of(rows, V, C);
    for (int i = 0; i < 2; i++) {
        es_backend *one = es_backend_open("cpu", i ? 3 : 1, NULL);
        p[i] = fitted(rows, V, C);
        ck_assert(es_pca_project_table(&p[i], t, 2, at[i][0], NULL, NULL, NULL));
        es_backend_close(one);
    }
    ck_assert_mem_eq(p[0].variance, p[1].variance, C * sizeof(double));
    ck_assert_mem_eq(p[0].axes, p[1].axes, C * C * sizeof(float));
    ck_assert_mem_eq(at[0], at[1], sizeof at[0]);
    for (int i = 0; i < 2; i++)
        es_pca_free(&p[i]);
    es_table_unref(t);
    free(rows);
}
END_TEST

START_TEST(rows_with_nan_or_inf_are_left_out)
{
    enum { V = 3000, C = 6 };
    float *rows = numbers(V, C, 1), *clean = malloc(sizeof(float) * V * C), at[V][3], one[3];
    int64_t n = 0;
    rows[70 * C + 2] = NAN;
    rows[71 * C] = INFINITY;
    rows[V * C - 1] = -INFINITY;
    for (int64_t i = 0; i < V; i++)
        if (i != 70 && i != 71 && i != V - 1)
            memcpy(clean + n++ * C, rows + i * C, C * sizeof *rows);
    es_pca p = fitted(rows, V, C), q = fitted(clean, n, C);
    es_table *t = table_of(rows, V, C);
    ck_assert_int_eq(p.n, V - 3);
    ck_assert_int_eq(p.left_out, 3);
    for (int c = 0; c < C; c++) {
        ck_assert_double_eq_tol(p.mean[c], q.mean[c], 1e-9);
        ck_assert_double_eq_tol(p.variance[c], q.variance[c], 1e-7 * q.total);
    }
    ck_assert(es_pca_project_table(&p, t, 3, at[0], NULL, NULL, NULL));
    for (int64_t i = 0; i < V; i++)
        demand(isnan(at[i][0]) == (i == 70 || i == 71 || i == V - 1), "row %d", (int)i);
    ck_assert(isnan(at[71][1]) && isnan(at[71][2]));
    es_pca_project(&p, rows + 99 * C, 1, 3, one);
    ck_assert_mem_eq(one, at[99], sizeof one);
    es_pca_free(&p);
    es_pca_free(&q);
    es_table_unref(t);
    free(rows);
    free(clean);
}
END_TEST

/* ---- on a device that has memory of its own ---- */

START_TEST(a_block_times_itself_there)
{
    static const int64_t sizes[] = {0, 1, 2, 31, 200}, widths[] = {1, 3, 129};
    es_error err = ES_ERROR_NONE;
    es_backend *far = far_open(1);
    for (int s = 0; s < 5; s++)
        for (int w = 0; w < 3; w++) {
            int64_t n = sizes[s], C = widths[w];
            float *rows = numbers(n, C, 0), *here = malloc(sizeof(float) * (size_t)(C * C)),
                  *there = malloc(sizeof(float) * (size_t)(C * C));
            es_gram(here, rows, n, C);
            ck_assert_works(es_gram_there(there, rows, n, C, far, NULL, &err), err);
            for (int64_t i = 0; i < C; i++)
                for (int64_t j = 0; j <= i; j++)
                    demand(fabsf(here[i * C + j] - there[i * C + j]) <= 1e-3f,
                           "%d rows of %d at %d, %d: %g, %g", (int)n, (int)C, (int)i, (int)j,
                           (double)here[i * C + j], (double)there[i * C + j]);
            free(rows);
            free(here);
            free(there);
        }
    ck_assert_uint_eq(far->in_use, 0);
    es_backend_close(far);
}
END_TEST

START_TEST(a_small_table_is_for_float64)
{
    enum { V = 40, C = 5 };
    es_error err = ES_ERROR_NONE;
    es_backend *far = far_open(1);
    float *rows = numbers(V, C, 3);
    es_table *t = table_of(rows, V, C);
    es_pca p = fitted(rows, V, C), q;
    ck_assert_works(es_pca_fit(&q, t, far, NULL, &err), err);
    ck_assert_mem_eq(p.variance, q.variance, C * sizeof *p.variance);
    ck_assert_mem_eq(p.axes, q.axes, C * C * sizeof *p.axes);
    es_ran ran = es_backend_ran(far);
    ck_assert_uint_eq(ran.launches, 0);
    ck_assert_int_eq(ran.n_beside, 2);
    ck_assert_str_eq(ran.beside[0].what, "products in float64");
    ck_assert_str_eq(ran.beside[1].what, "eigenvectors");
    es_pca_free(&p);
    es_pca_free(&q);
    es_table_unref(t);
    es_backend_close(far);
    free(rows);
}
END_TEST

static void check_projections(const es_pca *p, es_table *t, int64_t K, es_backend *device,
                              double tolerance)
{
    es_error err = ES_ERROR_NONE;
    int64_t V = es_table_rows(t);
    float *here = malloc(sizeof(float) * (size_t)(V * K)),
          *there = malloc(sizeof(float) * (size_t)(V * K));
    ck_assert_works(es_pca_project_table(p, t, K, here, NULL, NULL, &err), err);
    ck_assert_works(es_pca_project_table(p, t, K, there, device, NULL, &err), err);
    for (int64_t i = 0; i < V * K; i++)
        demand(isnan(here[i]) ? isnan(there[i])
                              : fabs((double)here[i] - (double)there[i]) <= tolerance,
               "number %d of row %d: %.9g here, %.9g there", (int)(i % K), (int)(i / K),
               (double)here[i], (double)there[i]);
    free(here);
    free(there);
}

static uint64_t launches_of(es_backend *device)
{
    es_ran ran = es_backend_ran(device);
    return ran.launches;
}

/* Sent, and from where it lies; the mean is far from 0, and float32 does not have it. */
START_TEST(projections_are_the_same_on_a_device_far_away)
{
    static const int64_t sizes[] = {2, 3, 257, 2000}, widths[] = {1, 3, 129};
    es_error err = ES_ERROR_NONE;
    es_backend *far = far_open(2);
    for (int s = 0; s < 4; s++)
        for (int w = 0; w < 3; w++) {
            int64_t V = sizes[s], C = widths[w], K = C < 10 ? C : 10;
            float *rows = numbers(V, C, 1000.3);
            if (V > 3) {
                rows[C + C / 2] = NAN;
                rows[2 * C] = INFINITY;
                rows[V * C - 1] = -INFINITY;
            }
            es_table *t = table_of(rows, V, C);
            es_pca p = fitted(rows, V, C);
            check_projections(&p, t, K, far, 2e-5);
            ck_assert_uint_eq(launches_of(far), 2);
            ck_assert(es_table_whole(t, far, &err) != NULL);
            check_projections(&p, t, K, far, 2e-5);
            ck_assert_uint_eq(launches_of(far), 2);
            es_pca_free(&p);
            es_table_unref(t);
            free(rows);
        }
    ck_assert_uint_eq(far->in_use, 0);
    es_backend_close(far);
}
END_TEST

static void project_on_a_gpu(const char *device)
{
    enum { V = 3000, C = 70 };
    es_error err = ES_ERROR_NONE;
    es_backend *gpu = es_backend_open(device, 2, &err);
    ck_assert_works(gpu != NULL, err);
    float *rows = numbers(V, C, -7);
    rows[5 * C] = INFINITY;
    rows[9 * C + 3] = NAN;
    es_table *t = table_of(rows, V, C);
    es_pca p = fitted(rows, V, C);
    check_projections(&p, t, 10, gpu, 1e-5);
    ck_assert(es_table_whole(t, gpu, &err) != NULL);
    check_projections(&p, t, 10, gpu, 1e-5);
    es_pca_free(&p);
    es_table_unref(t);
    es_backend_close(gpu);
    free(rows);
}

START_TEST(projections_are_the_same_on_every_opencl_device)
{
    each_gpu(project_on_a_gpu);
}
END_TEST

static const es_code failures[] = {ES_ERR_NOMEM, ES_ERR_BACKEND};

/* While blocks are multiplied, by two threads. */
START_TEST(a_device_that_fails_leaves_no_components)
{
    static const int calls[] = {1, 2, 3, 4, 5, 6, 11, 40};
    es_error err = ES_ERROR_NONE;
    es_table *t = large_table(0);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        es_backend *far = far_open(2);
        es_pca p;
        far_fail_at(far, calls[i], failures[_i]);
        ck_assert_fails(es_pca_fit(&p, t, far, NULL, &err), err, failures[_i],
                        "far away something failed");
        ck_assert_ptr_null(p.axes);
        ck_assert_uint_eq(far->in_use, 0);
        es_backend_close(far);
    }
    es_table_unref(t);
}
END_TEST

START_TEST(a_device_that_fails_projects_nothing)
{
    enum { V = 90, C = 4, K = 2 };
    es_error err = ES_ERROR_NONE;
    float *rows = numbers(V, C, 1), at[V * K];
    es_table *t = table_of(rows, V, C);
    es_pca p = fitted(rows, V, C);
    int n = 1;
    for (bool ok = false; !ok; n++) {
        es_backend *far = far_open(1);
        far_fail_at(far, n, failures[_i]);
        ok = es_pca_project_table(&p, t, K, at, far, NULL, &err);
        demand(ok || err.code == failures[_i], "call %d: %s", n, err.message);
        es_error_free(&err);
        ck_assert_uint_eq(far->in_use, 0);
        es_backend_close(far);
    }
    ck_assert_int_eq(n, 12);
    es_pca_free(&p);
    es_table_unref(t);
    free(rows);
}
END_TEST

START_TEST(projections_have_the_variances_and_none_in_common)
{
    enum { V = 4000, C = 9 };
    float *rows = numbers(V, C, -5), at[V][C];
    es_pca p = fitted(rows, V, C);
    es_pca_project(&p, rows, V, C, at[0]);
    for (int a = 0; a < C; a++)
        for (int b = 0; b < C; b++) {
            double sum = 0, want = a == b ? p.variance[a] : 0;
            for (int64_t i = 0; i < V; i++)
                sum += (double)at[i][a] * (double)at[i][b] / (V - 1);
            demand(fabs(sum - want) < 1e-5, "%d, %d: %g, not %g", a, b, sum, want);
        }
    const int two[] = {0, 2}, beyond[] = {1, 9};
    double share = (p.variance[0] + p.variance[2]) / p.total;
    ck_assert_double_eq_tol(es_pca_share(&p, two, 2), share, 1e-12);
    ck_assert_double_eq_tol(es_pca_share(&p, beyond, 2), p.variance[1] / p.total, 1e-12);
    es_pca_free(&p);
    free(rows);
}
END_TEST

START_TEST(without_spread_all_is_zero)
{
    enum { V = 700, C = 110 };
    float *rows = malloc(sizeof(float) * V * C), at[3];
    const int which[] = {0, 1};
    for (int i = 0; i < V * C; i++)
        rows[i] = 0.1f + (float)(i % C);
    es_pca p = fitted(rows, V, C);
    for (int c = 0; c < C; c++)
        demand(p.variance[c] == 0, "variance %d: %g", c, p.variance[c]);
    ck_assert_double_eq(p.total, 0);
    ck_assert_double_eq(es_pca_share(&p, which, 2), 0);
    es_pca_project(&p, rows, 1, 3, at);
    for (int k = 0; k < 3; k++)
        ck_assert_float_eq(at[k], 0);
    es_pca_free(&p);
    free(rows);
}
END_TEST

START_TEST(the_smallest_tables_have_components)
{
    const float two[] = {3, 7}, pair[] = {1, 2, 3, 5, 8, 13};
    float at[2];
    es_pca p = fitted(two, 2, 1);
    ck_assert_double_eq(p.mean[0], 5);
    ck_assert_double_eq(p.variance[0], 8);
    ck_assert_float_eq(p.axes[0], 1);
    es_pca_project(&p, two, 2, 1, at);
    ck_assert(at[0] == -2 && at[1] == 2);
    es_pca_free(&p);
    p = fitted(pair, 2, 3); /* one direction, and two without spread */
    ck_assert_double_eq_tol(p.variance[0], (16 + 36 + 100) / 2.0, 1e-5);
    ck_assert_double_eq_tol(p.variance[1] + p.variance[2], 0, 1e-5);
    es_pca_free(&p);
    es_pca_free(&p); /* empty by now */
}
END_TEST

/* Squares of these are beyond float32, above and below. */
START_TEST(numbers_may_be_of_any_size)
{
    enum { V = 500, C = 4 };
    const float scale[] = {1e38f, 1e-38f};
    float *rows = numbers(V, C, 0);
    es_pca p = fitted(rows, V, C);
    for (int i = 0; i < V * C; i++)
        rows[i] *= scale[_i] / 4;
    es_pca q = fitted(rows, V, C);
    double square = (double)scale[_i] * (double)scale[_i] / 16;
    for (int c = 0; c < C; c++)
        ck_assert_double_eq_tol(q.variance[c] / square, p.variance[c], 1e-5 * p.total);
    es_pca_free(&p);
    es_pca_free(&q);
    free(rows);
}
END_TEST

START_TEST(what_has_no_components_says_why)
{
    es_error err = ES_ERROR_NONE;
    es_pca p;
    const float one[] = {1, 2, 3}, bad[] = {1, NAN, 2, 3, INFINITY, 4};
    es_table *t = table_of(one, 1, 3);
    ck_assert_fails(es_pca_fit(&p, t, NULL, NULL, &err), err, ES_ERR_VALUE,
                    "principal components are of two rows or more, and of this table 1 is finite");
    ck_assert_ptr_null(p.axes);
    es_table_unref(t);
    t = table_of(bad, 3, 2);
    ck_assert(!es_pca_fit(&p, t, NULL, NULL, &err));
    ck_assert_str_eq(err.message,
                     "principal components are of two rows or more, and of this table 1 is finite");
    ck_assert_str_eq(err.hint, "2 of its rows hold NaN or Inf");
    es_error_free(&err);
    es_table_unref(t);
    t = es_position_sinusoidal(8);
    ck_assert_fails(es_pca_fit(&p, t, NULL, NULL, &err), err, ES_ERR_VALUE,
                    "this table has no last row");
    es_table_unref(t);
}
END_TEST

/* ---- stopping ---- */

typedef struct stopping {
    es_watch *watch;
    int64_t row; /* from this one on the work is no longer wanted */
} stopping;

static void stopping_row(const void *context, int64_t i, float *out, int64_t C)
{
    const stopping *s = context;
    for (int64_t c = 0; c < C; c++)
        out[c] = number(i, c, 0);
    if (i == s->row)
        s->watch->cancel = true;
}

START_TEST(it_stops_when_it_is_no_longer_wanted)
{
    es_error err = ES_ERROR_NONE;
    es_watch watch = {0};
    stopping s = {&watch, 8500};
    es_pca p;
    es_table *t = es_table_generated(60000, 40, stopping_row, &s, sizeof s);
    ck_assert_fails(es_pca_fit(&p, t, NULL, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_ptr_null(p.axes);
    ck_assert_uint_eq(watch.total, 60000);
    ck_assert_uint_lt(watch.done, 20000);
    es_table_unref(t);
}
END_TEST

/* ---- eigenvectors ---- */

/* 0: full, 1: of rank 3, 2: the same number along all axes but two, 3: nothing outside the diagonal, 4: nothing */
static void fill(double *a, int64_t n, int kind)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double x = kind == 0 ? chance(i * n + j) : kind == 3 && i == j ? (double)(i % 7) : 0;
            for (int64_t k = 0; kind == 1 && k < 3; k++)
                x += chance(i * 3 + k) * chance(j * 3 + k);
            if (kind == 2)
                x = (i == j ? 5 : 0) + (i < 2 && j < 2 ? 1 : 0);
            a[i * n + j] = a[j * n + i] = x;
        }
}

static double product(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Rows are orthonormal, a stretches each by its value, and the largest number of each is positive. */
static void check_vectors(const double *a, const double *values, const double *v, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        const double *x = v + k * n;
        double most = 0;
        for (int64_t i = 0; i < n; i++) {
            demand(fabs(product(a + i * n, x, n) - values[k] * x[i]) < 1e-11, "vector %d", (int)k);
            most = fabs(x[i]) > fabs(most) * (1 + 1e-9) ? x[i] : most;
        }
        demand(most > 0, "vector %d points down", (int)k);
        for (int64_t j = 0; j <= k; j++)
            demand(fabs(product(x, v + j * n, n) - (j == k)) < 1e-12, "%d and %d", (int)k, (int)j);
    }
}

START_TEST(lapack_finds_what_our_own_hands_find)
{
    es_error err = ES_ERROR_NONE;
    int64_t n = 101;
    size_t size = (size_t)(n * n) * sizeof(double);
    double *a = malloc(size), *b = malloc(size), *c = malloc(size), *v = malloc(size);
    double values[101], ours[101];
    fill(a, n, _i);
    memcpy(b, a, size);
    memcpy(c, a, size);
    ck_assert_works(es_eigen(b, n, values, v, NULL, &err), err);
    check_vectors(a, values, v, n);
    ck_assert_works(es_eigen_plain(c, n, ours, v, NULL, &err), err);
    check_vectors(a, ours, v, n);
    for (int64_t k = 0; k < n; k++)
        demand(fabs(values[k] - ours[k]) < 1e-12 && (!k || values[k] <= values[k - 1]),
               "value %d: %.15g, %.15g", (int)k, values[k], ours[k]);
    free(a);
    free(b);
    free(c);
    free(v);
}
END_TEST

START_TEST(eigenvalues_want_finite_numbers_and_a_reader)
{
    es_error err = ES_ERROR_NONE;
    es_watch watch = {.done = 7};
    int64_t n = 101;
    double *a = calloc((size_t)(n * n), sizeof *a), *v = malloc((size_t)(n * n) * sizeof *v);
    double values[101];
    watch.cancel = true;
    ck_assert_fails(es_eigen(a, n, values, v, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_uint_eq(watch.done, 7);
    a[5] = NAN;
    ck_assert_fails(es_eigen(a, n, values, v, NULL, &err), err, ES_ERR_VALUE,
                    "a number of this matrix is not finite");
    free(a);
    free(v);
}
END_TEST

START_TEST(a_table_times_itself)
{
    enum { N = 37, C = 11 };
    float *rows = numbers(N, C, 0), out[C * C];
    for (int i = 0; i < C * C; i++)
        out[i] = -7;
    es_gram(out, rows, N, C);
    for (int i = 0; i < C; i++)
        for (int j = 0; j < C; j++) {
            double sum = 0;
            for (int r = 0; r < N; r++)
                sum += (double)rows[r * C + i] * (double)rows[r * C + j];
            demand(fabs((double)out[i * C + j] - (j > i ? -7 : sum)) < 1e-4, "%d, %d", i, j);
        }
    es_gram(out, rows, 0, C);
    ck_assert_float_eq(out[C], 0);
    free(rows);
}
END_TEST

Suite *pca_suite(void)
{
    Suite *s = suite_create("pca");
    gpu_tally();
    TCase *tc = tcase_create("pca");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, components_are_those_of_float64);
    tcase_add_loop_test(tc, the_first_ten_variances_of_a_large_table_are_right_to_a_millionth, 0,
                        2);
    tcase_add_loop_test(tc, and_to_a_ten_millionth_on_a_device_far_away, 0, 2);
    tcase_add_test(tc, and_on_every_opencl_device);
    tcase_add_test(tc, a_block_times_itself_there);
    tcase_add_test(tc, a_small_table_is_for_float64);
    tcase_add_test(tc, projections_are_the_same_on_a_device_far_away);
    tcase_add_test(tc, projections_are_the_same_on_every_opencl_device);
    tcase_add_loop_test(tc, a_device_that_fails_leaves_no_components, 0, 2);
    tcase_add_loop_test(tc, a_device_that_fails_projects_nothing, 0, 2);
    tcase_add_test(tc, the_bits_are_the_same_for_any_number_of_threads);
    tcase_add_test(tc, rows_with_nan_or_inf_are_left_out);
    tcase_add_test(tc, projections_have_the_variances_and_none_in_common);
    tcase_add_test(tc, without_spread_all_is_zero);
    tcase_add_test(tc, the_smallest_tables_have_components);
    tcase_add_loop_test(tc, numbers_may_be_of_any_size, 0, 2);
    tcase_add_test(tc, what_has_no_components_says_why);
    tcase_add_test(tc, it_stops_when_it_is_no_longer_wanted);
    tcase_add_loop_test(tc, lapack_finds_what_our_own_hands_find, 0, 5);
    tcase_add_test(tc, eigenvalues_want_finite_numbers_and_a_reader);
    tcase_add_test(tc, a_table_times_itself);
    suite_add_tcase(s, tc);
    return s;
}
