// SPDX-License-Identifier: GPL-3.0-or-later
/* Random numbers, normal, none of them outside an interval. */
#ifndef ES_TORCH_TRUNCATED_H
#define ES_TORCH_TRUNCATED_H

#include "torch/torch.h"

typedef struct es_truncated {
    double mean, deviation, low, high;
} es_truncated;

/* As many numbers are drawn as the shape has.  ES_ERR_DTYPE: not floating. */
bool es_torch_truncated(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                        const es_shape *shape, const es_truncated *how, es_error *err);

#endif
