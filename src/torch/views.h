// SPDX-License-Identifier: GPL-3.0-or-later
/* The same memory seen with other axes.  Names move with their axes; view and reshape follow the factors:
 * merged axes are "B·T", a split one "C/4" and unnamed, a cut through an axis "?". */
#ifndef ES_TORCH_VIEWS_H
#define ES_TORCH_VIEWS_H

#include "torch/torch.h"

/* shape: sizes, one of them may be -1, with labels where sizes carried names.  ES_ERR_VIEW: the count does not
 * fit, two -1, or (view) strides that cannot be merged. */
bool es_torch_view(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                   es_error *err);
bool es_torch_reshape(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                      es_error *err);
bool es_torch_transpose(es_torch *k, es_tensor *out, const es_tensor *x, int64_t a, int64_t b,
                        es_error *err);
bool es_torch_permute(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *axes,
                      int64_t n, es_error *err);
bool es_torch_unsqueeze(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                        es_error *err);
/* All axes of size 1, or those given; one that is not 1 stays. */
bool es_torch_squeeze(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *axes,
                      int64_t n, es_error *err);
/* -1 keeps; only a 1 grows.  ES_ERR_EXPAND. */
bool es_torch_expand(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                     es_error *err);
bool es_torch_flatten(es_torch *k, es_tensor *out, const es_tensor *x, int64_t first, int64_t last,
                      es_error *err);
/* x with those names, "" for none. */
bool es_torch_rename(es_torch *k, es_tensor *out, const es_tensor *x, const char *const *names,
                     int64_t n, es_error *err);

#endif
