// SPDX-License-Identifier: GPL-3.0-or-later
/* Sorting, the largest, the different ones, how often each comes.  NaN counts as larger than all. */
#ifndef ES_TORCH_ORDER_H
#define ES_TORCH_ORDER_H

#include "torch/torch.h"

/* Along an axis; equal ones stay in their order.  values may be NULL; indices int64: where each was. */
bool es_torch_sort(es_torch *k, es_tensor *values, es_tensor *indices, const es_tensor *x,
                   int64_t axis, bool descending, es_error *err);

/* The n largest (or smallest) of an axis, best first, of equal ones the first.  label: of their axis.
 * ES_ERR_INDEX_RANGE where there are not so many. */
bool es_torch_topk(es_torch *k, es_tensor *values, es_tensor *indices, const es_tensor *x,
                   int64_t n, const es_label *label, int64_t axis, bool largest, es_error *err);

/* ---- counts.c ---- */

/* The different values, ascending (n); for each element of x which it is; how often each comes.  inverse and counts
 * may be NULL.  Values must be known. */
bool es_torch_unique(es_torch *k, es_tensor *values, es_tensor *inverse, es_tensor *counts,
                     const es_tensor *x, es_error *err);

/* How often 0, 1, … up to the largest come, or the sum of their weights (NULL: 1 each, int64).  least: at least so
 * long, called label.  ES_ERR_VALUE: one below 0, several axes. */
bool es_torch_bincount(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *weights,
                       int64_t least, const es_label *label, es_error *err);

#endif
