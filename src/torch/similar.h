// SPDX-License-Identifier: GPL-3.0-or-later
/* Likeness and distance of vectors, and the functions that bring vectors to one scale. */
#ifndef ES_TORCH_SIMILAR_H
#define ES_TORCH_SIMILAR_H

#include "torch/torch.h"

/* The cosine of the angle between x and y along an axis (as typed) of what both stretch to; lengths count at
 * least eps.  ES_ERR_DIM_RANGE, ES_ERR_BROADCAST, ES_ERR_DTYPE. */
bool es_torch_cosine(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                     int64_t axis, double eps, es_error *err);

/* x divided by its p-norm along the axis, which counts at least eps. */
bool es_torch_normalize(es_torch *k, es_tensor *out, const es_tensor *x, double p, int axis,
                        double eps, es_error *err);

/* Over the last axes, those of `shape`: mean 0, variance 1 (plus eps), times weight, plus bias (NULL: none). */
bool es_torch_layer_norm(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                         const es_tensor *weight, const es_tensor *bias, double eps, es_error *err);

/* Over the same axes: divided by the root of the mean square (plus eps), times weight (NULL: none). */
bool es_torch_rms_norm(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                       const es_tensor *weight, double eps, es_error *err);

/* The p-norm of every row of x (…, P, M) minus every row of y (…, R, M): (…, P, R). */
bool es_torch_cdist(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y, double p,
                    es_error *err);

typedef enum es_reduced { ES_MEAN_OF_ALL, ES_SUM_OF_ALL, ES_EACH } es_reduced;

/* -log softmax(x)[target] over axis 1 of x (N, V, …), or 0 of x (V); target (N, …) int64.  Targets that are
 * `ignore` do not count.  ES_ERR_INDEX_RANGE, ES_ERR_BROADCAST. */
bool es_torch_cross_entropy(es_torch *k, es_tensor *out, const es_tensor *x,
                            const es_tensor *target, int64_t ignore, es_reduced how, es_error *err);

/* (x - y) squared. */
bool es_torch_mse(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                  es_reduced how, es_error *err);

#endif
