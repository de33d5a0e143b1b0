// SPDX-License-Identifier: GPL-3.0-or-later
/* A new tensor filled number by number, for who makes tensors. */
#ifndef ES_TORCH_FILLING_H
#define ES_TORCH_FILLING_H

#include "torch/torch.h"

/* Element i of t, dense and in host memory (es_host_instead), cast to t's dtype. */
void es_torch_put_int(const es_tensor *t, int64_t i, int64_t value);
void es_torch_put_float(const es_tensor *t, int64_t i, double value);

/* Puts element i of the dense tensor t. */
typedef void es_fill_fn(void *ctx, const es_tensor *t, int64_t i);

/* A new tensor, fn called for each element in order, or for none where it is meta.  what: its name, a string that
 * stays; by that it is counted where the device computes no such thing. */
bool es_torch_filled(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                     const es_shape *shape, es_fill_fn *fn, void *ctx, const char *what,
                     es_error *err);

#endif
