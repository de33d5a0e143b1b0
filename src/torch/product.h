// SPDX-License-Identifier: GPL-3.0-or-later
/* Products of matrices, and what is built on them. */
#ifndef ES_TORCH_PRODUCT_H
#define ES_TORCH_PRODUCT_H

#include "torch/torch.h"

/* x @ y: vectors, matrices, batches that stretch.  ES_ERR_MATMUL (inner axes, batches, ranks 0), ES_ERR_DTYPE
 * (operands of two dtypes). */
bool es_torch_matmul(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                     es_error *err);
bool es_torch_dot(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                  es_error *err);
/* (…, in) with weight (out, in), bias (out) or NULL: x @ weight.T + bias. */
bool es_torch_linear(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *weight,
                     const es_tensor *bias, es_error *err);
/* scale 0: 1 / sqrt(d).  mask: bools, true where one may look, or floats that are added; NULL: none. */
typedef struct es_attention {
    const es_tensor *mask;
    bool causal; /* what comes later is hidden */
    double scale;
} es_attention;

/* (…, T, d), (…, S, d), (…, S, e): (…, T, e). */
bool es_torch_attention(es_torch *k, es_tensor *out, const es_tensor *q, const es_tensor *key,
                        const es_tensor *v, const es_attention *how, es_error *err);
/* One or two operands (y NULL), PyTorch's notation, "…" as "..." included. */
bool es_torch_einsum(es_torch *k, es_tensor *out, const char *equation, const es_tensor *x,
                     const es_tensor *y, es_error *err);

#endif
