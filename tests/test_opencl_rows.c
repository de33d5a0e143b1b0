// SPDX-License-Identifier: GPL-3.0-or-later
/* What works along rows on an OpenCL device, and products: long ones, odd ones, and both ways that our kernels go, with local
 * memory, as on a card, and without. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ops.h"
#include "gpu_pair.h"
#include "support.h"

Suite *opencl_rows_suite(void);

enum { LONG_TEST = 240, LONG = 1000003, WIDE = 50257, PRODUCTS = 60 };

static uint64_t state = 11;

static float *numbers(int64_t n)
{
    float *x = malloc((size_t)(n ? n : 1) * sizeof *x);
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)random_below(&state, 2000001) / 1000000 - 1;
    return x;
}

static pair random_pair(const es_shape *shape)
{
    float *x = numbers(es_shape_count(shape));
    pair p = pair_of(shape, x);
    free(x);
    return p;
}

/* The largest difference; NaN where only one of the two is a number, or the infinities differ. */
static double difference(const pair *p)
{
    int64_t n = es_shape_count(&p->on[0].shape);
    float *x[2];
    double most = 0;
    for (int i = 0; i < 2; i++) {
        x[i] = malloc((size_t)(n ? n : 1) * sizeof(float));
        demand(es_tensor_read(&p->on[i], x[i], NULL), "read");
    }
    for (int64_t i = 0; i < n; i++) {
        bool same = x[0][i] == x[1][i] || (isnan(x[0][i]) && isnan(x[1][i]));
        double off = same ? 0 : fabs((double)x[0][i] - (double)x[1][i]);
        most = isfinite(off) ? fmax(most, off) : NAN;
        if (isnan(most))
            break;
    }
    free(x[0]);
    free(x[1]);
    return most;
}

/* ---- sums and extremes ---- */

static double off_reducing(es_reduce_op op, const pair *x)
{
    es_shape shape = x->on[0].shape;
    shape.dim[1] = 1;
    pair out = pair_of(&shape, NULL);
    for (int i = 0; i < 2; i++)
        demand(es_reduce(op, &out.on[i], &x->on[i], 1, NULL), "reduce");
    double off = difference(&out);
    pair_free(&out);
    return off;
}

static void long_rows(void)
{
    static const int64_t rows[] = {1, 3, 700}, cols[] = {LONG, 70001, 129};
    for (int i = 0; i < 3; i++) {
        es_shape shape = es_shape_2d("", rows[i], "", cols[i]);
        pair x = random_pair(&shape);
        double size = (double)cols[i];
        ck_assert_double_le(off_reducing(ES_REDUCE_SUM, &x), 1e-7 * size);
        ck_assert_double_le(off_reducing(ES_REDUCE_SUM_SQUARES, &x), 1e-7 * size);
        ck_assert_double_eq(off_reducing(ES_REDUCE_MAX, &x), 0);
        ck_assert_double_eq(off_reducing(ES_REDUCE_MIN, &x), 0);
        pair_free(&x);
    }
}

START_TEST(sums_of_a_million_numbers_are_those_of_double)
{
    on_each_gpu(long_rows, true);
}
END_TEST

static void small_beside_large(void)
{
    enum { N = 3000 };
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = i == 5 ? 1e8f : i == N - 5 ? -1e8f : 0.25f;
    es_shape shape = es_shape_2d("", 1, "", N);
    pair p = pair_of(&shape, x);
    ck_assert_double_eq(off_reducing(ES_REDUCE_SUM, &p), 0);
    pair_free(&p);
}

START_TEST(small_numbers_beside_large_ones_are_not_lost)
{
    on_each_gpu(small_beside_large, true);
}
END_TEST

static void nan_anywhere(void)
{
    enum { N = 1000 };
    float x[4 * N] = {0};
    x[1] = NAN;
    x[2 * N - 1] = INFINITY;
    x[2 * N + 500] = -INFINITY;
    es_shape shape = es_shape_2d("", 4, "", N);
    pair p = pair_of(&shape, x);
    for (int op = 0; op < ES_N_REDUCE_OPS; op++)
        ck_assert_double_eq(off_reducing((es_reduce_op)op, &p), 0);
    pair_free(&p);
}

START_TEST(nan_wins_and_infinities_stay)
{
    on_each_gpu(nan_anywhere, true);
}
END_TEST

/* ---- softmax ---- */

static double off_softmax(pair *x, bool in_place)
{
    pair out = in_place ? *x : pair_of(&x->on[0].shape, NULL);
    for (int i = 0; i < 2; i++)
        demand(es_softmax(&out.on[i], &x->on[i], 1, NULL), "softmax");
    double off = difference(&out);
    if (!in_place)
        pair_free(&out);
    return off;
}

static void masks(void)
{
    es_shape wide = es_shape_2d("", 2, "", WIDE), narrow = es_shape_2d("", 5, "", 7);
    float x[] = {-INFINITY, -INFINITY, 1,         2,         3,         -INFINITY, 0, /* a mask */
                 -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
                 0,         1,         NAN,       2,         3,         4,         5, /**/
                 0,         1,         INFINITY,  2,         3,         4,         5, /**/
                 1e30f,     -1e30f,    88,        -88,       0,         1,         2};
    pair p = random_pair(&wide), q = pair_of(&narrow, x);
    ck_assert_double_le(off_softmax(&p, false), 1e-7);
    ck_assert_double_le(off_softmax(&q, false), 1e-6);
    ck_assert_double_le(off_softmax(&q, true), 1e-6);
    pair_free(&p);
    pair_free(&q);
}

START_TEST(softmax_takes_masks_nan_and_long_rows)
{
    on_each_gpu(masks, true);
}
END_TEST

/* ---- the largest ---- */

static void check_largest(const pair *x, int64_t k)
{
    es_shape shape = x->on[0].shape;
    shape.dim[1] = k;
    pair values = pair_of(&shape, NULL);
    size_t bytes = (size_t)es_shape_count(&shape) * sizeof(int64_t);
    int64_t *index[] = {malloc(bytes), malloc(bytes)};
    for (int i = 0; i < 2; i++)
        demand(es_topk(&values.on[i], index[i], &x->on[i], NULL), "topk");
    ck_assert_double_eq(difference(&values), 0);
    ck_assert_msg(!memcmp(index[0], index[1], bytes), "other places for k = %lld", (long long)k);
    free(index[0]);
    free(index[1]);
    pair_free(&values);
}

static void many_alike(void)
{
    static const int64_t k[] = {1, 2, 15, 32, 33, 500};
    es_shape shape = es_shape_2d("", 2, "", 9001), small = es_shape_2d("", 6, "", 20);
    float *x = numbers(es_shape_count(&shape));
    for (int64_t i = 0; i < es_shape_count(&shape); i++)
        x[i] = rintf(x[i] * 300) / 16; /* most have many equals, and some are -0 */
    x[7] = x[8000] = NAN;
    x[9] = INFINITY;
    x[10] = -INFINITY;
    pair p = pair_of(&shape, x), q = pair_of(&small, x), turned;
    for (size_t i = 0; i < sizeof k / sizeof *k; i++)
        check_largest(&p, k[i]);
    for (int64_t all = 1; all <= 20; all += 19)
        check_largest(&q, all);
    for (int i = 0; i < 2; i++)
        demand(es_tensor_transpose(&turned.on[i], &q.on[i], 0, 1, NULL), "transpose");
    check_largest(&turned, 6);
    free(x);
    pair_free(&p);
    pair_free(&q);
    pair_free(&turned);
}

START_TEST(the_largest_come_in_order_of_value_then_place)
{
    on_each_gpu(many_alike, true);
}
END_TEST

/* ---- products ---- */

static int64_t size_at_random(void)
{
    static const int64_t sizes[] = {0, 1, 1, 2, 3, 5, 15, 16, 17, 63, 64, 65, 130};
    return sizes[random_below(&state, sizeof sizes / sizeof *sizes)];
}

/* (B, rows, cols), which may lie the other way round, and of which B may be one matrix stretched. */
static pair factor(int64_t B, int64_t rows, int64_t cols)
{
    bool turned = random_below(&state, 2), one = random_below(&state, 3) == 0;
    es_shape made =
        es_shape_3d("", one ? 1 : B, "", turned ? cols : rows, "", turned ? rows : cols);
    es_shape whole = es_shape_3d("", B, "", rows, "", cols);
    pair p = random_pair(&made), q;
    for (int i = 0; i < 2; i++) {
        es_tensor t;
        demand(es_tensor_transpose(&t, &p.on[i], 1, turned ? 2 : 1, NULL), "transpose");
        demand(es_tensor_expand(&q.on[i], &t, &whole, NULL), "expand");
        es_tensor_free(&t);
    }
    pair_free(&p);
    return q;
}

static void product_at_random(void)
{
    int64_t B = 1 + random_below(&state, 3), M = size_at_random(), N = size_at_random(),
            K = size_at_random();
    es_shape shape = es_shape_3d("", B, "", M, "", N);
    pair a = factor(B, M, K), b = factor(B, K, N), out = pair_of(&shape, NULL);
    for (int i = 0; i < 2; i++)
        demand(es_matmul(&out.on[i], &a.on[i], &b.on[i], NULL), "matmul");
    double off = difference(&out);
    ck_assert_msg(off <= 1e-6 * (double)(K + 1), "(%lld, %lld, %lld) @ (…, %lld): off by %g",
                  (long long)B, (long long)M, (long long)K, (long long)N, off);
    pair_free(&a);
    pair_free(&b);
    pair_free(&out);
}

static void products(void)
{
    for (int i = 0; i < PRODUCTS; i++)
        product_at_random();
}

START_TEST(products_of_any_size_and_lie_agree)
{
    on_each_gpu(products, true);
}
END_TEST

/* Its first product takes a processor that poses as a GPU 20 s. */
START_TEST(products_by_clblast_agree)
{
    if (!getenv("ES_TEST_CLBLAST"))
        return;
    setenv("EMBEDSCOPE_CLBLAST", "1", 1);
    on_each_gpu(products, true);
}
END_TEST

Suite *opencl_rows_suite(void)
{
    Suite *s = suite_create("opencl_rows");
    TCase *tc = tcase_create("on a device");
    tcase_set_timeout(tc, LONG_TEST); /* its compiler takes its time */
    tcase_add_test(tc, sums_of_a_million_numbers_are_those_of_double);
    tcase_add_test(tc, small_numbers_beside_large_ones_are_not_lost);
    tcase_add_test(tc, nan_wins_and_infinities_stay);
    tcase_add_test(tc, softmax_takes_masks_nan_and_long_rows);
    tcase_add_test(tc, the_largest_come_in_order_of_value_then_place);
    tcase_add_test(tc, products_of_any_size_and_lie_agree);
    tcase_add_test(tc, products_by_clblast_agree);
    suite_add_tcase(s, tc);
    return s;
}
