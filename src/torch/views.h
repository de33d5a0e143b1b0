// SPDX-License-Identifier: GPL-3.0-or-later
/* The same memory seen with other axes.  Names move with their axes; view and reshape follow the factors
 * (torch/reread.h): merged axes are "B·T", the part of a split one "C/4", mixed ones "?". */
#ifndef ES_TORCH_VIEWS_H
#define ES_TORCH_VIEWS_H

#include "torch/torch.h"

/* ---- views.c: other sizes ---- */

/* shape: sizes, one of them may be -1, with labels where sizes carried names.  ES_ERR_VIEW: the count does not
 * fit, two -1, or (view) strides that cannot be merged. */
bool es_torch_view(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                   es_error *err);
/* A view where that is possible, else a copy. */
bool es_torch_reshape(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                      es_error *err);
/* -1 keeps; only a 1 grows.  ES_ERR_EXPAND. */
bool es_torch_expand(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                     es_error *err);
bool es_torch_flatten(es_torch *k, es_tensor *out, const es_tensor *x, int64_t first, int64_t last,
                      es_error *err);
/* The axis in sizes, one of which may be -1. */
bool es_torch_unflatten(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                        const es_shape *sizes, es_error *err);

/* ---- axes.c: the same axes in other places ---- */

bool es_torch_transpose(es_torch *k, es_tensor *out, const es_tensor *x, int64_t a, int64_t b,
                        es_error *err);
bool es_torch_permute(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *axes,
                      int64_t n, es_error *err);
/* x.T: all axes in reverse; where there are not two, a note. */
bool es_torch_reverse_axes(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err);
/* The axes from[0..n) to the places to[0..n), the others in order around them. */
bool es_torch_movedim(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *from,
                      const int64_t *to, int64_t n, es_error *err);
bool es_torch_unsqueeze(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                        es_error *err);
/* All axes of size 1 (axes NULL), or those given; one that is not 1 stays. */
bool es_torch_squeeze(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *axes,
                      int64_t n, es_error *err);
/* The numbers where two axes count alike, as the last axis. */
bool es_torch_diagonal(es_torch *k, es_tensor *out, const es_tensor *x, int64_t offset, int64_t a,
                       int64_t b, es_error *err);
/* x with those names, "" for none. */
bool es_torch_rename(es_torch *k, es_tensor *out, const es_tensor *x, const char *const *names,
                     int64_t n, es_error *err);

/* ---- parts.c: less of an axis ---- */

/* One place of an axis, which goes.  ES_ERR_INDEX_RANGE. */
bool es_torch_select(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis, int64_t i,
                     es_error *err);
/* `length` places from `begin` on.  ES_ERR_SLICE. */
bool es_torch_narrow(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis, int64_t begin,
                     int64_t length, es_error *err);
/* Windows of `size` places, `step` apart, as the last axis: a view.  ES_ERR_RANGE. */
bool es_torch_unfold(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis, int64_t size,
                     int64_t step, es_error *err);
/* Parts of those sizes, out[0..n): freed by the caller, each.  ES_ERR_SLICE: they do not add up.  Equal parts
 * of C are called C/n. */
bool es_torch_split(es_torch *k, es_tensor *out, const es_tensor *x, int axis, const int64_t *sizes,
                    int64_t n, es_error *err);

#endif
