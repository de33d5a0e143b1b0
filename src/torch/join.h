// SPDX-License-Identifier: GPL-3.0-or-later
/* Several tensors to one, one tensor several times, with a border, in another order. */
#ifndef ES_TORCH_JOIN_H
#define ES_TORCH_JOIN_H

#include "torch/torch.h"

/* ---- join.c ---- */

/* Along an axis that is there: C and C are "2C", C and P "C+P".  Dtypes are promoted.  ES_ERR_CAT: ranks, or sizes
 * beside the axis, differ; there is none. */
bool es_torch_cat(es_torch *k, es_tensor *out, const es_tensor *const *t, int64_t n, int64_t axis,
                  es_error *err);
/* Along a new axis.  ES_ERR_CAT where sizes differ. */
bool es_torch_stack(es_torch *k, es_tensor *out, const es_tensor *const *t, int64_t n, int64_t axis,
                    es_error *err);

/* ---- repeat.c ---- */

/* Each axis so many times, new axes in front.  ES_ERR_DIM_RANGE: fewer times than axes. */
bool es_torch_repeat(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *times,
                     es_error *err);
/* Each element of an axis so many times, one after another.  times: one for all, or one for each element. */
bool es_torch_repeat_interleave(es_torch *k, es_tensor *out, const es_tensor *x,
                                const int64_t *times, int64_t n, int64_t axis, es_error *err);
/* Those axes from their end. */
bool es_torch_flip(es_torch *k, es_tensor *out, const es_tensor *x, const int *axes, int n,
                   es_error *err);
/* What falls off the end of an axis comes in at its start. */
bool es_torch_roll(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *shifts,
                   const int *axes, int n, es_error *err);

/* ---- pad.c ---- */

/* sizes: before and behind the last axis, before and behind the one before it, and so on; below 0 cuts.
 * value: rank 0.  ES_ERR_VALUE. */
bool es_torch_pad(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *sizes, int64_t n,
                  const es_tensor *value, es_error *err);
/* Zeros above (lower: keep what is below) or below the diagonal-th diagonal of each matrix. */
bool es_torch_triangle(es_torch *k, es_tensor *out, const es_tensor *x, bool lower,
                       int64_t diagonal, es_error *err);

#endif
