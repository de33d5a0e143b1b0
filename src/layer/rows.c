// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/rows.h"

#include <math.h>

#include "core/vector.h"

/* ---- LayerNorm ---- */

ES_INLINE float sum_of(const float *x, int64_t n)
{
    es_lanes s = es_lanes_of(0);
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES)
        s += es_lanes_at(x + i);
    float sum = es_lanes_sum(s);
    for (; i < n; i++)
        sum += x[i];
    return sum;
}

ES_INLINE void es_rows_norm_loop(float *out, float *hat, float *rstd, const float *x,
                                 const float *weight, const float *bias, int64_t N, int64_t C)
{
    for (int64_t n = 0; n < N; n++, out += C, hat += C, x += C) {
        float mean = sum_of(x, C) / (float)C;
#pragma omp simd
        for (int64_t c = 0; c < C; c++)
            hat[c] = x[c] - mean;
        float r = 1 / sqrtf(es_dot(hat, hat, C) / (float)C + 1e-5f);
#pragma omp simd
        for (int64_t c = 0; c < C; c++) {
            hat[c] *= r;
            out[c] = hat[c] * weight[c] + bias[c];
        }
        rstd[n] = r;
    }
}
ES_TWO_FORMS(extern, es_rows_norm,
             (float *out, float *hat, float *rstd, const float *x, const float *weight,
              const float *bias, int64_t N, int64_t C),
             (out, hat, rstd, x, weight, bias, N, C))

/* With g = d_out * weight: d_x = rstd (g - mean(g) - hat mean(g hat)). */
ES_INLINE void es_rows_norm_back_loop(float *d_x, float *d_weight, float *d_bias,
                                      const float *d_out, const float *hat, const float *rstd,
                                      const float *weight, int64_t N, int64_t C)
{
    for (int64_t n = 0; n < N; n++, d_x += C, d_out += C, hat += C) {
        float mean = es_dot(d_out, weight, C) / (float)C, along = 0;
#pragma omp simd reduction(+ : along)
        for (int64_t c = 0; c < C; c++) {
            float with_hat = d_out[c] * hat[c];
            d_weight[c] += with_hat;
            d_bias[c] += d_out[c];
            along += with_hat * weight[c];
        }
        along /= (float)C;
#pragma omp simd
        for (int64_t c = 0; c < C; c++)
            d_x[c] += rstd[n] * (d_out[c] * weight[c] - mean - hat[c] * along);
    }
}
ES_TWO_FORMS(extern, es_rows_norm_back,
             (float *d_x, float *d_weight, float *d_bias, const float *d_out, const float *hat,
              const float *rstd, const float *weight, int64_t N, int64_t C),
             (d_x, d_weight, d_bias, d_out, hat, rstd, weight, N, C))

/* ---- GELU ---- */

/* tanh(u) = 1 - 2 / (1 + e^2u), with u = sqrt(2 / pi) (x + 0.044715 x^3) */
ES_INLINE es_lanes tanh_part(es_lanes x)
{
    es_lanes u = x * 0.7978845608f * (0.044715f * x * x + 1.0f);
    return 1.0f - 2.0f / (1.0f + es_lanes_exp(2.0f * u));
}

ES_INLINE es_lanes gelu(es_lanes x)
{
    return 0.5f * x * (1.0f + tanh_part(x));
}

ES_INLINE es_lanes gelu_slope(es_lanes x)
{
    es_lanes t = tanh_part(x);
    es_lanes du = 0.7978845608f * (1.0f + 3 * 0.044715f * x * x);
    return 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * du;
}

ES_INLINE void es_rows_gelu_loop(float *out, const float *x, int64_t n)
{
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES)
        es_lanes_put(out + i, gelu(es_lanes_at(x + i)));
    if (i < n)
        es_lanes_put_some(out + i, gelu(es_lanes_some_at(x + i, n - i)), n - i);
}
ES_TWO_FORMS(extern, es_rows_gelu, (float *out, const float *x, int64_t n), (out, x, n))

ES_INLINE void es_rows_gelu_back_loop(float *d, const float *x, int64_t n)
{
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES)
        es_lanes_put(d + i, es_lanes_at(d + i) * gelu_slope(es_lanes_at(x + i)));
    if (i < n)
        es_lanes_put_some(
            d + i, es_lanes_some_at(d + i, n - i) * gelu_slope(es_lanes_some_at(x + i, n - i)),
            n - i);
}
ES_TWO_FORMS(extern, es_rows_gelu_back, (float *d, const float *x, int64_t n), (d, x, n))

/* ---- softmax ---- */

ES_INLINE void es_rows_causal_softmax_loop(float *row, int64_t n, int64_t stride, int64_t first,
                                           int64_t n_cols)
{
    for (int64_t r = 0; r < n; r++, row += stride) {
        int64_t seen = first + r, i = 0;
        es_lanes most = es_lanes_of(es_largest(row, seen, -INFINITY));
        for (; i + ES_LANES <= seen; i += ES_LANES)
            es_lanes_put(row + i, es_lanes_exp(es_lanes_at(row + i) - most));
        if (i < seen)
            es_lanes_put_some(row + i, es_lanes_exp(es_lanes_some_at(row + i, seen - i) - most),
                              seen - i);
        float share = 1 / sum_of(row, seen);
#pragma omp simd
        for (i = 0; i < seen; i++)
            row[i] *= share;
        memset(row + seen, 0, (size_t)(n_cols - seen) * sizeof *row);
    }
}
ES_TWO_FORMS(extern, es_rows_causal_softmax,
             (float *row, int64_t n, int64_t stride, int64_t first, int64_t n_cols),
             (row, n, stride, first, n_cols))

ES_INLINE void es_rows_softmax_back_loop(float *d, int64_t d_stride, const float *p,
                                         int64_t p_stride, int64_t n, int64_t cols)
{
    for (int64_t r = 0; r < n; r++, d += d_stride, p += p_stride) {
        float along = es_dot(d, p, cols);
#pragma omp simd
        for (int64_t i = 0; i < cols; i++)
            d[i] = p[i] * (d[i] - along);
    }
}
ES_TWO_FORMS(extern, es_rows_softmax_back,
             (float *d, int64_t d_stride, const float *p, int64_t p_stride, int64_t n,
              int64_t cols),
             (d, d_stride, p, p_stride, n, cols))

ES_INLINE void es_rows_start_loop(float *out, const float *bias, const float *onto, int64_t N,
                                  int64_t C)
{
    for (int64_t n = 0; n < N; n++, out += C) {
        memcpy(out, bias, (size_t)C * sizeof *out);
        if (onto)
            es_axpy(out, 1, onto + n * C, C);
    }
}
ES_TWO_FORMS(extern, es_rows_start,
             (float *out, const float *bias, const float *onto, int64_t N, int64_t C),
             (out, bias, onto, N, C))

ES_INLINE void es_rows_add_up_loop(float *sums, const float *x, int64_t N, int64_t C)
{
    for (int64_t n = 0; n < N; n++)
        es_axpy(sums, 1, x + n * C, C);
}
ES_TWO_FORMS(extern, es_rows_add_up, (float *sums, const float *x, int64_t N, int64_t C),
             (sums, x, N, C))
