// SPDX-License-Identifier: GPL-3.0-or-later
/* The directions in which rows differ most. */
#ifndef ES_TORCH_DECOMPOSE_H
#define ES_TORCH_DECOMPOSE_H

#include "torch/torch.h"

/* Principal components of x (n, m), floats, its mean row taken away: scores (n, k), components (k, m) of length 1,
 * and explained (k), the part of all variance that lies along each.  ES_ERR_DIM_RANGE, ES_ERR_RANGE (k),
 * ES_ERR_DTYPE. */
bool es_torch_pca(es_torch *k, es_tensor *scores, es_tensor *components, es_tensor *explained,
                  const es_tensor *x, int64_t n, es_error *err);

/* x (n, m) = u (n, r) diag(s (r)) vᵀ, v (m, r), r the smaller of n and m; s largest first. */
bool es_torch_svd(es_torch *k, es_tensor *u, es_tensor *s, es_tensor *v, const es_tensor *x,
                  es_error *err);

#endif
