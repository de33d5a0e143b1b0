// SPDX-License-Identifier: GPL-3.0-or-later
/* What blocks do to rows of numbers besides products: LayerNorm, GELU and softmax, and their gradients. */
#ifndef ES_LAYER_ROWS_H
#define ES_LAYER_ROWS_H

#include <stdint.h>

/* out (N, C) = hat * weight + bias, hat = (x - mean) / sqrt(variance + 1e-5) of each row, rstd (N) the factor of
 * each.  Source: Ba, Kiros and Hinton 2016, section 3. */
void es_rows_norm(float *out, float *hat, float *rstd, const float *x, const float *weight,
                  const float *bias, int64_t N, int64_t C);
/* By the gradient of out: d_x (N, C), d_weight and d_bias (C) are added to. */
void es_rows_norm_back(float *d_x, float *d_weight, float *d_bias, const float *d_out,
                       const float *hat, const float *rstd, const float *weight, int64_t N,
                       int64_t C);

/* out = x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), GPT-2's GELU.  Source: Hendrycks and Gimpel 2016, section 2.
 * out may be x. */
void es_rows_gelu(float *out, const float *x, int64_t n);
void es_rows_gelu_back(float *d, const float *x, int64_t n); /* d *= its slope at x */

/* Row i of (n, stride), i from 0, becomes the softmax of its first `first + i` numbers; those after them, up to n_cols,
 * become 0. */
void es_rows_causal_softmax(float *row, int64_t n, int64_t stride, int64_t first, int64_t n_cols);
/* d (n, cols), rows d_stride apart, by p, rows p_stride apart: d = p (d - sum of p d). */
void es_rows_softmax_back(float *d, int64_t d_stride, const float *p, int64_t p_stride, int64_t n,
                          int64_t cols);

/* Each row of out (N, C) = bias (C), plus that of onto (N, C) unless that is NULL. */
void es_rows_start(float *out, const float *bias, const float *onto, int64_t N, int64_t C);

/* sums[c] += sum over rows of x (N, C) */
void es_rows_add_up(float *sums, const float *x, int64_t N, int64_t C);

#endif
