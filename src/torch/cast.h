// SPDX-License-Identifier: GPL-3.0-or-later
/* The same numbers elsewhere: in another dtype, on another device, in memory of their own, written into a
 * tensor that is there. */
#ifndef ES_TORCH_CAST_H
#define ES_TORCH_CAST_H

#include "torch/torch.h"

/* x in that dtype on that device: a view of x itself where nothing changes, else dense.  Floats lose what is
 * behind the point, bool is x != 0. */
bool es_torch_to(es_torch *k, es_tensor *out, const es_tensor *x, es_dtype dtype, es_backend *be,
                 es_error *err);
/* Always a dense copy. */
bool es_torch_clone(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err);
/* x itself where it is dense in row-major order, else a dense copy. */
bool es_torch_contiguous(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err);
bool es_torch_is_contiguous(const es_tensor *x);

/* The numbers of src, stretched to dst and cast to its dtype, into dst's memory (dst = src, copy_, +=); src may
 * share it.  All views of that memory see them.  Memory that was lent by a table becomes dst's own before.
 * ES_ERR_EXPAND where dst is stretched itself (several of its elements are one number), ES_ERR_BROADCAST where
 * src does not fit it.  `computed`: src is the result of an operation, whose kind must not outrank dst's
 * (float into int: ES_ERR_DTYPE "result type Float can't be cast to the desired output type Long"). */
bool es_torch_assign(es_torch *k, const es_tensor *dst, const es_tensor *src, bool computed,
                     es_error *err);

#endif
