// SPDX-License-Identifier: GPL-3.0-or-later
/* Arithmetic on rows, in the form for wide registers and in the plain one, and products of matrices, each against a
 * loop in float64. */
#include "core/vector.h"

#include <math.h>
#include <stdlib.h>

#include "core/gemm.h"
#include "support.h"

Suite *vector_suite(void);

enum { MOST = 100 };

static uint64_t state;

static void setup(void)
{
    state = 3;
}

static float any(void)
{
    return (float)(next_random(&state) / 2147483648.0 - 1);
}

/* ---- what is judged, in both forms ---- */

ES_INLINE void exp_of_loop(float *x)
{
    es_lanes_put(x, es_lanes_exp(es_lanes_at(x)));
}
ES_TWO_FORMS(static, exp_of, (float *x), (x))

ES_INLINE void sqrt_of_loop(float *x)
{
    es_lanes_put(x, es_lanes_sqrt(es_lanes_at(x)));
}
ES_TWO_FORMS(static, sqrt_of, (float *x), (x))

ES_INLINE void dot_of_loop(float *out, const float *a, const float *b, int64_t n)
{
    *out = es_dot(a, b, n);
}
ES_TWO_FORMS(static, dot_of, (float *out, const float *a, const float *b, int64_t n),
             (out, a, b, n))

ES_INLINE void axpy_of_loop(float *y, float f, const float *x, int64_t n)
{
    es_axpy(y, f, x, n);
}
ES_TWO_FORMS(static, axpy_of, (float *y, float f, const float *x, int64_t n), (y, f, x, n))

/* ---- tests ---- */

/* Every 997th float32 from -87 to 88, and both ends. */
static double exp_error(void (*form)(float *))
{
    double most = 0;
    int step = thoroughness(997, 99991);
    for (int sign = 0; sign < 2; sign++) {
        uint32_t end = sign ? 0x42AE0000u : 0x42B00000u; /* 87 and 88 */
        for (uint32_t bits = 0; bits <= end; bits += (uint32_t)step) {
            float lanes[ES_LANES], x;
            for (uint32_t i = 0; i < ES_LANES; i++) {
                uint32_t at = bits + i * (uint32_t)step / ES_LANES;
                at = (at < end ? at : end) | (uint32_t)sign << 31;
                memcpy(&lanes[i], &at, sizeof at);
            }
            x = lanes[bits % ES_LANES];
            form(lanes);
            most = fmax(most, fabs(lanes[bits % ES_LANES] / exp(x) - 1));
        }
    }
    return most;
}

START_TEST(exp_is_good_to_2e_7_over_its_range)
{
    double any_form = exp_error(exp_of_any);
    ck_assert_msg(any_form < 2e-7, "%g", any_form);
    if (es_is_wide()) {
        double wide = exp_error(exp_of_wide);
        ck_assert_msg(wide < 2e-7, "%g", wide);
    }
}
END_TEST

START_TEST(exp_beyond_its_range_is_that_of_the_end)
{
    float x[ES_LANES] = {-INFINITY, -1e30f, -88, -87, 88, 89, 1e30f, INFINITY};
    exp_of(x);
    for (int i = 0; i < 4; i++)
        ck_assert_float_eq(x[i], x[3]);
    for (int i = 4; i < 8; i++)
        ck_assert_float_eq(x[i], x[4]);
    ck_assert(x[3] > 0 && isfinite(x[4]));
    float nan[ES_LANES] = {NAN, 0};
    exp_of(nan);
    ck_assert(isnan(nan[0]));
    ck_assert_float_eq(nan[1], 1);
}
END_TEST

START_TEST(sqrt_is_exact)
{
    for (int i = 0; i < 1000; i++) {
        float x[ES_LANES], want[ES_LANES];
        for (int lane = 0; lane < ES_LANES; lane++) {
            x[lane] = ldexpf(fabsf(any()), (int)random_below(&state, 200) - 100);
            want[lane] = sqrtf(x[lane]);
        }
        sqrt_of(x);
        demand(!memcmp(x, want, sizeof x), "round %d", i);
    }
}
END_TEST

static void dots(void (*form)(float *, const float *, const float *, int64_t))
{
    for (int64_t n = 0; n <= MOST; n++) {
        float a[MOST], b[MOST], out;
        double want = 0, size = 0;
        for (int64_t i = 0; i < n; i++) {
            a[i] = any();
            b[i] = any();
            want += (double)a[i] * b[i];
            size += fabs((double)a[i] * b[i]);
        }
        form(&out, a, b, n);
        demand(fabs(out - want) <= 1e-6 * size, "n=%d: %g, not %g", (int)n, out, want);
    }
}

static void axpys(void (*form)(float *, float, const float *, int64_t))
{
    for (int64_t n = 0; n <= MOST; n++) {
        float x[MOST], y[MOST + 1], want[MOST + 1];
        for (int64_t i = 0; i < MOST; i++) {
            x[i] = any();
            want[i] = y[i] = any();
        }
        want[MOST] = y[MOST] = 7;
        for (int64_t i = 0; i < n; i++)
            want[i] += 0.7f * x[i];
        form(y, 0.7f, x, n);
        for (int64_t i = 0; i <= MOST; i++)
            demand(i < n ? fabsf(y[i] - want[i]) < 2e-7f : y[i] == want[i], "n=%d, %d", (int)n,
                   (int)i);
    }
}

START_TEST(dot_and_axpy_are_right_at_every_length)
{
    dots(dot_of);
    dots(dot_of_any);
    axpys(axpy_of);
    axpys(axpy_of_any);
    if (es_is_wide()) {
        dots(dot_of_wide);
        axpys(axpy_of_wide);
    }
}
END_TEST

/* ---- products ---- */

static float element(es_matrix m, int64_t row, int64_t col)
{
    return m.at[m.transposed ? col * m.stride + row : row * m.stride + col];
}

static void one_product(int64_t M, int64_t N, int64_t K, int turns, bool add)
{
    enum { STRIDE = 45 };
    static float a[40 * STRIDE], b[40 * STRIDE], out[40 * STRIDE], was[40 * STRIDE];
    for (int i = 0; i < 40 * STRIDE; i++) {
        a[i] = any();
        b[i] = any();
        was[i] = out[i] = add ? any() : NAN; /* which must not come through */
    }
    es_matrix ma = {a, STRIDE, turns & 1}, mb = {b, STRIDE, turns & 2};
    es_gemm(out, STRIDE, 0.5f, ma, mb, M, N, K, add);
    for (int64_t m = 0; m < 40; m++)
        for (int64_t n = 0; n < STRIDE; n++) {
            double want = add ? was[m * STRIDE + n] : 0;
            for (int64_t k = 0; k < K && m < M && n < N; k++)
                want += 0.5 * element(ma, m, k) * element(mb, k, n);
            if (m < M && n < N)
                demand(fabs(out[m * STRIDE + n] - want) < 1e-5, "(%d, %d, %d), turned %d", (int)M,
                       (int)N, (int)K, turns);
            else
                demand(!memcmp(&out[m * STRIDE + n], &was[m * STRIDE + n], sizeof *out),
                       "(%d, %d, %d) writes outside", (int)M, (int)N, (int)K);
        }
}

START_TEST(products_are_right_with_and_without_numbers)
{
    static const int64_t sizes[][3] = {{1, 1, 1},  {3, 7, 40}, {40, 40, 1}, {5, 40, 17},
                                       {17, 1, 8}, {4, 9, 0},  {0, 3, 5},   {3, 0, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int way = 0; way < 8; way++)
            one_product(sizes[i][0], sizes[i][1], sizes[i][2], way & 3, way & 4);
}
END_TEST

START_TEST(a_product_of_nothing_is_zero_whatever_its_strides)
{
    float out[4] = {1, 2, 3, 4};
    es_gemm(out, 2, 1, (es_matrix){out, 0, false}, (es_matrix){out, 2, false}, 2, 2, 0, true);
    ck_assert_float_eq(out[3], 4);
    es_gemm(out, 2, 1, (es_matrix){out, 0, false}, (es_matrix){out, 2, false}, 2, 2, 0, false);
    ck_assert_float_eq(out[0], 0);
    ck_assert_float_eq(out[3], 0);
}
END_TEST

START_TEST(holds_nest)
{
    es_gemm_hold();
    es_gemm_hold();
    one_product(30, 30, 30, 0, false);
    es_gemm_release();
    one_product(30, 30, 30, 0, false);
    es_gemm_release();
    one_product(30, 30, 30, 0, false);
}
END_TEST

Suite *vector_suite(void)
{
    Suite *s = suite_create("vector");
    TCase *t = tcase_create("vector");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_set_timeout(t, 30);
    tcase_add_test(t, exp_is_good_to_2e_7_over_its_range);
    tcase_add_test(t, exp_beyond_its_range_is_that_of_the_end);
    tcase_add_test(t, sqrt_is_exact);
    tcase_add_test(t, dot_and_axpy_are_right_at_every_length);
    tcase_add_test(t, products_are_right_with_and_without_numbers);
    tcase_add_test(t, a_product_of_nothing_is_zero_whatever_its_strides);
    tcase_add_test(t, holds_nest);
    suite_add_tcase(s, t);
    return s;
}
