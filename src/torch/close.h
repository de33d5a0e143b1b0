// SPDX-License-Identifier: GPL-3.0-or-later
/* Are two tensors the same, exactly or nearly? */
#ifndef ES_TORCH_CLOSE_H
#define ES_TORCH_CLOSE_H

#include "torch/torch.h"

/* The same shape and the same numbers, whatever the dtypes?  NaN equals nothing. */
bool es_torch_equal(es_torch *k, bool *out, const es_tensor *x, const es_tensor *y, es_error *err);

typedef struct es_tolerance {
    double rtol, atol;
    bool equal_nan;
} es_tolerance;

/* |x - y| <= atol + rtol |y|, each by itself; ES_ERR_DTYPE for two dtypes. */
bool es_torch_isclose(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                      const es_tolerance *tolerance, es_error *err);
bool es_torch_allclose(es_torch *k, bool *out, const es_tensor *x, const es_tensor *y,
                       const es_tolerance *tolerance, es_error *err);

#endif
